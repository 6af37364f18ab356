// SPDX-License-Identifier: GPL-2.0-only
/*
 * Misses given with their class: share, interval and verdict of programs run through a cache of 64
 * sets of 8 ways and through a fully associative one of as many lines, both by brute force. All
 * references are seen, so that classes are known; misses come in bursts.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lru-lines.h"
#include "rcd/rcd.h"
#include "draw.h"
#include "tap.h"

#define SETS		64u
#define WAYS		8u
#define LINES		(SETS * WAYS)
#define BURST		400u		/* misses */
#define GAP		1500u		/* misses between bursts, at most */
#define ACCESSES	600000u
#define SEED		20250611u

typedef uint64_t (*program)(uint32_t n);

static uint64_t sweep_576(uint32_t n)
{
	return n % 576;
}

/* 36 KiB that begin in the middle of a page: as many lines on each set, but that nine are. */
static uint64_t sweep_uneven(uint32_t n)
{
	return n % 560;
}

static uint64_t random_640(uint32_t n)
{
	return draw(640);
}

static uint64_t nine_lines(uint32_t n)
{
	return n % 9 * SETS + n / 90 % SETS;
}

/* A column of 256 rows in 16 sets, 16 hits after each of its lines. */
static uint64_t columns_and_hits(uint32_t n)
{
	return n % 17 ? 1 << 20 | n % 17 : n / 17 % 256 * 4 + n / 17 / 1024 % 4;
}

static uint64_t column_of_1024(uint32_t n)
{
	return n % 1024 * 4;
}

static uint64_t stream(uint32_t n)
{
	return n / 8;
}

static const struct test {
	const char *name;
	program program;
	enum rcd_verdict verdict;
} tests[] = {
	{ "nine lines in each set, one set after the other", nine_lines, RCD_CONFLICT },
	{ "columns, and 16 hits after each of their misses", columns_and_hits, RCD_CONFLICT },
	{ "a sweep over 36 KiB", sweep_576, RCD_NONE },
	{ "a sweep over 35 KiB, that overflows some sets", sweep_uneven, RCD_NONE },
	{ "random look-ups in 40 KiB", random_640, RCD_NONE },
	{ "a stream", stream, RCD_NONE },
	{ "a column of 1,024 lines in 16 sets", column_of_1024, RCD_CONCENTRATED },
};

struct run {
	uint64_t set[SETS][WAYS], shadow[LINES];
	struct rcd *rcd;
	struct rcd_stream *stream;
	struct rcd_context *context;
	uint32_t left, gap;		/* misses of the burst, of the gap */
	double misses, net;		/* of the whole run */
	bool open;			/* classes of others than conflicts are not given */
};

static void begin(struct run *run)
{
	static const double whole = 1;

	memset(run, 0xff, sizeof(*run));
	state = SEED;
	run->rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	run->stream = rcd_stream_new(run->rcd);
	run->context = rcd_context_new(run->rcd);
	run->left = run->gap = run->misses = run->net = 0;
	run->open = false;
}

static void give_miss(struct run *run, uint64_t line, bool conflict)
{
	enum rcd_class class = conflict ? RCD_CLASS_CONFLICT :
			       run->open ? RCD_CLASS_OPEN : RCD_CLASS_OTHER;

	if (run->gap) {
		run->gap--;
		return;
	}
	if (!run->left) {
		rcd_burst(run->stream, BURST, UINT64_MAX, BURST);
		run->left = BURST;
	}
	rcd_add(run->stream, run->context, line % SETS, line, class);
	if (!--run->left)
		run->gap = 1 + draw(GAP);
}

static void go(struct run *run, program next_line)
{
	for (uint32_t n = 0; n < ACCESSES; n++) {
		uint64_t line = next_line(n);
		bool hit = lru_use(run->set[line % SETS], WAYS, line);
		bool kept = lru_use(run->shadow, LINES, line);

		if (n < ACCESSES / 4)
			continue;
		run->misses += !hit;
		run->net += kept - hit;
		if (!hit)
			give_miss(run, line, kept);
		else if (!kept && run->left)
			rcd_add_hits(run->stream, run->context, &(struct rcd_hits){ .saved = 1 });
	}
	rcd_finish(run->rcd);
}

