// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/student.h"
#include "findings/burst-weights.h"

#define LEAST_REFERENCES	1000	/* of a burst whose speed says something */
#define LEAST_INSTRUCTIONS	1000	/* ... of its timed part */
#define LEAST_TIMED		3	/* bursts that say what tracing costs */
#define FASTEST			20	/* one burst in so many is faster than the fast ones */
#define TRACING			0.8	/* of a fast burst: traced code takes 5 times as long */

struct burst_part {
	size_t context;
	uint64_t misses;
};

struct weighed {
	double interval;		/* ns of CPU time */
	double own, traced;		/* ns of a reference; 0 = not known */
	double references;
	struct burst_tally tally;
	double misses, weight;		/* once all are there */
	size_t parts;			/* in weights->part, after those of the bursts before */
};

struct tracing {
	double fast;			/* ns of a reference in a fast burst; 0 = not known */
	double cost;			/* ... of which tracing is */
};

struct burst_weights {
	struct weighed *burst;
	size_t count, capacity;
	struct burst_part *part;
	size_t parts, part_capacity;
	size_t first_part;		/* of the burst that goes on */
	struct map latest;		/* context + 1 -> number of its latest part + 1 */
	double fastest;			/* ns of a reference, so far; 0 = not known */
	double *misses;			/* by context, weighted */
	size_t contexts;
	double all;
};

struct burst_weights *burst_weights_new(void)
{
	return xcalloc(1, sizeof(struct burst_weights));
}

void burst_weights_free(struct burst_weights *weights)
{
	map_free(&weights->latest);
	free(weights->burst);
	free(weights->part);
	free(weights->misses);
	free(weights);
}

void burst_weights_miss(struct burst_weights *weights, size_t context)
{
	uint64_t *latest = map_at(&weights->latest, context + 1);

	if (*latest > weights->first_part) {
		weights->part[*latest - 1].misses++;
		return;
	}
	weights->part = grow(weights->part, weights->parts, &weights->part_capacity,
			     sizeof(*weights->part));
	weights->part[weights->parts++] = (struct burst_part){ context, 1 };
	*latest = weights->parts;
	if (context >= weights->contexts)
		weights->contexts = context + 1;
}

double burst_weights_own(const struct ccs_burst *burst)
{
	if (burst->timed_instructions < LEAST_INSTRUCTIONS || !burst->timed_ns ||
	    !burst->instructions || !burst->references)
		return 0;
	return (double)burst->timed_ns / burst->timed_instructions * burst->instructions /
	       burst->references;
}

/* ... while it was traced. */
static double traced_of(const struct ccs_burst *burst)
{
	double spent = (double)burst->spent_ns - burst->timed_ns - burst->missing_ns;

	return burst->references < LEAST_REFERENCES || spent <= 0 ? 0 : spent / burst->references;
}

