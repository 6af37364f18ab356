// SPDX-License-Identifier: GPL-2.0-only
/* What the simulator counted, as records. */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/hierarchies.h"
#include "tracee/valgrind/simulate.h"

#define SETS_MAX	1024u	/* in a record */
#define SET_REUSE_MAX	512u

static ULong instructions_sent;	/* by process_time(): up to the last results */
static ULong counted_from;	/* ... and where counting began after them */

static ULong all_of(const ULong *outcomes)
{
	return outcomes[0] + outcomes[1] + outcomes[2] + outcomes[3];
}

/* --- levels --- */

static void forget_pairs(struct pairs *pairs)
{
	VG_(memset)(pairs->slots, 0, hash_slots(pairs->shift) * sizeof(*pairs->slots));
	pairs->used = 0;
}

static void forget_level(struct level *level)
{
	VG_(memset)(&level->counts, 0, sizeof(level->counts));
	VG_(memset)(level->reuse.outcomes, 0, sizeof(level->reuse.outcomes));
	if (level->reuse.by_set) {
		VG_(memset)(level->reuse.by_set, 0, level->shape.geometry.sets *
			    sizeof(*level->reuse.by_set));
		forget_pairs(&level->reuse.edges);
	}
	depths_forget(&level->depths);
	VG_(memset)(level->sets, 0, level->shape.geometry.sets * sizeof(*level->sets));
	level->pressure.windows = level->pressure.peaks = 0;
	level->pressure.lines = level->pressure.pressured = 0;
}

static void level_record(const struct level *level, UInt n, UInt tid, ULong accesses)
{
	const struct level_counts *counts = &level->counts;
	struct ccs_sim_level *r = record_add(CCS_SIM_LEVEL, tid, sizeof(*r), 0);

	r->level = n + 1;
	r->detector = engine_options.plan.detector;
	VG_(memcpy)(r->outcomes, counts->outcomes, sizeof(r->outcomes));
	if (!n)
		r->outcomes[CLASS_HIT] = accesses - level_misses(counts);
	r->anticonflicts = counts->anticonflicts;
	r->writebacks = counts->writebacks;
	r->inclusion_victims = counts->inclusion_victims;
	VG_(memcpy)(r->collins_tullsen_conflicts, counts->collins_tullsen_conflicts,
		    sizeof(r->collins_tullsen_conflicts));
	r->windows = level->pressure.windows;
	r->peaks = level->pressure.peaks;
	r->lines = level->pressure.lines;
	r->pressured = level->pressure.pressured;
	VG_(memcpy)(r->reuse, level->reuse.outcomes, sizeof(r->reuse));
}

static void sets_record(UInt n, UInt tid, const struct ccs_sim_set *sets, UInt count)
{
	struct ccs_sim_sets *r;

	if (!count)
		return;
	r = record_add(CCS_SIM_SETS, tid, sizeof(*r), count * sizeof(*sets));
	r->level = n + 1;
	r->count = count;
	VG_(memcpy)(r + 1, sets, count * sizeof(*sets));
}

/* With DETECTOR_REUSE. */
static void set_reuse_records(const struct level *level, UInt n, UInt tid)
{
	UInt sets = level->shape.geometry.sets, first, count, i;
	const struct set_reuse *by_set = level->reuse.by_set;
	struct ccs_sim_set_reuse *some;
	struct ccs_sim_sets *r;

	for (first = 0; by_set && first < sets; first += count) {
		count = sets - first < SET_REUSE_MAX ? sets - first : SET_REUSE_MAX;
		r = record_add(CCS_SIM_SET_REUSE, tid, sizeof(*r), count * sizeof(*some));
		r->level = n + 1;
		r->count = count;
		some = (void *)(r + 1);
		for (i = 0; i < count; i++) {
			some[i].set = first + i;
			VG_(memcpy)(some[i].outcomes, by_set[first + i].outcomes,
				    sizeof(some[i].outcomes));
		}
	}
}

