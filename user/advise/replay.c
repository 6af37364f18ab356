// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/layout.h"
#include "advise/replay.h"
#include "base/memory.h"
#include "base/student.h"
#include "bursts/burst-cache.h"
#include "bursts/outer.h"
#include "tracee/burst-log/log.h"

#define WRITTEN	20	/* one reference in so many is a store: the block is written */
#define PAGE_BITS	12

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
	if (outcome == OUTCOME_SAVED)
		sums->conflicts -= weight;
	if (outcome < OUTCOME_OPEN)
		return;
	sums->misses += weight;
	sums->written += written ? weight : 0;
	if (outcome == OUTCOME_CONFLICT)
		sums->conflicts += weight;
}

static void count_outer(struct replay_sums *sums, enum outer_outcome outer, double weight)
{
	if (outer == OUTER_UNKNOWN)
		sums->outer_unknown += weight;
	else if (outer == OUTER_MISS)
		sums->outer += weight;
}

static void count_tlb(struct replay_sums *sums, enum burst_outcome tlb, double weight)
{
	if (tlb < OUTCOME_OPEN)
		return;
	sums->tlb += weight;
	if (tlb == OUTCOME_CONFLICT)
		sums->tlb_conflicts += weight;
}

/* What became of an access. */
struct outcome {
	enum burst_outcome l1, tlb;
	enum outer_outcome outer;
};

/* Called with each access that counts. */
typedef void outcome_fn(void *context, const struct keep_access *access,
			const struct outcome *outcome);

struct caches {
	struct burst_cache l1;
	struct burst_cache tlb;		/* the same: its lines are pages */
	const struct cache_geometry *tlb_geometry;	/* NULL = it is not looked at */
	struct outer outer;
};

static void open_caches(struct caches *caches, const struct keep *keep, bool tlb)
{
	caches->l1 = caches->tlb = (struct burst_cache){ .open = false };
	caches->tlb_geometry = tlb && keep->tlb.ways ? &keep->tlb : NULL;
	outer_open(&caches->outer, keep->outer.ways ? &keep->outer : NULL);
}

static void close_caches(struct caches *caches)
{
	burst_cache_close(&caches->l1);
	burst_cache_close(&caches->tlb);
	outer_close(&caches->outer);
}

static void begin_burst(struct caches *caches, const struct keep *keep)
{
	burst_cache_begin(&caches->l1, &keep->geometry);
	outer_begin(&caches->outer);
	if (caches->tlb_geometry)
		burst_cache_begin(&caches->tlb, caches->tlb_geometry);
}

/*
 * A huge page takes an entry as a small one does: where it has a TLB of its own that has fewer
 * entries, of which so few pages need fewer.
 */
static enum burst_outcome use_tlb(struct caches *caches, uint64_t address, uint32_t page_bits,
				  const struct keep_access *access)
{
	uint64_t missed;

	if (!caches->tlb_geometry)
		return OUTCOME_HIT;
	if (page_bits != PAGE_BITS)
		address = address >> page_bits << caches->tlb_geometry->line_bits;
	return burst_cache_use(&caches->tlb, address, access->last + 1u, &missed);
}

/*
 * The burst's first use of a line is as likely to miss in L2 with one layout as with another. Where
 * one fills the line's set and makes it certain, the other would seem to save it.
 */
static enum outer_outcome use_outer(struct caches *caches, uint64_t missed, uint64_t page,
				    uint32_t page_bits, bool first)
{
	enum outer_outcome outcome = outer_use(&caches->outer, missed, page, page_bits);

	return first && outcome == OUTER_MISS ? OUTER_UNKNOWN : outcome;
}

/*
 * One burst. Its first half warms the cache: what a layout with more sets in use leaves unknown for
 * longer is over by then, or else a layout would seem to save what is not known of it.
 */
static void run(const struct keep *keep, const struct keep_burst *burst, const struct remap *remaps,
		struct caches *caches, outcome_fn *each, void *context)
{
	static const struct remap stays;
	uint64_t missed;

	begin_burst(caches, keep);
	for (size_t i = 0; i < burst->count; i++) {
		const struct keep_access *access = &burst->accesses[i];
		struct outcome outcome = { .outer = OUTER_NOT_USED };
		const struct remap *map = remaps ? &remaps[access->block] : &stays;
		uint32_t page_bits = map->huge ? HUGE_BITS : PAGE_BITS;
		uint64_t address = access->address, lines = caches->l1.lines;

		if (map->shift || map->row)
			address = remap_address(map, address);
		outcome.l1 = burst_cache_use(&caches->l1, address, access->last + 1u, &missed);
		outcome.tlb = use_tlb(caches, address, page_bits, access);
		if (outcome.l1 >= OUTCOME_UNKNOWN)
			outcome.outer = use_outer(caches, missed, missed - map->away, page_bits,
						  caches->l1.lines > lines);
		if (i >= burst->count / 2)
			each(context, access, &outcome);
	}
}

