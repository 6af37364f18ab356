// SPDX-License-Identifier: GPL-2.0-only
/* How far the misses of a program may be from what its bursts say. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bursts/burst-strata.h"

#define SPEED		0.2	/* a loop's speed is off by so much, as it is timed */
#define LEAST_NS	0.1	/* of a reference: no core makes them faster */
#define LEAST_MISS_NS	1.0	/* ... of one that misses L1, about: 64 bytes */
#define STREAM_NS	10.0	/* ... where memory is streamed: 6.4 GB/s */

/* A sum that is 0 in the mean. */
struct variance {
	double sum;			/* of variances of independent parts */
	double by_freedom;		/* ... of their squares by the parts' degrees of freedom */
};

static void add_variance(struct variance *variance, double part, double freedom)
{
	variance->sum += part;
	variance->by_freedom += part * part / freedom;
}

/*
 * Is this a stratum of one kind of code? Then bursts whose speed is not known are taken to be as
 * fast as the others, and say nothing of the spread.
 */
static bool is_code(const struct burst_weights *weights, const struct stratum *stratum)
{
	return stratum != &weights->strata[STRATUM_REST] && stratum->timed > 1 &&
	       stratum->timed_interval > 0;
}

/* Residues of strata, of those of their bursts. Return: how many bursts count. */
static size_t leave_over(struct burst_weights *weights)
{
	size_t bursts = 0, i;

	for (i = 0; i < weights->met_count; i++)
		weights->strata[i].residues = weights->strata[i].squares = 0;
	for (i = 0; i < weights->count; i++) {
		const struct weighed *burst = &weights->burst[i];

		if (counts(burst))
			burst->stratum->residues += burst->residue;
	}
	for (i = 0; i < weights->count; i++) {
		const struct weighed *burst = &weights->burst[i];
		struct stratum *of = burst->stratum;
		double left;

		bursts += counts(burst);
		if (!counts(burst) || of->interval <= 0 ||
		    (is_code(weights, of) && burst->own <= 0))
			continue;
		left = burst->residue - of->residues / of->interval * burst->stands;
		of->squares += left * left;
	}
	return bursts;
}

/* Cochran, Sampling Techniques, 6.4: of a ratio. */
static void within(const struct burst_weights *weights, const struct stratum *stratum,
		   struct variance *variance)
{
	bool code = is_code(weights, stratum);
	double n = code ? stratum->timed : stratum->bursts;
	double part = code ? stratum->timed_interval / stratum->interval : 1;
	double off = SPEED * stratum->residues;

	if (n > 1)
		add_variance(variance, stratum->squares * n / (n - 1) / part / part, n - 1);
	add_variance(variance, off * off, INFINITY);
}

/* Cochran, 12.2: the time of each stratum is known by so many ticks. */
static void between(const struct burst_weights *weights, struct variance *variance)
{
	double met = met_by_bursts(weights), squares = 0;

	for (size_t i = 0; i < weights->met_count; i++) {
		const struct stratum *stratum = &weights->strata[i];

		if (stratum->bursts && stratum->met > 0)
			squares += stratum->residues * stratum->residues / stratum->met;
	}
	if (met > 0)
		add_variance(variance, squares / met * weights->met_squares, INFINITY);
}

/* As many bursts of equal bases say as much (Kish, Survey Sampling, 8.2). */
static double kish(const struct burst_weights *weights)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < weights->count; i++) {
		const struct weighed *burst = &weights->burst[i];

		if (!counts(burst))
			continue;
		sum += burst->base;
		squares += burst->base * burst->base;
	}
	return squares > 0 ? sum * sum / squares : 1;
}

/*
 * Half the interval of the sum of residues, by Satterthwaite's degrees of freedom (Cochran, 5.4).
 * One burst says nothing of others. Where all are alike, others may be as many as the rule of three
 * leaves room for (Hanley and Lippman-Hand, JAMA 249, 1983), with twice of @sum or none.
 */
