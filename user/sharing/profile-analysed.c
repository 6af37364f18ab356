// SPDX-License-Identifier: GPL-2.0-only
/* Profiles from traces, analysed without expanding them. */
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "format/pages-text.h"
#include "share-model/chain.h"
#include "sharing/profile-build.h"
#include "tracing/traced.h"

/* Fewer ways change what misses, but neither the accesses nor what other levels hold. */
bool profile_may_analyse(const struct profile_request *request, const struct hierarchy_plan *plan)
{
	uint32_t n = request->level - 1;
	bool may = !request->sets && plan->level[n].policy == POLICY_LRU;

	for (; n < plan->levels; n++)
		may &= !n || plan->level[n].inclusion == NON_INCLUSIVE;
	return may;
}

/* Some of the caches with 1 .. ways ways, each a part of the next (inclusion of LRU stacks). */
struct analysed {
	double misses[SHARE_WAYS_MAX + 1];	/* of the shared level, by ways */
	struct profile_traffic traffic;		/* with all ways */
	uint64_t references;
};

static struct traced *analyse(const struct profile_request *request,
			      const struct hierarchy_plan *plan, uint32_t first,
			      uint32_t count)
{
	struct traced_options *options = xcalloc(1, sizeof(*options));
	struct traced *traced;
	uint32_t i;

	options->plan_count = count;
	options->pages = request->pages;
	for (i = 0; i < count; i++) {
		options->plans[i] = *plan;
		options->plans[i].detector = DETECTOR_NONE;
		options->plans[i].level[request->level - 1].geometry.ways = first + i;
	}
	traced = traced_run((const char *const[]){ request->input }, 1, options);
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
static int analyse_all(struct analysed *analysed, const struct profile_request *request,
		       const struct hierarchy_plan *plan)
{
	uint32_t ways = plan->level[request->level - 1].geometry.ways, first, count;
	struct traced *traced;
	const char *error;

	for (first = 1; first <= ways; first += count) {
		count = ways - first + 1 < TRACED_PLANS ? ways - first + 1 : TRACED_PLANS;
		traced = analyse(request, plan, first, count);
		if (!traced)
			return -1;
		take(analysed, traced, request->level, first);
		error = traced->error;
		if (!error && first == 1 && (!traced->whole || traced->lost))
			warning("%s is not whole: the profile is of a part of the run",
				request->input);
		traced_free(traced);
		if (error)
			return fail("%s cannot be analysed to its end: %s", request->input,
				    error);
	}
	return analysed->references ? 0 : fail("%s has no references", request->input);
}

int profile_analysed(const struct profile_request *request,
		     const struct hierarchy_plan *plan)
{
	const struct cache_geometry *cache = &plan->level[request->level - 1].geometry;
	struct analysed analysed = { .references = 0 };
	struct profile profile;

	if (analyse_all(&analysed, request, plan) < 0)
		return 1;
	profile = (struct profile){
		.command = profile_trace(request), .source = xstrdup("trace, analysed"),
		.pages = pages_text(&request->pages),
		.level = request->level, .cache = *cache,
		.distances = xcalloc(cache->ways + 1, sizeof(double)),
	};
	for (uint32_t d = 0; d < cache->ways; d++)
		profile.distances[d] = analysed.misses[d] - analysed.misses[d + 1];
	profile.distances[cache->ways] = analysed.misses[cache->ways];
	profile_set_instructions(&profile, request, 0, analysed.references);
	profile_set_speed(&profile, request, &analysed.traffic);
	return profile_keep(&profile, request, request->output) < 0;
}
