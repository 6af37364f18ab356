// SPDX-License-Identifier: GPL-2.0-only
/*
 * Verdicts on exact miss streams of small programs, sampled in many ways, and
 * how often the interval of the conflict share holds the truth.
 *
 * Slow: that takes thousands of runs
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cachesim/lru.h"
#include "rcd/rcd.h"
#include "draw.h"
#include "tap.h"

#define SEED 20180224u
#define LINE 64

/* A way of sampling one miss stream. */
struct sampling {
	const char *name;
	uint32_t burst;		/* misses; 0 = single samples */
	uint32_t period;	/* mean misses a sample (a recorded burst's miss) */
	uint32_t every;		/* of a burst's misses, every so many-th is captured */
	bool ladder;		/* 64, 128, 256, 512 twice each first */
};

static const struct sampling samplings[] = {
	{ "bursts of 1024", 1024, 1212, 1, false },
	{ "ladder", 1024, 1212, 1, true },
	{ "bursts of 256", 256, 1212, 1, false },
	{ "every 2nd", 1024, 1212, 2, false },
	{ "every 4th", 1024, 1212, 4, false },
	{ "single, 171", 0, 171, 1, false },
	{ "single, 1212", 0, 1212, 1, false },
};

#define SAMPLINGS (sizeof(samplings) / sizeof(*samplings))
#define CONTEXTS 2

struct sampler {
	const struct sampling *how;
	struct rcd *rcd;
	struct rcd_context *context[CONTEXTS];
	struct rcd_stream *stream;
	uint32_t bursts;
	uint32_t left;		/* misses of the burst */
	uint64_t gap;		/* misses until the next sample or burst */
};

struct run {
	uint64_t rows[4096 * 16];
	uint32_t sets, ways;
	uint64_t misses, most;
	struct sampler sampler[SAMPLINGS];
};

static uint32_t burst_length(const struct sampler *sampler)
{
	uint32_t rung = sampler->bursts / 2;

	return sampler->how->ladder && rung < 4 ? 64u << rung : sampler->how->burst;
}

static void sample(struct sampler *sampler, uint32_t context, uint32_t set, uint64_t line)
{
	const struct sampling *how = sampler->how;

	if (sampler->gap) {
		sampler->gap--;
		return;
	}
	if (!how->burst) {
		sampler->gap = how->period * 4 / 5 + draw(how->period * 2 / 5) - 1;
		rcd_add(sampler->stream, sampler->context[context], set, line, RCD_CLASS_UNKNOWN);
		return;
	}
	if (!sampler->left) {
		sampler->left = burst_length(sampler);
		rcd_burst(sampler->stream, sampler->left, ~0ull, sampler->left / how->every);
	}
	if (sampler->left % how->every == 0)
		rcd_add(sampler->stream, sampler->context[context], set, line, RCD_CLASS_UNKNOWN);
	if (--sampler->left == 0) {
		uint64_t cycle = (uint64_t)burst_length(sampler) * how->period;

		sampler->gap = cycle * 4 / 5 + draw(cycle * 2 / 5) - burst_length(sampler);
		sampler->bursts++;
	}
}

/* One load; false when the run has had its misses. */
static bool load(struct run *run, uint32_t context, uint64_t address)
{
	uint64_t line = address / LINE, evicted;
	uint32_t set = line % run->sets, i;

	if (lru_access(run->rows + set * run->ways, run->ways, line, &evicted))
		return true;
	for (i = 0; i < SAMPLINGS; i++)
		sample(&run->sampler[i], context, set, line);
	return ++run->misses < run->most;
}

/* Arrays of 4096 bytes, `pad` bytes between them, read side by side. */
static void arrays(struct run *run, uint64_t pad)
{
	for (;;)
		for (uint64_t i = 0; i < 512; i++)
			for (uint64_t a = 0; a < 12; a++)
				if (!load(run, 0, a * (4096 + pad) + i * 8))
					return;
}

static void twelve_arrays(struct run *run)
{
	arrays(run, 0);
}

static void padded_arrays(struct run *run)
{
	arrays(run, 320);
}

static void columns(struct run *run, uint64_t rows, uint64_t row)
{
	for (;;)
		for (uint64_t j = 0; j < 256; j++)
			for (uint64_t i = 0; i < rows; i++)
				if (!load(run, 0, i * row + j * 8))
					return;
}

