/* SPDX-License-Identifier: GPL-2.0-only */
/* A node's references, one after the other. */
#ifndef CCSAMPLE_PRSD_EXPAND_H
#define CCSAMPLE_PRSD_EXPAND_H

#include "prsd/shapes.h"

struct trace_expander {
	/* Return: 0 to go on. */
	int (*reference)(void *context, const struct trace_slot *slot, uint64_t address);
	void *context;
};

/**
 * expand() - all references of a node, in order.
 * @addresses: one a slot; changed on the way, the same again at the end
 *
 * Return: 0, or what reference() returned.
 */
int expand(const struct trace_expander *x, const struct trace_shapes *shapes, uint32_t shape,
	   uint64_t *addresses);

#endif /* CCSAMPLE_PRSD_EXPAND_H */
