/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The loop-nest forest of a control-flow graph, reducible or not (Havlak,
 * "Nesting of Reducible and Irreducible Loops", TOPLAS 1997), in nearly linear
 * time (Ramalingam, "Identifying Loops in Almost Linear Time", TOPLAS 1999).
 *
 * With the nodes numbered as a depth-first search from the entry meets them, a
 * strongly connected component is a loop, and its first node the header. The
 * loops inside are those of the component without the edges to its header.
 */
#ifndef CCSAMPLE_LOOPS_LOOPS_H
#define CCSAMPLE_LOOPS_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#define LOOP_NONE (~0u)

struct graph {
	uint32_t count;			/* nodes; the search begins at 0 */
	const uint32_t *first;		/* count + 1: node n leads to to[first[n]] .. */
	const uint32_t *to;		/* .. to[first[n + 1] - 1] */
};

struct loop {
	uint32_t header;		/* node */
	uint32_t parent;		/* index of the loop around it, LOOP_NONE = outermost */
	uint32_t depth;			/* 1 = outermost */
	bool irreducible;		/* entered elsewhere than at its header */
};

struct loop_forest {
	struct loop *loops;		/* a parent before its children */
	uint32_t count;
	uint32_t *inner;		/* of each node: index of its innermost loop, LOOP_NONE */
};

/**
 * loop_forest_find() - the loops of a graph.
 * @forest: overwritten; release it with loop_forest_drop()
 *
 * Nodes that 0 does not lead to are searched from afterwards, in order of
 * their numbers: their loops are found too, and their edges into what 0 leads
 * to do not count as entries.
 */
void loop_forest_find(struct loop_forest *forest, const struct graph *graph);

void loop_forest_drop(struct loop_forest *forest);

#endif /* CCSAMPLE_LOOPS_LOOPS_H */
