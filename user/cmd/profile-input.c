// SPDX-License-Identifier: GPL-2.0-only
/* Profiles from traces: simulated reference by reference, or analysed. */
#include <inttypes.h>
#include <stdlib.h>

#include "tracing/traced.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/profile-options.h"
#include "cmd/sim-input.h"
#include "share-model/chain.h"

static char *command_of(const struct profile_arguments *arguments)
{
	return xasprintf("trace %s", arguments->sim.input);
}

/* @known: by the trace; 0 = it does not tell */
static void set_instructions(struct profile *profile, const struct profile_arguments *arguments,
			     uint64_t known, uint64_t references)
{
	profile->instructions = arguments->instructions ? arguments->instructions :
				known ? known : references;
	if (!arguments->instructions && !known)
		warning("the trace does not tell of instructions: its references stand for them, "
			"which --instructions N mends");
}

/* --- simulated --- */

static int profile_simulated(const struct profile_arguments *arguments,
			     const struct hierarchy_plan *plan, bool tells)
{
	struct profile profile = { .command = command_of(arguments), .pages = xstrdup("identity") };
	struct profile_traffic traffic = { .misses = 0 };
	struct simulation_view view;
	struct simulation *simulation = sim_input(&arguments->sim, plan, &view);
	const struct level *shared;

	if (!simulation)
		return 1;
	if (!simulation->references) {
		simulation_free(simulation);
		return -fail("%s has no references", arguments->sim.input);
	}
	shared = simulation->hierarchy.at[arguments->level - 1];
	profile.source = xasprintf("trace, %s", view.format);
	for (uint32_t n = 0; n < plan->levels; n++)
		traffic.hits[n] = simulation->hierarchy.at[n]->counts.outcomes[CLASS_HIT];
	traffic.misses = level_misses(&shared->counts);
	set_instructions(&profile, arguments, tells ? simulation->instructions : 0,
			 simulation->references);
	profile_of_depths(&profile, arguments, &shared->shape.geometry, shared->depths.counts);
	profile_set_speed(&profile, arguments, plan->levels, &traffic);
	simulation_free(simulation);
	return profile_keep(&profile, arguments, arguments->output) < 0;
}

/* --- analysed --- */

/* Some of the caches with 1 .. ways ways, which all of them are a part of (inclusion of LRU stacks). */
struct analysed {
	double misses[SHARE_WAYS_MAX + 1];	/* of the shared level, by ways */
	struct profile_traffic traffic;		/* with all ways */
	uint64_t references;
};

static struct traced *analyse(const struct profile_arguments *arguments,
			      const struct hierarchy_plan *plan, const struct page_plan *pages,
			      uint32_t first, uint32_t count)
{
	struct traced_options *options = xcalloc(1, sizeof(*options));
	struct traced *traced;
	uint32_t i;

	options->plan_count = count;
	options->pages = *pages;
	for (i = 0; i < count; i++) {
		options->plans[i] = *plan;
		options->plans[i].detector = DETECTOR_NONE;
		options->plans[i].level[arguments->level - 1].geometry.ways = first + i;
	}
	traced = traced_run(arguments->sim.input, options);
	free(options);
	return traced;
}

static void take(struct analysed *analysed, const struct traced *traced, uint32_t level,
		 uint32_t first)
{
	size_t i;

	for (i = 0; i < traced->plan_count; i++) {
		const uint64_t (*outcomes)[MISS_CLASSES] = traced->totals[i].counts.outcomes;

		analysed->misses[first + i] = outcomes_missed(outcomes[level - 1]);
		analysed->misses[0] = analysed->misses[first + i] + outcomes[level - 1][CLASS_HIT];
		for (uint32_t n = 0; n < CACHE_LEVELS; n++)
			analysed->traffic.hits[n] = outcomes[n][CLASS_HIT];
		analysed->traffic.misses = analysed->misses[first + i];
		analysed->references = traced->totals[i].references;
	}
}

/* Return: 0, or -1 after one line. */
static int analyse_all(struct analysed *analysed, const struct profile_arguments *arguments,
		       const struct hierarchy_plan *plan, const struct page_plan *pages)
{
	uint32_t ways = plan->level[arguments->level - 1].geometry.ways, first, count;
	struct traced *traced;
	const char *error;

	for (first = 1; first <= ways; first += count) {
		count = ways - first + 1 < TRACED_PLANS ? ways - first + 1 : TRACED_PLANS;
		traced = analyse(arguments, plan, pages, first, count);
		if (!traced)
			return -1;
		take(analysed, traced, arguments->level, first);
		error = traced->error;
		if (!error && first == 1 && (!traced->whole || traced->lost))
			warning("%s is not whole: the profile is of a part of the run",
				arguments->sim.input);
		traced_free(traced);
		if (error)
			return fail("%s cannot be analysed to its end: %s", arguments->sim.input,
				    error);
	}
	return analysed->references ? 0 : fail("%s has no references", arguments->sim.input);
}

static int profile_analysed(const struct profile_arguments *arguments,
			    const struct hierarchy_plan *plan)
{
	const struct cache_geometry *cache = &plan->level[arguments->level - 1].geometry;
	struct page_plan pages = { .kind = PAGES_IDENTITY };
	struct analysed analysed = { .references = 0 };
	const char *wrong = arguments->sim.pages ? page_plan_parse(&pages, arguments->sim.pages) : NULL;
	struct profile profile;

	if (wrong || pages.kind == PAGES_REAL)
		return 2 * -fail("--pages %s: %s", arguments->sim.pages,
				 wrong ? wrong : "a trace does not tell where its pages lay");
	if (analyse_all(&analysed, arguments, plan, &pages) < 0)
		return 1;
	profile = (struct profile){
		.command = command_of(arguments), .source = xstrdup("trace, analysed"),
		.pages = xstrdup(arguments->sim.pages ? arguments->sim.pages : "identity"),
		.level = arguments->level, .cache = *cache,
		.distances = xcalloc(cache->ways + 1, sizeof(double)),
	};
	for (uint32_t d = 0; d < cache->ways; d++)
		profile.distances[d] = analysed.misses[d] - analysed.misses[d + 1];
	profile.distances[cache->ways] = analysed.misses[cache->ways];
	set_instructions(&profile, arguments, 0, analysed.references);
	profile_set_speed(&profile, arguments, plan->levels, &analysed.traffic);
	return profile_keep(&profile, arguments, arguments->output) < 0;
}

/* Sets are not told apart by the analysis. */
int profile_input(const struct profile_arguments *arguments, const struct hierarchy_plan *plan)
{
	bool ours = traced_is(arguments->sim.input);

	if (ours && !arguments->sets)
		return profile_analysed(arguments, plan);
	if (!arguments->sim.pages)
		return profile_simulated(arguments, plan, !ours);
	fail("--pages is for programs, and for traces of ccsample trace without --sets");
	return 2;
}
