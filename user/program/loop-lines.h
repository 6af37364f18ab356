/* SPDX-License-Identifier: GPL-2.0-only */
/* Where loops of machine code stand in the source. */
#ifndef CCSAMPLE_PROGRAM_LOOP_LINES_H
#define CCSAMPLE_PROGRAM_LOOP_LINES_H

#include "program/flow.h"
#include "program/symbols.h"

struct loop_place {
	const char *function;	/* that it was written in, which may be inlined; NULL = unknown */
	const char *file;	/* NULL = unknown */
	uint32_t line;		/* first line of its code, 0 = unknown */
	uint32_t end_line;	/* last one */
	uint64_t address;	/* of its header, link-time */
};

/**
 * loop_places() - the source of a function's loops.
 * @forest: over the flow's blocks
 *
 * A loop was written in the innermost function, inlined ones included, that
 * most of its instructions (four fifths) were inlined into. Its lines are the first
 * and the last of these there; what is inlined deeper counts where it is called.
 *
 * Return: an array by loop, to be freed; strings live as long as the module.
 */
struct loop_place *loop_places(const struct flow *flow, const struct loop_forest *forest,
			       struct module *module, const struct decoder *decoder);

#endif /* CCSAMPLE_PROGRAM_LOOP_LINES_H */
