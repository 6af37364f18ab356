/* SPDX-License-Identifier: GPL-2.0-only */
/* What another process numbered in its way, in our numbers. */
#ifndef CCSAMPLE_BASE_WIRE_NUMBERS_H
#define CCSAMPLE_BASE_WIRE_NUMBERS_H

#include "base/wire.h"

#define WIRE_NO_CONTEXT	UINT32_MAX	/* ours: none; code that is read there, and not here */

/* Reading, by its numbers; writing, nothing. */
struct wire_numbers {
	uint32_t *sites, *contexts;	/* from 0 */
	uint32_t *objects;		/* from 1 */
	size_t site_count, context_count, object_count;
};

static inline uint64_t wire_index(struct wire *wire, uint64_t index, const uint32_t *ours,
				  size_t count)
{
	index = wire_number(wire, index, UINT32_MAX);
	if (!wire->reads)
		return index;
	if (index < count)
		return ours[index];
	wire->wrong = true;
	return 0;
}

/* Writes a number, or reads one: ours. */
static inline uint64_t wire_site(struct wire *wire, uint64_t site,
				 const struct wire_numbers *numbers)
{
	return wire_index(wire, site, numbers->sites, numbers->site_count);
}

/* Reading: WIRE_NO_CONTEXT, too. */
static inline uint64_t wire_context(struct wire *wire, uint64_t context,
				    const struct wire_numbers *numbers)
{
	return wire_index(wire, context, numbers->contexts, numbers->context_count);
}

static inline uint32_t wire_object(struct wire *wire, uint32_t id,
				   const struct wire_numbers *numbers)
{
	return wire_index(wire, wire->reads ? 0 : id - 1, numbers->objects,
			  numbers->object_count) + !wire->reads;
}

#endif /* CCSAMPLE_BASE_WIRE_NUMBERS_H */