static void test_programs(void)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		struct rcd_summary summary;
		struct run run;
		double share;

		begin(&run);
		go(&run, tests[i].program);
		rcd_summarize(run.context, &summary);
		share = fmax(0, run.net / run.misses);
		ok(summary.exact && fabs(summary.conflict_share - share) < 0.05 &&
		   summary.conflict_low <= share && summary.conflict_high >= share,
		   "%s: %.3f is shown as %.3f (%.3f to %.3f), 32K,8,64", tests[i].name, share,
		   summary.conflict_share, summary.conflict_low, summary.conflict_high);
		ok(summary.verdict == tests[i].verdict, "... and judged %s: %s",
		   rcd_verdict_name(tests[i].verdict), rcd_verdict_name(summary.verdict));
		rcd_free(run.rcd);
	}
}

static struct rcd_summary summary_of(program next_line, bool alone)
{
	struct rcd_summary summary;
	struct run run;

	begin(&run);
	if (alone)
		rcd_classes_alone(run.rcd);
	go(&run, next_line);
	rcd_summarize(run.context, &summary);
	rcd_free(run.rcd);
	return summary;
}

/* Without distances shares and intervals are the same to the bit, and so is what is a conflict. */
static void test_alone(void)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		struct rcd_summary all = summary_of(tests[i].program, false);
		struct rcd_summary alone = summary_of(tests[i].program, true);

		ok(all.samples == alone.samples && all.burst_samples == alone.burst_samples &&
		   all.conflict_share == alone.conflict_share &&
		   all.conflict_low == alone.conflict_low &&
		   all.conflict_high == alone.conflict_high && all.reason == alone.reason &&
		   all.captured == alone.captured && all.saved_share == alone.saved_share &&
		   (all.verdict == RCD_CONFLICT) == (alone.verdict == RCD_CONFLICT) &&
		   (all.verdict == RCD_UNDECIDED) == (alone.verdict == RCD_UNDECIDED),
		   "%s: by classes alone, too", tests[i].name);
	}
}

/* Open classes count as conflicts in the upper end, and only there. */
static void test_open(void)
{
	struct rcd_summary known, open;
	struct run run;

	begin(&run);
	go(&run, stream);
	rcd_summarize(run.context, &known);
	rcd_free(run.rcd);
	begin(&run);
	run.open = true;
	go(&run, stream);
	rcd_summarize(run.context, &open);
	ok(known.conflict_high < 0.1 && known.open_share == 0,
	   "a stream of known classes is clear");
	ok(open.conflict_share == 0 && open.conflict_low == 0 && open.conflict_high > 0.99 &&
	   open.open_share == 1, "of open ones anything is possible");
	ok(open.verdict == RCD_UNDECIDED && open.reason == RCD_OPEN_CLASSES,
	   "... and undecided: %s",
	   rcd_reason_text(open.reason));
	rcd_free(run.rcd);
}

/*
 * A loop whose references are known in part: of a burst's misses those of one class, and what is
 * unknown is all of another, which is the worst that it can be.
 */
static const struct part_known {
	const char *name;
	uint32_t conflicts, others;	/* of a burst, known */
	struct rcd_hits hits;
	double net, misses;		/* what the unknown ones are */
	bool conflict;			/* is said: a tenth and more, whatever is unknown */
} parts_known[] = {
	{ "32 conflicts, 96 unknown: all miss", 32, 0, { .open = 96 }, 0, 96, false },
	{ "... all conflicts", 32, 0, { .open = 96 }, 96, 96, false },
	{ "... all hits", 32, 0, { .open = 96 }, 0, 0, false },
	{ "... all hits saved", 32, 0, { .open = 96 }, -96, 0, false },
	{ "no conflict, a third unknown: all conflicts", 0, 60, { .open = 30 }, 30, 30, false },
	{ "no conflict, a third hits or other misses", 0, 60, { .unknown = 30 }, 0, 30, false },
	{ "half conflicts, few unknown: hits saved", 50, 50, { .unknown = 10 }, -10, 0, true },
	{ "half conflicts, few unknown: misses", 50, 50, { .open = 10 }, 0, 10, true },
};