static void sets_records(const struct level *level, UInt n, UInt tid)
{
	static struct ccs_sim_set some[SETS_MAX];
	UInt set, count = 0;

	for (set = 0; set < level->shape.geometry.sets; set++) {
		if (!level->sets[set].misses)
			continue;
		some[count++] = (struct ccs_sim_set){
			set, level->sets[set].misses, level->sets[set].conflicts,
		};
		if (count < SETS_MAX)
			continue;
		sets_record(n, tid, some, count);
		count = 0;
	}
	sets_record(n, tid, some, count);
	set_reuse_records(level, n, tid);
}

static void depths_records(const struct depths *depths, UInt n, UInt tid)
{
	UInt set, depth, row = depths->ways + 1;
	struct ccs_sim_depths *r;

	for (set = 0; set < depths->sets; set++) {
		const ULong *counts = (const ULong *)depths_of(depths, set);

		for (depth = 0; depth < row && !counts[depth]; depth++)
			;
		if (depth == row)
			continue;
		r = record_add(CCS_SIM_DEPTHS, tid, sizeof(*r), row * sizeof(*counts));
		r->level = n + 1;
		r->set = set;
		r->ways = depths->ways;
		VG_(memcpy)(r + 1, counts, row * sizeof(*counts));
	}
}

/* @type: of those of struct ccs_sim_pair */
static void pairs_records(const struct pairs *pairs, UInt type, UInt tid)
{
	ULong slot, slots = hash_slots(pairs->shift);

	for (slot = 0; slot < slots; slot++) {
		const struct pair *pair = &pairs->slots[slot];
		const struct sim_who *victim, *evictor;
		struct ccs_sim_pair *r;

		if (!pair->total)
			continue;
		r = record_add(type, tid, sizeof(*r), 0);
		victim = sim_who_at(pair->victim - 1);
		r->victim = victim->site->number;
		r->victim_object = victim->object;
		if (pair->evictor) {
			evictor = sim_who_at(pair->evictor - 1);
			r->evictor = evictor->site->number;
			r->evictor_object = evictor->object;
		}
		VG_(memcpy)(r->counts, pair->conflicts, sizeof(r->counts));
		r->total = pair->total;
	}
}

static void core_records(const struct sim_thread *sim, UInt tid)
{
	const struct coherent_core *core = sim->hierarchy.core;
	struct ccs_sim_core *r;

	if (!core)
		return;
	r = record_add(CCS_SIM_CORE, tid, sizeof(*r), 0);
	r->misses = core->counts.misses;
	r->true_sharing = core->counts.true_sharing;
	r->loads = sim->loads;
	r->stores = sim->stores;
	r->upgrades = core->counts.upgrades;
	r->invalidations = core->counts.invalidations;
	pairs_records(&core->pairs, CCS_SIM_SHARING, tid);
}

static void forget_thread(struct engine_thread *t)
{
	struct hierarchy *h = &t->sim->hierarchy;
	UInt n;

	for (n = 0; n < h->levels; n++) {
		if (h->at[n] == &h->level[n])
			forget_level(h->at[n]);
		else
			depths_forget(&h->level[n].depths);
	}
	forget_pairs(&h->pairs);
	if (h->core)
		coherence_forget(h->core);
	if (h->prefetch)
		VG_(memset)(h->prefetch->counts, 0, sizeof(h->prefetch->counts));
	if (t->sim->alias)
		forget_pairs(&t->sim->aliases);
	h->beyond = 0;
	t->sim->sent = t->counts.instructions;
	t->sim->references = t->sim->more_lines = 0;
	t->sim->loads = t->sim->stores = 0;
}

static void thread_record(const struct engine_thread *t)
{
	struct ccs_sim_thread *r;

	if (engine_options.plan.detector != DETECTOR_THREADS)
		return;
	r = record_add(CCS_SIM_THREAD, t->kernel_tid, sizeof(*r), 0);
	r->instructions = t->counts.instructions - t->sim->sent;
}

