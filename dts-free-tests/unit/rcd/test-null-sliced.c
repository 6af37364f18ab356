// SPDX-License-Identifier: GPL-2.0-only
/*
 * The null of a cache whose slices take unequal shares of the lines, against
 * Monte Carlo and brute force; what an unweighted null would say of the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "rcd/internal.h"
#include "tap.h"

#define SEED	20151102u
#define SETS	7u		/* of a slice */
#define SLICES	4u
#define ALL	(SETS * SLICES)
#define WAYS	4u
#define DRAWS	1000000u

static const double shares[SLICES] = { 0.6, 0.2, 0.15, 0.05 };
static const double equal[SLICES] = { 0.25, 0.25, 0.25, 0.25 };
static uint64_t state;

static double uniform(void)
{
	return random_unit(&state);
}

/* A slice with its share's chance, any set of it. */
static uint32_t draw_set(void)
{
	double x = uniform();
	uint32_t slice = 0;

	while (slice + 1 < SLICES && x >= shares[slice])
		x -= shares[slice++];
	return slice * SETS + (uint32_t)(uniform() * SETS);
}

/* Of equally likely sets. */
static double plain_null(uint32_t sets, uint32_t k)
{
	return 1 - pow(1 - 1.0 / sets, k);
}

static void formula(void)
{
	uint32_t last[ALL] = { 0 }, i, k;
	double within[41] = { 0 }, worst = 0, unweighted;

	for (i = 1; i <= DRAWS; i++) {
		uint32_t set = draw_set(), distance = last[set] ? i - last[set] : 0;

		for (k = distance; distance && k <= 40; k++)
			within[k]++;
		last[set] = i;
	}
	for (k = 1; k <= 40; k++)
		worst = fmax(worst, fabs(within[k] / DRAWS -
					 rcd_null_sliced(SETS, SLICES, shares, k)));
	/* Standard errors of a share are at most 0.0005, and distances lean on each other. */
	ok(worst < 0.003, "P(RCD <= k), k = 1 .. 40, is as drawn (%.4f off)", worst);
	unweighted = fabs(within[WAYS] / DRAWS - plain_null(ALL, WAYS));
	ok(unweighted > 0.05, "which that of equally likely sets is not (%.2f off)", unweighted);
	for (worst = 0, k = 0; k <= 100; k++)
		worst = fmax(worst, fabs(rcd_null_sliced(SETS, SLICES, equal, k) -
					 plain_null(ALL, k)));
	ok(worst < 1e-12, "equal shares: the plain formula");
	ok(rcd_null_sliced(1, 1, (double[]){ 1 }, 0) == 0 &&
	   rcd_null_sliced(1, 1, (double[]){ 1 }, 1) == 1, "one set");
}

/* Chances of the sets among the last WAYS misses, looked up again at each miss. */
static void brute_force(void)
{
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, SLICES, shares);
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	double sum = 0, sum2 = 0, expected = 0;
	uint32_t sets[2000], i, j, k;

	for (i = 0; i < 2000; i++) {
		double chance = 0;

		sets[i] = draw_set();
		rcd_add(stream, context, sets[i], i, RCD_CLASS_UNKNOWN);
		for (j = i; j-- > 0 && i - j <= WAYS;) {
			for (k = j + 1; k < i && sets[k] != sets[j]; k++)
				;
			if (k == i)
				chance += shares[sets[j] / SETS] / SETS;
		}
		sum += chance;
		sum2 += chance * chance;
		expected += rcd_null_sliced(SETS, SLICES, shares, i < WAYS ? i : WAYS);
	}
	rcd_finish(rcd);
	ok(fabs(exact_value(&context->sum_chance) - sum) < 1e-9 &&
	   fabs(exact_value(&context->sum_chance2) - sum2) < 1e-9,
	   "the chance of a short distance, given the past");
	ok(fabs(exact_value(&context->expected_near) - expected) < 1e-9, "and its mean without the past");
	rcd_free(rcd);
}

/* How often p <= 5% and 1% for streams of the null, and what a summary says on average. */
static void null_streams(const double *assumed, double *rate, struct rcd_summary *mean)
{
	const uint32_t tries = 2000;
	struct rcd *rcd = rcd_new_sliced(SETS, WAYS, SLICES, assumed);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	uint32_t t, i;

	*mean = (struct rcd_summary){ .samples = 0 };
	for (t = 0; t < tries; t++) {
		struct rcd_context *context = rcd_context_new(rcd);
		struct rcd_summary summary;

		rcd_burst(stream, 1000, ~0ull, 1000);
		for (i = 0; i < 1000; i++) {
			uint32_t set = draw_set();

			/* Eight lines to a set of four ways. */
			rcd_add(stream, context, set, set + ALL * (uint64_t)(uniform() * 8),
				RCD_CLASS_UNKNOWN);
		}
		rcd_burst(stream, 1, 1, 1);
		rcd_summarize(context, &summary);
		rate[0] += (summary.p_value <= 0.05) / (double)tries;
		rate[1] += (summary.p_value <= 0.01) / (double)tries;
		mean->cf += summary.cf / tries;
		mean->expected_cf += summary.expected_cf / tries;
		mean->concentration += summary.concentration / tries;
		mean->expected_concentration += summary.expected_concentration / tries;
		mean->pressure += summary.pressure / tries;
	}
	rcd_free(rcd);
}

static void calibration(void)
{
	double rate[2] = { 0 }, wrong[2] = { 0 };
	struct rcd_summary mean, unweighted;

	null_streams(shares, rate, &mean);
	null_streams(equal, wrong, &unweighted);
	ok(rate[0] < 0.05 + 4 * 0.0049 && rate[1] < 0.01 + 4 * 0.0022 && rate[0] > 0.03,
	   "p <= 5%%, 1%% under the null: %.1f%%, %.2f%%", 100 * rate[0], 100 * rate[1]);
	ok(wrong[0] > 0.99, "with equally likely sets assumed: %.0f%%", 100 * wrong[0]);
	ok(fabs(mean.cf - mean.expected_cf) < 0.002, "cf is as expected: %.4f, %.4f", mean.cf,
	   mean.expected_cf);
	ok(fabs(mean.concentration - mean.expected_concentration) < 0.002,
	   "concentration is as expected: %.4f, %.4f", mean.concentration,
	   mean.expected_concentration);
	ok(unweighted.concentration - unweighted.expected_concentration > 0.15,
	   "with equally likely sets assumed: %.2f, %.2f", unweighted.concentration,
	   unweighted.expected_concentration);
	/* A little less than an equal share: the line that comes back was not there between. */
	ok(mean.pressure > 0.8 && mean.pressure < 1.1, "crowding is 1: %.2f", mean.pressure);
	ok(unweighted.pressure > 1.5, "with equally likely sets assumed: %.2f",
	   unweighted.pressure);
}

int main(void)
{
	state = SEED;
	printf("# seed %u\n", SEED);
	formula();
	brute_force();
	calibration();
	return done();
}
