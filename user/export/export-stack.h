/* SPDX-License-Identifier: GPL-2.0-only */
/* Where misses fall, as a stack: function, loops in it, line, data object. */
#ifndef CCSAMPLE_EXPORT_EXPORT_STACK_H
#define CCSAMPLE_EXPORT_EXPORT_STACK_H

#include "export/costs.h"

struct stack_frame {
	char *name;			/* "main", "loop grid.c:10-20", "grid.c:12", "grid" */
	const char *file;		/* NULL = none, or unknown */
	uint32_t line;			/* 0 = unknown */
};

struct stack {
	struct stack_frame *frames;	/* outermost first */
	size_t count, capacity;
};

/**
 * stack_fill() - the stack of a site.
 * @stack: zeroed at first, or filled before
 *
 * An inlined function stands before the loop or the line that was written in it. Names are clean.
 */
void stack_fill(struct stack *stack, const struct costs *costs, const struct cost_site *site);
void stack_drop(struct stack *stack);

#endif /* CCSAMPLE_EXPORT_EXPORT_STACK_H */
