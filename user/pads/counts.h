/* SPDX-License-Identifier: GPL-2.0-only */
/* What the library of pads did, for `cure`: a file that the processes of a program share. */
#ifndef CCSAMPLE_PADS_COUNTS_H
#define CCSAMPLE_PADS_COUNTS_H

#include <stdint.h>

#include "pads/plan.h"

#define PADS_COUNTS_VARIABLE	"CCSAMPLE_PADS_COUNTS"	/* environment: the file's path */
#define PADS_RULE_ALL		PADS_SITES_MOST		/* the place of the rule `all` */

struct pads_counts {
	uint64_t processes;		/* images that loaded the library, and could use it */
	uint64_t blocked;		/* another allocator came first: nothing can be staggered */
	uint64_t blocks[PADS_SITES_MOST + 1];	/* staggered, by site */
	uint64_t stacks;		/* of threads, likewise */
	uint64_t huge;			/* pages: the kernel made as many of blocks */
	uint64_t huge_hinted;		/* ... may make when they are touched: MADV_HUGEPAGE */
};

#endif /* CCSAMPLE_PADS_COUNTS_H */
