// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>

#include "cachesim/policy-names.h"
#include "output/region.h"
#include "simulate/views.h"

/* What a thread's own level, 0 = L1, missed by coherence; NULL = not asked for. */
struct coherent {
	const struct sim_sharing *sharing;
	uint32_t n;
};

#define NO_COHERENCE	((struct coherent){ NULL, 0 })

static struct coherent coherent(const struct sim_findings *findings,
				const struct sim_sharing *sharing, uint32_t n)
{
	return (struct coherent){ findings->plan.coherence ? sharing : NULL, n };
}

/* By class; coherence has one of its own where it is known. */
static void put_misses_by_class(struct json *json, const uint64_t *outcomes,
				struct coherent coherent)
{
	uint64_t lost = coherent.sharing ? sim_coherence(coherent.sharing, coherent.n) : 0;

	json_put_count(json, "misses", outcomes_missed(outcomes));
	json_put_count(json, "cold", outcomes[CLASS_COLD]);
	json_put_count(json, "capacity", outcomes[CLASS_CAPACITY] - lost);
	json_put_count(json, "conflict", outcomes[CLASS_CONFLICT]);
	if (coherent.sharing)
		json_put_count(json, "coherence", lost);
}

static void put_outcomes(struct json *json, const uint64_t *outcomes, struct coherent coherent)
{
	json_put_count(json, "hits", outcomes[CLASS_HIT]);
	put_misses_by_class(json, outcomes, coherent);
}

/* Without --coherence there is no such object. */
static void put_sharing(struct json *json, const char *key, const struct sim_findings *findings,
			const struct sim_sharing *sharing)
{
	if (!findings->plan.coherence)
		return;
	json_open_flat_under(json, key, '{');
	json_put_count(json, "misses", sharing->misses);
	json_put_count(json, "true_sharing", sharing->true_sharing);
	json_put_count(json, "false_sharing", sharing->misses - sharing->true_sharing);
	json_put_count(json, "upgrades", sharing->upgrades);
	json_put_count(json, "invalidations", sharing->invalidations);
	json_close(json, '}');
}

static void put_geometry(struct json *json, const struct level_plan *plan, uint32_t n)
{
	json_put_count(json, "size", cache_size(&plan->geometry));
	json_put_count(json, "ways", plan->geometry.ways);
	json_put_count(json, "sets", plan->geometry.sets);
	json_put_count(json, "line", plan->geometry.line);
	json_put_string(json, "policy", policy_name(plan->policy));
	json_put_string(json, "inclusion", n ? inclusion_name(plan->inclusion) : NULL);
	json_put_string(json, "hash", plan->hash ? plan->hash->name : NULL);
	json_put_count(json, "slices", plan->hash ? plan->hash->slices : 1);
}

/* [set, hits, cold, capacity, conflict] of those with accesses. */
static void put_set_reuse(struct json *json, const struct sim_level *level, size_t reading,
			  uint32_t sets)
{
	json_open_flat_under(json, "by_set", '[');
	for (uint32_t set = 0; set < sets; set++) {
		const uint64_t *outcomes = level->set_reuse[set].outcomes[reading];

		if (!outcomes[CLASS_HIT] && !outcomes_missed(outcomes))
			continue;
		json_open(json, '[');
		json_count(json, set);
		for (int class = 0; class < MISS_CLASSES; class++)
			json_count(json, outcomes[class]);
		json_close(json, ']');
	}
	json_close(json, ']');
}

