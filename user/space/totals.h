/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums by small numbers (bytes alive by object), which copies share until they change. */
#ifndef CCSAMPLE_SPACE_TOTALS_H
#define CCSAMPLE_SPACE_TOTALS_H

#include <stdint.h>

struct totals {
	struct totals_node *root;
	uint32_t levels;	/* of nodes */
};

/* Where the sum of @number is kept, 0 at first. Valid until the next call. */
uint64_t *totals_at(struct totals *totals, uint32_t number);

/* Both are as if they were apart. @copy is zeroed, or dropped before. */
void totals_copy(struct totals *copy, const struct totals *totals);

void totals_drop(struct totals *totals);

#endif /* CCSAMPLE_SPACE_TOTALS_H */
