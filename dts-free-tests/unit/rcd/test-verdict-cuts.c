// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bursts that interrupts cut: of small programs on an exact cache, from which interrupts drive
 * lines out at random moments. Cut there, the samples say what they say of the program left alone;
 * joined, they would not (so that the test can fail). And cuts at random, with nothing driven out,
 * invent no conflict, and lose one only where nothing is left between two of them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "cachesim/lru.h"
#include "rcd/rcd.h"
#include "draw.h"
#include "tap.h"

#define SEED	20261121u
#define LINE	64
#define SETS	64
#define WAYS	8
#define BURST	1024
#define BURSTS	40
#define MANY	320	/* several in each group of the jackknife */

/* What an interrupted run is like. */
struct plan {
	uint64_t every;		/* loads between two interrupts, in the mean; 0 = there are none */
	uint32_t lines;		/* that one drives out */
	bool cut;		/* the burst is cut there */
};

struct run {
	uint64_t rows[SETS * WAYS];
	struct plan plan;
	struct rcd *rcd;
	struct rcd_context *context;
	struct rcd_stream *stream;
	uint64_t until;		/* loads until the next interrupt */
	uint64_t gap;		/* misses until the next burst */
	uint32_t left;		/* of the burst at hand */
	uint32_t bursts;
	bool interrupted;	/* since the last sample */
};

static void interrupt(struct run *run)
{
	uint64_t evicted;

	for (uint32_t i = 0; i < run->plan.lines; i++) {
		uint64_t line = (1ull << 50) + draw(1u << 20);

		lru_access(run->rows + line % SETS * WAYS, WAYS, line, &evicted);
	}
	run->until = 1 + draw(2 * run->plan.every);
	run->interrupted = true;
}

static void sample(struct run *run, uint64_t line)
{
	if (run->gap) {
		run->gap--;
		return;
	}
	if (!run->left) {
		run->left = BURST;
		rcd_burst(run->stream, BURST, ~0ull, BURST);
	} else if (run->interrupted && run->plan.cut) {
		rcd_cut(run->stream, run->left, ~0ull, run->left);
	}
	run->interrupted = false;
	rcd_add(run->stream, run->context, line % SETS, line, RCD_CLASS_UNKNOWN);
	if (--run->left)
		return;
	run->gap = 500 + draw(3000);
	run->bursts++;
}

/* One load; false when the run has had its bursts. */
static bool load(struct run *run, uint64_t address)
{
	uint64_t line = address / LINE, evicted;

	if (run->plan.every && !--run->until)
		interrupt(run);
	if (!lru_access(run->rows + line % SETS * WAYS, WAYS, line, &evicted))
		sample(run, line);
	return run->bursts < BURSTS;
}

/* 256 rows, column by column. */
static void columns(struct run *run, uint64_t row)
{
	for (;;)
		for (uint64_t j = 0; j < 256; j++)
			for (uint64_t i = 0; i < 256; i++)
				if (!load(run, i * row + j * 8))
					return;
}

static void in_step(struct run *run)
{
	columns(run, 256 * 8);
}

static void padded(struct run *run)
{
	columns(run, 256 * 8 + 64);
}

/* Twelve arrays side by side; all of them start in one set, or not. */
static void arrays(struct run *run, uint64_t pad)
{
	for (;;)
		for (uint64_t i = 0; i < 1u << 16; i++)
			for (uint64_t a = 0; a < 12; a++)
				if (!load(run, a * ((8u << 16) + pad) + i * 8))
					return;
}

static void twelve(struct run *run)
{
	arrays(run, 0);
}

static void twelve_padded(struct run *run)
{
	arrays(run, 320);
}

/* 300 lines that use every other set, around and around: each misses again after 299 others. */
static void far_apart(struct run *run)
{
	for (;;)
		for (uint64_t i = 0; i < 300; i++)
			if (!load(run, i * 2 * LINE))
				return;
}

struct program {
	const char *name;
	void (*body)(struct run *run);
	double share;	/* of conflicts among its misses */
	bool reuses;	/* without conflicts, but most of what it has in the cache it needs again */
};

static const struct program programs[] = {
	{ "columns", in_step, 7.0 / 8, false },
	{ "columns, padded", padded, 0, true },
	{ "12 arrays", twelve, 7.0 / 8, false },
	{ "12 arrays, padded", twelve_padded, 0, false },
	{ "300 lines on half of the sets", far_apart, 1, false },
};

#define PROGRAMS (sizeof(programs) / sizeof(*programs))

static struct rcd_summary run(const struct program *program, struct plan plan)
{
	static struct run run;
	struct rcd_summary summary;

	run = (struct run){
		.plan = plan,
		.rcd = rcd_new_sliced(SETS, WAYS, 1, (double[]){ 1 }),
		.until = 1 + plan.every,
		.gap = 5000,
	};
	memset(run.rows, 0xff, sizeof(run.rows));
	run.context = rcd_context_new(run.rcd);
	run.stream = rcd_stream_new(run.rcd);
	program->body(&run);
	rcd_finish(run.rcd);
	rcd_summarize(run.context, &summary);
	rcd_free(run.rcd);
	return summary;
}

static enum rcd_verdict verdict_of(const struct program *program)
{
	return program->share > 0 ? RCD_CONFLICT : RCD_NONE;
}

/* Loads between interrupts: as many as pass while so many misses come, without any. */
static uint64_t loads_for(const struct program *program, uint64_t misses)
{
	return misses * (program->share > 0 ? 1 : 8);
}

