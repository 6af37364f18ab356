/* SPDX-License-Identifier: GPL-2.0-only */
/* What a loop misses on. */
#ifndef CCSAMPLE_ADVISE_PARTS_H
#define CCSAMPLE_ADVISE_PARTS_H

#include "advise/rows.h"
#include "advise/search.h"

/* An object that the loop misses on. */
struct part {
	const struct object *object;
	double misses;
	uint32_t rank;			/* by misses; about as many are equal */
	uint64_t bytes;			/* of its largest block, */
	uint64_t usual;			/* of most, weighed by misses */
	double votes;			/* for that */
	uint64_t lowest, highest;	/* addresses of its blocks */
	uint32_t blocks, movable;	/* ... those that ccsample cure can move */
	bool nodes;			/* many small ones, next to one another */
	struct row_length row;		/* of the best pad; bytes 0 = none */
};

struct parts {
	struct part all[CURE_CHANGES];
	size_t count;
	size_t context;
	const struct object *stack;	/* the loop misses on stacks of threads, */
	size_t stacks;			/* of so many */
};

/**
 * parts_find() - the objects with most misses.
 * @parts: with the loop's context; receives them
 *
 * Return: false if nothing can be moved.
 */
bool parts_find(struct search *search, struct parts *parts);

#endif /* CCSAMPLE_ADVISE_PARTS_H */