struct counting {
	struct replay *replay;
	const struct keep *keep;
	double weight;
	float *misses, *outer;		/* of the burst, by context */
};

static void count_class(struct replay_sums *sums, enum price_class class,
			const struct outcome *outcome, double weight)
{
	if (outcome->l1 >= OUTCOME_OPEN)
		sums->classes[0][class] += weight;
	if (outcome->outer == OUTER_MISS)
		sums->classes[1][class] += weight;
}

static void count_sums(struct replay_sums *sums, bool written, const struct outcome *outcome,
		       double weight)
{
	count(sums, written, outcome->l1, weight);
	count_outer(sums, outcome->outer, weight);
	count_tlb(sums, outcome->tlb, weight);
}

static void count_outcome(void *context, const struct keep_access *access,
			  const struct outcome *outcome)
{
	struct counting *counting = context;
	size_t number = counting->keep->site[access->site].context;
	bool written;

	if (outcome->l1 == OUTCOME_HIT && outcome->tlb < OUTCOME_OPEN)
		return;
	written = is_written(counting->keep, access);
	count_sums(&counting->replay->all, written, outcome, counting->weight);
	count_class(&counting->replay->all, access->class, outcome, counting->weight);
	count_sums(&counting->replay->contexts[number], written, outcome, counting->weight);
	if (outcome->l1 >= OUTCOME_OPEN)
		counting->misses[number] += counting->weight;
	if (outcome->outer == OUTER_MISS)
		counting->outer[number] += counting->weight;
}

struct replay *replay_new(const struct keep *keep, const struct remap *remaps,
			  const struct replay *like, const bool *only)
{
	struct replay *replay = xcalloc(1, sizeof(*replay));
	struct counting counting = { .replay = replay, .keep = keep };
	struct caches caches;

	open_caches(&caches, keep, !only);
	replay->context_count = like ? like->context_count : keep_contexts(keep);
	replay->bursts = keep->burst_count;
	replay->contexts = xcalloc(replay->context_count, sizeof(*replay->contexts));
	replay->burst_misses = xcalloc(replay->bursts * replay->context_count + 1, sizeof(float));
	replay->burst_outer = xcalloc(replay->bursts * replay->context_count + 1, sizeof(float));
	for (size_t i = 0; i < replay->bursts; i++) {
		size_t first = i * replay->context_count;

		if (only && !only[i])
			continue;
		counting.misses = &replay->burst_misses[first];
		counting.outer = &replay->burst_outer[first];
		counting.weight = keep->bursts[i].weight;
		run(keep, &keep->bursts[i], remaps, &caches, count_outcome, &counting);
	}
	close_caches(&caches);
	return replay;
}

void replay_free(struct replay *replay)
{
	if (!replay)
		return;
	free(replay->contexts);
	free(replay->burst_misses);
	free(replay->burst_outer);
	free(replay);
}

static double sum_of(const float *counts, size_t burst, size_t context, size_t contexts)
{
	double sum = 0;

	counts += burst * contexts;
	if (context != SIZE_MAX)
		return counts[context];
	for (size_t i = 0; i < contexts; i++)
		sum += counts[i];
	return sum;
}

double replay_burst(const struct replay *replay, size_t burst, size_t context)
{
	return sum_of(replay->burst_misses, burst, context, replay->context_count);
}

double replay_burst_cost(const struct replay *replay, size_t burst, size_t context)
{
	return replay_burst(replay, burst, context) +
	       REPLAY_OUTER * sum_of(replay->burst_outer, burst, context, replay->context_count);
}

double replay_cost(const struct replay_sums *sums)
{
	return sums->misses + REPLAY_OUTER * sums->outer;
}

/* A sum over bursts, and what it may be by the spread between them. */
struct over_bursts {
	double sum, squares;
	size_t count;
};

static void add_burst(struct over_bursts *over, double value)
{
	over->sum += value;
	over->squares += value * value;
	over->count++;
}

static double high_of(const struct over_bursts *over)
{
	double count = over->count, squares;

	if (count < 2)
		return over->sum;
	squares = fmax(0, over->squares - over->sum * over->sum / count);
	return over->sum + student_975(count - 1) * sqrt(squares * count / (count - 1));
}

