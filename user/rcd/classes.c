// SPDX-License-Identifier: GPL-2.0-only
/*
 * Misses that come with their class: the share of conflicts is counted, not estimated from
 * re-misses. Hits that a fully associative cache would miss make up for as many conflicts: in a
 * table of random look-ups a little larger than the cache there are as many of either, and no
 * placement gains anything.
 */
#include <math.h>

#include "rcd/betting-bound.h"
#include "rcd/internal.h"

/* By group of bursts; groups without a miss are left out. */
struct classes {
	double misses[REMISS_GROUPS];	/* weighted, as the others */
	double net[REMISS_GROUPS];	/* conflicts less hits saved; may be below 0 */
	double all_misses, all_net;
	double count;			/* of the misses */
	uint32_t groups;
	double bursts;			/* of one length that would say as much */
};

void classes_count(struct strand *strand, enum rcd_class class, double weight)
{
	struct remiss_group *group = strand->group;

	strand->context->classed = true;
	strand->context->refilled |= strand->index - strand->base >= strand->context->rcd->lines;
	strand->context->alike += 2.0 * strand->classed++ + 1;
	group->classed++;
	group->weight += weight;
	if (class == RCD_CLASS_OPEN)
		group->open += weight;
	if (class == RCD_CLASS_CONFLICT)
		group->conflicts += weight;
}

/* @open: those count as conflicts, too */
static struct classes add_up(const struct rcd_context *context, bool open)
{
	struct classes classes = { .all_net = -context->saved };
	double saved = context->saved;
	uint32_t g;

	for (g = 0; g < context->group_room; g++) {
		const struct remiss_group *group = context->groups[g];
		double net;

		if (!group)
			continue;
		net = group->conflicts - group->saved + (open ? group->open : 0);
		classes.count += group->classed;
		classes.all_misses += group->weight;
		classes.all_net += net;
		if (!group->classed) {
			saved -= net;
			continue;
		}
		classes.misses[classes.groups] = group->weight;
		classes.net[classes.groups++] = net;
	}
	/*
	 * Of bursts of mixed lengths the long ones, which are few, hold most of the misses (Kish,
	 * Survey Sampling, 8.2: clusters of unequal sizes).
	 */
	classes.bursts = context->alike > 0 ? classes.count * classes.count / context->alike : 0;
	/* A class depends on what the cache held, all of which is other lines by the end. */
	if (context->refilled)
		classes.bursts = fmax(2, classes.bursts);
	/* Hits saved in bursts without a miss, or in none, belong to the others. */
	for (g = 0; g < classes.groups; g++)
		classes.net[g] -= saved / classes.groups;
	return classes;
}

static double share_of(double net, double misses)
{
	return misses > 0 ? fmin(1, fmax(0, net / misses)) : 0;
}

/* From few bursts with much conflict, as of re-misses: shares that are never below 0. */
static double low_of_few(const struct classes *classes)
{
	double share[REMISS_GROUPS];
	uint32_t g;

	for (g = 0; g < classes->groups; g++) {
		if (classes->net[g] < 0)
			return 0;
		share[g] = classes->net[g] / classes->misses[g];
	}
	return betting_low(share, classes->misses, classes->groups);
}

/* How much of the interval is left for those misses that were not sampled. */
static double unsampled(const struct rcd_context *context, const struct classes *classes)
{
	if (!context->rcd->weights_are_misses || classes->all_misses <= 0)
		return 1;
	return sqrt(fmax(0, 1 - classes->count / classes->all_misses));
}

static struct interval interval_of(const struct rcd_context *context,
				   const struct classes *classes, double share)
{
	double part = unsampled(context, classes);
	struct interval wilson = wilson_interval(share, classes->count, classes->bursts);
	double without[REMISS_GROUPS], half;
	uint32_t g;

	for (g = 0; g < classes->groups; g++)
		without[g] = share_of(classes->all_net - classes->net[g],
				      classes->all_misses - classes->misses[g]);
	half = jackknife_half(without, classes->misses, classes->groups);
	return (struct interval){
		fmax(0, share - part * (share - fmin(wilson.low, share - half))),
		fmin(1, share + part * (fmax(wilson.high, share + half) - share)),
	};
}

void rcd_set_counted(struct rcd_context *context, const struct rcd_counted *counted)
{
	context->counted = *counted;
}

uint64_t classes_counted(const struct rcd_context *context)
{
	double misses = 0;

	for (uint32_t g = 0; g < context->group_room; g++)
		misses += context->groups[g] ? context->groups[g]->weight : 0;
	return context->classed && context->counted.misses >= misses / 2 ?
	       context->counted.misses : 0;
}

/* Nothing is left to chance. */
static void count(const struct rcd_counted *counted, struct remiss *estimate)
{
	double net = (double)counted->conflicts - counted->saved;

	estimate->share = share_of(net, counted->misses);
	estimate->low = estimate->low_with_hits = estimate->share;
	estimate->high = estimate->high_by_misses = estimate->share;
}

void classes_estimate(const struct rcd_context *context, struct remiss *estimate)
{
	struct classes least = add_up(context, false), most = add_up(context, true);
	struct interval low, high;

	*estimate = (struct remiss){ .high = 1, .high_by_misses = 1, .whole = true };
	if (classes_counted(context)) {
		count(&context->counted, estimate);
		return;
	}
	if (!least.groups)
		return;
	estimate->share = share_of(least.all_net, least.all_misses);
	low = interval_of(context, &least, estimate->share);
	high = interval_of(context, &most, share_of(most.all_net, most.all_misses));
	estimate->low = fmax(low.low, fmin(estimate->share, low_of_few(&least)));
	estimate->low_with_hits = estimate->low;
	estimate->high_by_misses = low.high;
	estimate->high = fmax(low.high, high.high);
}

/* A sum over groups, a miss. */
static double per_miss(const struct rcd_context *context, bool open)
{
	double misses = 0, sum = open ? 0 : context->saved;
	uint32_t g;

	for (g = 0; g < context->group_room; g++) {
		const struct remiss_group *group = context->groups[g];

		if (!group)
			continue;
		misses += group->weight;
		sum += open ? group->open : group->saved;
	}
	return misses > 0 ? sum / misses : 0;
}

double classes_open(const struct rcd_context *context)
{
	return per_miss(context, true);
}

double classes_saved(const struct rcd_context *context)
{
	if (classes_counted(context))
		return (double)context->counted.saved / context->counted.misses;
	return per_miss(context, false);
}
