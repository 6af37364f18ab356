/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The test in line of both kinds of instrumentation: is a reference's line the newest of its set in
 * L1? Most are. Then nothing changes but the time of the line's use, which generated code writes
 * into the line's node (hierarchy_has_nodes()); all else is a call.
 *
 * A thread's clock orders its references: CLOCK_SLOTS an instruction, of which a reference takes
 * one for each line that it may touch.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LOOKUP_H
#define CCSAMPLE_TRACEE_VALGRIND_LOOKUP_H

#include "tracee/valgrind/code.h"

#define CLOCK_BITS	8
#define CLOCK_SLOTS	(1u << CLOCK_BITS)

/* @g: of L1. Return: whether there is such a test for it. */
Bool lookup_init(const struct cache_geometry *g);

/* The time of a reference, whose lines take the next slots. */
IRExpr *lookup_time(struct builder *b, Int size);

/* Where the first byte's set has its newest way. */
IRExpr *lookup_newest(struct builder *b, IRExpr *first);

/* In a form for which no constant needs a register. */
IRExpr *lookup_exceeds(struct builder *b, IRExpr *value, ULong most);

#endif /* CCSAMPLE_TRACEE_VALGRIND_LOOKUP_H */
