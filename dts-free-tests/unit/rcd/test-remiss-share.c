// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines that hit between a line's miss and its re-miss: what the number of lines sought tells of
 * them. Programs run through a cache of 64 sets of 8 and through a fully associative one of as many
 * lines, both by brute force; all misses come in bursts. And one context whose conflicts come early,
 * while the period grows.
 */
#include <stdint.h>
#include <string.h>

#include "lru-lines.h"
#include "rcd/rcd.h"
#include "draw.h"
#include "tap.h"

#define SETS		64u
#define WAYS		8u
#define LINES		(SETS * WAYS)
#define BURST		1024u
#define GAP		5000u		/* misses between bursts, at most */
#define ACCESSES	1500000u
#define SEED		20240517u

/* The n-th line that a program uses. */
typedef uint64_t (*program)(uint32_t n);

/* More than the cache has: 16 sets are used by nine lines and miss, the others hit. */
static uint64_t sweep_528(uint32_t n)
{
	return n % 528;
}

static uint64_t random_544(uint32_t n)
{
	return draw(544);
}

/* Nine arrays a multiple of 4096 B apart, element by element, eight elements in a line. */
static uint64_t nine_arrays(uint32_t n)
{
	return n % 9 * 128 * SETS + n / 72 % (64 * SETS);
}

/* A column of 256 rows in 16 sets. */
static uint64_t columns(uint32_t n)
{
	return n % 256 * 4 + n / 4096 % 4;
}

/* The same, and seven hits on other lines after each: nothing is left to the cache but hits. */
static uint64_t columns_and_hits(uint32_t n)
{
	return n % 8 ? 1 << 20 | n % 8 : columns(n / 8);
}

/* 496 lines in turns in four sets, and 40 that hit: more than the cache has only with these. */
static uint64_t nearly_full(uint32_t n)
{
	uint32_t turn = n - n / 8;

	return n % 8 ? turn % 4 + turn % 496 / 4 * SETS : (1 << 20) + 4 + n / 8 % 40;
}

/* The same of ever more rows, as of two triangular matrices: most of the conflicts are some. */
static uint64_t triangles(uint32_t n)
{
	uint32_t turn = n - n / 8, rows = 1 + turn / 5000 % 255, row = turn % rows;

	return n % 8 ? row % 2 + turn / rows % 2 * 2 + row / 2 * SETS : (1 << 20) + 4 + n / 8 % 40;
}

static uint64_t stream(uint32_t n)
{
	return n / 8;
}

/* Twenty sweeps a line too large, then what never comes back: hits make the few re-misses. */
static uint64_t sweeps_and_stream(uint32_t n)
{
	uint32_t in_turn = n % (20 * 513 + 16000);

	return in_turn < 20 * 513 ? in_turn % 513 : (1 << 20) + n;
}

static const struct test {
	const char *name;
	program line;
	enum rcd_verdict with, without;	/* the number of lines sought */
	enum rcd_reason reason;
} tests[] = {
	{ "sweep over 528 lines", sweep_528, RCD_UNDECIDED, RCD_CONFLICT, RCD_HITS_BETWEEN },
	{ "random use of 544 lines", random_544, RCD_UNDECIDED, RCD_CONFLICT, RCD_HITS_BETWEEN },
	{ "nine arrays in step", nine_arrays, RCD_CONFLICT, RCD_CONFLICT, RCD_DECIDED },
	{ "columns", columns, RCD_CONFLICT, RCD_CONFLICT, RCD_DECIDED },
	{ "columns and hits", columns_and_hits, RCD_CONFLICT, RCD_CONFLICT, RCD_DECIDED },
	{ "496 lines in four sets, 40 that hit", nearly_full, RCD_UNDECIDED, RCD_UNDECIDED,
	  RCD_HITS_BETWEEN },
	{ "triangles and a row", triangles, RCD_CONFLICT, RCD_CONFLICT, RCD_DECIDED },
	{ "stream", stream, RCD_NONE, RCD_NONE, RCD_DECIDED },
	{ "sweeps over 513 lines, and a stream", sweeps_and_stream, RCD_NONE, RCD_NONE, RCD_DECIDED },
};

struct miss {
	uint64_t line;
	uint32_t at;			/* lines sought up to it */
};

/* Return: the share of misses that a fully associative cache has not. */
static double run(const struct test *test, struct miss *misses, uint32_t *count)
{
	static uint64_t sets[SETS][WAYS], all[LINES];
	uint32_t n, conflicts = 0;

	memset(sets, 0xff, sizeof(sets));
	memset(all, 0xff, sizeof(all));
	for (n = 0, *count = 0; n < ACCESSES; n++) {
		uint64_t line = test->line(n);
		bool kept = lru_use(all, LINES, line);

		if (lru_use(sets[line % SETS], WAYS, line))
			continue;
		conflicts += kept;
		misses[(*count)++] = (struct miss){ line, n };
	}
	return *count ? (double)conflicts / *count : 0;
}