static void known_burst(struct rcd_stream *stream, struct rcd_context *context,
			const struct part_known *part, bool hits)
{
	uint32_t misses = part->conflicts + part->others;

	rcd_burst(stream, misses, UINT64_MAX, misses);
	for (uint32_t i = 0; i < misses; i++)
		rcd_add(stream, context, draw(SETS), i,
			i < part->conflicts ? RCD_CLASS_CONFLICT : RCD_CLASS_OTHER);
	if (hits)
		rcd_add_hits(stream, context, &part->hits);
}

static struct rcd_summary known_summary(const struct part_known *part, bool hits)
{
	static const double whole = 1;
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_summary summary;

	for (uint32_t burst = 0; burst < 12; burst++)
		known_burst(stream, context, part, hits);
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	rcd_free(rcd);
	return summary;
}

static void test_unknown(void)
{
	state = SEED;
	for (size_t i = 0; i < sizeof(parts_known) / sizeof(*parts_known); i++) {
		const struct part_known *part = &parts_known[i];
		struct rcd_summary with = known_summary(part, true);
		struct rcd_summary without = known_summary(part, false);
		double share = fmax(0, (part->conflicts + part->net) /
				       (part->conflicts + part->others + part->misses));

		ok(with.conflict_low <= share && share <= with.conflict_high &&
		   with.conflict_share == without.conflict_share,
		   "%s: %.3f is within %.3f and %.3f", part->name, share, with.conflict_low,
		   with.conflict_high);
		ok((with.verdict == RCD_CONFLICT) == part->conflict,
		   "... and judged %s", rcd_verdict_name(with.verdict));
		ok(part->hits.open || with.conflict_high == without.conflict_high,
		   "... what is no conflict is not in the upper end");
	}
}

/* Shares that differ from burst to burst: the interval holds their mean in 95% of runs or so. */
static void test_coverage(void)
{
	static const double whole = 1;
	uint32_t inside = 0, runs = 400;

	state = SEED;
	for (uint32_t r = 0; r < runs; r++) {
		struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
		struct rcd_stream *stream = rcd_stream_new(rcd);
		struct rcd_context *context = rcd_context_new(rcd);
		struct rcd_summary summary;

		/* A third of the bursts is nothing but conflicts, the rest has a tenth. */
		for (uint32_t burst = 0; burst < 40; burst++) {
			uint32_t of_ten = draw(3) ? 1 : 10;

			rcd_burst(stream, 100, UINT64_MAX, 100);
			for (uint32_t i = 0; i < 100; i++)
				rcd_add(stream, context, draw(SETS), i,
					draw(10) < of_ten ? RCD_CLASS_CONFLICT :
							    RCD_CLASS_OTHER);
		}
		rcd_finish(rcd);
		rcd_summarize(context, &summary);
		inside += summary.conflict_low <= 0.4 && summary.conflict_high >= 0.4;
		rcd_free(rcd);
	}
	ok(inside >= runs * 92 / 100 && inside < runs,
	   "the interval holds the mean in %u of %u runs",
	   inside, runs);
}

/* The interval's width of 40 bursts, each with 2 conflicts of 5 misses: the @long_ones and others. */
static double width(uint32_t long_ones, uint32_t long_length, uint32_t length)
{
	static const double whole = 1;
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_summary summary;

	for (uint32_t burst = 0; burst < 40; burst++) {
		uint32_t misses = burst < long_ones ? long_length : length;

		rcd_burst(stream, misses, UINT64_MAX, misses);
		for (uint32_t i = 0; i < misses; i++)
			rcd_add(stream, context, i % SETS, i,
				i % 5 < 2 ? RCD_CLASS_CONFLICT : RCD_CLASS_OTHER);
	}
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	rcd_free(rcd);
	return summary.conflict_high - summary.conflict_low;
}