/* About one in a burst, of 200 lines: more than any that was seen. */
static void interrupted(const struct program *program)
{
	struct plan plan = { loads_for(program, 900), 200, true };
	struct rcd_summary cut = run(program, plan), joined;

	plan.cut = false;
	joined = run(program, plan);
	ok(cut.verdict == verdict_of(program), "%s, interrupted: %s", program->name,
	   rcd_verdict_name(cut.verdict));
	ok(fabs(cut.conflict_share - program->share) <= (program->share > 0 ? 0.05 : 0) &&
	   cut.conflict_low <= program->share && program->share <= cut.conflict_high,
	   "... share %.3f [%.3f, %.3f], exactly %.3f", cut.conflict_share, cut.conflict_low,
	   cut.conflict_high, program->share);
	if (program->reuses)
		ok(joined.conflict_share > 0.01 && joined.conflict_high > cut.conflict_high,
		   "... joined, %.3f of its misses would be conflicts (to %.3f)",
		   joined.conflict_share, joined.conflict_high);
}

/* Cuts alone, ever closer. Nothing may be accused; nothing acquitted that is in conflict. */
static void cut_at_random(const struct program *program)
{
	static const uint64_t every[] = { 3000, 1000, 500, 250, 120, 60, 20, 5 };
	uint32_t wrong = 0, found = 0, i;

	for (i = 0; i < sizeof(every) / sizeof(*every); i++) {
		struct plan plan = { loads_for(program, every[i]), 0, true };
		struct rcd_summary cut = run(program, plan);

		wrong += cut.verdict != verdict_of(program) && cut.verdict != RCD_UNDECIDED;
		found += cut.verdict != RCD_UNDECIDED;
		printf("# %s, cut every %llu misses: %s (%.3f [%.3f, %.3f])\n", program->name,
		       (unsigned long long)every[i], rcd_verdict_name(cut.verdict),
		       cut.conflict_share, cut.conflict_low, cut.conflict_high);
	}
	ok(!wrong && found >= 2, "%s, cut at random: decided %u times of %u, never otherwise than "
				 "whole",
	   program->name, found, i);
}

/* A cut that follows no burst begins one; one right behind a burst's beginning changes nothing. */
static void odd_cuts(void)
{
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, (double[]){ 1 });
	struct rcd_context *context[2] = { rcd_context_new(rcd), rcd_context_new(rcd) };
	struct rcd_stream *stream[2] = { rcd_stream_new(rcd), rcd_stream_new(rcd) };
	struct rcd_summary one, other;

	rcd_cut(stream[0], 2000, ~0ull, 1000);
	rcd_burst(stream[1], 5, ~0ull, 5);
	rcd_cut(stream[1], 2000, ~0ull, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		for (uint32_t n = 0; n < 2; n++)
			rcd_add(stream[n], context[n], i % SETS, i % 600, RCD_CLASS_UNKNOWN);
	rcd_finish(rcd);
	rcd_summarize(context[0], &one);
	rcd_summarize(context[1], &other);
	ok(one.burst_samples == 1000 && one.conflict_share == other.conflict_share &&
	   one.conflict_high == other.conflict_high && one.captured == other.captured &&
	   one.captured == 0.5, "a cut without a burst, and one before the burst's first sample");
	rcd_free(rcd);
}

/*
 * Bursts of two phases, one of which is cut every so many misses. In the other, one burst in ten, a
 * part of the lines comes back, from far.
 */
static struct rcd_summary cut_streams(uint64_t every, uint64_t lines, double part)
{
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, (double[]){ 1 });
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	uint64_t next = 1 << 20, until = every;
	struct rcd_summary summary;

	for (uint32_t b = 0; b < MANY; b++) {
		bool other = b % 10 == 9;

		rcd_burst(stream, BURST, ~0ull, BURST);
		for (uint32_t i = 0; i < BURST; i++) {
			bool old = other && random_unit(&state) < part;
			uint64_t line = old ? next - 1 - draw(lines) : next++;

			if (i && !other && !--until) {
				rcd_cut(stream, BURST - i, ~0ull, BURST - i);
				until = 1 + draw(2 * every);
			}
			rcd_add(stream, context, line % SETS, line, RCD_CLASS_UNKNOWN);
		}
	}
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	rcd_free(rcd);
	return summary;
}

/* However few samples see far, nothing is known to the last digit. */
static void ends_lie_apart(void)
{
	uint32_t streams = 0, bad = 0;

	for (uint64_t every = 40; every <= 640; every *= 2) {
		for (uint64_t lines = 100; lines <= 800; lines *= 2) {
			for (double part = 0.02; part < 0.5; part *= 2) {
				struct rcd_summary s = cut_streams(every, lines, part);

				if (s.conflict_share <= 0 || s.conflict_share >= 1)
					continue;
				streams++;
				bad += s.conflict_low >= s.conflict_share ||
				       s.conflict_share >= s.conflict_high;
			}
		}
	}
	ok(!bad && streams > 20, "bursts that are cut: the ends lie apart in %u streams of %u",
	   streams - bad, streams);
}

int main(void)
{
	state = SEED;
	printf("# seed %u\n", SEED);
	for (size_t i = 0; i < PROGRAMS; i++)
		interrupted(&programs[i]);
	for (size_t i = 0; i < PROGRAMS; i++)
		cut_at_random(&programs[i]);
	odd_cuts();
	ends_lie_apart();
	return done();
}
