// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "bursts/first-uses.h"

/* Backwards: behind a distance are those that are larger, by what is known of them. */
double first_uses_missing(const uint64_t *hits, const uint64_t *firsts, uint32_t ways,
			  uint64_t references, uint64_t misses)
{
	double behind = misses, part = 1, missing = 0, all = firsts[0];
	double known = (double)references - firsts[0];

	for (uint32_t distance = ways - 1; distance; distance--) {
		double from_here = behind + hits[distance];

		if (from_here > 0)
			part *= behind / from_here;
		missing += part * firsts[distance];
		all += firsts[distance];
		behind = from_here + firsts[distance];
	}
	if (known > behind)
		part *= behind / known;
	missing += part * firsts[0];
	return all > 0 ? missing / all : 0;
}

uint64_t first_uses_as_others(uint64_t firsts, uint64_t references, uint64_t misses)
{
	if (references <= firsts)
		return 0;
	return llround(firsts * fmin((double)misses / (references - firsts), 1));
}
