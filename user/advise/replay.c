// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/replay.h"
#include "base/memory.h"
#include "bursts/burst-cache.h"
#include "tracee/bursts/log.h"

#define WRITTEN	20	/* one reference in so many is a store: the block is written */
#define STUDENT	2.2	/* 97.5% quantile for a dozen bursts, as in findings/burst-weights.c */

/* Stores to lines that a load just brought in hit: whether data is written, the block says. */
static bool is_written(const struct keep *keep, const struct keep_access *access)
{
	const struct keep_block *block = &keep->blocks[access->block];

	return access->kind & BURST_STORE ||
	       (block->stores && WRITTEN * block->stores >= block->references);
}

static void count(struct replay_sums *sums, bool written, enum burst_outcome outcome,
		  double weight)
{
	if (outcome == OUTCOME_UNKNOWN)
		sums->unknown += weight;
	if (outcome < OUTCOME_OPEN)
		return;
	sums->misses += weight;
	sums->written += written ? weight : 0;
	if (outcome == OUTCOME_CONFLICT)
		sums->conflicts += weight;
}

/* Called with each access that counts. */
typedef void outcome_fn(void *context, const struct keep_access *access,
			enum burst_outcome outcome);

/*
 * One burst. Its first half warms the cache: what a layout with more sets in use leaves unknown for
 * longer is over by then, or else a layout would seem to save what is not known of it.
 */
static void run(const struct keep_burst *burst, const struct remap *remaps,
		struct burst_cache *cache, outcome_fn *each, void *context)
{
	uint64_t missed;

	for (size_t i = 0; i < burst->count; i++) {
		const struct keep_access *access = &burst->accesses[i];
		uint64_t address = access->address;
		enum burst_outcome outcome;

		if (remaps && (remaps[access->block].shift || remaps[access->block].row))
			address = remap_address(&remaps[access->block], address);
		outcome = burst_cache_use(cache, address, access->last + 1u,
					  access->kind & BURST_STORE, &missed);
		if (i >= burst->count / 2)
			each(context, access, outcome);
	}
}

struct counting {
	struct replay *replay;
	const struct keep *keep;
	double weight;
	float *misses;			/* of the burst, by context */
};

static void count_outcome(void *context, const struct keep_access *access,
			  enum burst_outcome outcome)
{
	struct counting *counting = context;
	size_t number = counting->keep->contexts[access->site];
	bool written;

	if (outcome < OUTCOME_UNKNOWN)
		return;
	written = is_written(counting->keep, access);
	count(&counting->replay->all, written, outcome, counting->weight);
	count(&counting->replay->contexts[number], written, outcome, counting->weight);
	if (outcome >= OUTCOME_OPEN)
		counting->misses[number] += counting->weight;
}

struct replay *replay_new(const struct keep *keep, const struct remap *remaps,
			  const struct replay *like, const bool *only)
{
	struct replay *replay = xcalloc(1, sizeof(*replay));
	struct counting counting = { .replay = replay, .keep = keep };
	struct burst_cache cache = { .open = false };

	replay->context_count = like ? like->context_count : keep_contexts(keep);
	replay->bursts = keep->burst_count;
	replay->contexts = xcalloc(replay->context_count, sizeof(*replay->contexts));
	replay->burst_misses = xcalloc(replay->bursts * replay->context_count + 1, sizeof(float));
	for (size_t i = 0; i < replay->bursts; i++) {
		size_t first = i * replay->context_count;

		if (only && !only[i])
			continue;
		counting.misses = &replay->burst_misses[first];
		counting.weight = keep->bursts[i].weight;
		burst_cache_begin(&cache, &keep->geometry);
		run(&keep->bursts[i], remaps, &cache, count_outcome, &counting);
	}
	burst_cache_close(&cache);
	return replay;
}

void replay_free(struct replay *replay)
{
	if (!replay)
		return;
	free(replay->contexts);
	free(replay->burst_misses);
	free(replay);
}

double replay_burst(const struct replay *replay, size_t burst, size_t context)
{
	const float *misses = &replay->burst_misses[burst * replay->context_count];
	double sum = 0;

	if (context != SIZE_MAX)
		return misses[context];
	for (size_t i = 0; i < replay->context_count; i++)
		sum += misses[i];
	return sum;
}

/* Of a ratio of sums over bursts (Cochran, Sampling Techniques, 6.4). */
struct replay_ratio replay_compare(const struct replay *before, const struct replay *after,
				   size_t context)
{
	const struct replay_sums *was = context == SIZE_MAX ? &before->all : &before->contexts[context];
	const struct replay_sums *is = context == SIZE_MAX ? &after->all : &after->contexts[context];
	double ratio = is->misses / was->misses, squares = 0, half;
	size_t count = 0;

	if (was->misses <= 0)
		return (struct replay_ratio){ NAN, NAN, NAN };
	for (size_t i = 0; i < before->bursts; i++) {
		double b = replay_burst(before, i, context), a = replay_burst(after, i, context);

		count += b > 0 || a > 0;
		squares += (a - ratio * b) * (a - ratio * b);
	}
	half = count > 1 ? STUDENT * sqrt(squares * count / (count - 1)) / was->misses : 0;
	return (struct replay_ratio){
		.low = fmax(0, is->misses / (was->misses + was->unknown) - half),
		.ratio = ratio,
		.high = (is->misses + is->unknown) / was->misses + half,
	};
}

struct by_block {
	const struct keep *keep;
	size_t context;
	double weight;
	double *misses, *conflicts;
};

static void add_to_block(void *context, const struct keep_access *access,
			 enum burst_outcome outcome)
{
	struct by_block *by = context;

	if (outcome < OUTCOME_OPEN ||
	    (by->context && by->keep->contexts[access->site] != by->context))
		return;
	by->misses[access->block] += by->weight;
	if (outcome == OUTCOME_CONFLICT)
		by->conflicts[access->block] += by->weight;
}

void replay_blocks(const struct keep *keep, const struct replay *like, size_t context,
		   double *misses, double *conflicts)
{
	struct by_block by = { keep, context, 0, misses, conflicts };
	struct burst_cache cache = { .open = false };

	memset(misses, 0, keep->block_count * sizeof(*misses));
	memset(conflicts, 0, keep->block_count * sizeof(*conflicts));
	for (size_t i = 0; i < keep->burst_count; i++) {
		if (context && like->burst_misses[i * like->context_count + context] <= 0)
			continue;
		by.weight = keep->bursts[i].weight;
		burst_cache_begin(&cache, &keep->geometry);
		run(&keep->bursts[i], NULL, &cache, add_to_block, &by);
	}
	burst_cache_close(&cache);
}
