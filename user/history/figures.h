/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording comes to, in numbers that can be followed from commit to commit: misses and
 * conflict misses of all code and of each function, by level. Functions, since the lines of loops
 * change with every edit. Takes comparisons; gives lists of figures and the forms of services that
 * draw them.
 */
#ifndef CCSAMPLE_HISTORY_FIGURES_H
#define CCSAMPLE_HISTORY_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "diff/compare.h"

struct figure {
	uint32_t level;
	bool per_thousand;	/* misses of 1,000 references, else misses */
	double misses;
	double conflicts;	/* of these, conflict misses; NAN = unknown */
	char *function;		/* NULL with the file: all code */
	char *file;		/* its name without directories; NULL = unknown */
};

struct figures {
	struct figure *list;	/* all code of a level first, then functions, most misses first */
	size_t count, room;
};

/* Adds what is after the change. */
void figures_take(struct figures *figures, const struct comparison *comparison);

/* Adds one; the names are the list's from then on. */
void figures_add(struct figures *figures, const struct figure *figure);
void figures_drop(struct figures *figures);

/* The order of functions and files, as qsort() asks for it. */
int figure_by_code(const void *left, const void *right);

/* "misses", or "misses of 1,000 references". */
const char *figure_unit(const struct figure *figure);

/* "symmetrize (symmetrize.c)", "all code": to be freed. */
char *figure_name(const struct figure *figure);

/* Lines for figures_read(): from a process in a sandbox to its parent. */
void figures_write(FILE *out, const struct figures *figures);

/* Return: 0, or -1 after one line: they are not what figures_write() writes. */
int figures_read(FILE *in, struct figures *figures);

/* benchmark-action's array (tool: customSmallerIsBetter), and Bencher's object of measures. */
void figures_benchmark(FILE *out, const struct figures *figures);
void figures_bencher(FILE *out, const struct figures *figures);

#endif /* CCSAMPLE_HISTORY_FIGURES_H */
