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

#define UNLIKELY	0.05	/* that all bursts miss what is more than they leave room for */
#define FEWEST_BURSTS	3	/* that say at least how many are conflicts */

/* By group of bursts; groups without a miss are left out. */
struct classes {
	double misses[REMISS_GROUPS];	/* weighted, as the others */
	double net[REMISS_GROUPS];	/* conflicts less hits saved; may be below 0 */
	double all_misses, all_net;
	double count;			/* of the misses */
	uint32_t groups;
	double bursts;			/* of one length that would say as much */
};

void classes_count(struct strand *strand, const struct rcd_stream *stream)
{
	struct class_sums *sums = &strand->group->sums[stream->kind];
	struct rcd_context *context = strand->context;
	double weight = stream->stands_for;

	context->classed = true;
	context->refilled[stream->kind] |= strand->index - strand->base >= context->rcd->lines;
	context->alike[stream->kind] += 2.0 * strand->classed++ + 1;
	sums->classed++;
	sums->weight += weight;
	if (stream->class == RCD_CLASS_OPEN)
		sums->open += weight;
	if (stream->class == RCD_CLASS_CONFLICT)
		sums->conflicts += weight;
}

static void add_sums(struct class_sums *to, const struct class_sums *more)
{
	to->classed += more->classed;
	to->weight += more->weight;
	to->open += more->open;
	to->conflicts += more->conflicts;
	to->saved += more->saved;
	to->unknown_saved += more->unknown_saved;
	to->unknown_conflicts += more->unknown_conflicts;
}

/* Of all groups. */
static struct class_sums sums_of(const struct rcd_context *context, enum rcd_kind kind)
{
	struct class_sums sums = { .saved = context->saved[kind] };

	for (uint32_t g = 0; g < context->group_room; g++)
		if (context->groups[g])
			add_sums(&sums, &context->groups[g]->sums[kind]);
	return sums;
}

double rcd_counted_weight(const struct rcd_context *context)
{
	return sums_of(context, RCD_COUNTED).weight;
}

/*
 * Counts stand in for the samples that were counted, too. Of what was killed, or comes with other
 * recordings, some may be lost.
 */
static bool counts_hold(const struct rcd_context *context)
{
	return context->classed && context->counted.misses &&
	       (context->rcd->counts_are_whole ||
		context->counted.misses >= rcd_counted_weight(context) / 2);
}

/* What is not known is taken as it is likely to be, as what leaves fewest conflicts, or most. */
enum guess { AS_SEEN, FEWEST, MOST };

static double net_of(const struct class_sums *sums, enum guess guess)
{
	double net = sums->conflicts - sums->saved;

	return guess == FEWEST ? net - sums->unknown_saved :
	       guess == MOST ? net + sums->open + sums->unknown_conflicts : net;
}

/* Kinds of misses whose shares are of the same: from the first to before the end. */
struct kinds {
	enum rcd_kind first, end;
};

static const struct kinds of_short = { RCD_SHORT, RCD_KINDS };

/* What is left to samples. */
static struct kinds sampled(const struct rcd_context *context)
{
	return (struct kinds){ RCD_SAMPLED, counts_hold(context) ? RCD_COUNTED : RCD_SHORT };
}

/* By group of bursts, and of all. */
static struct classes add_up(const struct rcd_context *context, struct kinds kinds,
			     enum guess guess)
{
	struct classes classes = { 0 };
	enum rcd_kind kind;
	double saved = 0, alike = 0;
	bool refilled = false;
	uint32_t g;

