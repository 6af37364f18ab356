// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "gain/shares.h"
#include "base/student.h"

#define LEAST_BURSTS	2		/* that say something */
#define MODEL		0.10		/* the rerun's own error: docs/explanation/advice.md */
#define SHOWS		0.02		/* of the time: a difference */

/* Sums of powers of the weights, these being parts of the whole. */
struct weights {
	double time, squares, cubes;
};

static struct weights weights_of(const struct burst_share *bursts, size_t count)
{
	struct weights sums = { 0 };

	for (size_t i = 0; i < count; i++)
		sums.time += bursts[i].time;
	for (size_t i = 0; i < count; i++) {
		double part = bursts[i].time / sums.time;

		sums.squares += part * part;
		sums.cubes += part * part * part;
	}
	return sums;
}

/*
 * Half the interval. With parts h of the time, sum h (s - mean)^2 is in the mean the variance of a
 * burst times 1 - sum h^2: the trace of the matrix diag(h) - hh' that it is a quadratic form of.
 * The degrees of freedom are that trace squared by the trace of the matrix squared: n - 1 of n that
 * are alike.
 */
static double spread_of(const struct burst_share *bursts, size_t count,
			const struct weights *weights, double mean)
{
	double squares = weights->squares, trace = 1 - squares, sum = 0;
	double squared = squares - 2 * weights->cubes + squares * squares;

	for (size_t i = 0; i < count; i++)
		sum += bursts[i].time / weights->time * (bursts[i].share - mean) *
		       (bursts[i].share - mean);
	return student_975(fmax(1, trace * trace / squared)) *
	       sqrt(sum / trace * squares);
}

struct time_share shares_mean(const struct burst_share *bursts, size_t count)
{
	const struct weights weights = weights_of(bursts, count);
	double low = 0, mean = 0, high = 0, spread, unseen;

	if (count < LEAST_BURSTS || !(weights.time > 0))
		return (struct time_share){ NAN, NAN, NAN };
	for (size_t i = 0; i < count; i++) {
		low += bursts[i].time / weights.time * bursts[i].low;
		mean += bursts[i].time / weights.time * bursts[i].share;
		high += bursts[i].time / weights.time * bursts[i].high;
	}
	spread = spread_of(bursts, count, &weights, mean);
	unseen = unseen_part(1 / weights.squares);
	return (struct time_share){
		.low = low - hypot(fmax(spread, unseen * mean), MODEL), .share = mean,
		.high = fmin(1, high + hypot(fmax(spread, unseen * (1 - mean)), MODEL)),
		/* What else runs here makes reruns slower than the program: wider bounds. */
		.noise = spread + (high - low) / 2,
	};
}

bool time_saves_more(const struct time_share *time, const struct time_share *than)
{
	return isfinite(time->share) &&
	       time->share - than->share >= fmax(SHOWS, hypot(time->noise, than->noise));
}
