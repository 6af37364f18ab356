// SPDX-License-Identifier: GPL-2.0-only
#include "rcd/steps.h"
#include "base/divisor.h"

#define LEAST 16	/* distances to judge by */

void steps_add(struct steps *steps, uint64_t from, uint64_t to)
{
	uint64_t distance = from < to ? to - from : from - to;
	int i, spare = -1;

	if (!distance)
		return;
	steps->total++;
	for (i = 0; i < STEPS_KEPT; i++) {
		if (steps->count[i] && steps->distance[i] == distance) {
			steps->count[i]++;
			return;
		}
		if (!steps->count[i])
			spare = i;
	}
	if (spare >= 0) {
		steps->distance[spare] = distance;
		steps->count[spare] = 1;
		return;
	}
	for (i = 0; i < STEPS_KEPT; i++)
		steps->count[i]--;
}

uint64_t steps_stride(const struct steps *steps, uint32_t line)
{
	uint64_t divisor = 0, together = 0;
	int i;

	if (steps->total < LEAST)
		return 0;
	for (i = 0; i < STEPS_KEPT; i++) {
		if (2 * steps->count[i] >= steps->total)
			return steps->distance[i];
		if (20 * steps->count[i] < steps->total)
			continue;
		divisor = common_divisor(steps->distance[i], divisor);
		together += steps->count[i];
	}
	return 4 * together >= 3 * steps->total && divisor >= line ? divisor : 0;
}
