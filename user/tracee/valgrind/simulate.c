// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_xarray.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/hierarchies.h"
#include "tracee/valgrind-lib/memory.h"
#include "tracee/valgrind/places.h"
#include "tracee/valgrind/simulate.h"

struct sim_totals sim_totals;
struct sim_blocks *sim_blocks;
struct sim_site *sim_touched;
Addr sim_sites;

static VgHashTable *sites_by_ip;
static XArray *sites, *whos;		/* pointers, by number - 1 */

const char *sim_error(void)
{
	struct hierarchy_plan *plan = &engine_options.plan;
	UInt n;

	plan->level[0].geometry = engine_options.l1;
	plan->levels = 1;
	for (n = 0; n < CACHE_LEVELS - 1 && engine_options.outer[n].geometry.ways; n++) {
		plan->level[n + 1].geometry = engine_options.outer[n].geometry;
		plan->level[n + 1].hash = engine_options.outer[n].hash;
		plan->levels++;
	}
	return hierarchy_error(plan);
}

void sim_init(void)
{
	sites_by_ip = VG_(HT_construct)("ccsample.sites");
	sim_sites = (Addr)sites_by_ip;
	sites = VG_(newXA)(VG_(malloc), "ccsample.sites", VG_(free), sizeof(struct sim_site *));
	whos = VG_(newXA)(VG_(malloc), "ccsample.whos", VG_(free), sizeof(struct sim_who *));
	hierarchies_init();
	sim_code_init();
	phases_init();
}

void sim_open(struct engine_thread *t)
{
	t->sim = VG_(calloc)("ccsample.sim", 1, sizeof(*t->sim));
	hierarchies_open(t, &t->sim->hierarchy);
	if (!engine_options.alias)
		return;
	t->sim->alias = VG_(calloc)("ccsample.alias", 1, sizeof(*t->sim->alias));
	t->sim->alias->window = engine_options.alias;
	pairs_open(&t->sim->aliases, &engine_tables);
}

void sim_close(struct engine_thread *t)
{
	if (engine_options.totals)
		results_keep(t);
	results_thread(t);
	hierarchies_close(t, &t->sim->hierarchy);
	if (t->sim->alias)
		pairs_close(&t->sim->aliases, &engine_tables);
	VG_(free)(t->sim->alias);
	VG_(free)(t->sim);
	t->sim = NULL;
}

void sim_drain(struct engine_thread *t, const struct engine_shadow *shadow)
{
	t->sim->references += (shadow->references & 0xffffffff) + (shadow->references >> 32);
}

/* --- sites --- */

struct sim_who *sim_who_at(UInt place)
{
	return *(struct sim_who **)VG_(indexXA)(whos, place);
}

static void site_record(const struct sim_site *site)
{
	struct ccs_sim_site *r;

	if (!records_on())
		return;
	r = record_add(CCS_SIM_SITE, 0, sizeof(*r), 0);
	r->time = process_time();
	r->ip = site->ip;
	r->number = site->number;
}

struct sim_site *sim_site(Addr ip)
{
	struct sim_site *site = VG_(HT_lookup)(sites_by_ip, ip);

	if (site)
		return site;
	site = VG_(calloc)("ccsample.site", 1, sizeof(*site));
	site->ip = ip;
	site->low = SITE_NOWHERE;
	site->number = VG_(addToXA)(sites, &site) + 1;
	VG_(HT_add_node)(sites_by_ip, site);
	site_record(site);
	return site;
}

static struct sim_who *add_who(struct sim_site *site, UInt object)
{
	struct sim_who *who = VG_(calloc)("ccsample.who", 1, sizeof(*who));

	who->site = site;
	who->object = object;
	who->number = VG_(addToXA)(whos, &who) + 1;
	who->next = site->whos;
	site->whos = who;
	return who;
}

/* The latest one comes first, for it is likely to be the next one. */
static struct sim_who *who_of(struct sim_site *site, UInt object)
{
	struct sim_who **link = &site->whos, *who = *link;

