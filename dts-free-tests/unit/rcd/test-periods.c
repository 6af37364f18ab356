// SPDX-License-Identifier: GPL-2.0-only
/* Conflict periods, another threshold of cf, and counts by set, against brute force. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcd/internal.h"
#include "draw.h"
#include "tap.h"

#define SEED	20180224u
#define MISSES	20000u
#define SETS	32u
#define WAYS	4u
#define BURST	700u

struct stream {
	uint32_t set[MISSES];
	uint32_t rcd[MISSES];	/* 0 = none */
};

/* Round robins over a changing number of sets, with misses elsewhere between. */
static void make(struct stream *stream)
{
	uint32_t width = 1, first = 0, left = 0, i;

	for (i = 0; i < MISSES; i++) {
		if (!left--) {
			width = 1 + draw(SETS);
			first = draw(SETS);
			left = draw(400);
		}
		stream->set[i] = draw(40) ? (first + i % width) % SETS : draw(SETS);
	}
}

static uint32_t start_of(uint32_t at)
{
	return at / BURST * BURST;
}

static void brute_rcd(struct stream *stream)
{
	for (uint32_t i = 0; i < MISSES; i++) {
		stream->rcd[i] = 0;
		for (uint32_t j = i; j-- > start_of(i); )
			if (stream->set[j] == stream->set[i]) {
				stream->rcd[i] = i - j;
				break;
			}
	}
}

struct bins {
	uint64_t runs[RCD_PERIODS], ended[RCD_PERIODS], misses[RCD_PERIODS], near[RCD_PERIODS];
};

/* A set's misses of one burst, one after the other. */
static void brute_set(const struct stream *stream, uint32_t set, uint32_t from, uint32_t threshold,
		      struct bins *bins)
{
	uint32_t run = 0, rcd = 0, end = from + BURST < MISSES ? from + BURST : MISSES, i, bin;

	for (i = from; i <= end; i++) {
		if (i < end && stream->set[i] != set)
			continue;
		if (i < end && rcd && stream->rcd[i] == rcd) {
			run++;
			continue;
		}
		if (run) {
			bin = (uint32_t)log2(run * rcd);
			bins->runs[bin]++;
			bins->ended[bin] += i < end;
			bins->misses[bin] += run;
			bins->near[bin] += rcd <= threshold ? run : 0;
		}
		if (i == end)
			return;
		rcd = stream->rcd[i];
		run = rcd != 0;
	}
}

static void feed(const struct stream *stream, struct rcd *rcd, struct rcd_context *context)
{
	struct rcd_stream *thread = rcd_stream_new(rcd);

	for (uint32_t i = 0; i < MISSES; i++) {
		if (start_of(i) == i)
			rcd_burst(thread, BURST, ~0ull, BURST);
		rcd_add(thread, context, stream->set[i], i, RCD_CLASS_UNKNOWN);
	}
	rcd_finish(rcd);
}

static void compare(const struct stream *stream, uint32_t threshold)
{
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, (double[]){ 1 });
	struct rcd_context *context;
	struct rcd_period period[RCD_PERIODS];
	const struct rcd_set *sets;
	struct rcd_summary summary;
	struct bins bins = { .runs = { 0 } };
	uint64_t near[SETS] = { 0 }, misses[SETS] = { 0 }, sum = 0, all = 0;
	uint32_t i, wrong = 0;
	size_t count;

	rcd_set_threshold(rcd, threshold);
	rcd_by_set(rcd);
	context = rcd_context_new(rcd);
	feed(stream, rcd, context);
	for (i = 0; i < MISSES; i += BURST)
		for (uint32_t set = 0; set < SETS; set++)
			brute_set(stream, set, i, threshold, &bins);
	count = rcd_periods(context, period);
	for (i = 0; i < count; i++) {
		uint32_t bin = (uint32_t)log2(period[i].least);

		wrong += period[i].runs != bins.runs[bin] || period[i].ended != bins.ended[bin] ||
			 period[i].misses != bins.misses[bin] || period[i].near != bins.near[bin];
		all += period[i].runs;
		bins.runs[bin] = 0;
	}
	for (i = 0; i < RCD_PERIODS; i++)
		wrong += bins.runs[i] != 0;
	ok(!wrong && count > 5, "periods by length, T = %u: %u of %zu lengths, %llu runs", threshold,
	   wrong, count, (unsigned long long)all);
	for (i = 0; i < MISSES; i++) {
		misses[stream->set[i]]++;
		near[stream->set[i]] += stream->rcd[i] && stream->rcd[i] <= threshold;
	}
	sets = rcd_sets(context);
	for (i = wrong = 0; i < SETS; i++) {
		wrong += sets[i].misses != misses[i] || sets[i].near != near[i];
		sum += sets[i].near;
	}
	rcd_summarize(context, &summary);
	ok(!wrong && fabs(summary.cf - (double)sum / MISSES) < 1e-12 &&
	   summary.threshold == threshold,
	   "by set, and cf is their sum over all misses (%.4f)", summary.cf);
	rcd_free(rcd);
}

/* Of random sets, cf is what the null says at any threshold, edges of bursts counted in. */
static void null_of_threshold(struct stream *stream)
{
	static const uint32_t thresholds[] = { 1, 3, 8, 31, 200, RCD_THRESHOLD_MOST };
	double worst = 0;

	for (uint32_t i = 0; i < MISSES; i++)
		stream->set[i] = draw(SETS);
	for (size_t i = 0; i < sizeof(thresholds) / sizeof(*thresholds); i++) {
		struct rcd *rcd = rcd_new_sliced(SETS, WAYS, 1, (double[]){ 1 });
		struct rcd_context *context;
		struct rcd_summary summary;

		rcd_set_threshold(rcd, thresholds[i]);
		context = rcd_context_new(rcd);
		feed(stream, rcd, context);
		rcd_summarize(context, &summary);
		worst = fmax(worst, fabs(summary.cf - summary.expected_cf));
		rcd_free(rcd);
	}
	ok(worst < 0.01, "random sets: cf is as expected at any T (%.4f off)", worst);
}

int main(void)
{
	static struct stream stream;

	state = SEED;
	make(&stream);
	brute_rcd(&stream);
	compare(&stream, WAYS);
	compare(&stream, 1);
	compare(&stream, 20);
	compare(&stream, RCD_THRESHOLD_MOST);
	null_of_threshold(&stream);
	return done();
}