static void columns_256(struct run *run)
{
	columns(run, 256, 256 * 8);
}

static void columns_256_padded(struct run *run)
{
	columns(run, 256, 256 * 8 + 64);
}

static void columns_1024(struct run *run)
{
	columns(run, 1024, 1024 * 8);
}

static void streams(struct run *run)
{
	for (uint64_t i = 0;; i++)
		for (uint64_t a = 0; a < 3; a++)
			if (!load(run, 0, (a << 32) + a * 1344 + i * 8))
				return;
}

static void look_ups(struct run *run)
{
	while (load(run, 0, draw(1u << 26)))
		;
}

static void streams_and_look_ups(struct run *run)
{
	for (uint64_t i = 0;; i++)
		for (uint64_t a = 0; a < 3; a++)
			if (!load(run, 0, (a << 32) + a * 1344 + i * 8) ||
			    !load(run, 1, (1ull << 40) + draw(1u << 26)))
				return;
}

/* A table a quarter larger than the cache: what misses again was hit a lot in between. */
static void small_table(struct run *run)
{
	while (load(run, 0, draw(40960)))
		;
}

/* The first line of each of 300 blocks of two lines: 9 or 10 lines for each of half of the sets. */
static void every_other_line(struct run *run)
{
	for (;;)
		for (uint64_t i = 0; i < 300; i++)
			if (!load(run, 0, i * 2 * LINE))
				return;
}

/*
 * Seven single-precision arrays of 64 x 64 x 64: six at a point, one at its
 * neighbours too. A plane is 16 KiB: nine lines for the eight ways of a set.
 */
static void stencil(struct run *run)
{
	static const int64_t row = 64, plane = 64 * 64, size = 64 * 64 * 64;
	const int64_t at[13] = { 0, size, 2 * size, 3 * size, 4 * size, 5 * size, 6 * size,
				 6 * size - 1, 6 * size + 1, 6 * size - row, 6 * size + row,
				 6 * size - plane, 6 * size + plane };

	for (;;)
		for (int64_t i = plane; i < size - plane; i++)
			for (int64_t a = 0; a < 13; a++)
				if (!load(run, 0, (1 << 20) + 4 * (at[a] + i)))
					return;
}

struct program {
	const char *name;
	void (*body)(struct run *run);
	uint32_t contexts;
	enum rcd_verdict verdict[CONTEXTS];
	double share;		/* of conflicts, where it is plain; 0 = not checked */
};

#define CONFLICT	RCD_CONFLICT
#define CONCENTRATED	RCD_CONCENTRATED
#define NONE		RCD_NONE

static const struct program programs[] = {
	{ "12 arrays 4096 B apart", twelve_arrays, 1, { CONFLICT }, 0 },
	{ "the same, padded", padded_arrays, 1, { NONE }, 0 },
	{ "7-array stencil", stencil, 1, { CONFLICT }, 0 },
	{ "columns of 256, row 256", columns_256, 1, { CONFLICT }, 7.0 / 8 },
	{ "columns of 1024, row 1024", columns_1024, 1, { CONCENTRATED }, 0 },
	{ "streams", streams, 1, { NONE }, 0 },
	{ "random look-ups", look_ups, 1, { NONE }, 0 },
	{ "random look-ups in 40 KiB", small_table, 1, { NONE }, 0 },
	{ "every other line, 300 lines", every_other_line, 1, { CONFLICT }, 1 },
	{ "streams + random look-ups", streams_and_look_ups, 2, { NONE, NONE }, 0 },
};

static bool as_expected(const struct sampling *how, const struct rcd_summary *summary,
			enum rcd_verdict truth)
{
	bool conflict = summary->verdict == RCD_CONFLICT;

	if (!how->burst)	/* see single_samples() */
		return summary->samples >= 30;
	if (how->every > 2)	/* loss may hide a conflict, and must not invent one */
		return conflict ? truth == RCD_CONFLICT : summary->verdict == RCD_UNDECIDED;
	if (how->burst < 512)	/* too short to see all distances */
		return conflict ? truth == RCD_CONFLICT :
				  summary->verdict == RCD_UNDECIDED;
	return summary->verdict == truth;
}