static double spread_of(struct burst_weights *weights, double sum)
{
	struct variance variance = { 0 };
	size_t bursts = leave_over(weights);
	double half = 0, least;

	if (bursts < 2)
		return INFINITY;
	for (size_t i = 0; i < weights->met_count; i++)
		within(weights, &weights->strata[i], &variance);
	between(weights, &variance);
	if (variance.sum > 0)
		half = sqrt(variance.sum) *
		       student_975(fmax(variance.sum * variance.sum / variance.by_freedom, 1));
	least = sum * unseen_part(kish(weights));
	return half > least ? half : least;
}

/* The most misses in a nanosecond: as in the worst burst, or in a stream. */
static double most_misses(const struct burst_weights *weights, double *least_ns)
{
	double most = 1 / STREAM_NS;

	*least_ns = INFINITY;
	for (size_t i = 0; i < weights->count; i++) {
		const struct weighed *burst = &weights->burst[i];

		if (!counts(burst) || burst->interval <= 0 || !burst->tally.counted)
			continue;
		most = fmax(most, burst->misses / burst->tally.counted / burst->ns);
		*least_ns = fmin(*least_ns, burst->ns);
	}
	return most;
}

/*
 * Code of many kinds that no burst met: by chance less than the bursts there leave room for, no
 * faster than the fastest burst. One or none says nothing of the rest: any part was missed.
 * @each: time that bursts stand for, for one of ticks
 */
static void bound_unseen(const struct burst_weights *weights, double each,
			 struct burst_totals *totals)
{
	const struct stratum *rest = &weights->strata[STRATUM_REST];
	double least, most = most_misses(weights, &least), time = rest->met * each;

	if (rest->bursts < 2) {
		totals->missed_references = time / LEAST_NS;
		totals->missed_misses = time * most;
		return;
	}
	totals->unseen_references = unseen_part(rest->bursts) * time / least;
	totals->unseen_misses = unseen_part(rest->bursts) * time * most;
}

/* A loop that should have been met, had bursts come at any time, may be anything a core can do. */
static void bound_missed(const struct burst_weights *weights, double met, double each,
			 struct burst_totals *totals)
{
	totals->missed_references += weights->missed * each / LEAST_NS;
	totals->missed_misses += weights->missed * each / LEAST_MISS_NS;
	totals->missed_part = weights->missed / (met + weights->missed);
	totals->missed_context = weights->missed_most;
}

/* The same of code that is not traced, made at run time. */
static void bound_untraced(double interval, struct burst_totals *totals)
{
	double untraced = (double)totals->anonymous_cpu_ns / totals->met_cpu_ns * interval;

	totals->unseen_references += untraced / LEAST_NS;
	totals->unseen_misses += untraced / LEAST_MISS_NS;
}

static void bound_others(const struct burst_weights *weights, struct burst_totals *totals)
{
	double met = met_by_bursts(weights), interval = 0;

	totals->unseen_references = totals->unseen_misses = totals->missed_part = 0;
	totals->missed_references = totals->missed_misses = 0;
	for (size_t i = 0; i < weights->count; i++)
		if (counts(&weights->burst[i]))
			interval += weights->burst[i].interval;
	if (met > 0) {
		bound_unseen(weights, interval / met, totals);
		bound_missed(weights, met, interval / met, totals);
	}
	if (totals->met_cpu_ns)
		bound_untraced(interval, totals);
}

/* Misses less ratio times references are 0 in the mean. @misses: with those that are likely */
static double spread_of_misses(struct burst_weights *weights, double misses, double counted)
{
	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];

		burst->base = burst->weight * burst->tally.counted;
		burst->residue = burst->weight * (burst->misses + burst->tally.likely) -
				 misses / counted * burst->base;
	}
	return fmin(spread_of(weights, misses) / counted, 1);
}

/* What certain misses are, and what all could be at least and at most, by what is not known. */
struct conflicts {
	double net, misses, open, may_save, may_miss;
};

static struct conflicts add_conflicts(const struct burst_weights *weights)
{
	struct conflicts all = { 0 };