static const struct replay_sums *sums_of(const struct replay *replay, size_t context)
{
	return context == SIZE_MAX ? &replay->all : &replay->contexts[context];
}

/*
 * Of a ratio of sums over bursts (Cochran, Sampling Techniques, 6.4). The spread is also of how
 * often code runs, which makes nothing miss more: misses are added as in bursts that had more.
 * @unknown: what may miss, too, of what missed
 */
static struct replay_ratio compare(const float *before, const float *after,
				   const struct replay *replay, size_t context, double ratio,
				   double unknown)
{
	struct over_bursts apart = { .count = 0 }, more = { .count = 0 };
	double was = 0, half;

	for (size_t i = 0; i < replay->bursts; i++) {
		double b = sum_of(before, i, context, replay->context_count);
		double a = sum_of(after, i, context, replay->context_count);

		if (b <= 0 && a <= 0)
			continue;
		was += b;
		add_burst(&apart, a - ratio * b);
		add_burst(&more, fmax(0, a - b));
	}
	half = (high_of(&apart) - apart.sum) / was;
	return (struct replay_ratio){
		.low = fmax(0, ratio - half), .ratio = ratio, .alike = ratio + unknown,
		.high = fmin(ratio + half, fmax(ratio, 1 + high_of(&more) / was)) + unknown,
	};
}

struct replay_ratio replay_compare(const struct replay *before, const struct replay *after,
				   size_t context)
{
	const struct replay_sums *was = sums_of(before, context), *is = sums_of(after, context);
	double ratio = is->misses / was->misses, least = is->misses / (was->misses + was->unknown);
	struct replay_ratio left;

	if (was->misses <= 0)
		return (struct replay_ratio){ NAN, NAN, NAN, NAN };
	left = compare(before->burst_misses, after->burst_misses, before, context, ratio,
		       is->unknown / was->misses);
	left.low = fmax(0, left.low - ratio + least);
	return left;
}

/* What is unknown of L2 misses in both layouts, or in none. */
struct replay_ratio replay_compare_outer(const struct replay *before, const struct replay *after,
					 size_t context)
{
	const struct replay_sums *was = sums_of(before, context), *is = sums_of(after, context);
	double ratio = is->outer / was->outer;
	double most = (is->outer + is->outer_unknown) / (was->outer + was->outer_unknown);

	if (was->outer <= 0)
		return (struct replay_ratio){ NAN, NAN, NAN, NAN };
	return compare(before->burst_outer, after->burst_outer, before, context, ratio,
		       fmax(0, most - ratio));
}

double replay_harm(const struct replay *before, const struct replay *after, size_t context)
{
	struct over_bursts more = { .count = 0 };

	for (size_t i = 0; i < before->bursts; i++)
		add_burst(&more, fmax(0, replay_burst_cost(after, i, SIZE_MAX) -
				      replay_burst_cost(after, i, context) -
				      replay_burst_cost(before, i, SIZE_MAX) +
				      replay_burst_cost(before, i, context)));
	return high_of(&more);
}

struct by_block {
	const struct keep *keep;
	size_t context;
	double weight;
	double *misses, *conflicts;
};

static void add_to_block(void *context, const struct keep_access *access,
			 const struct outcome *outcome)
{
	struct by_block *by = context;

	if (outcome->l1 < OUTCOME_OPEN ||
	    (by->context && by->keep->site[access->site].context != by->context))
		return;
	by->misses[access->block] += by->weight *
				     (outcome->outer == OUTER_MISS ? 1 + REPLAY_OUTER : 1);
	if (outcome->l1 == OUTCOME_CONFLICT)
		by->conflicts[access->block] += by->weight;
}

void replay_blocks(const struct keep *keep, const struct replay *like, size_t context,
		   double *misses, double *conflicts)
{
	struct by_block by = { keep, context, 0, misses, conflicts };
	struct caches caches;

	open_caches(&caches, keep, false);
	memset(misses, 0, keep->block_count * sizeof(*misses));
	memset(conflicts, 0, keep->block_count * sizeof(*conflicts));
	for (size_t i = 0; i < keep->burst_count; i++) {
		if (context && like->burst_misses[i * like->context_count + context] <= 0)
			continue;
		by.weight = keep->bursts[i].weight;
		run(keep, &keep->bursts[i], NULL, &caches, add_to_block, &by);
	}
	close_caches(&caches);
}
