// SPDX-License-Identifier: GPL-2.0-only
/* How unequally the sets share a window of a context's misses. */
#include "rcd/internal.h"

/* As many of the context's own misses as would fill the cache. */
uint32_t window_length(const struct rcd *rcd, double step)
{
	double length = rcd->lines / step;

	if (length < rcd->window_least)
		return rcd->window_least;
	return length < 1u << 30 ? length : 1u << 30;
}

/* The null's mean of what window_close() sums, for a window of this length. */
static double expected_excess(struct rcd *rcd, uint32_t length)
{
	uint32_t i;

	if (length == rcd->excess_length)
		return rcd->excess;
	rcd->excess = 0;
	for (i = 0; i < rcd->slices; i++)
		rcd->excess += rcd->slice_sets *
			       binomial_excess(length, rcd->shares[i] / rcd->slice_sets);
	rcd->excess_length = length;
	return rcd->excess;
}

/* Misses beyond each set's share, summed over sets: window x total variation distance. */
void window_close(struct rcd *rcd, struct strand *strand)
{
	const struct set_table *table = &strand->table;
	struct rcd_context *context = strand->context;
	uint32_t length = strand->index - strand->window_base;
	double excess = 0;
	uint32_t i;

	if (length >= rcd->window_least) {
		for (i = 0; i < table->capacity; i++) {
			const struct set_slot *slot = &table->slots[i];
			double share;

			if (slot->last <= strand->window_base)
				continue;
			share = length * rcd_chance(rcd, table->hashed ? slot->set : i);
			if (slot->count > share)
				excess += slot->count - share;
		}
		context->windows++;
		context->window_samples += length;
		exact_add(&context->window_excess, excess);
		exact_add(&context->window_expected, expected_excess(rcd, length));
	}
	strand->window_base = strand->index;
}
