// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "share-model/motion.h"
#include "share-model/shares.h"

#define HALVINGS	200

/* Miss ratios with 0..ways ways; between them, straight lines. */
struct curve {
	double miss[SHARE_WAYS_MAX + 1];
	uint32_t ways;
};

static void curve_of(const struct share_plan *plan, const struct share_program *program,
		     struct curve *curve)
{
	double total = 0, hits = 0;
	uint32_t group, d;

	for (group = 0; group < plan->groups; group++)
		for (d = 0; d <= plan->ways; d++)
			total += program->distances[group * (plan->ways + 1) + d];
	curve->ways = plan->ways;
	curve->miss[0] = 1;
	for (d = 0; d < plan->ways; d++) {
		for (group = 0; group < plan->groups; group++)
			hits += program->distances[group * (plan->ways + 1) + d];
		curve->miss[d + 1] = total > 0 ? fmax(1 - hits / total, 0) : 0;
	}
}

static double miss_at(const struct curve *curve, double ways)
{
	uint32_t below = ways;

	if (below >= curve->ways)
		return curve->miss[curve->ways];
	return curve->miss[below] + (ways - below) * (curve->miss[below + 1] - curve->miss[below]);
}

/* Accesses from share @from to @to within one way: the integral of 1 / miss ratio. */
static double accesses_over(double miss_from, double miss_to, double width)
{
	double slope = (miss_to - miss_from) / width;

	if (miss_from <= 0 || (miss_to <= 0 && width > 0))
		return INFINITY;
	if (fabs(miss_to / miss_from - 1) < 1e-6)
		return width / miss_from;
	return log(miss_to / miss_from) / slope;
}

/* The share that some accesses fill. */
static double share_after(const struct curve *curve, double accesses)
{
	double low = 0, high = 1;
	uint32_t way;
	int i;

	for (way = 0; way < curve->ways; way++) {
		double need = accesses_over(curve->miss[way], curve->miss[way + 1], 1);

		if (need > accesses)
			break;
		accesses -= need;
	}
	if (way == curve->ways)
		return way;
	for (i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (accesses_over(curve->miss[way], miss_at(curve, way + middle), middle) >
		    accesses)
			high = middle;
		else
			low = middle;
	}
	return way + low;
}

/* Shares after so many cycles. Return: their sum. */
static double fill(const struct share_plan *plan, const struct curve *curves, double cycles,
		   struct steady_share *shares)
{
	double sum = 0;
	uint32_t i;

	for (i = 0; i < plan->programs; i++) {
		shares[i].ways = share_after(&curves[i],
					     cycles * plan->program[i].api * shares[i].ipc);
		sum += shares[i].ways;
	}
	return sum;
}

/* The time after which the cache is full, by halving its logarithm. */
static void fill_cache(const struct share_plan *plan, const struct curve *curves,
		       struct steady_share *shares)
{
	double low = -60, high = 120;
	int i;

	for (i = 0; i < HALVINGS && high - low > 1e-12; i++) {
		double middle = (low + high) / 2;

		if (fill(plan, curves, exp(middle), shares) > plan->ways)
			high = middle;
		else
			low = middle;
	}
	fill(plan, curves, exp(low), shares);
}

struct share_end shares_solve(const struct share_plan *plan, struct steady_share *shares)
{
	struct motion motion[SHARE_PROGRAMS_MAX];
	struct curve curves[SHARE_PROGRAMS_MAX];
	struct share_end end = { .rounds = 0 };
	uint32_t i;

	for (i = 0; i < plan->programs; i++) {
		curve_of(plan, &plan->program[i], &curves[i]);
		motion[i] = motion_from(plan->program[i].ipc);
		shares[i].ipc = motion[i].speed;
	}
	while (motion_round(&end)) {
		fill_cache(plan, curves, shares);
		for (i = 0; i < plan->programs; i++) {
			double alone = curves[i].miss[plan->ways];

			shares[i].miss_ratio = fmax(miss_at(&curves[i], shares[i].ways), alone);
			motion_to(&motion[i], share_speed(&plan->program[i], alone,
							  shares[i].miss_ratio), &end);
			shares[i].ipc = motion[i].speed;
		}
	}
	return end;
}
