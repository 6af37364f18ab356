// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "burst-source/size-limit.h"

#define FREE		0.5		/* of the size, in which bursts are as frequent as ever */
#define RECENT		16.0		/* bursts over which is averaged */

void size_limit_add(struct size_limit *limit, uint64_t references, uint64_t bytes)
{
	double weight;

	if (!references)
		return;
	weight = 1 / fmin(++limit->bursts, RECENT);
	limit->bytes += (bytes - limit->bytes) * weight;
	limit->dense += ((double)bytes / references - limit->dense) * weight;
}

/*
 * By the cube of what is left: then so few bursts come that long runs have some to their end, while
 * a run of an hour has nearly as many as by a straight line. No room for one more burst is none.
 */
double size_limit_rate(const struct size_limit *limit, uint64_t size)
{
	double left = fmax((limit->most - limit->bytes - size) / limit->most, 0) / (1 - FREE);

	return left < 1 ? left * left * left : 1;
}

uint64_t size_limit_long(const struct size_limit *limit, uint64_t size, double references)
{
	double half = fmax((double)limit->most - size, 0) / 2;

	return references * limit->dense <= half ? half : 0;
}