	if (who && who->object == object)
		return who;
	for (; (who = *link); link = &who->next)
		if (who->object == object)
			break;
	if (!who)
		return add_who(site, object);
	*link = who->next;
	who->next = site->whos;
	site->whos = who;
	return who;
}

void sim_fork(void)
{
	results_drop();
	results_begin();
}

/* --- references --- */

static __attribute__((noinline)) struct sim_who *find_who(struct sim_site *site, Addr address)
{
	struct sim_who *who;
	Bool whole_page;

	who = who_of(site, places_object(address, &whole_page));
	site->last_page = address >> 12;
	site->last_version = whole_page ? places_version : 0;
	site->last_who = who;
	return who;
}

/* Most sites miss on one object page by page. */
static inline struct sim_who *who_at(struct sim_site *site, Addr address)
{
	if (site->last_page == address >> 12 && site->last_version == places_version)
		return site->last_who;
	return find_who(site, address);
}

static void count_outer(struct sim_who *who, struct sim_site *site,
			const struct access_result *result)
{
	UInt n;

	for (n = 1; n < engine_options.plan.levels && result->classes[n] != CLASS_NONE; n++) {
		who->outcomes[n][result->classes[n]]++;
		site->saved[n] += result->saved >> n & 1;
		who->pressured[n] += result->pressured >> n & 1;
	}
}

static __attribute__((noinline)) enum miss_class missed(struct hierarchy *h, struct sim_site *site,
							Addr address, ULong line, Bool store)
{
	struct sim_who *who = who_at(site, address);
	enum miss_class class;
	struct access_result result;

	class = hierarchy_miss(h, line, store, who->number, &result);
	who->outcomes[0][class]++;
	who->pressured[0] += result.pressured & 1;
	if (engine_options.plan.levels > 1)
		count_outer(who, site, &result);
	return class;
}

static __attribute__((noinline)) void count_guarded(const struct sim_reference *reference)
{
	reference->site->references++;
	engine_now->sim->references++;
	if (reference->store)
		sim_totals.guarded_stores++;
	else
		sim_totals.guarded_loads++;
}

/* Ranges are kept by lines, so that a stream does not come here for every element. */
static __attribute__((noinline)) void widen(struct sim_site *site, Addr low, Addr high)
{
	if (!site->reach) {
		site->low = low;
		site->next_touched = sim_touched;
		sim_touched = site;
	} else {
		if (site->low + site->reach > high)
			high = site->low + site->reach;
		if (low < site->low)
			site->low = low;
	}
	site->reach = high - site->low;
}

static void look_for_alias(struct sim_thread *sim, const struct sim_reference *reference,
			   Addr first)
{
	UInt store;

	if (reference->store) {
		alias_store(sim->alias, first, reference->size,
			    who_at(reference->site, first)->number);
		return;
	}
	store = alias_load(sim->alias, first, reference->size);
	if (store)
		pairs_count(&sim->aliases, who_at(reference->site, first)->number, store, 0,
			    &engine_tables);
}

/* What has to happen before a thread refers to [first, last] of a line. */
static void keep_coherent(struct coherent_core *core, const struct sim_reference *reference,
			  ULong line, Addr first, Addr last)
{
	UInt within = engine_options.l1.line - 1;
	struct sim_who *who = who_at(reference->site, first);
	struct coherence_effect effect;

	effect = coherence_access(core, line, coherence_bytes(core->all, first & within,
							      last & within),
				  reference->store, who->number);
	who->upgrades += effect.upgraded;
	who->invalidations += effect.invalidated;
}

/* The reference's first miss was due to another thread's store. */
static void count_coherence(struct sim_thread *sim, const struct sim_reference *reference)
{
	if (reference->store)
		sim->stores++;
	else
		sim->loads++;
}

