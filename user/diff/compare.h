/* SPDX-License-Identifier: GPL-2.0-only */
/* Two recordings, before and after a change: which code is which, and what became of it. */
#ifndef CCSAMPLE_DIFF_COMPARE_H
#define CCSAMPLE_DIFF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/findings.h"

/* One piece of code at one level. */
struct change {
	const struct context *before, *after;	/* NULL = no samples there */
	const struct level_findings *level_before, *level_after;
	double misses_before, misses_after;	/* in the unit of the comparison; NAN = unknown */
	bool moved;				/* to another line */
};

/* How long the program took on both sides, measured in the same way. */
struct time_change {
	bool known;
	bool baseline;				/* without ccsample, not as it was recorded */
	struct run_times before, after;
};

struct comparison {
	uint32_t level;
	bool sees_stores;		/* the misses are of loads and stores */
	double misses_before, misses_after;	/* load misses of the level, NAN = unknown, or: */
	bool per_thousand;			/* misses of 1,000 references, of bursts of them */
	bool exact;				/* these were counted, not estimated */
	struct change *changes;			/* most misses, before or after, first */
	size_t count;
};

/**
 * compare_findings() - match the code of two recordings at a level.
 *
 * The same code has the same function, file name and line, counted from the
 * function's first one where that is known: code above it may have changed
 * (address where no line is known). What is left of a function on both sides has
 * been changed itself: matched by place in the nest of loops, loops of one depth in
 * their order where both have as many left, else only that with most samples of each. A source
 * file that only one side has may be one that only the other has, renamed: functions of such files
 * are matched by name.
 *
 * Both hold bursts of references, or neither does.
 *
 * Return: to be freed by comparison_free(), before the findings are.
 */
struct comparison *compare_findings(const struct findings *before, const struct findings *after,
				    uint32_t level);
void comparison_free(struct comparison *comparison);

/*
 * Are the misses of a side next to none, beside the other's? Of those that are left a share of
 * conflicts, or cf, says nothing. @after: which side
 */
bool change_is_few(const struct change *change, bool after);

/* Bursts do not tell how often a side misses: it cannot be compared. */
bool comparison_unknown(const struct comparison *comparison);

/*
 * compare_stores() - do both recordings count misses of the same kinds at a level?
 *
 * Where one has those of loads alone, a store's conflict would seem to come or go with the change.
 *
 * Return: 0, or -1 after one line.
 */
int compare_stores(const struct findings *before, const struct findings *after, uint32_t level);

/* Have both recordings the same cache at a level, as far as they say? */
bool compare_caches(const struct findings *before, const struct findings *after, uint32_t level);

/*
 * compare_unlike() - are these different programs, it seems?
 *
 * So if their names differ and, at every level, what both have holds little of the misses of
 * either (loaders and C libraries are in all programs). Both commands are known then.
 */
bool compare_unlike(const struct findings *before, const struct findings *after,
		    struct comparison *const *levels, size_t count);

/* The times of two recordings, where they can be compared. */
struct time_change compare_times(const struct findings *before, const struct findings *after);

/* The same function, file name and line: the program may have been moved or built again. */
bool same_code(const struct code_region *a, const struct code_region *b);

/* ... inlined at the same line, if it was inlined: of the same program. */
bool same_copy(const struct code_region *a, const struct code_region *b);

#endif /* CCSAMPLE_DIFF_COMPARE_H */
