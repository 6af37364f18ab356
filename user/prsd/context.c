// SPDX-License-Identifier: GPL-2.0-only
#include "prsd/context.h"

/*
 * The part of an array in sets that are too full with which it counts as absent: with less, that
 * part is missed. The thesis takes any: then a column that meets a row in a tenth of its sets is
 * missed as a whole.
 */
#define LOST 0.25

bool context_open(struct array_context *c, const struct cache_geometry *geometry,
		  const struct allocator *memory)
{
	uint64_t sets = geometry->sets;

	c->geometry = geometry;
	c->count = 0;
	c->lines = 0;
	c->held = memory->get(5 * sets * sizeof(*c->held));
	c->sets = c->held + sets;
	c->scratch = c->sets + sets;
	return c->held;
}

void context_close(struct array_context *c, const struct allocator *memory)
{
	memory->put(c->held);
}

void context_clear(struct array_context *c)
{
	c->count = 0;
	c->lines = 0;
	__builtin_memset(c->held, 0, c->geometry->sets * sizeof(*c->held));
}

double context_new(const struct array_context *c, const struct region *region)
{
	double least = 1;
	uint32_t i = c->count;

	while (i-- && least > 0) {
		double part = region_new(region, &c->arrays[i], c->geometry->line);

		part += (1 - part) * c->lost[i];
		least = part < least ? part : least;
	}
	return least;
}

static bool is_one_line(const struct array_context *c, const struct region *region)
{
	return !region->dims && region_lines(region, c->geometry->line) == 1;
}

/* Adds what a region has of each set, @sign times. Return: whether one of its sets is too full. */
static bool account(struct array_context *c, const struct region *region, int sign)
{
	uint32_t ways = c->geometry->ways, i;
	bool full = false;

	c->lines += sign * region_lines(region, c->geometry->line);
	if (is_one_line(c, region)) {
		i = cache_set_of(c->geometry, cache_line_of(c->geometry, region->first));
		c->held[i] += sign;
		return c->held[i] > ways;
	}
	region_sets(region, c->geometry, c->sets, c->scratch);
	for (i = 0; i < c->geometry->sets; i++) {
		c->held[i] += sign * c->sets[i];
		full |= c->sets[i] > 0 && c->held[i] > ways;
	}
	return full;
}

static void drop(struct array_context *c, uint32_t at)
{
	account(c, &c->arrays[at], -1);
	for (c->count--; at < c->count; at++) {
		c->arrays[at] = c->arrays[at + 1];
		c->lost[at] = c->lost[at + 1];
	}
}

bool context_holds(struct array_context *c, const struct region *region)
{
	uint32_t i;

	if (is_one_line(c, region))
		return true;
	if (region_lines(region, c->geometry->line) > cache_lines(c->geometry))
		return false;
	region_sets(region, c->geometry, c->sets, c->scratch);
	for (i = 0; i < c->geometry->sets; i++)
		if (c->sets[i] > c->geometry->ways)
			return false;
	return true;
}

/* What part of an array lies in sets that are too full. */
static double lost_part(struct array_context *c, const struct region *region)
{
	double lost = 0, all = 0;
	uint32_t i;

	if (is_one_line(c, region))
		return c->held[cache_set_of(c->geometry, cache_line_of(c->geometry,
								       region->first))] >
		       c->geometry->ways;
	region_sets(region, c->geometry, c->sets, c->scratch);
	for (i = 0; i < c->geometry->sets; i++) {
		all += c->sets[i];
		lost += c->held[i] > c->geometry->ways ? c->sets[i] : 0;
	}
	return all > 0 ? lost / all : 0;
}

void context_use(struct array_context *c, const struct region *region)
{
	bool holds = context_holds(c, region), full;
	uint32_t i;

	for (i = c->count; i--;)
		if (region_new(&c->arrays[i], region, c->geometry->line) <= 0.5)
			drop(c, i);
	if (c->count == CONTEXT_ARRAYS)
		drop(c, 0);
	full = account(c, region, 1);
	for (i = 0; full && i < c->count;) {
		double lost = lost_part(c, &c->arrays[i]);

		if (lost > LOST) {
			drop(c, i);
			continue;
		}
		c->lost[i] = lost > c->lost[i] ? lost : c->lost[i];
		i++;
	}
	if (!holds) {
		account(c, region, -1);
		return;
	}
	c->lost[c->count] = 0;
	c->arrays[c->count++] = *region;
}