void burst_weights_end(struct burst_weights *weights, const struct ccs_burst *burst,
		       const struct burst_tally *tally)
{
	weights->burst = grow(weights->burst, weights->count, &weights->capacity,
			      sizeof(*weights->burst));
	weights->burst[weights->count++] = (struct weighed){
		.interval = burst->interval_ns, .own = burst_weights_own(burst),
		.traced = traced_of(burst), .references = burst->references, .tally = *tally,
		.parts = weights->parts - weights->first_part,
	};
	weights->first_part = weights->parts;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The value that a part of them lies below. Return: 0 if there are none. */
static double quantile(double *values, size_t count, double part)
{
	qsort(values, count, sizeof(*values), by_value);
	return count ? values[(size_t)(count * part)] : 0;
}

/* What tracing a reference costs, by bursts whose own speed is known, or by the fast ones. */
static struct tracing tracing_of(const struct burst_weights *weights, uint64_t *timed)
{
	double *cost = xmalloc((weights->count + 1) * sizeof(*cost));
	double *speed = xmalloc((weights->count + 1) * sizeof(*speed));
	struct tracing tracing;
	size_t costs = 0, speeds = 0, i;

	*timed = 0;
	for (i = 0; i < weights->count; i++) {
		const struct weighed *burst = &weights->burst[i];

		*timed += burst->own > 0;
		if (burst->traced > 0)
			speed[speeds++] = burst->traced;
		if (burst->traced > 0 && burst->own > 0)
			cost[costs++] = burst->traced - burst->own;
	}
	tracing.fast = quantile(speed, speeds, 1.0 / FASTEST);
	tracing.cost = costs >= LEAST_TIMED ? quantile(cost, costs, 0.5) : TRACING * tracing.fast;
	free(cost);
	free(speed);
	return tracing;
}

/* Nanoseconds of a reference as the program makes it by itself. */
static double own_reference(double own, double traced, const struct tracing *tracing)
{
	double least = (1 - TRACING) * tracing->fast;

	if (own > 0)
		return own;
	if (traced <= 0)
		return tracing->fast;
	return traced - tracing->cost < least ? least : traced - tracing->cost;
}

/* What one counted reference of the burst stands for. */
static double weight_of(const struct weighed *burst, const struct tracing *tracing)
{
	double own = own_reference(burst->own, burst->traced, tracing);

	if (!burst->tally.counted)
		return 0;
	if (own <= 0 || burst->interval <= 0)
		return 1;
	return burst->interval / own / burst->tally.counted;
}

/* Its own speed may be the fastest so far. */
double burst_weights_now(struct burst_weights *weights, const struct ccs_burst *burst)
{
	double own = burst_weights_own(burst), traced = traced_of(burst);
	struct tracing tracing;

	if (traced > 0 && (!weights->fastest || traced < weights->fastest))
		weights->fastest = traced;
	tracing = (struct tracing){ weights->fastest, TRACING * weights->fastest };
	own = own_reference(own, traced, &tracing);
	if (own <= 0 || !burst->interval_ns || !burst->references)
		return 1;
	return burst->interval_ns / own / burst->references;
}

/*
 * Half the interval of misses less ratio times references, which are 0 in the mean: that of a ratio
 * of sums over bursts (Cochran, Sampling Techniques, 6.4). One burst says nothing of others.
 */
static double spread_of(const struct burst_weights *weights, double ratio)
{
	double squares = 0, counted = 0;
	size_t bursts = 0, i;

	for (i = 0; i < weights->count; i++) {
		const struct weighed *burst = &weights->burst[i];
		double residue = burst->weight * (burst->misses - ratio * burst->tally.counted);

		bursts += burst->tally.counted > 0;
		squares += residue * residue;
		counted += burst->weight * burst->tally.counted;
	}
	if (bursts < 2)
		return counted;
	return student_975(bursts - 1) * sqrt(squares * bursts / (bursts - 1));
}

void burst_weights_settle(struct burst_weights *weights, struct burst_totals *totals)
{
	struct tracing tracing = tracing_of(weights, &totals->timed);
	double misses = 0, counted = 0, unknown = 0;
	double *kinds = totals->weighted_kinds;
	const struct burst_part *part = weights->part;
	size_t i, n;

	free(weights->misses);
	weights->misses = xcalloc(weights->contexts + 1, sizeof(*weights->misses));
	memset(kinds, 0, sizeof(totals->weighted_kinds));
	for (i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];
		double weight = weight_of(burst, &tracing);

		burst->weight = weight;
		burst->misses = 0;
		for (n = 0; n < burst->parts; n++, part++) {
			weights->misses[part->context] += weight * part->misses;
			burst->misses += part->misses;
		}
		misses += weight * burst->misses;
		for (n = 0; n < BURST_KINDS; n++)
			kinds[n] += weight * burst->tally.misses[n];
		counted += weight * burst->tally.counted;
		unknown += weight * burst->tally.unknown;
	}
	weights->all = misses;
	totals->weighted_misses = misses;
	totals->weighted_counted = counted;
	totals->weighted_unknown = unknown;
	totals->spread = counted > 0 ? spread_of(weights, misses / counted) / counted : 0;
	totals->traced_ns = tracing.cost;
}

double burst_weights_share(const struct burst_weights *weights, size_t context)
{
	if (context >= weights->contexts || weights->all <= 0)
		return 0;
	return weights->misses[context] / weights->all;
}