static void summarize(const struct miss *misses, uint32_t count, bool told,
		      struct rcd_summary *summary)
{
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, (double[]){ 1 });
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_stream *samples = rcd_stream_new(rcd);
	uint32_t at, i;

	for (at = draw(GAP); at + BURST <= count; at += BURST + draw(GAP)) {
		rcd_burst(samples, BURST, ~0ull, BURST);
		if (told)
			rcd_accesses(samples, misses[at + BURST - 1].at - misses[at].at, BURST);
		for (i = at; i < at + BURST; i++)
			rcd_add(samples, context, misses[i].line % SETS, misses[i].line,
				RCD_CLASS_UNKNOWN);
	}
	rcd_finish(rcd);
	rcd_summarize(context, summary);
	rcd_free(rcd);
}

/*
 * A loop that first has conflicts and then none, sampled ever more thinly: one burst in `period`.
 * @weighed: the analysis is told
 */
static void sample_thinning(const struct miss *misses, uint32_t count, bool weighed,
			    struct rcd_summary *summary)
{
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, (double[]){ 1 });
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_stream *samples = rcd_stream_new(rcd);
	uint32_t at, i, period = 2;

	for (at = draw(BURST); at + BURST <= count; at += BURST + draw(2 * BURST * (period - 1))) {
		rcd_burst(samples, BURST, ~0ull, BURST);
		if (weighed)
			rcd_weigh(samples, period, RCD_SAMPLED);
		for (i = at; i < at + BURST; i++)
			rcd_add(samples, context, misses[i].line % SETS, misses[i].line,
				RCD_CLASS_UNKNOWN);
		period = at < count / 8 ? 2 : at < count / 3 ? 4 : 16;
	}
	rcd_finish(rcd);
	rcd_summarize(context, summary);
	rcd_free(rcd);
}

/* In the mean the share is right, and its interval holds; without the periods it is the first part's. */
static void test_thinning(void)
{
	static struct miss misses[2 * ACCESSES];
	double exact, share = 0, blind = 0;
	struct rcd_summary summary;
	uint32_t count, more, i, inside = 0;

	exact = run(&tests[3], misses, &count);
	count = count < ACCESSES / 4 ? count : ACCESSES / 4;
	for (i = count, more = 4 * count; i < count + more; i++)
		misses[i] = (struct miss){ .line = (1ull << 40) + i };
	exact *= (double)count / (count + more);
	for (i = 0; i < 40; i++) {
		sample_thinning(misses, count + more, true, &summary);
		share += summary.conflict_share / 40;
		inside += exact >= summary.conflict_low && exact <= summary.conflict_high;
		sample_thinning(misses, count + more, false, &summary);
		blind += summary.conflict_share / 40;
	}
	ok(share > exact - 0.03 && share < exact + 0.03,
	   "a period that grows: %.3f in the mean, exact %.3f", share, exact);
	ok(blind > exact + 0.1, "... and without the periods %.3f", blind);
	ok(inside >= 36, "... inside in %u of 40", inside);
}

int main(void)
{
	static struct miss misses[ACCESSES];
	struct rcd_summary summary;
	uint32_t count, i;
	double exact;

	state = SEED;
	for (i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		const struct test *test = &tests[i];

		exact = run(test, misses, &count);
		summarize(misses, count, true, &summary);
		ok(summary.verdict == test->with && summary.reason == test->reason,
		   "%s, %u misses: %s, %.3f (%.3f to %.3f)", test->name, count,
		   rcd_verdict_name(summary.verdict), summary.conflict_share,
		   summary.conflict_low, summary.conflict_high);
		ok(exact >= summary.conflict_low && exact <= summary.conflict_high + 1e-9,
		   "%s: the exact share %.3f is inside", test->name, exact);
		summarize(misses, count, false, &summary);
		ok(summary.verdict == test->without, "%s, hits unknown: %s, %.3f (%.3f to %.3f)",
		   test->name, rcd_verdict_name(summary.verdict), summary.conflict_share,
		   summary.conflict_low, summary.conflict_high);
		if (test->without == RCD_NONE)
			ok(exact >= summary.conflict_low && exact <= summary.conflict_high,
			   "%s, hits unknown: the exact share %.3f is inside", test->name, exact);
	}
	test_thinning();
	return done();
}
