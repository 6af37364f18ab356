// SPDX-License-Identifier: GPL-2.0-only
/* What a context counted, on its way to another process that adds it to what its own did. */
#include <errno.h>
#include <stdlib.h>

#include "base/wire.h"
#include "rcd/internal.h"

#define HISTOGRAM_MOST	(4 * RCD_LONGEST)	/* capacity of distances and lengths */

static int wire_histograms(struct rcd_context *context, struct wire *wire)
{
	uint32_t count = wire_number(wire, context->capacity, HISTOGRAM_MOST);

	if (count > context->capacity && histogram_grow(context, count - 1))
		return -ENOMEM;
	wire_add32(wire, context->distances, count);
	wire_add32(wire, context->lengths, count);
	return 0;
}

static int wire_page(struct rcd_context *context, struct wire *wire, uint32_t number)
{
	uint64_t *page;

	if (!wire_flag(wire, context->pages[number]))
		return 0;
	page = set_page(context, number);
	if (!page)
		return -ENOMEM;
	for (uint32_t i = 0; i < set_page_words(context); i++) {
		uint64_t word = wire_number(wire, page[i], UINT64_MAX);

		context->sets_used += __builtin_popcountll(word & ~page[i]);
		page[i] |= word;
	}
	return 0;
}

static int wire_sets(struct rcd_context *context, struct wire *wire)
{
	uint32_t sets = context->rcd->sets;

	for (uint32_t i = 0; i <= (sets - 1) / PAGE_BITS; i++)
		if (wire_page(context, wire, i))
			return -ENOMEM;
	for (uint32_t i = 0; context->by_set && i < sets; i++) {
		wire_add(wire, &context->by_set[i].misses, 1);
		wire_add(wire, &context->by_set[i].near, 1);
	}
	return 0;
}

static int wire_periods(struct rcd_context *context, struct wire *wire)
{
	uint32_t bins = wire_number(wire, context->period_bins, PERIOD_BINS);

	if (periods_grow(context, bins))
		return -ENOMEM;
	for (uint32_t i = 0; i < bins; i++) {
		struct period_bin *bin = &context->periods[i];

		wire_add(wire, &bin->runs, 1);
		wire_add(wire, &bin->ended, 1);
		wire_add(wire, &bin->misses, 1);
		wire_add(wire, &bin->near, 1);
	}
	return 0;
}

static void wire_sums(struct wire *wire, struct class_sums *sums)
{
	wire_add32(wire, &sums->classed, 1);
	wire_add_double(wire, &sums->weight, 1);
	wire_add_double(wire, &sums->open, 1);
	wire_add_double(wire, &sums->conflicts, 1);
	wire_add_double(wire, &sums->saved, 1);
	wire_add_double(wire, &sums->unknown_saved, 1);
	wire_add_double(wire, &sums->unknown_conflicts, 1);
}

/* Bursts take groups in turn: the other's first one takes that after our last one's. */
static int wire_groups(struct rcd_context *context, struct wire *wire)
{
	uint32_t base = wire->reads ? context->bursts % REMISS_GROUPS : 0;

	for (uint32_t i = 0; i < REMISS_GROUPS; i++) {
		struct remiss_group *group;

		if (!wire_flag(wire, i < context->group_room && context->groups[i]))
			continue;
		group = remiss_group_at(context, (base + i) % REMISS_GROUPS);
		if (!group)
			return -ENOMEM;
		wire_add_double(wire, group->look, REMISS_BINS + 1);
		wire_add_double(wire, group->again, REMISS_BINS);
		wire_add_double(wire, group->perhaps, REMISS_BINS);
		for (enum rcd_kind kind = 0; kind < RCD_KINDS; kind++)
			wire_sums(wire, &group->sums[kind]);
	}
	wire_add32(wire, &context->bursts, 1);
	wire_add32(wire, context->reach, REMISS_BINS + 1);
	return 0;
}

int rcd_context_wire(struct rcd_context *context, struct wire *wire)
{
	wire_add(wire, &context->samples, 1);
	wire_add(wire, &context->short_samples, 1);
	wire_add(wire, &context->burst_samples, 1);
	wire_add_exact(wire, &context->burst_misses);
	wire_add_exact(wire, &context->burst_ends);
	wire_or(wire, &context->cut);
	wire_or(wire, &context->classed);
	for (enum rcd_kind kind = 0; kind < RCD_KINDS; kind++)
		wire_or(wire, &context->refilled[kind]);
	wire_add_double(wire, context->saved, RCD_KINDS);
	wire_add_double(wire, context->alike, RCD_KINDS);
	wire_add(wire, &context->near, 1);
	wire_add_exact(wire, &context->sum_chance);
	wire_add_exact(wire, &context->sum_chance2);
	wire_add_exact(wire, &context->expected_near);
	wire_add(wire, &context->long_strands, 1);
	wire_add(wire, &context->long_samples, 1);
	wire_add(wire, &context->windows, 1);
	wire_add(wire, &context->window_samples, 1);
	wire_add_exact(wire, &context->window_excess);
	wire_add_exact(wire, &context->window_expected);
	wire_add(wire, &context->between, 1);
	wire_add_double(wire, &context->between_in_set, 1);
	wire_add_exact(wire, &context->between_by_chance);
	wire_add_double(wire, &context->looks, 1);
	wire_add_double(wire, &context->squares, 1);
	if (wire_histograms(context, wire) || wire_sets(context, wire) ||
	    wire_periods(context, wire))
		return -ENOMEM;
	return wire_groups(context, wire);
}
