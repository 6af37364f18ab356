// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "history/views.h"

static bool same_figure(const struct figure *a, const struct figure *b)
{
	return a->level == b->level && same_text(a->function, b->function) &&
	       same_text(a->file, b->file);
}

const struct figure *series_in(const struct history_run *run, const struct figure *figure)
{
	for (size_t i = 0; i < run->figures.count; i++)
		if (same_figure(&run->figures.list[i], figure))
			return &run->figures.list[i];
	return NULL;
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
	return (a->misses < b->misses) - (a->misses > b->misses);
}

struct series history_series(const struct history *history, const struct history_view *view)
{
	const struct figures *last = &history->runs[history->count - 1].figures;
	struct series series = { .level = view->level };
	size_t room = 0;

	if (!series.level)
		series.level = last->count ? last->list[0].level : 1;
	for (size_t i = 0; i < history->count; i++)
		for (size_t j = 0; j < history->runs[i].figures.count; j++)
			if (history->runs[i].figures.list[j].level == series.level)
				take(&series, &room, &history->runs[i].figures.list[j]);
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