static void put_classified(struct json *json, const struct sim_level *level, uint32_t sets)
{
	if (!level->classified_count)
		return;
	json_open_under(json, "detectors", '[');
	for (size_t i = 0; i < level->classified_count; i++) {
		json_open(json, '{');
		json_put_string(json, "name", level->classified[i].name);
		put_outcomes(json, level->classified[i].outcomes, NO_COHERENCE);
		json_put_number(json, "error", level->classified[i].error);
		if (level->set_reuse)
			put_set_reuse(json, level, i, sets);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* What MACPO's two readings make of the same accesses. */
static void put_reuse(struct json *json, const uint64_t outcomes[][MISS_CLASSES])
{
	json_open_under(json, "detectors", '[');
	for (int reading = 0; reading < REUSE_READINGS; reading++) {
		json_open(json, '{');
		json_put_string(json, "name", reuse_reading_name(reading));
		put_outcomes(json, outcomes[reading], NO_COHERENCE);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* [set, misses, conflicts] of those that have any. */
static void put_sets(struct json *json, const struct sim_level *level, uint32_t sets)
{
	json_open_flat_under(json, "by_set", '[');
	for (uint32_t set = 0; set < sets; set++) {
		if (!level->sets[set].misses)
			continue;
		json_open(json, '[');
		json_count(json, set);
		json_count(json, level->sets[set].misses);
		json_count(json, level->sets[set].conflicts);
		json_close(json, ']');
	}
	json_close(json, ']');
}

/* Of the misses: all conflicts, and less hits saved. */
static void put_shares(struct json *json, const uint64_t *outcomes, uint64_t saved)
{
	uint64_t misses = outcomes_missed(outcomes);

	json_put_count(json, "anticonflicts", saved);
	json_put_number(json, "gross_share",
			outcomes_net_share(outcomes[CLASS_CONFLICT], 0, misses));
	json_put_number(json, "net_share",
			outcomes_net_share(outcomes[CLASS_CONFLICT], saved, misses));
}

static void put_level(struct json *json, const struct sim_findings *findings, uint32_t n)
{
	const struct sim_level *level = &findings->levels[n];
	const struct level_counts *counts = &level->counts;

	json_open(json, '{');
	json_put_count(json, "level", n + 1);
	json_put_count(json, "accesses", counts->outcomes[CLASS_HIT] + level_misses(counts));
	put_outcomes(json, counts->outcomes, coherent(findings, &findings->sharing, n));
	put_shares(json, counts->outcomes, counts->anticonflicts);
	json_put_count(json, "writebacks", counts->writebacks);
	json_put_count(json, "inclusion_victims", counts->inclusion_victims);
	json_put_number(json, "pressure", level->pressure);
	json_put_number(json, "pressured", level->pressured);
	put_geometry(json, &findings->plan.level[n], n);
	json_put_string(json, "pages", n ? findings->pages : NULL);
	put_classified(json, level, findings->plan.level[n].geometry.sets);
	put_sets(json, level, findings->plan.level[n].geometry.sets);
	json_close(json, '}');
}

static void put_kind(struct json *json, const char *key, const struct sim_findings *findings,
		     const struct sim_kind *kind)
{
	json_open_flat_under(json, key, '{');
	json_put_count(json, "references", kind->references);
	put_outcomes(json, kind->outcomes, coherent(findings, &kind->sharing, 0));
	json_close(json, '}');
}

/* Of a generated trace it is not known; see synthetic.h. */
static void put_pressured(struct json *json, const struct sim_level *level, uint64_t pressured)
{
	if (isnan(level->pressure))
		json_put_number(json, "pressured", NAN);
	else
		json_put_count(json, "pressured", pressured);
}

static void put_outcomes_by_level(struct json *json, const char *key,
				  const struct sim_findings *findings,
				  const struct sim_counts *counts)
{
	json_open_under(json, key, '[');
	for (uint32_t n = 0; n < findings->plan.levels; n++) {
		const uint64_t *outcomes = counts->outcomes[n];

		json_open_flat(json, '{');
		json_put_count(json, "level", n + 1);
		json_put_count(json, "accesses", outcomes[CLASS_HIT] + outcomes_missed(outcomes));
		put_outcomes(json, outcomes, coherent(findings, &counts->sharing, n));
		put_shares(json, outcomes, counts->saved[n]);
		put_pressured(json, &findings->levels[n], counts->pressured[n]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_conflicts(struct json *json, const struct sim_findings *findings,
			  const uint64_t *conflicts)
{
	json_open_flat_under(json, "conflicts", '[');
	for (uint32_t n = 0; n < findings->plan.levels; n++)
		json_count(json, conflicts[n]);
	json_close(json, ']');
}

/* Misses by level, of an object or of a loop's on it. @pressured, @reuse: NULL = not known */
static void put_misses(struct json *json, const struct sim_findings *findings,
		       const uint64_t misses[][MISS_CLASSES], const uint64_t *pressured,
		       const struct sim_sharing *sharing,
		       const uint64_t reuse[][REUSE_READINGS][MISS_CLASSES])
{
	json_open_under(json, "levels", '[');
	for (uint32_t n = 0; n < findings->plan.levels; n++) {
		json_open_flat(json, '{');
		json_put_count(json, "level", n + 1);
		put_misses_by_class(json, misses[n], coherent(findings, sharing, n));
		if (pressured)
			put_pressured(json, &findings->levels[n], pressured[n]);
		if (reuse)
			put_reuse(json, reuse[n]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* What evicted the lines that this loop misses by conflict. */
static void put_evictors(struct json *json, const struct sim_findings *findings,
			    const struct sim_loop *loop)
{
	json_open_under(json, "evictors", '[');
	for (size_t i = 0; i < findings->loop_pair_count; i++) {
		const struct sim_loop_pair *loop_pair = &findings->loop_pairs[i];

		if (&findings->loops[loop_pair->victim] != loop)
			continue;
		json_open_flat(json, '{');
		json_put_count(json, "id", findings->loops[loop_pair->evictor].region.id);
		put_conflicts(json, findings, loop_pair->conflicts);
		if (loop_pair->known)
			json_put_count(json, "intra", loop_pair->intra);
		else
			json_put_string(json, "intra", NULL);
		json_put_count(json, "total", loop_pair->total);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_loop(struct json *json, const struct sim_findings *findings,
		     const struct sim_loop *loop)
{
	const struct sim_part *part;

	json_open(json, '{');
	json_put_region(json, &loop->region);
	json_put_count(json, "references", loop->self.references);
	put_outcomes_by_level(json, "levels", findings, &loop->self);
	put_sharing(json, "sharing", findings, &loop->self.sharing);
	json_put_count(json, "nest_references", loop->nest.references);
	put_outcomes_by_level(json, "nest", findings, &loop->nest);
	put_sharing(json, "nest_sharing", findings, &loop->nest.sharing);
	json_open_under(json, "objects", '[');
	for (size_t i = 0; i < loop->part_count; i++) {
		part = &findings->parts[loop->first_part + i];
		json_open_flat(json, '{');
		json_put_count(json, "id", part->object->id);
		put_misses(json, findings, part->misses, NULL, &part->sharing, NULL);
		json_close(json, '}');
	}
	json_close(json, ']');
	put_evictors(json, findings, loop);
	json_close(json, '}');
}

static void put_row(struct json *json, const struct sim_findings *findings,
		    const struct sim_row *row)
{
	json_open(json, '{');
	json_put_region(json, &row->region);
	if (row->loop != SIZE_MAX)
		json_put_count(json, "loop", findings->loops[row->loop].region.id);
	json_put_count(json, "references", row->counts.references);
	json_put_address(json, "low", row->low);
	json_put_address(json, "high", row->high);
	put_outcomes_by_level(json, "levels", findings, &row->counts);
	put_sharing(json, "sharing", findings, &row->counts.sharing);
	json_close(json, '}');
}

static void put_thing(struct json *json, const struct sim_findings *findings,
		      const struct sim_thing *thing)
{
	json_open(json, '{');
	json_put_count(json, "id", thing->object->id);
	json_put_string(json, "name", thing->object->name);
	json_put_string(json, "kind", object_kind_name(thing->object->kind));
	json_put_named(json, "where", thing->object->where);
	if (findings->blocks)
		json_put_count(json, "accesses", thing->accesses);
	put_sharing(json, "sharing", findings, &thing->sharing);
	put_misses(json, findings, thing->misses, thing->pressured, &thing->sharing,
		   findings->plan.detector == DETECTOR_REUSE ? thing->reuse : NULL);
	json_close(json, '}');
}

static void put_end(struct json *json, const char *key, const struct sim_findings *findings,
		    size_t row, const struct object *object)
{
	json_open_flat_under(json, key, '{');
	json_put_region(json, &findings->rows[row].region);
	if (findings->rows[row].loop != SIZE_MAX)
		json_put_count(json, "loop", findings->loops[findings->rows[row].loop].region.id);
	json_put_string(json, "object", object ? object->name : NULL);
	json_close(json, '}');
}

static void put_pair(struct json *json, const struct sim_findings *findings,
		       const struct sim_pair *pair)
{
	json_open(json, '{');
	put_end(json, "victim", findings, pair->victim, pair->victim_object);
	put_end(json, "evictor", findings, pair->evictor, pair->evictor_object);
	json_put_string(json, "kind", pair_kind(pair));
	put_conflicts(json, findings, pair->conflicts);
	json_close(json, '}');
}

/* Who misses by coherence, and whose store took the line away. */
static void put_sharings(struct json *json, const struct sim_findings *findings, size_t top)
{
	json_open_under(json, "sharing_pairs", '[');
	for (size_t i = 0; i < findings->sharing_count && (!top || i < top); i++) {
		const struct sim_pair *pair = &findings->sharings[i];

		json_open(json, '{');
		put_end(json, "victim", findings, pair->victim, pair->victim_object);
		put_end(json, "writer", findings, pair->evictor, pair->evictor_object);
		json_put_count(json, "misses", pair->conflicts[COHERENCE_MISSES]);
		json_put_count(json, "true_sharing", pair->conflicts[COHERENCE_TRUE]);
		json_put_count(json, "false_sharing", pair->conflicts[COHERENCE_MISSES] -
			       pair->conflicts[COHERENCE_TRUE]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* 4K aliasing; without --alias there is no such list. */
static void put_aliases(struct json *json, const struct sim_findings *findings, size_t top)
{
	json_put_count(json, "alias_window", findings->alias_window);
	json_open_under(json, "aliases", '[');
	for (size_t i = 0; i < findings->alias_count && (!top || i < top); i++) {
		const struct sim_pair *alias = &findings->aliases[i];

		json_open(json, '{');
		put_end(json, "load", findings, alias->victim, alias->victim_object);
		put_end(json, "store", findings, alias->evictor, alias->evictor_object);
		json_put_count(json, "count", alias->total);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Who uses whose lines again; without --classify reuse there is no such list. */
static void put_reuses(struct json *json, const struct sim_findings *findings, size_t top)
{
	json_open_under(json, "reuses", '[');
	for (size_t i = 0; i < findings->reuse_count && (!top || i < top); i++) {
		const struct sim_pair *edge = &findings->reuses[i];

		json_open(json, '{');
		put_end(json, "from", findings, edge->evictor, edge->evictor_object);
		put_end(json, "to", findings, edge->victim, edge->victim_object);
		json_put_count(json, "count", edge->total);
		json_put_count(json, "far", edge->conflicts[REUSE_FAR]);
		json_put_number(json, "distance_in_set", sim_reuse_mean(edge, REUSE_SUM_SET));
		json_put_number(json, "distance", sim_reuse_mean(edge, REUSE_SUM_ALL));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_thread(struct json *json, const struct sim_findings *findings,
		       const struct sim_thread_level *thread)
{
	json_open_flat(json, '{');
	json_put_count(json, "process", thread->process);
	json_put_known(json, "tid", thread->tid);
	json_put_count(json, "level", thread->level);
	json_put_count(json, "accesses",
		       thread->outcomes[CLASS_HIT] + outcomes_missed(thread->outcomes));
	put_outcomes(json, thread->outcomes,
		     coherent(findings, &thread->sharing, thread->level - 1));
	if (findings->plan.detector == DETECTOR_REUSE)
		put_reuse(json, thread->reuse);
	json_close(json, '}');
}

/* What the phases say; errors are half the width of intervals of 95%. */
static void put_phases(struct json *json, const struct sim_findings *findings)
{
	struct sim_estimate estimate;

	json_put_count(json, "phases", findings->phase_count);
	json_open_under(json, "estimates", '[');
	for (uint32_t n = 0; findings->phase_count && n < findings->plan.levels; n++) {
		estimate = sim_findings_estimate(findings, n);
		json_open_flat(json, '{');
		json_put_count(json, "level", n + 1);
		json_put_number(json, "miss_ratio", estimate.miss_ratio);
		json_put_number(json, "miss_ratio_error", estimate.miss_ratio_error);
		json_put_number(json, "conflict_share", estimate.conflict_share);
		json_put_number(json, "conflict_share_error", estimate.conflict_share_error);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Without --prefetch there is no such list. */
static void put_prefetches(struct json *json, const struct sim_findings *findings)
{
	const struct prefetch_counts *counts;

	json_open_under(json, "prefetches", '[');
	for (int i = 0; i < PREFETCHERS; i++) {
		if (!(findings->plan.prefetchers >> i & 1))
			continue;
		counts = &findings->prefetches[i];
		json_open_flat(json, '{');
		json_put_string(json, "name", prefetcher_name(i));
		json_put_count(json, "level", prefetcher_level(i) + 1);
		json_put_count(json, "issued", counts->issued);
		json_put_count(json, "useful", counts->useful);
		json_put_count(json, "memory", counts->memory);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Programs that share the last level; without --with there is no such list. */
static void put_neighbours(struct json *json, const struct sim_findings *findings)
{
	json_put_number(json, "cycles", findings->cycles);
	json_open_under(json, "with", '[');
	for (size_t i = 0; i < findings->neighbour_count; i++) {
		const struct sim_neighbour *neighbour = &findings->neighbours[i];

		json_open_flat(json, '{');
		json_put_string(json, "input", neighbour->input);
		json_put_count(json, "references", neighbour->references);
		json_put_number(json, "cycles", neighbour->cycles);
		put_outcomes(json, neighbour->outcomes, NO_COHERENCE);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_lists(struct json *json, const struct sim_findings *findings, size_t top)
{
	size_t i;

	json_open_under(json, "loops", '[');
	for (i = 0; i < findings->loop_count && (!top || i < top); i++)
		put_loop(json, findings, &findings->loops[i]);
	json_close(json, ']');
	json_open_under(json, "sites", '[');
	for (i = 0; i < findings->row_count && (!top || i < top); i++)
		if (findings->rows[i].counts.references)
			put_row(json, findings, &findings->rows[i]);
	json_close(json, ']');
	json_open_under(json, "objects", '[');
	for (i = 0; i < findings->thing_count && (!top || i < top); i++)
		put_thing(json, findings, &findings->things[i]);
	json_close(json, ']');
	json_open_under(json, "pairs", '[');
	for (i = 0; i < findings->pair_count && (!top || i < top); i++)
		put_pair(json, findings, &findings->pairs[i]);
	json_close(json, ']');
	if (findings->plan.coherence)
		put_sharings(json, findings, top);
	if (findings->alias_window)
		put_aliases(json, findings, top);
	if (findings->plan.detector == DETECTOR_REUSE)
		put_reuses(json, findings, top);
	json_open_under(json, "threads", '[');
	for (i = 0; i < findings->thread_count; i++)
		put_thread(json, findings, &findings->threads[i]);
	json_close(json, ']');
}

void simulation_json(FILE *out, const struct sim_findings *findings,
		     const struct simulation_view *view)
{
	struct json json = { .out = out };

	json_begin(&json, "sim");
	json_put_string(&json, "input", view->input);
	json_put_string(&json, "format", view->format);
	json_put_string(&json, "pages", findings->pages);
	json_put_string(&json, "function", findings->function);
	json_put_count(&json, "bursts", findings->bursts);
	json_put_count(&json, "bad_lines", view->bad_lines);
	json_put_count(&json, "processes", findings->processes);
	json_put_count(&json, "lost", findings->lost);
	json_put_count(&json, "unresolved", findings->unresolved);
	json_put_count(&json, "beyond", findings->beyond);
	json_put_count(&json, "instructions", findings->instructions);
	json_put_count(&json, "simulated", findings->simulated);
	json_put_count(&json, "references", findings->references);
	put_kind(&json, "loads", findings, &findings->loads);
	put_kind(&json, "stores", findings, &findings->stores);
	json_open_under(&json, "levels", '[');
	for (uint32_t n = 0; n < findings->plan.levels; n++)
		put_level(&json, findings, n);
	json_close(&json, ']');
	put_sharing(&json, "sharing", findings, &findings->sharing);
	if (findings->plan.coherence)
		json_put_known(&json, "turn", findings->turn);
	if (findings->plan.prefetchers)
		put_prefetches(&json, findings);
	if (findings->neighbour_count)
		put_neighbours(&json, findings);
	put_phases(&json, findings);
	put_lists(&json, findings, view->top);
	json_close(&json, '}');
}
