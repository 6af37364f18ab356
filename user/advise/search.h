/* SPDX-License-Identifier: GPL-2.0-only */
/* The search for the changes that help one loop. */
#ifndef CCSAMPLE_ADVISE_SEARCH_H
#define CCSAMPLE_ADVISE_SEARCH_H

#include "advise/advise.h"

#define SEARCH_CURES 7		/* most choices for one loop */

struct search {
	const struct keep *keep;
	const struct replay *before;
	struct remap *remaps;		/* room for one a block */
	double *misses, *conflicts;	/* room for one a block */
	bool *only;			/* room for one a burst */
	uint64_t accesses;		/* of a replay */
	size_t tried;
};

/* Changes that save the loop misses. */
struct choice {
	struct layout_change changes[CURE_CHANGES];
	size_t count;
	size_t whole;	/* with those that misses do not depend on, which follow the others */
	double left;			/* of its misses, 1 = all */
};

/**
 * search_loop() - changes for a loop.
 * @context: its number in the findings + 1
 * @choices: receives them, of different kinds, the best first
 * @moves: receives whether there was anything to move
 */
size_t search_loop(struct search *search, size_t context, struct choice choices[SEARCH_CURES],
		   bool *moves);

#endif /* CCSAMPLE_ADVISE_SEARCH_H */
