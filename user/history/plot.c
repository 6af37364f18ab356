// SPDX-License-Identifier: GPL-2.0-only
/* A curve for each series over the runs, whose commits stand below. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "history/views.h"
#include "output/prose.h"
#include "output/text.h"

#define WIDTH		760
#define HEIGHT		380
#define LABELS_MOST	24	/* commits that are named; of more every second, third, ... */
#define COMMIT_MOST	9	/* characters of one */
#define NAME_MOST	40	/* of a curve */

static double value_in(const struct history_run *run, const struct figure *of, bool conflicts)
{
	const struct figure *figure = series_in(run, of);

	return !figure ? NAN : conflicts ? figure->conflicts : figure->misses;
}

/* A block for each series: the number of the run, and its value. */
static void write_data(FILE *data, const struct history *history, const struct series *series,
		       bool conflicts)
{
	for (size_t s = 0; s < series->count; s++) {
		for (size_t i = 0; i < history->count; i++) {
			double value = value_in(&history->runs[i], series->figures[s], conflicts);

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
		char *commit = xasprintf("%.*s", COMMIT_MOST, history->runs[i].commit);

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

/*
 * Whether no eye could tell two curves apart: of all runs, within half a percent of the highest
 * point.
 */
static bool coincide(const struct history *history, const struct figure *a, const struct figure *b,
		     bool conflicts)
{
	double highest = 0, apart = 0;

	for (size_t i = 0; i < history->count; i++) {
		double x = value_in(&history->runs[i], a, conflicts);
		double y = value_in(&history->runs[i], b, conflicts);

		if (!isfinite(x) != !isfinite(y))
			return false;
		if (!isfinite(x))
			continue;
		highest = fmax(highest, fmax(x, y));
		apart = fmax(apart, fabs(x - y));
	}
	return apart <= highest / 200;
}

/* A curve's name; of one that lies upon an earlier one it says so, since that cannot be seen. */
static char *curve_title(const struct history *history, const struct series *series, size_t curve,
			 bool conflicts)
{
	char *name = figure_name(series->figures[curve]);
	char *title = text_fit(name, NAME_MOST, TEXT_FIT_FUNCTION);

	free(name);
	for (size_t i = 0; i < curve; i++) {
		if (!coincide(history, series->figures[i], series->figures[curve], conflicts))
			continue;
		name = figure_name(series->figures[i]);
		prose_append(&title, ", on ");
		prose_append_free(&title, text_fit(name, NAME_MOST, TEXT_FIT_FUNCTION));
		free(name);
		break;
	}
	return title;
}

static void write_curves(FILE *script, const struct history *history, const struct series *series,
			 bool conflicts)
{
	fputs("plot ", script);
	for (size_t i = 0; i < series->count; i++) {
		char *title = curve_title(history, series, i, conflicts);

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
	fprintf(picture.script, "set yrange [0:*]\nset xrange [-0.5:%zu.5]\n"
		"set grid ytics lc rgb '#dddddd'\nset key outside right top Left reverse\n",
		history->count - 1);
	write_curves(picture.script, history, &series, view->conflicts);
	status = picture_end(&picture);
out:
	series_drop(&series);
	return status;
}