/* As many misses in as many bursts say less where most are in a few of them. */
static void test_mixed(void)
{
	double even = width(0, 0, 110), mixed = width(4, 800, 30);

	ok(even > 0 && mixed > 1.5 * even, "bursts of one length: +-%.3f, of mixed lengths: +-%.3f",
	   even / 2, mixed / 2);
}

/* A context whose only hit in a burst was saved: the burst counts, without a miss. */
static void test_saved_alone(void)
{
	static const double whole = 1;
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_summary summary;

	for (uint32_t burst = 0; burst < 10; burst++) {
		rcd_burst(stream, 100, UINT64_MAX, 100);
		for (uint32_t i = 0; i < 100; i++) {
			if (burst % 2)
				rcd_add_hits(stream, context, &(struct rcd_hits){ .saved = 1 });
			else
				rcd_add(stream, context, i % SETS, i, RCD_CLASS_CONFLICT);
		}
	}
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	ok(summary.samples == 500 && summary.saved_share == 1 && summary.conflict_share == 0 &&
	   summary.verdict != RCD_CONFLICT,
	   "as many hits saved as conflicts, in bursts of their own: nothing is left");
	rcd_free(rcd);
}

/* Counts go before samples that were counted, too, if they are most of what these stand for. */
static void test_counted(void)
{
	static const double whole = 1;
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_summary summary;

	/* 20 samples that stand for 10 misses each: no conflict among them. */
	rcd_burst(stream, 20, UINT64_MAX, 20);
	rcd_weigh(stream, 10, RCD_COUNTED);
	for (uint32_t i = 0; i < 20; i++)
		rcd_add(stream, context, i, i, RCD_CLASS_OTHER);
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	ok(!summary.counted && summary.verdict == RCD_UNDECIDED, "20 samples say too little");
	rcd_set_counted(context, &(struct rcd_counted){ 2000, 900, 200 });
	rcd_summarize(context, &summary);
	ok(summary.counted == 2000 && summary.conflict_share == 0.35 &&
	   summary.conflict_low == 0.35 && summary.conflict_high == 0.35 &&
	   summary.saved_share == 0.1 && summary.verdict == RCD_CONFLICT,
	   "all misses were counted: the net share, without an interval");
	rcd_set_counted(context, &(struct rcd_counted){ 2000, 200, 900 });
	rcd_summarize(context, &summary);
	ok(summary.conflict_high == 0 && summary.verdict == RCD_NONE,
	   "more hits saved than conflicts");
	rcd_set_counted(context, &(struct rcd_counted){ 99, 90, 0 });
	rcd_summarize(context, &summary);
	ok(!summary.counted && summary.verdict == RCD_UNDECIDED,
	   "of less than half: samples decide");
	rcd_counts_are_whole(rcd);
	rcd_summarize(context, &summary);
	ok(summary.counted == 99 && fabs(summary.conflict_share - 90 / 99.) < 1e-9,
	   "... but where no count was lost: then samples stood for too much");
	rcd_free(rcd);
}