	for (size_t i = 0; i < weights->count; i++) {
		const struct weighed *burst = &weights->burst[i];
		const struct burst_tally *tally = &burst->tally;

		if (!counts(burst))
			continue;
		all.net += burst->weight * ((double)tally->conflicts - tally->saved);
		all.misses += burst->weight * burst->misses;
		all.open += burst->weight * tally->open;
		all.may_save += burst->weight * tally->may_save;
		all.may_miss += burst->weight * (tally->unknown - tally->may_save);
	}
	return all;
}

/* Half the interval: net conflicts less their share of the misses are 0 in the mean. */
static double spread_of_conflicts(struct burst_weights *weights, double share)
{
	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];
		const struct burst_tally *tally = &burst->tally;

		burst->base = burst->weight * (burst->misses - tally->open);
		burst->residue = burst->weight * ((double)tally->conflicts - tally->saved) -
				 share * burst->base;
	}
	return spread_of(weights, weights->all * fmax(share, 1 - share)) / weights->all;
}

static void settle_conflicts(struct burst_weights *weights, struct burst_totals *totals)
{
	struct conflicts all = add_conflicts(weights);
	double known = all.misses - all.open, missed, half;

	totals->conflict_share = totals->conflict_low = totals->conflict_high = NAN;
	if (!(known > 0))
		return;
	totals->conflict_share = fmax(all.net / known, 0);
	missed = weights->missed_misses / (weights->all + weights->missed_misses);
	half = spread_of_conflicts(weights, totals->conflict_share);
	totals->conflict_low = fmax(0, (1 - missed) * (all.net - all.may_save) /
				       (all.misses + all.may_save + all.may_miss) - half);
	totals->conflict_high = fmin(1, (1 - missed) *
				     (fmax(all.net, 0) + all.open + all.may_miss) /
				     (all.misses + all.may_miss) + missed + half);
}

void burst_interval_settle(struct burst_weights *weights, struct burst_totals *totals)
{
	double counted = totals->weighted_counted;
	double misses = totals->weighted_misses + totals->weighted_likely;

	totals->spread = counted > 0 ? spread_of_misses(weights, misses, counted) : 0;
	bound_others(weights, totals);
	weights->missed_misses = totals->missed_misses;
	settle_conflicts(weights, totals);
}

/* What the contexts' misses are of all. */
static double share_of(const struct burst_weights *weights, const bool *contexts)
{
	double share = 0;

	for (size_t i = 0; i < weights->contexts; i++)
		if (contexts[i])
			share += burst_weights_share(weights, i);
	return fmin(share, 1);
}

/* Their misses less their share of all are 0 in the mean. */
static double spread_of_share(struct burst_weights *weights, const bool *contexts, double share)
{
	const struct burst_part *part = weights->part;

	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];

		burst->base = burst->weight * burst->misses;
		burst->residue = -share * burst->base;
		for (size_t n = 0; n < burst->parts; n++, part++)
			if (contexts[part->context])
				burst->residue += burst->weight * part->misses;
	}
	/* Bursts that were not met may be all of these, or all of others. */
	return spread_of(weights, weights->all * fmax(share, 1 - share)) / weights->all;
}

struct interval burst_weights_shares_interval(struct burst_weights *weights, const bool *contexts)
{
	double share = share_of(weights, contexts), missed, half;

	if (share <= 0)
		return (struct interval){ 0, 1 };
	missed = weights->missed_misses / (weights->all + weights->missed_misses);
	half = spread_of_share(weights, contexts, share);
	return (struct interval){
		.low = fmax(0, share * (1 - missed) - half),
		.high = fmin(1, share * (1 - missed) + missed + half),
	};
}

struct interval burst_weights_share_interval(struct burst_weights *weights, size_t context)
{
	bool *contexts = xcalloc(weights->contexts + 1, sizeof(*contexts));
	struct interval interval;

	if (context < weights->contexts)
		contexts[context] = true;
	interval = burst_weights_shares_interval(weights, contexts);
	free(contexts);
	return interval;
}
