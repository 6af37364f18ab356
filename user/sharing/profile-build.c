// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/pages-text.h"
#include "sharing/profile-build.h"
#include "sharing/profile-file.h"

char *profile_trace(const struct profile_request *request)
{
	return xasprintf("trace %s", request->input);
}

void profile_set_instructions(struct profile *profile, const struct profile_request *request,
			      uint64_t known, uint64_t references)
{
	profile->instructions = request->instructions ? request->instructions :
				known ? known : references;
	if (!request->instructions && !known)
		warning("the trace does not hold the number of instructions: its number of "
			"references is used; --instructions N sets it");
}

/*
 * What is assumed: nothing overlaps with misses. One of the shared level takes what a hit there
 * takes, and the penalty, whatever lies beyond.
 */
static double cycles_of(const struct profile *profile, const struct profile_request *request,
			const struct profile_traffic *traffic)
{
	double cycles = request->cpi * profile->instructions;

	for (uint32_t n = 1; n < profile->level; n++)
		cycles += request->latency[n] * traffic->hits[n];
	return cycles + (request->latency[profile->level - 1] + request->penalty) * traffic->misses;
}

void profile_set_speed(struct profile *profile, const struct profile_request *request,
		       const struct profile_traffic *traffic)
{
	profile->penalty = request->penalty;
	if (request->ipc > 0) {
		profile->ipc = request->ipc;
		profile->timing = xstrdup("given");
		return;
	}
	profile->ipc = profile->instructions / cycles_of(profile, request, traffic);
	profile->timing = xasprintf("assumed, %.3g cycles an instruction, %.3g a hit in L2, %.3g "
				    "in L3",
				    request->cpi, request->latency[1], request->latency[2]);
}

static void profile_of_depths(struct profile *profile, const struct profile_request *request,
		       const struct cache_geometry *cache, const uint64_t *depths)
{
	size_t row = cache->ways + 1, count = cache->sets * row, i;

	profile->level = request->level;
	profile->cache = *cache;
	profile->distances = xcalloc(row, sizeof(*profile->distances));
	if (request->sets)
		profile->sets = xcalloc(count, sizeof(*profile->sets));
	for (i = 0; i < count; i++) {
		profile->distances[i % row] += depths[i];
		if (request->sets)
			profile->sets[i] = depths[i];
	}
}

int profile_keep(struct profile *profile, const struct profile_request *request,
		 const char *path)
{
	int status = profile_write(profile, path);

	if (!status)
		note("%s: %.4g accesses of L%" PRIu32 " in %.4g instructions, %.1f%% miss; share "
		     "it with ccsample share", path, profile_accesses(profile), profile->level,
		     (double)profile->instructions, 100 * profile->distances[profile->cache.ways] /
		     fmax(profile_accesses(profile), 1));
	profile_free(profile);
	return status;
}

/* --- by the engine --- */

static int keep_all(const struct profile_request *request, const struct sim_findings *findings)
{
	const struct sim_level *shared = &findings->levels[request->level - 1];
	struct profile_traffic traffic = { .misses = level_misses(&shared->counts) };
	struct profile profile = {
		.command = join_words(request->argv),
		.source = xstrdup("reference engine"), .pages = xstrdup(findings->pages),
		.instructions = findings->simulated,
	};

	for (uint32_t n = 0; n < findings->plan.levels; n++)
		traffic.hits[n] = findings->levels[n].counts.outcomes[CLASS_HIT];
	profile_of_depths(&profile, request,
			  &findings->plan.level[request->level - 1].geometry, shared->depths);
	profile_set_speed(&profile, request, &traffic);
	return profile_keep(&profile, request, request->output);
}

/* The same thread at another level; NULL = it has no such cache of its own. */
static const struct sim_thread_level *at_level(const struct sim_findings *findings,
					       const struct sim_thread_level *thread,
					       uint32_t level)
{
	for (size_t i = 0; i < findings->thread_count; i++) {
		const struct sim_thread_level *other = &findings->threads[i];

		if (other->process == thread->process && other->tid == thread->tid &&
		    other->level == level)
			return other;
	}
	return NULL;
}

/* As if the thread had the shared cache to itself, whose hits are those of its own distances. */
static struct profile_traffic traffic_of(const struct sim_findings *findings,
					 const struct sim_thread_level *thread,
					 const struct profile *profile)
{
	struct profile_traffic traffic = {
		.misses = profile->distances[profile->cache.ways],
	};

	for (uint32_t n = 0; n < findings->plan.levels; n++) {
		const struct sim_thread_level *at = at_level(findings, thread, n + 1);

		traffic.hits[n] = at ? at->outcomes[CLASS_HIT] : 0;
	}
	traffic.hits[thread->level - 1] = profile_accesses(profile) - traffic.misses;
	return traffic;
}

static int keep_thread(const struct profile_request *request,
		       const struct sim_findings *findings, const struct sim_thread_level *thread,
		       size_t number)
{
	char *command = join_words(request->argv);
	char *path = xasprintf("%s.%zu", request->output, number);
	struct profile profile = {
		.command = xasprintf("%s (thread %" PRIu32 ")", command, thread->tid),
		.source = xstrdup("reference engine"), .pages = xstrdup(findings->pages),
		.instructions = at_level(findings, thread, 1)->instructions,
	};
	struct profile_traffic traffic;
	int status;

	profile_of_depths(&profile, request, &findings->plan.level[thread->level - 1].geometry,
			  thread->depths);
	traffic = traffic_of(findings, thread, &profile);
	profile_set_speed(&profile, request, &traffic);
	status = profile_keep(&profile, request, path);
	free(path);
	free(command);
	return status;
}

/* Threads that ran nothing while it was counted, or reached no shared cache, are left out. */
static int keep_threads(const struct profile_request *request,
			const struct sim_findings *findings)
{
	size_t number = 0;

	for (size_t i = 0; i < findings->thread_count; i++) {
		const struct sim_thread_level *thread = &findings->threads[i], *first;

		first = at_level(findings, thread, 1);
		if (thread->level != request->level || !thread->depths || !first ||
		    !first->instructions)
			continue;
		if (keep_thread(request, findings, thread, ++number) < 0)
			return -1;
	}
	return number ? 0 : fail("no thread used L%" PRIu64, request->level);
}

int profile_keep_findings(const struct profile_request *request,
			  const struct sim_findings *findings)
{
	if (findings->lost)
		warning("%" PRIu64 " process images ended without their counts: the profile lacks "
			"them", findings->lost);
	if (!findings->simulated)
		return fail("nothing was counted: the program ended before its first phase, see "
			    "--phases");
	return (request->threads ? keep_threads : keep_all)(request, findings);
}

/* --- of a trace, simulated --- */

int profile_keep_simulation(const struct profile_request *request,
			    const struct simulation *simulation, const char *format,
			    bool counted)
{
	struct profile profile = {
		.command = profile_trace(request), .pages = pages_text(&request->pages),
		.source = xasprintf("trace, %s", format),
	};
	struct profile_traffic traffic = { .misses = 0 };
	const struct level *shared = simulation->hierarchy.at[request->level - 1];

	for (uint32_t n = 0; n < request->level; n++)
		traffic.hits[n] = simulation->hierarchy.at[n]->counts.outcomes[CLASS_HIT];
	traffic.misses = level_misses(&shared->counts);
	profile_set_instructions(&profile, request, counted ? simulation->instructions : 0,
				 simulation->references);
	profile_of_depths(&profile, request, &shared->shape.geometry, shared->depths.counts);
	profile_set_speed(&profile, request, &traffic);
	return profile_keep(&profile, request, request->output);
}
