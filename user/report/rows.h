/* SPDX-License-Identifier: GPL-2.0-only */
/* Which contexts are shown, and in which order: common to all views. */
#ifndef CCSAMPLE_REPORT_ROWS_H
#define CCSAMPLE_REPORT_ROWS_H

#include <stdbool.h>

#include "advise/advise.h"
#include "findings/findings.h"

enum row_sort {
	SORT_SAMPLES,	/* most first, as the next three */
	SORT_CF,
	SORT_CONFLICT,
	SORT_SETS,
	SORT_NAME,	/* function, file, line */
};

struct view_options {
	uint32_t level;		/* cache level, 0 = all that were sampled */
	enum row_sort sort;
	size_t top;		/* most contexts, most objects; 0 = all */
	bool full;		/* the text report: all that is known */
	bool fold;		/* the text report: put contexts of less than 1% together */
	bool model;		/* ... what the classifier says, also where stores are seen */
	bool colour;
	const struct cures *cures;	/* tried on the recording's bursts; NULL = it has none */
};

/* A context at one level. */
struct row {
	const struct context *context;
	const struct level_findings *level;
	uint64_t samples;
	double weight;			/* by which SORT_SAMPLES sorts: its share of the level */
};

/**
 * rows_new() - the contexts that have samples at a level, sorted.
 * @level: 0 = all contexts with all samples, what else is sorted by being read at their first
 *	   level (row.level, NULL where a context has none)
 * @count: their number
 *
 * Return: an array to be freed.
 */
struct row *rows_new(const struct findings *findings, uint32_t level, enum row_sort sort,
		     size_t *count);

/* For qsort(): largest first; what is not a number comes last. */
int compare_keys(double a, double b);

/* The levels sampled, ascending, at most @most. Return: their number. */
size_t levels_sampled(const struct findings *findings, uint32_t *levels, size_t most);

/*
 * Are there misses of @level, 0 = of any? Return: 0, or -1 after one line that says how they are
 * recorded.
 */
int levels_check(const struct findings *findings, uint32_t level);

/* The cache's ways or sets (of all slices) at a level, 0 = unknown. */
uint32_t level_ways(const struct findings *findings, uint32_t level);
uint32_t level_sets(const struct findings *findings, uint32_t level);

#endif /* CCSAMPLE_REPORT_ROWS_H */
