// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "history/views.h"
#include "output/prose.h"
#include "output/text.h"

#define NAME_MOST	40	/* characters of a curve's name */

static bool same_figure(const struct figure *a, const struct figure *b)
{
	return a->level == b->level && a->per_thousand == b->per_thousand &&
	       same_text(a->function, b->function) &&
	       same_text(a->file, b->file);
}

/* A run's figure of a series; NULL = it has none. */
static const struct figure *series_in(const struct history_run *run, const struct figure *figure)
{
	for (size_t i = 0; i < run->figures.count; i++)
		if (same_figure(&run->figures.list[i], figure))
			return &run->figures.list[i];
	return NULL;
}

double series_value(const struct history_run *run, const struct figure *of, bool conflicts)
{
	const struct figure *figure = series_in(run, of);

	return !figure ? NAN : conflicts ? figure->conflicts : figure->misses;
}

char *series_value_text(const struct history_run *run, const struct figure *of, bool conflicts)
{
	double value = series_value(run, of, conflicts);

	if (!isfinite(value))
		return xstrdup("-");
	return of->per_thousand ? text_number(value) : text_count_short(llround(value));
}

/* Of those alike the one with most misses stays. */
static void take(struct series *series, size_t *room, const struct figure *figure)
{
	for (size_t i = 0; i < series->count; i++) {
		if (!same_figure(series->figures[i], figure))
			continue;
		if (figure->misses > series->figures[i]->misses)
			series->figures[i] = figure;
		return;
	}
	series->figures = grow(series->figures, series->count, room, sizeof(*series->figures));
	series->figures[series->count++] = figure;
}

static int all_code_first(const void *left, const void *right)
{
	const struct figure *a = *(const struct figure *const *)left;
	const struct figure *b = *(const struct figure *const *)right;

	if (!a->function != !b->function)
		return a->function ? 1 : -1;
	if (a->misses != b->misses)
		return a->misses < b->misses ? 1 : -1;
	return figure_by_code(a, b);
}

/* The last run's first figure of a level, 0 = of any; NULL = no run has one. */
static const struct figure *last_figure(const struct history *history, uint32_t level)
{
	for (size_t i = history->count; i--;) {
		const struct figures *figures = &history->runs[i].figures;

		for (size_t j = 0; j < figures->count; j++)
			if (!level || figures->list[j].level == level)
				return &figures->list[j];
	}
	return NULL;
}

bool history_has_level(const struct history *history, uint32_t level)
{
	return last_figure(history, level);
}

/* Counts and misses of 1,000 references have no axis in common: those of the last run are shown. */
struct series history_series(const struct history *history, const struct history_view *view)
{
	const struct figure *last = last_figure(history, view->level);
	struct series series = { .level = last ? last->level : view->level ? view->level : 1 };
	size_t room = 0;

	for (size_t i = 0; last && i < history->count; i++) {
		const struct figures *figures = &history->runs[i].figures;

		for (size_t j = 0; j < figures->count; j++)
			if (figures->list[j].level == last->level &&
			    figures->list[j].per_thousand == last->per_thousand)
				take(&series, &room, &figures->list[j]);
	}
	if (series.count)
		qsort(series.figures, series.count, sizeof(*series.figures), all_code_first);
	if (view->top && series.count > view->top + 1)
		series.count = view->top + 1;
	return series;
}

void series_drop(struct series *series)
{
	free(series->figures);
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
		double x = series_value(&history->runs[i], a, conflicts);
		double y = series_value(&history->runs[i], b, conflicts);

		if (!isfinite(x) != !isfinite(y))
			return false;
		if (!isfinite(x))
			continue;
		highest = fmax(highest, fmax(x, y));
		apart = fmax(apart, fabs(x - y));
	}
	return apart <= highest / 200;
}

char *series_title(const struct history *history, const struct series *series, size_t curve,
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