/* Kept apart from sim_use(), which saves no registers for it. */
__attribute__((noinline)) void sim_refer(Addr first, struct sim_reference *reference, ULong time)
{
	struct hierarchy *h = &engine_now->sim->hierarchy;
	struct sim_site *site = reference->site;
	Addr last = first + reference->size - 1;
	UInt bits = engine_options.l1.line_bits;
	ULong line = first >> bits, end = last >> bits;
	ULong saved = h->level[0].counts.anticonflicts;
	enum miss_class class = CLASS_HIT, here;

	if (reference->guarded)
		count_guarded(reference);
	if (engine_options.alias)
		look_for_alias(engine_now->sim, reference, first);
	if (first - site->low > site->reach || last - site->low > site->reach)
		widen(site, line << bits, (end << bits) + engine_options.l1.line - 1);
	if (hierarchy_has_nodes(h))
		h->level[0].shadow.now = time - 1;
	site->more_lines += end - line;
	engine_now->sim->more_lines += end - line;
	for (; line <= end; line++) {
		Addr address = line == first >> bits ? first : line << bits;

		here = CLASS_HIT;
		if (engine_options.blocks)
			who_at(site, address)->accesses++;
		if (h->core)
			keep_coherent(h->core, reference, line, address,
				      line == end ? last : ((line + 1) << bits) - 1);
		if (!hierarchy_use(h, line, reference->store))
			here = missed(h, site, address, line, reference->store);
		if (class == CLASS_HIT && h->core && h->core->lost)
			count_coherence(engine_now->sim, reference);
		if (class == CLASS_HIT)
			class = here;
		if (h->prefetch)
			hierarchy_prefetch(h, line, reference->store, here == CLASS_HIT,
					   who_at(site, address)->number);
		if (h->detector == DETECTOR_REUSE)
			sim_reuse_count(h, who_at(site, address));
	}
	site->saved[0] += h->level[0].counts.anticonflicts - saved;
	if (h->prefetch && !reference->store)
		hierarchy_prefetch_stride(h, site->ip, first, first >> bits,
					  who_at(site, first)->number);
	if (class != CLASS_HIT)
		(reference->store ? sim_totals.stores : sim_totals.loads)[class]++;
}

/* A reference to one line, which is not in L1. */
static __attribute__((noinline)) void refer_absent(Addr first,
						   const struct sim_reference *reference,
						   ULong time)
{
	struct hierarchy *h = &engine_now->sim->hierarchy;
	ULong line = first >> engine_options.l1.line_bits;
	enum miss_class class;

	/* The program is about to read there, and has been away from its data for long. */
	__builtin_prefetch((const void *)first);
	h->level[0].shadow.now = time - 1;
	class = missed(h, reference->site, first, line, reference->store);
	(reference->store ? sim_totals.stores : sim_totals.loads)[class]++;
}

/*
 * What most calls come for: a line further back in its set, a store to a clean one, or a line that
 * is not there.
 */
static inline void use(Addr first, struct sim_reference *reference, ULong time, struct way *row,
		       UInt ways)
{
	UInt bits = engine_options.l1.line_bits;
	const struct sim_site *site = reference->site;
	ULong line = first >> bits, dirty = reference->store ? TAG_DIRTY : 0;

	if ((first + reference->size - 1) >> bits != line || first - site->low > site->reach ||
	    tag_orphaned(row->tag)) {
		sim_refer(first, reference, time);
	} else if ((row->tag | TAG_DIRTY) == (line << 1 | TAG_DIRTY)) {
		row->tag |= dirty;
	} else if (!array_renew(row, ways, line, dirty)) {
		refer_absent(first, reference, time);
	} else if (row->node->line != line) {
		sim_refer(first, reference, time);
	}
}

void sim_use(Addr first, struct sim_reference *reference, ULong time, struct way *row)
{
	use(first, reference, time, row, engine_options.l1.ways);
}

void sim_use_8(Addr first, struct sim_reference *reference, ULong time, struct way *row)
{
	use(first, reference, time, row, 8);
}