/* A run's first misses are counted, of the others samples are known: each has its part. */
static void test_counted_at_first(void)
{
	static const double whole = 1;
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_summary sampled, summary;

	/* 64 bursts of 16, each miss for 8: 8,192 misses, a quarter conflicts; few of either kind. */
	for (uint32_t i = 0; i < 64; i++) {
		rcd_burst(stream, 16, UINT64_MAX, 16);
		rcd_weigh(stream, 8, RCD_SAMPLED);
		for (uint32_t j = 0; j < 16; j++)
			rcd_add(stream, context, j % SETS, 16 * i + j,
				j % 4 ? RCD_CLASS_OTHER : RCD_CLASS_CONFLICT);
	}
	rcd_finish(rcd);
	rcd_summarize(context, &sampled);
	stream = rcd_stream_new(rcd);
	rcd_burst(stream, 16, UINT64_MAX, 16);
	rcd_weigh(stream, 8, RCD_COUNTED);
	for (uint32_t j = 0; j < 16; j++)
		rcd_add(stream, context, j, j, RCD_CLASS_OTHER);
	rcd_finish(rcd);
	rcd_set_counted(context, &(struct rcd_counted){ 24576, 24576, 8192 });
	rcd_summarize(context, &summary);
	ok(sampled.conflict_share == 0.25 && !summary.counted &&
	   fabs(summary.conflict_share - (0.75 * 2 / 3 + 0.25 * 0.25)) < 1e-9,
	   "counted and sampled misses each have their part of the share");
	ok(fabs(summary.gross_share - (0.75 + 0.25 * 0.25)) < 1e-9 &&
	   fabs(summary.saved_share - 0.25) < 1e-9, "and of conflicts and hits saved");
	ok(sampled.conflict_low < 0.25 && sampled.conflict_high > 0.25 &&
	   fabs(summary.conflict_low - summary.conflict_share -
		0.25 * (sampled.conflict_low - sampled.conflict_share)) < 1e-9 &&
	   fabs(summary.conflict_high - summary.conflict_share -
		0.25 * (sampled.conflict_high - sampled.conflict_share)) < 1e-9,
	   "the interval is that of the samples, for their quarter of the misses");
	/* 16 samples stand for 128 misses: 50 of them are too few to go by. */
	rcd_set_counted(context, &(struct rcd_counted){ 50, 50, 0 });
	rcd_summarize(context, &summary);
	ok(fabs(summary.conflict_share - 0.25 * 1024 / 1040) < 1e-9,
	   "where counts were lost, all samples say it");
	rcd_free(rcd);
}

/* One burst, with no conflict: it says enough once it has filled the cache. */
static void test_one_burst(void)
{
	static const double whole = 1;

	for (uint32_t misses = LINES / 2; misses <= 2 * LINES; misses += LINES / 2) {
		struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
		struct rcd_stream *stream = rcd_stream_new(rcd);
		struct rcd_context *context = rcd_context_new(rcd);
		struct rcd_summary summary;
		bool enough = misses >= LINES;

		rcd_burst(stream, misses, UINT64_MAX, misses);
		for (uint32_t i = 0; i < misses; i++)
			rcd_add(stream, context, i % SETS, i, RCD_CLASS_OTHER);
		rcd_finish(rcd);
		rcd_summarize(context, &summary);
		ok(summary.verdict == (enough ? RCD_NONE : RCD_UNDECIDED),
		   "a burst of %u misses without a conflict: up to %.3f, %s", misses,
		   summary.conflict_high, rcd_verdict_name(summary.verdict));
		rcd_free(rcd);
	}
}

/* Bursts of nothing but conflicts, then others without a miss that is known. */
static struct rcd_summary all_conflicts(uint32_t bursts, uint32_t others)
{
	static const double whole = 1;
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_summary summary;

	for (uint32_t burst = 0; burst < bursts; burst++) {
		rcd_burst(stream, 4 * LINES, UINT64_MAX, 4 * LINES);
		for (uint32_t i = 0; i < 4 * LINES; i++)
			rcd_add(stream, context, i % SETS, i, RCD_CLASS_CONFLICT);
	}
	while (others--) {
		rcd_burst(stream, 4 * LINES, UINT64_MAX, 4 * LINES);
		rcd_add_hits(stream, context, &(struct rcd_hits){ .open = 1 });
	}
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	rcd_free(rcd);
	return summary;
}

/*
 * Two bursts that are alike may be of one phase. Of n the others are as many at the most as all n miss by
 * a chance of one in twenty: (1 - others)^n = 0.05.
 */
static void test_alike(void)
{
	struct rcd_summary two = all_conflicts(2, 0);

	ok(two.conflict_share == 1 && two.verdict == RCD_UNDECIDED,
	   "2 bursts of nothing but conflicts: %.2f to %.2f, %s", two.conflict_low,
	   two.conflict_high, rcd_verdict_name(two.verdict));
	for (uint32_t n = 3; n < 30; n += n)
		for (uint32_t others = 0; others <= 100; others += 100) {
			struct rcd_summary some = all_conflicts(n, others);

			ok(some.verdict == RCD_CONFLICT &&
			   fabs(pow(some.conflict_low, n) - 0.04) <= 0.01 + 1e-9,
			   "%u of them, and %u that have no miss of it: from %.2f on, %s", n,
			   others, some.conflict_low, rcd_verdict_name(some.verdict));
		}
}

