/* SPDX-License-Identifier: GPL-2.0-only */
/* A history as a table, as JSON and as a picture. */
#ifndef CCSAMPLE_HISTORY_VIEWS_H
#define CCSAMPLE_HISTORY_VIEWS_H

#include <stdio.h>

#include "history/store.h"
#include "output/gnuplot.h"

struct history_view {
	uint32_t level;		/* 0 = the first that the last run has */
	uint32_t top;		/* functions that are shown, 0 = all */
	bool conflicts;		/* conflict misses, else all misses */
	bool colour;
	struct picture_options picture;
};

/*
 * The series that a view shows, in the unit of the last run: all code, then the functions with
 * most misses in any run.
 */
struct series {
	const struct figure **figures;	/* one of each, for its name */
	size_t count;
	uint32_t level;
};

/* Has any run figures of this level? */
bool history_has_level(const struct history *history, uint32_t level);

struct series history_series(const struct history *history, const struct history_view *view);
void series_drop(struct series *series);

/* Its misses or conflict misses; NAN = unknown. As text "-"; to be freed. */
double series_value(const struct history_run *run, const struct figure *of, bool conflicts);
char *series_value_text(const struct history_run *run, const struct figure *of, bool conflicts);

/* A curve's name; of one that lies upon an earlier one it says so, since that cannot be seen. */
char *series_title(const struct history *history, const struct series *series, size_t curve,
		   bool conflicts);

void history_text(FILE *out, const struct history *history, const struct history_view *view);
void history_json(FILE *out, const struct history *history);

/* Return: 0, or -1 after one line. */
int history_plot(const struct history *history, const struct history_view *view);

#endif /* CCSAMPLE_HISTORY_VIEWS_H */