/* What single samples can tell: conflict where the paper's cf does, and no more. */
static bool single_sample_verdict(const struct program *program, const struct rcd_summary *summary)
{
	if (program->verdict[0] == RCD_NONE)
		return summary->verdict == RCD_NONE;
	if (program->verdict[0] == RCD_CONCENTRATED)	/* cannot be told from conflict */
		return summary->verdict == RCD_CONFLICT;
	return summary->verdict == RCD_CONFLICT || summary->verdict == RCD_NONE;
}

static void run_program(const struct program *program, uint32_t sets, uint32_t ways)
{
	static struct run run;
	uint32_t i, c;

	memset(&run, 0, sizeof(run));
	run.sets = sets;
	run.ways = ways;
	run.most = 24 << 20;
	memset(run.rows, 0xff, sizeof(run.rows));
	for (i = 0; i < SAMPLINGS; i++) {
		struct sampler *sampler = &run.sampler[i];

		sampler->how = &samplings[i];
		sampler->gap = 5000;
		sampler->rcd = rcd_new_sliced(sets, ways, 1, (double[]){ 1 });
		sampler->stream = rcd_stream_new(sampler->rcd);
		for (c = 0; c < CONTEXTS; c++)
			sampler->context[c] = rcd_context_new(sampler->rcd);
	}
	program->body(&run);
	for (i = 0; i < SAMPLINGS; i++) {
		struct sampler *sampler = &run.sampler[i];

		rcd_finish(sampler->rcd);
		for (c = 0; c < program->contexts; c++) {
			const struct sampling *how = sampler->how;
			struct rcd_summary s;
			bool good;

			rcd_summarize(sampler->context[c], &s);
			good = as_expected(how, &s, program->verdict[c]);
			if (how->burst == 1024 && how->every == 1 && program->share > 0)
				good &= s.conflict_low <= program->share &&
					program->share <= s.conflict_high;
			if (!how->burst)
				good &= single_sample_verdict(program, &s);
			ok(good, "%u x %u, %s%s, %s: %s (cf %.3f of %.3f, share %.3f [%.3f, %.3f], "
			   "concentration %.2f of %.2f)%s%s",
			   sets, ways, program->name, c ? " (the look-ups)" : "", how->name,
			   rcd_verdict_name(s.verdict), s.cf, s.expected_cf, s.conflict_share,
			   s.conflict_low, s.conflict_high, s.concentration,
			   s.expected_concentration, s.reason ? ", " : "",
			   s.reason ? rcd_reason_text(s.reason) : "");
		}
		rcd_free(sampler->rcd);
	}
}

/* Few samples, lost samples, nothing at all. */
static void edges(void)
{
	struct rcd *rcd = rcd_new_sliced(64, 8, 1, (double[]){ 1 });
	struct rcd_context *none = rcd_context_new(rcd), *few = rcd_context_new(rcd);
	struct rcd_context *single = rcd_context_new(rcd), *short_burst = rcd_context_new(rcd);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_summary s;
	uint32_t i;

	for (i = 0; i < 29; i++)
		rcd_add(stream, few, 0, i % 9, RCD_CLASS_UNKNOWN);
	for (i = 0; i < 30; i++)
		rcd_add(stream, single, 0, i % 9, RCD_CLASS_UNKNOWN);
	for (i = 0; i < 2000; i++) {
		if (i % 32 == 0)
			rcd_burst(stream, 32, ~0ull, 32);
		rcd_add(stream, short_burst, i % 64, i, RCD_CLASS_UNKNOWN);
	}
	rcd_finish(rcd);
	rcd_summarize(none, &s);
	ok(s.verdict == RCD_UNDECIDED && s.reason == RCD_FEW_SAMPLES && s.cf == 0 &&
	   s.p_value == 1, "no samples");
	rcd_summarize(few, &s);
	ok(s.verdict == RCD_UNDECIDED && s.reason == RCD_FEW_SAMPLES, "29 samples: undecided");
	rcd_summarize(single, &s);
	ok(s.verdict == RCD_CONFLICT && s.p_value < 1e-9, "30 on one set: enough");
	rcd_summarize(short_burst, &s);
	ok(s.verdict == RCD_UNDECIDED && s.reason == RCD_SHORT_BURSTS && s.conflict_high == 1,
	   "bursts of 32 cannot rule conflicts out");
	rcd_free(rcd);
	rcd = rcd_new_sliced(1, 1, 1, (double[]){ 1 });
	few = rcd_context_new(rcd);
	stream = rcd_stream_new(rcd);
	rcd_burst(stream, 100, ~0ull, 100);
	for (i = 0; i < 100; i++)
		rcd_add(stream, few, 0, i % 3, RCD_CLASS_UNKNOWN);
	rcd_finish(rcd);
	rcd_summarize(few, &s);
	ok(s.verdict == RCD_NONE && s.cf == 0.99 && s.p_value == 1, "a cache of one line");
	rcd_free(rcd);
}

