// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "rcd/steps.h"
#include "base/divisor.h"
#include "base/wire.h"

#define LEAST 16	/* distances to judge by */
#define LINE 64
#define MOST 0.6	/* of the lines: structs of two lines have one that is used */
#define FREQUENT 20	/* a distance is frequent that one in so many has */

static bool is_at(const struct steps *steps, uint32_t i, uint64_t distance)
{
	return steps->distance[i] == distance && steps->count[i];
}

/* A distance that is not kept takes a free place, or something of all that are. */
static void add_new(struct steps *steps, uint64_t distance)
{
	int i;

	for (i = STEPS_KEPT - 1; i >= 0 && steps->count[i]; i--)
		;
	if (i >= 0) {
		steps->distance[i] = distance;
		steps->count[i] = 1;
		return;
	}
	for (i = 0; i < STEPS_KEPT; i++)
		steps->count[i]--;
}

void steps_add(struct steps *steps, uint64_t from, uint64_t to)
{
	uint64_t distance = from < to ? to - from : from - to;
	uint32_t i = steps->last;

	if (!distance)
		return;
	steps->total++;
	steps->lines += from / LINE != to / LINE;
	/* Most are as the one before. */
	if (!is_at(steps, i, distance))
		for (i = 0; i < STEPS_KEPT && !is_at(steps, i, distance); i++)
			;
	if (i == STEPS_KEPT) {
		add_new(steps, distance);
		return;
	}
	steps->count[i]++;
	steps->last = i;
}

struct counter {
	uint64_t distance, count;
};

static int by_count(const void *a, const void *b)
{
	const struct counter *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->distance > y->distance) - (x->distance < y->distance);
}

/* The counters of both, less the largest for which there is no room. */
static void join(struct steps *steps, const struct counter *more)
{
	struct counter all[2 * STEPS_KEPT];
	size_t count = 0, i, j;

	for (i = 0; i < STEPS_KEPT; i++)
		if (steps->count[i])
			all[count++] = (struct counter){ steps->distance[i], steps->count[i] };
	for (i = 0; i < STEPS_KEPT; i++) {
		for (j = 0; j < count && all[j].distance != more[i].distance; j++)
			;
		if (j < count)
			all[j].count += more[i].count;
		else if (more[i].count)
			all[count++] = more[i];
	}
	if (count > STEPS_KEPT)
		qsort(all, count, sizeof(*all), by_count);
	for (i = 0; i < STEPS_KEPT; i++) {
		uint64_t less = count > STEPS_KEPT ? all[STEPS_KEPT].count : 0;

		steps->distance[i] = i < count ? all[i].distance : 0;
		steps->count[i] = i < count ? all[i].count - less : 0;
	}
}

void steps_wire(struct steps *steps, struct wire *wire)
{
	struct counter more[STEPS_KEPT];

	wire_add(wire, &steps->total, 1);
	wire_add(wire, &steps->lines, 1);
	for (int i = 0; i < STEPS_KEPT; i++) {
		more[i].distance = wire_number(wire, steps->distance[i], UINT64_MAX);
		more[i].count = wire_number(wire, steps->count[i], UINT64_MAX);
	}
	if (wire->reads)
		join(steps, more);
}

/*
 * Code that goes along rows misses where a line begins, so that a row that is no whole number of
 * lines long seems to be one; but not where it enters the row.
 */
static uint64_t unrounded(const struct steps *steps, uint64_t distance, uint32_t line)
{
	uint64_t most = 0, found = distance;
	int i;

	if (distance % line || distance == line)
		return distance;
	for (i = 0; i < STEPS_KEPT; i++) {
		uint64_t other = steps->distance[i];
		uint64_t apart = other < distance ? distance - other : other - distance;

		if (!apart || apart >= line || steps->count[i] <= most ||
		    FREQUENT * steps->count[i] < steps->total)
			continue;
		most = steps->count[i];
		found = other;
	}
	return found;
}

uint64_t steps_stride(const struct steps *steps, uint32_t line)
{
	uint64_t divisor = 0, together = 0;
	int i;

	if (steps->total < LEAST)
		return 0;
	for (i = 0; i < STEPS_KEPT; i++) {
		if (2 * steps->count[i] >= steps->total)
			return unrounded(steps, steps->distance[i], line);
		if (FREQUENT * steps->count[i] < steps->total)
			continue;
		divisor = common_divisor(steps->distance[i], divisor);
		together += steps->count[i];
	}
	return 4 * together >= 3 * steps->total && divisor >= line ? divisor : 0;
}

bool steps_fill(const struct steps *together, const struct steps *one, uint64_t stride,
		uint32_t line)
{
	uint64_t lines = together->lines;

	/* Steps over all of it use nothing that lies between. */
	for (int i = 0; i < STEPS_KEPT; i++)
		if (together->distance[i] >= stride && together->count[i] <= lines)
			lines -= together->count[i];
	return (double)lines * line > MOST * (double)one->total * (double)stride;
}
