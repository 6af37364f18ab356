// SPDX-License-Identifier: GPL-2.0-only
/* Profiles from runs next to a stressmark, on this machine. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/text.h"
#include "sharing/co-run.h"
#include "sharing/profile-build.h"

#define OVERLAP_WANTED	0.9	/* of the time both must have run, to be believed */
#define DISTINCT	1.5	/* misses take so many times as long as hits, to be distinguished */

struct campaign {
	struct stressed_sample *samples;
	uint32_t count;
	double overlap;			/* the smallest */
	int status;			/* of the first run */
};

static void take_run(struct campaign *campaign, const struct co_run_run *run)
{
	if (!campaign->count)
		campaign->status = run->status;
	campaign->samples[campaign->count++] = run->sample;
	campaign->overlap = fmin(campaign->overlap, run->overlap);
}

static void show_run(uint32_t done, uint64_t all)
{
	progress("run %" PRIu32 " of %" PRIu64 "%s", done, all, progress_left((double)done / all));
}

/* All occupancies by turns, so that what else the machine does falls on all alike. */
static int run_all(struct campaign *campaign, const struct profile_request *request,
		   const struct cache_geometry *cache, const struct co_run_place *place)
{
	struct co_run_run run;
	uint32_t round, ways;

	for (round = 0; round < request->repeat; round++)
		for (ways = 0; ways <= cache->ways; ways++) {
			if (co_run_run(place, cache, request->argv, campaign->count > 0, ways,
				       &run) < 0)
				return -1;
			take_run(campaign, &run);
			if (!WIFEXITED(run.status))
				return fail("the program was killed by signal %d: no result",
					    WTERMSIG(run.status));
			if (!(run.sample.nanoseconds > 0))
				return fail("the program takes no time that could be measured");
			if (!request->quiet && progress_due())
				show_run(campaign->count, request->repeat * (cache->ways + 1));
		}
	return 0;
}

/* Reports the uncertainty, with its numbers. */
static void say_doubts(const struct stressed_findings *found, const struct campaign *campaign,
		       const struct co_run_place *place, const struct stressed_latency *latency,
		       uint64_t repeat)
{
	if (found->counted)
		note("from perf's counters of the last level's accesses and misses; a miss costs "
		     "%.0f +- %.0f cycles, which explains %.0f%% of the additional time",
		     found->penalty.slope, found->penalty.error, 100 * found->penalty.explained);
	else
		note("no counters: from run times only. The additional time of runs is divided by "
		     "what a miss costs the stressmark (%.1f ns, a hit %.1f): accesses that were "
		     "never lost and solo misses are not seen, so the effect on others is "
		     "underestimated", latency->miss, latency->hit);
	note("next to the stressmark it took up to %.1f%% longer; distances up to %.1f are not "
	     "distinguished", 100 * (found->most_slowed - 1), found->from);
	if (repeat < 3)
		warning("with fewer than three runs of each their variation is unknown: see "
			"--repeat");
	else
		note("solo runs differ by %.1f%% (quartiles)", 100 * found->spread);
	if (latency->miss < DISTINCT * latency->hit)
		warning("the stressmark's misses take hardly longer than its hits: its occupancy "
			"and the cost of a miss are guesses");
	if (found->most_slowed - 1 < 2 * found->spread)
		warning("the stressmark slows the program by no more than its runs differ: this "
			"profile is noise");
	if (campaign->overlap < OVERLAP_WANTED)
		warning("the machine was busy: both ran at once for %.0f%% of a run, or less; the "
			"profile is unreliable", 100 * campaign->overlap);
	if (!place->known)
		warning("the machine does not report which CPUs share a cache: any two were taken");
}

static char *source_of(const struct stressed_findings *found)
{
	return xasprintf("stressmark, %s", found->counted ? "counters" : "run times only");
}

/* Without misses their cost is unknown. */
static double penalty_of(const struct profile_request *request,
			 const struct stressed_findings *found)
{
	if (found->penalty.slope > 0)
		return found->penalty.slope;
	warning("the program missed nothing: the cost of a miss is unknown; --penalty's %.0f is "
		"used", request->penalty);
	return request->penalty;
}

static int keep(const struct profile_request *request, const struct cache_geometry *cache,
		const struct stressed_findings *found)
{
	struct profile profile = {
		.command = join_words(request->argv), .source = source_of(found),
		.pages = xstrdup("real"), .level = request->level, .cache = *cache,
		.instructions = found->instructions, .ipc = found->ipc,
		.penalty = penalty_of(request, found),
		.timing = xstrdup(found->counted ? "measured" : "measured, " PROFILE_IN_NS),
		.distances = xcalloc(cache->ways + 1, sizeof(double)),
	};

	for (uint32_t d = 0; d <= cache->ways; d++)
		profile.distances[d] = found->distances[d] * found->api * found->instructions;
	return profile_keep(&profile, request, request->output);
}

static int measure(struct campaign *campaign, const struct profile_request *request,
		   const struct cache_geometry *cache)
{
	struct stressed_findings found;
	struct stressed_latency latency;
	struct co_run_place place;
	int status;

	if (co_run_find(&place, request->level) < 0 ||
	    co_run_latency(&place, cache, &latency) < 0)
		return -1;
	progress_start();
	status = run_all(campaign, request, cache, &place);
	progress_clear();
	if (status)
		return -1;
	stressed_find(campaign->samples, campaign->count, cache->ways, &latency, &found);
	if (!request->quiet)
		say_doubts(&found, campaign, &place, &latency, request->repeat);
	return keep(request, cache, &found);
}

int profile_stressed(const struct profile_request *request, const struct hierarchy_plan *plan)
{
	const struct cache_geometry *cache = &plan->level[request->level - 1].geometry;
	struct campaign campaign = {
		.samples = xcalloc(request->repeat * (cache->ways + 1), sizeof(*campaign.samples)),
		.overlap = 1,
	};
	int status = measure(&campaign, request, cache);

	free(campaign.samples);
	return status < 0 ? 1 : WEXITSTATUS(campaign.status);
}