	for (kind = kinds.first; kind < kinds.end; kind++) {
		saved += context->saved[kind];
		alike += context->alike[kind];
		refilled |= context->refilled[kind];
	}
	classes.all_net = -saved;
	for (g = 0; g < context->group_room; g++) {
		struct class_sums sums = { 0 };
		double net, misses;

		if (!context->groups[g])
			continue;
		for (kind = kinds.first; kind < kinds.end; kind++)
			add_sums(&sums, &context->groups[g]->sums[kind]);
		net = net_of(&sums, guess);
		misses = sums.weight + (guess == MOST ? sums.unknown_conflicts : 0);
		/* So soon in a burst the first use of a line is likely a miss, and no conflict. */
		if (kinds.first == RCD_SHORT && guess == AS_SEEN)
			misses += sums.unknown_saved;
		classes.count += sums.classed;
		classes.all_misses += misses;
		classes.all_net += net;
		if (misses <= 0) {
			saved -= net;
			continue;
		}
		classes.misses[classes.groups] = misses;
		classes.net[classes.groups++] = net;
	}
	/*
	 * Of bursts of mixed lengths the long ones, which are few, hold most of the misses (Kish,
	 * Survey Sampling, 8.2: clusters of unequal sizes).
	 */
	classes.bursts = alike > 0 ? classes.count * classes.count / alike : 0;
	/* A class depends on what the cache held, all of which is other lines by the end. */
	if (refilled)
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

/*
 * From few bursts with much conflict, as of re-misses: shares that are never below 0. Net ones may
 * be, where hits are saved in another phase than that of the conflicts, and two bursts may well be
 * both of the latter.
 */
static double low_of_few(const struct classes *classes)
{
	double share[REMISS_GROUPS];
	uint32_t g;

	if (classes->groups < FEWEST_BURSTS)
		return 0;
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

/*
 * Where n bursts are alike, others may be as many as n miss by a chance of one in twenty, about 3/n
 * (the rule of three; Hanley and Lippman-Hand, JAMA 249, 1983), with none of these conflicts, or
 * twice as many. Where all groups have some, the spread between them says enough.
 */
static double unseen(const struct classes *classes)
{
	double squares = 0;

	if (classes->groups >= REMISS_GROUPS)
		return 0;
	if (classes->groups < FEWEST_BURSTS)
		return 1;
	for (uint32_t g = 0; g < classes->groups; g++)
		squares += classes->misses[g] * classes->misses[g];
	return 1 - pow(UNLIKELY, squares / (classes->all_misses * classes->all_misses));
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
	half = fmax(jackknife_half(without, classes->misses, classes->groups),
		    share * unseen(classes));
	return (struct interval){
		fmax(0, share - part * (share - fmin(wilson.low, share - half))),
		fmin(1, share + part * (fmax(wilson.high, share + half) - share)),
	};
}

void rcd_set_counted(struct rcd_context *context, const struct rcd_counted *counted)
{
	context->counted = *counted;
}

void rcd_counts_are_whole(struct rcd *rcd)
{
	rcd->counts_are_whole = true;
}

uint64_t classes_counted(const struct rcd_context *context, bool all)
{
	if (!counts_hold(context) || (all && sums_of(context, RCD_SAMPLED).classed))
		return 0;
	return context->counted.misses;
}

static void estimate_samples(const struct rcd_context *context, struct kinds kinds,
			     const struct classes *seen, struct remiss *estimate)
{
	struct classes fewest = add_up(context, kinds, FEWEST);
	struct classes most = add_up(context, kinds, MOST);
	double least = share_of(fewest.all_net, fewest.all_misses);
	struct interval low, middle, high;

	estimate->share = share_of(seen->all_net, seen->all_misses);
	low = interval_of(context, &fewest, least);
	middle = interval_of(context, seen, estimate->share);
	high = interval_of(context, &most, share_of(most.all_net, most.all_misses));
	estimate->low = fmax(fmin(low.low, middle.low), fmin(least, low_of_few(&fewest)));
	estimate->high_by_misses = middle.high;
	estimate->high = fmax(middle.high, high.high);
}

/* Of what was counted nothing is left to chance: only that part varies which was not. */
static void add_counted(const struct rcd_counted *counted, const struct classes *sampled,
			struct remiss *estimate)
{
	double misses = counted->misses + sampled->all_misses, share;
	double part = sampled->all_misses / misses;

	share = share_of((double)counted->conflicts - counted->saved + sampled->all_net, misses);
	estimate->low = fmax(0, share - part * (estimate->share - estimate->low));
	estimate->high = fmin(1, share + part * (estimate->high - estimate->share));
	estimate->high_by_misses =
		fmin(1, share + part * (estimate->high_by_misses - estimate->share));
	estimate->share = share;
}

static struct class_sums sums_of_long(const struct rcd_context *context)
{
	struct class_sums sums = sums_of(context, RCD_SAMPLED);
	struct class_sums more = sums_of(context, RCD_COUNTED);
	const struct rcd_counted *counted = &context->counted;

	if (counts_hold(context))
		more = (struct class_sums){
			.weight = counted->misses, .conflicts = counted->conflicts,
			.saved = counted->saved,
		};
	add_sums(&sums, &more);
	return sums;
}

/* Return: bursts of one length that would say as much; 0 if there is no such miss. */
static double estimate_long(const struct rcd_context *context, struct remiss *estimate)
{
	struct kinds kinds = sampled(context);
	struct classes seen = add_up(context, kinds, AS_SEEN);

	if (seen.groups)
		estimate_samples(context, kinds, &seen, estimate);
	if (!counts_hold(context))
		return seen.groups ? seen.bursts : 0;
	add_counted(&context->counted, &seen, estimate);
	return INFINITY;
}

/* Hits that may have been misses say nothing by themselves. */
static double estimate_short(const struct rcd_context *context, struct remiss *estimate)
{
	struct classes seen = add_up(context, of_short, AS_SEEN);

	if (!seen.groups || seen.count <= 0)
		return 0;
	estimate_samples(context, of_short, &seen, estimate);
	return seen.bursts;
}

static bool holds(const struct remiss *estimate, double share)
{
	return share >= estimate->low && share <= estimate->high;
}

/*
 * What is not known in short bursts is in their interval, as in that of the long ones: the narrower
 * one says more. Where one does not hold the other's share they are of other phases, and the fewer
 * bursts of fewer. Where neither says anything, short ones are more.
 */
static bool short_say_more(const struct remiss *by_short, double short_ones,
			   const struct remiss *by_long, double long_ones)
{
	if (short_ones <= 0 || long_ones <= 0)
		return short_ones > 0;
	if (!holds(by_short, by_long->share) || !holds(by_long, by_short->share))
		return short_ones > long_ones;
	return by_short->high - by_short->low <= by_long->high - by_long->low;
}

struct class_shares classes_estimate(const struct rcd_context *context, struct remiss *estimate)
{
	const struct remiss nothing = { .high = 1, .high_by_misses = 1, .whole = true };
	struct remiss by_long = nothing, by_short = nothing;
	double long_ones = estimate_long(context, &by_long);
	double short_ones = estimate_short(context, &by_short);
	bool is_short = short_say_more(&by_short, short_ones, &by_long, long_ones);
	struct class_sums sums = is_short ? sums_of(context, RCD_SHORT) : sums_of_long(context);

	*estimate = is_short ? by_short : by_long;
	estimate->low_with_hits = estimate->low;
	if (sums.weight <= 0)
		return (struct class_shares){ 0 };
	return (struct class_shares){
		sums.open / sums.weight, sums.conflicts / sums.weight, sums.saved / sums.weight,
	};
}