/* Lines that never miss again, in bursts of which so many of `events` misses were recorded. */
static enum rcd_reason reason_of(uint64_t events, uint32_t samples)
{
	struct rcd *rcd = rcd_new_sliced(64, 8, 1, (double[]){ 1 });
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_summary s;
	uint32_t i;

	for (i = 0; i < 60 * samples; i++) {
		if (i % samples == 0)
			rcd_burst(stream, events, ~0ull, samples);
		rcd_add(stream, context, i % 64, i, RCD_CLASS_UNKNOWN);
	}
	rcd_finish(rcd);
	rcd_summarize(context, &s);
	rcd_free(rcd);
	return s.reason;
}

/* Every second miss is enough, and the last one of a burst is nobody's loss. */
static void losses(void)
{
	ok(reason_of(2 * 1023, 1023) == RCD_DECIDED, "every second miss recorded: enough");
	ok(reason_of(2 * 1023 + 1, 1023) == RCD_DECIDED, "... and one that only armed");
	ok(reason_of(2 * 1023 + 3, 1023) == RCD_LOST_MISSES, "... not two more");
}

/*
 * A stream in which context c misses again, with a known chance, on a line that
 * missed fewer than 512 misses ago; else on a line that never missed.
 */
#define WINDOW	512
#define SHORTEST 96	/* in eight sets: long enough for a line to leave */
#define MEMORY	4096
#define MIXED	3

struct synthetic {
	uint64_t line[MEMORY];
	uint64_t next, fresh;
	double chance[MIXED];
};

static void synthetic_miss(struct synthetic *s, uint32_t *context, uint64_t *line)
{
	*context = draw(MIXED);
	if (draw(1u << 30) < s->chance[*context] * (1u << 30)) {
		/* Short and long distances alike. */
		uint64_t most = WINDOW - SHORTEST, range = draw(2) ? most : 1 + draw(most);
		uint64_t back = SHORTEST + draw(range);

		*line = s->line[(s->next - back) % MEMORY];
	} else {
		*line = ++s->fresh;
	}
	s->line[s->next++ % MEMORY] = *line;
}

/*
 * Lines on all sets alike, or on eight of them. Re-misses on the first are no conflict: lines that
 * left sets no fuller than the others made room for hits.
 */
static uint32_t synthetic_set(uint64_t line, bool pressured)
{
	return line * 7919 % (pressured ? 8 : 64);
}

/*
 * Bursts of these lengths; where they are not long enough to see the whole
 * cache's worth of misses, the share is a lower bound. In lumpy runs each burst
 * has a chance of its own around the mean. @cuts: about so many in a burst of 1024
 */