/* Misses of bursts that are too short for the cache have classes, and no distances. */
static void test_short(void)
{
	static const double whole = 1;
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_summary summary;

	/* Half of what may miss is not known. */
	for (uint32_t burst = 0; burst < 20; burst++) {
		rcd_burst(stream, 60, UINT64_MAX, 60);
		rcd_weigh(stream, 1, RCD_SHORT);
		for (uint32_t i = 0; i < 60; i++)
			rcd_add(stream, context, 0, i % 10, RCD_CLASS_CONFLICT);
		rcd_add_hits(stream, context, &(struct rcd_hits){ .open = 40 });
	}
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	ok(fabs(summary.conflict_share - 0.6) < 1e-9 && summary.conflict_low <= 20 / 60. &&
	   summary.conflict_high > 0.99 && summary.verdict == RCD_CONFLICT,
	   "short bursts, 60 conflicts, 40 unknown: %.2f (%.2f to %.2f)", summary.conflict_share,
	   summary.conflict_low, summary.conflict_high);
	ok(summary.samples == 1200 && isnan(summary.cf) && isnan(summary.expected_cf) &&
	   isnan(summary.p_value) && !summary.sets_used,
	   "... without distances");
	rcd_free(rcd);
}

/* A burst of a phase in which nine of ten misses are conflicts, or of one without. */
static void add_phase(struct rcd_stream *stream, struct rcd_context *context, enum rcd_kind kind,
		      uint32_t misses, uint32_t open)
{
	bool conflicts = draw(2);

	rcd_burst(stream, misses, UINT64_MAX, misses);
	rcd_weigh(stream, 1, kind);
	for (uint32_t i = 0; i < misses; i++)
		rcd_add(stream, context, i % SETS, i,
			conflicts && i % 10 ? RCD_CLASS_CONFLICT : RCD_CLASS_OTHER);
	rcd_add_hits(stream, context, &(struct rcd_hits){ .open = open });
}

static struct rcd_summary of_phases(uint32_t long_ones, uint32_t short_ones)
{
	static const double whole = 1;
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_summary summary;

	for (uint32_t i = 0; i < long_ones; i++)
		add_phase(stream, context, RCD_SAMPLED, 4 * LINES, 0);
	for (uint32_t i = 0; i < short_ones; i++)
		add_phase(stream, context, RCD_SHORT, LINES / 8, LINES / 128);
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	rcd_free(rcd);
	return summary;
}

/* Few long bursts may all be of one phase, which the short ones show. */
static void test_long_and_short(uint32_t long_ones, uint32_t short_ones)
{
	uint32_t holds = 0, found = 0, thin = 0, runs = 400;

	state = SEED;
	for (uint32_t run = 0; run < runs; run++) {
		struct rcd_summary summary = of_phases(long_ones, short_ones);

		holds += summary.conflict_low <= 0.45 && summary.conflict_high >= 0.45;
		found += summary.verdict == RCD_CONFLICT;
		thin += summary.conflict_high - summary.conflict_low < 0.05;
	}
	ok(holds >= runs * 0.95 && !thin,
	   "%u long bursts and %u short ones of two phases: %u of %u intervals hold, %u are thin",
	   long_ones, short_ones, holds, runs, thin);
	ok(short_ones < 40 || found >= runs * 0.95, "... and %u say conflict", found);
}

int main(void)
{
	test_programs();
	test_alone();
	test_one_burst();
	test_open();
	test_unknown();
	test_coverage();
	test_mixed();
	test_counted();
	test_counted_at_first();
	test_saved_alone();
	test_alike();
	test_short();
	test_long_and_short(3, 40);
	test_long_and_short(3, 10);
	test_long_and_short(0, 10);
	test_long_and_short(10, 10);
	test_long_and_short(20, 100);
	test_long_and_short(40, 100);
	return done();
}