static void prefetch_record(const struct prefetch *prefetch, UInt tid)
{
	struct ccs_sim_prefetches *counts;
	struct ccs_sim_prefetch *r;
	UInt i;

	if (!prefetch)
		return;
	r = record_add(CCS_SIM_PREFETCH, tid, sizeof(*r),
		       (PREFETCHERS - PREFETCH_OF_L1) * sizeof(*counts));
	counts = r->counts;
	for (i = 0; i < PREFETCHERS; i++) {
		counts[i].issued = prefetch->counts[i].issued;
		counts[i].useful = prefetch->counts[i].useful;
		counts[i].memory = prefetch->counts[i].memory;
	}
}

static void thread_records(const struct engine_thread *t)
{
	const struct hierarchy *h = &t->sim->hierarchy;
	UInt n;

	for (n = 0; n < h->levels; n++) {
		depths_records(&h->level[n].depths, n, t->kernel_tid);
		if (h->at[n] != &h->level[n])
			continue;
		level_record(h->at[n], n, t->kernel_tid,
			     t->sim->references + t->sim->more_lines);
		sets_records(h->at[n], n, t->kernel_tid);
	}
	thread_record(t);
	prefetch_record(h->prefetch, t->kernel_tid);
	core_records(t->sim, t->kernel_tid);
	pairs_records(&h->pairs, CCS_SIM_PAIR, t->kernel_tid);
	if (h->detector == DETECTOR_REUSE)
		pairs_records(&h->at[0]->reuse.edges, CCS_SIM_EDGE, t->kernel_tid);
	if (t->sim->alias)
		pairs_records(&t->sim->aliases, CCS_SIM_ALIAS, t->kernel_tid);
}

/* What only warmed caches is not sent. */
void results_thread(struct engine_thread *t)
{
	if (t == engine_now)
		shadow_drain(t);
	if (records_on() && phases_count())
		thread_records(t);
	forget_thread(t);
}

/* --- sites --- */

/* Adds what became of a site's accesses to @outcomes; L1's hits are those that are nowhere else. */
static void add_site(const struct sim_site *site, ULong outcomes[][MISS_CLASSES])
{
	const struct sim_who *who;
	ULong misses = 0;
	UInt n;

	for (who = site->whos; who; who = who->next) {
		for (n = 0; n < CACHE_LEVELS; n++)
			outcomes_add((uint64_t *)outcomes[n], (const uint64_t *)who->outcomes[n]);
		misses += all_of(who->outcomes[0]);
	}
	outcomes[0][CLASS_HIT] += site->references + site->more_lines - misses;
}

static void site_record(const struct sim_site *site)
{
	struct ccs_sim_row *r;

	if (!site->references && !site->more_lines)
		return;
	r = record_add(CCS_SIM_ROW, 0, sizeof(*r), sizeof(site->saved));
	r->site = site->number;
	r->references = site->references;
	r->low = site->low;
	r->high = site->low + site->reach;
	add_site(site, (ULong (*)[MISS_CLASSES])r->outcomes);
	VG_(memcpy)(r + 1, site->saved, sizeof(site->saved));
}

static void who_record(const struct sim_who *who)
{
	struct ccs_sim_pair *sharing;
	struct ccs_sim_reuse *reuse;
	struct ccs_sim_data *r;
	UInt n;

	if (who->reuse) {
		reuse = record_add(CCS_SIM_REUSE, 0, sizeof(*reuse), 0);
		reuse->site = who->site->number;
		reuse->object = who->object;
		VG_(memcpy)(reuse->outcomes, who->reuse->outcomes, sizeof(reuse->outcomes));
	}
	if (who->upgrades || who->invalidations) {
		sharing = record_add(CCS_SIM_SHARING, 0, sizeof(*sharing), 0);
		sharing->evictor = who->site->number;
		sharing->evictor_object = who->object;
		sharing->counts[COHERENCE_UPGRADES] = who->upgrades;
		sharing->counts[COHERENCE_INVALIDATIONS] = who->invalidations;
	}
	if (!all_of(who->outcomes[0]) && !who->accesses)
		return;
	r = record_add(CCS_SIM_DATA, 0, sizeof(*r), engine_options.blocks ? sizeof(ULong) : 0);
	r->site = who->site->number;
	r->object = who->object;
	VG_(memcpy)(r->misses, who->outcomes, sizeof(r->misses));
	for (n = 0; n < CACHE_LEVELS; n++)
		r->misses[n][CLASS_HIT] = who->pressured[n];
	if (engine_options.blocks)
		*(ULong *)(r + 1) = who->accesses;
}

