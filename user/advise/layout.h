/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes of data's layout, and where every block would lie after them: what grows moves what
 * follows it, as the allocator or the linker would.
 */
#ifndef CCSAMPLE_ADVISE_LAYOUT_H
#define CCSAMPLE_ADVISE_LAYOUT_H

#include "advise/keep.h"
#include "advise/remap.h"

enum change_kind {
	CHANGE_ROWS,		/* rows of @from bytes become @to bytes long */
	CHANGE_STAGGER,		/* block number k begins (@first + k) * @step bytes later */
	CHANGE_LENGTHEN,	/* a variable is @step bytes longer: what follows moves */
	CHANGE_RESIZE,		/* blocks that are aligned to pages come from malloc(@to) */
	CHANGE_COLOUR,		/* what row k of @from bytes holds begins k x @step later in it */
	CHANGE_SPREAD,		/* the same by a hash of k: an index takes all bits of a key */
	CHANGE_STACKS,		/* thread number k begins k * @step bytes later on its stack */
	CHANGE_HUGE,		/* blocks lie in huge pages, staggered as by CHANGE_STAGGER */
};

/*
 * "rows", "stagger", "lengthen", "resize", "colour", "spread", "stacks", "huge": the words of JSON.
 */
const char *change_kind_name(enum change_kind kind);

struct layout_change {
	enum change_kind kind;
	const struct object *object;
	uint64_t from, to;
	uint64_t inner, inner_to;	/* of planes: rows, which become longer, too; 0 = no */
	uint32_t step, first;
	/* That move, where it is a stagger, and those that ccsample cure can move */
	uint32_t blocks, movable;
	enum row_nature nature;		/* of its rows */
	uint32_t spans;			/* dimensions: 1 a row, 2 a plane, ...; 0 = not known */
};

#define STAGGER_MODULO	4096u		/* bytes: later than that no block begins */
#define HUGE_BITS	21		/* of an address in a huge page */

/**
 * layout_remaps() - where the kept blocks lie after changes.
 * @remaps: room for one a block of @keep; those of blocks that stay are zeroed
 *
 * Blocks that move are moved to memory of their own, where nothing else lies, at the same place of
 * pages and of the cache's ways as they would have.
 */
void layout_remaps(const struct keep *keep, const struct layout_change *changes, size_t count,
		   struct remap *remaps);

/* Is it one of rows: rows of @from bytes in a block? */
static inline bool change_has_rows(const struct layout_change *change)
{
	return change->kind == CHANGE_ROWS || change->kind == CHANGE_COLOUR ||
	       change->kind == CHANGE_SPREAD;
}

/* How easy it is, at most 1: a size is changed more easily than what a place stands for. */
static inline double change_ease(const struct layout_change *change)
{
	return change->kind == CHANGE_COLOUR || change->kind == CHANGE_SPREAD ||
	       change->nature == ROWS_PIECES ? 0.95 : 1;
}

/* Bytes that changes cost. */
uint64_t layout_cost(const struct keep *keep, const struct layout_change *changes, size_t count);

#endif /* CCSAMPLE_ADVISE_LAYOUT_H */
