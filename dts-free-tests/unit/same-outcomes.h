/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_SAME_OUTCOMES_H
#define CCSAMPLE_SAME_OUTCOMES_H

#include <string.h>

#include "bursts/outcomes.h"

static bool same_miss(const struct burst_miss *a, const struct burst_miss *b)
{
	return a->ip == b->ip && a->address == b->address && a->physical == b->physical &&
	       a->number == b->number && a->kind == b->kind && a->outcome == b->outcome;
}

static bool same_hits(const struct burst_hits *a, const struct burst_hits *b)
{
	return a->ip == b->ip && a->all.saved == b->all.saved &&
	       a->all.unknown == b->all.unknown && a->all.open == b->all.open;
}

static bool same_outcomes(const struct burst_outcomes *a, const struct burst_outcomes *b)
{
	bool same = !memcmp(a->references, b->references, sizeof(a->references)) &&
		    !memcmp(&a->tally, &b->tally, sizeof(a->tally)) && a->first == b->first &&
		    a->lines == b->lines && a->warm == b->warm &&
		    a->hits_count == b->hits_count && a->miss_count == b->miss_count;

	for (size_t i = 0; same && i < a->miss_count; i++)
		same = same_miss(&a->misses[i], &b->misses[i]);
	for (size_t i = 0; same && i < a->hits_count; i++)
		same = same_hits(&a->hits[i], &b->hits[i]);
	return same;
}

#endif /* CCSAMPLE_SAME_OUTCOMES_H */