static void add_block(struct sim_block *block, ULong *loads, ULong *stores)
{
	const struct sim_reference *reference;

	for (reference = block->references; reference; reference = reference->next) {
		reference->site->references += block->count;
		*(reference->store ? stores : loads) += block->count;
	}
	block->count = 0;
}

/* References of code that ran as a whole. Returns loads; *stores the others. */
static ULong add_blocks(ULong *stores)
{
	struct sim_blocks *blocks;
	ULong loads = 0;
	UInt i;

	*stores = 0;
	for (blocks = sim_blocks; blocks; blocks = blocks->next)
		for (i = 0; i < blocks->used; i++)
			if (blocks->block[i].count)
				add_block(&blocks->block[i], &loads, stores);
	return loads;
}

static void forget_whos(struct sim_who *who)
{
	for (; who; who = who->next) {
		VG_(memset)(who->outcomes, 0, sizeof(who->outcomes));
		VG_(memset)(who->pressured, 0, sizeof(who->pressured));
		who->accesses = who->upgrades = who->invalidations = 0;
		if (who->reuse)
			VG_(memset)(who->reuse, 0, sizeof(*who->reuse));
	}
}

static void forget_sites(void)
{
	struct sim_site *site;

	while ((site = sim_touched)) {
		sim_touched = site->next_touched;
		site->references = site->more_lines = 0;
		VG_(memset)(site->saved, 0, sizeof(site->saved));
		site->low = SITE_NOWHERE;
		site->reach = 0;
		forget_whos(site->whos);
	}
}

static void site_records(const struct sim_site *site)
{
	const struct sim_who *who;

	site_record(site);
	for (who = site->whos; who; who = who->next)
		who_record(who);
}

/* --- all --- */

static void run_record(ULong loads, ULong stores, ULong beyond, Bool out_of_memory)
{
	struct ccs_sim_run *r = record_add(CCS_SIM_RUN, 0, sizeof(*r), 0);

	r->time = process_time();
	r->instructions = r->time - instructions_sent;
	r->simulated = phases_count() ? r->time - counted_from : 0;
	VG_(memcpy)(r->loads, sim_totals.loads, sizeof(r->loads));
	VG_(memcpy)(r->stores, sim_totals.stores, sizeof(r->stores));
	r->loads[CLASS_HIT] = loads + sim_totals.guarded_loads - all_of(sim_totals.loads);
	r->stores[CLASS_HIT] = stores + sim_totals.guarded_stores - all_of(sim_totals.stores);
	r->beyond = beyond;
	r->unresolved = sim_totals.unresolved;
	r->flags = out_of_memory ? CCS_SIM_RUN_MEMORY : 0;
}

/* What there is to compare phases by. Levels of threads that have ended are not in it. */
static void phase_record(ULong references)
{
	const struct sim_site *site;
	struct ccs_sim_phase *r;

	if (!phases_on())
		return;
	r = record_add(CCS_SIM_PHASE, 0, sizeof(*r), 0);
	r->time = counted_from;
	r->instructions = process_time() - counted_from;
	r->references = references;
	for (site = sim_touched; site; site = site->next_touched)
		add_site(site, (ULong (*)[MISS_CLASSES])r->outcomes);
}

