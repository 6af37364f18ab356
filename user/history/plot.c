// SPDX-License-Identifier: GPL-2.0-only
/* A curve for each series over the runs, whose commits stand below. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "history/views.h"
#include "output/text.h"

#define WIDTH		760
#define HEIGHT		380
#define LABELS_MOST	24	/* commits that are named; of more every second, third, ... */
#define COMMIT_MOST	9	/* characters of one */

/* A block for each series: the number of the run, and its value. */
static void write_data(FILE *data, const struct history *history, const struct series *series,
		       bool conflicts)
{
	for (size_t s = 0; s < series->count; s++) {
		for (size_t i = 0; i < history->count; i++) {
			double value = series_value(&history->runs[i], series->figures[s],
						    conflicts);

			/* NaN interrupts the curve. */
			if (isfinite(value))
				fprintf(data, "%zu %.9g\n", i, value);
			else
				fprintf(data, "%zu NaN\n", i);
		}
		fputs("\n\n", data);
	}
}

static void write_commits(FILE *script, const struct history *history)
{
	size_t step = (history->count + LABELS_MOST - 1) / LABELS_MOST;

	fputs("set xtics rotate by -45 (", script);
	for (size_t i = 0; i < history->count; i += step) {
		char *commit = text_fit(history->runs[i].commit, COMMIT_MOST, TEXT_FIT_CUT);

		fputs(i ? ", " : "", script);
		picture_quote(script, commit);
		fprintf(script, " %zu", i);
		free(commit);
	}
	fputs(")\n", script);
}

static void write_title(FILE *script, const struct history *history,
			const struct history_view *view)
{
	char *program = text_fit(history->runs[history->count - 1].program, 60, TEXT_FIT_MIDDLE);

	fputs("set title ", script);
	picture_quote(script, view->picture.title ? view->picture.title : program);
	fputc('\n', script);
	free(program);
}

static void write_label(FILE *script, const struct series *series, bool conflicts)
{
	char *label = xasprintf("L%" PRIu32 " %s%s", series->level, conflicts ? "conflict " : "",
				series->count ? figure_unit(series->figures[0]) : "misses");

	fputs("set ylabel ", script);
	picture_quote(script, label);
	fputc('\n', script);
	free(label);
}

static void write_curves(FILE *script, const struct history *history, const struct series *series,
			 bool conflicts)
{
	fputs("plot ", script);
	for (size_t i = 0; i < series->count; i++) {
		char *title = series_title(history, series, i, conflicts);

		fprintf(script, "%sdata index %zu using 1:2 with linespoints pt 7 ps 0.5 lw 1.6 "
			"lc rgb '%s' title ", i ? ", \\\n  " : "", i, picture_colour(i));
		picture_quote(script, title);
		free(title);
	}
	fputc('\n', script);
}

int history_plot(const struct history *history, const struct history_view *view)
{
	struct series series = history_series(history, view);
	struct picture picture;
	int status = picture_begin(&picture, &view->picture, WIDTH, HEIGHT);

	if (status)
		goto out;
	write_data(picture.data, history, &series, view->conflicts);
	write_title(picture.script, history, view);
	write_label(picture.script, &series, view->conflicts);
	write_commits(picture.script, history);
	if (series.count && !series.figures[0]->per_thousand)
		fputs("set format y '%.1s%c'\n", picture.script);	/* 1.5M, as in tables */
	fprintf(picture.script, "set yrange [0:*]\nset xrange [-0.5:%zu.5]\n"
		"set grid ytics lc rgb '#dddddd'\nset key outside right top Left reverse\n",
		history->count - 1);
	write_curves(picture.script, history, &series, view->conflicts);
	status = picture_end(&picture);
out:
	series_drop(&series);
	return status;
}