static void coverage(const char *name, const uint32_t *bursts, uint32_t count, bool lumpy,
		     bool pressured, uint32_t cuts)
{
	const bool whole = bursts[count - 1] > WINDOW && cuts <= 1;
	static const double truth[] = { 0, 0.05, 0.2, 0.5, 0.9 };
	const uint32_t tries = count > 20 ? 60 : 150;
	uint32_t t, p, b, i, c;

	for (p = 0; p < 5; p++) {
		uint32_t held = 0, wrong = 0, decided = 0;
		double mean = 0, width = 0;

		for (t = 0; t < tries; t++) {
			struct rcd *rcd = rcd_new_sliced(64, 8, 1, (double[]){ 1 });
			struct rcd_stream *stream = rcd_stream_new(rcd);
			struct rcd_context *context[MIXED];
			struct synthetic s = { .next = MEMORY };
			uint64_t line;

			for (c = 0; c < MIXED; c++)
				context[c] = rcd_context_new(rcd);
			for (i = 0; i < MEMORY; i++)
				s.line[i] = ++s.fresh;
			for (b = 0; b < count; b++) {
				for (c = 0; c < MIXED; c++) {
					double q = truth[(p + c) % 5];
					double swing = q < 0.5 ? q : 1 - q;

					if (lumpy)
						q += swing * (draw(2001) / 1e3 - 1);
					s.chance[c] = q;
				}
				for (i = 0; i < WINDOW; i++)
					synthetic_miss(&s, &c, &line);
				rcd_burst(stream, bursts[b], ~0ull, bursts[b]);
				for (i = 0; i < bursts[b]; i++) {
					if (cuts && draw(1024) < cuts)
						rcd_cut(stream, bursts[b], ~0ull, bursts[b]);
					synthetic_miss(&s, &c, &line);
					rcd_add(stream, context[c], synthetic_set(line, pressured),
						line, RCD_CLASS_UNKNOWN);
				}
			}
			rcd_finish(rcd);
			for (c = 0; c < MIXED; c++) {
				double q = truth[(p + c) % 5];
				struct rcd_summary summary;

				rcd_summarize(context[c], &summary);
				held += summary.conflict_low <= q + 1e-12 &&
					(!pressured || q <= summary.conflict_high + 1e-12);
				mean += pressured ? summary.conflict_share - q :
						  fmax(0, summary.conflict_share - q);
				width += summary.conflict_high - summary.conflict_low;
				decided += summary.verdict != RCD_UNDECIDED;
				wrong += q < 0.1 || !pressured ? summary.verdict == RCD_CONFLICT :
						   summary.verdict == RCD_NONE;
			}
			rcd_free(rcd);
		}
		ok(held >= 0.93 * MIXED * tries && wrong <= 0.025 * MIXED * tries &&
		   mean / (MIXED * tries) < 0.02 &&
		   mean / (MIXED * tries) > (whole ? -0.02 : -0.06),
		   "%s%s, %s sets, shares %g %g %g: interval holds the truth in %.1f%%, mean width "
		   "%.3f, bias %+.4f, decided %.0f%%, wrongly %.1f%%",
		   name, lumpy ? ", uneven" : "", pressured ? "8" : "all",
		   truth[p], truth[(p + 1) % 5], truth[(p + 2) % 5],
		   100.0 * held / (MIXED * tries), width / (MIXED * tries),
		   mean / (MIXED * tries),
		   100.0 * decided / (MIXED * tries), 100.0 * wrong / (MIXED * tries));
	}
}

int main(void)
{
	uint32_t few[3], many[40], ladder[8 + 8], i;

	state = SEED;
	printf("# seed %u\n", SEED);
	edges();
	losses();
	for (i = 0; i < 3; i++)
		few[i] = 1024;
	for (i = 0; i < 40; i++)
		many[i] = 1024;
	for (i = 0; i < 16; i++)
		ladder[i] = i < 8 ? 64u << i / 2 : 1024;
	for (i = 0; i < 2; i++) {
		coverage("3 bursts of 1024", few, 3, false, i, 0);
		coverage("3 bursts of 1024", few, 3, true, i, 0);
		coverage("ladder and 8 of 1024", ladder, 16, false, i, 0);
		coverage("ladder and 8 of 1024", ladder, 16, true, i, 0);
		coverage("ladder alone", ladder, 8, true, i, 0);
		coverage("40 bursts of 1024", many, 40, true, i, 0);
	}
	for (i = 0; i < 2; i++) {
		coverage("40 bursts of 1024, cut once", many, 40, true, i, 1);
		coverage("ladder and 8 of 1024, cut once", ladder, 16, true, i, 1);
		coverage("ladder and 8 of 1024, cut in 5", ladder, 16, true, i, 4);
	}
	for (i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		run_program(&programs[i], 64, 8);
	run_program(&(struct program){ "columns of 256, row 256 + 64 B", columns_256_padded, 1,
				       { RCD_NONE }, 0 }, 64, 8);
	run_program(&programs[5], 48, 12);
	run_program(&programs[6], 48, 12);
	return done();
}