static void forget_all(void)
{
	struct engine_thread *t;
	ThreadId id;

	for (id = 1; id < VG_N_THREADS; id++) {
		t = process_thread(id);
		if (t && t->sim)
			forget_thread(t);
	}
	if (hierarchies_shared)
		forget_level(&hierarchies_shared->level);
	forget_sites();
	VG_(memset)(&sim_totals, 0, sizeof(sim_totals));
	counted_from = process_time();
}

void results_drop(void)
{
	ULong stores;

	if (engine_now)
		shadow_drain(engine_now);
	add_blocks(&stores);
	forget_all();
}

void results_begin(void)
{
	instructions_sent = counted_from = process_time();
}

void results_send(void)
{
	ULong loads, stores, beyond = 0;
	Bool out_of_memory = False;
	const struct sim_site *site;
	struct engine_thread *t;
	ThreadId id;

	if (!records_on())
		return;
	if (engine_now)
		shadow_drain(engine_now);
	loads = add_blocks(&stores);
	for (id = 1; id < VG_N_THREADS; id++) {
		t = process_thread(id);
		if (!t || !t->sim)
			continue;
		beyond += t->sim->hierarchy.beyond;
		out_of_memory |= hierarchy_out_of_memory(&t->sim->hierarchy);
		results_thread(t);
	}
	run_record(loads, stores, beyond, out_of_memory);
	if (hierarchies_shared) {
		level_record(&hierarchies_shared->level, CACHE_LEVELS - 1, 0, 0);
		sets_records(&hierarchies_shared->level, CACHE_LEVELS - 1, 0);
		depths_records(&hierarchies_shared->level.depths, CACHE_LEVELS - 1, 0);
	}
	for (site = sim_touched; site; site = site->next_touched)
		site_records(site);
	phase_record(loads + stores + sim_totals.guarded_loads + sim_totals.guarded_stores);
	instructions_sent = process_time();
	forget_all();
}

void results_end(void)
{
	if (phases_count()) {
		results_send();
		return;
	}
	results_drop();
	if (records_on())
		run_record(0, 0, 0, False);
	instructions_sent = process_time();
}

/* --- for who runs the engine without a recorder --- */

static UInt add_counts(HChar *text, UInt room, const struct level *level, UInt n, ULong accesses)
{
	const ULong *o = (const ULong *)level->counts.outcomes;

	return VG_(snprintf)(text, room, " L%u %llu %llu %llu %llu %llu %llu %llu", n + 1,
			     n ? o[CLASS_HIT] : accesses - o[CLASS_COLD] - o[CLASS_CAPACITY] -
			     o[CLASS_CONFLICT], o[CLASS_COLD], o[CLASS_CAPACITY], o[CLASS_CONFLICT],
			     (ULong)level->counts.anticonflicts, (ULong)level->counts.writebacks,
			     (ULong)level->counts.inclusion_victims);
}

static HChar kept[512];		/* of the first thread, once it has gone */
static UInt kept_size;

void results_keep(const struct engine_thread *t)
{
	const struct hierarchy *h = &t->sim->hierarchy;
	ULong stores, loads, accesses;
	UInt n;

	if (t->id != 1)
		return;
	if (engine_now)
		shadow_drain(engine_now);
	accesses = t->sim->references + t->sim->more_lines;
	loads = add_blocks(&stores) + sim_totals.guarded_loads;
	kept_size = VG_(snprintf)(kept, sizeof(kept), "instructions %llu loads %llu stores %llu",
				  process_time(), loads, stores + sim_totals.guarded_stores);
	for (n = 0; n < h->levels; n++)
		kept_size += add_counts(kept + kept_size, sizeof(kept) - kept_size, h->at[n], n,
					accesses);
}

UInt results_text(HChar *text, UInt room)
{
	if (!kept_size && process_thread(1))
		results_keep(process_thread(1));
	return VG_(snprintf)(text, room, "%s", kept);
}
