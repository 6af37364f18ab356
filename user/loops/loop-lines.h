/* SPDX-License-Identifier: GPL-2.0-only */
/* Where loops of machine code stand in the source. */
#ifndef CCSAMPLE_LOOPS_LOOP_LINES_H
#define CCSAMPLE_LOOPS_LOOP_LINES_H

#include "loops/flow.h"
#include "loops/region.h"
#include "program/symbols.h"

/**
 * loop_regions() - the source of a function's loops.
 * @forest: over the flow's blocks
 *
 * A loop was written in the innermost function, inlined ones included, that has a third of its
 * instructions, some of its header and of what jumps back there. Its lines are the first that
 * closes it: jumps back, or is its condition (where most of it comes before, the first of all: it
 * is a `do`), and the last of all; what is inlined deeper counts where it is called.
 *
 * Return: an array by loop, to be freed, and last the function itself: from
 * the first to the last line of what was not inlined into it. Ids and parents are left to whoever
 * counts.
 * Strings live as long as the module.
 */
struct code_region *loop_regions(const struct flow *flow, const struct loop_forest *forest,
			       struct module *module, const struct decoder *decoder);

#endif /* CCSAMPLE_LOOPS_LOOP_LINES_H */
