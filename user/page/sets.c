// SPDX-License-Identifier: GPL-2.0-only
/* A piece of code's misses by set. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "page/chart.h"
#include "page/internal.h"
#include "report/rows.h"

/* Misses by column: a set, or as many neighbours as it takes. */
struct columns {
	uint32_t count;
	uint32_t sets, used;		/* used: with misses */
	uint64_t misses[FOLD_COLUMNS], near[FOLD_COLUMNS];
	uint64_t all, most;
	uint32_t fullest;
};

static void count_columns(struct columns *columns, const struct rcd_set *by_set, uint32_t sets)
{
	columns->sets = sets;
	columns->count = sets < FOLD_COLUMNS ? sets : FOLD_COLUMNS;
	for (uint32_t set = 0; set < sets; set++) {
		uint32_t column = (uint64_t)set * columns->count / sets;

		columns->misses[column] += by_set[set].misses;
		columns->near[column] += by_set[set].near;
		columns->all += by_set[set].misses;
		columns->used += by_set[set].misses != 0;
	}
	for (uint32_t i = 0; i < columns->count; i++) {
		if (columns->misses[i] <= columns->most)
			continue;
		columns->most = columns->misses[i];
		columns->fullest = i;
	}
}

/* Lines across at round shares, with their numbers. */
static void put_grid(struct page *page, double most)
{
	double step = svg_step(most);

	for (double at = 0; at <= most * 1.0001; at += step) {
		double y = TOP + DEPTH * (1 - at / most);

		svg_line(page, "grid", LEFT, y, AREA);
		svg_text_free(page, LEFT - 6, y + 4, SVG_END, xasprintf("%.3g%%", 100 * at));
	}
}

static void put_bars(struct page *page, const struct columns *columns, bool near)
{
	double width = AREA / columns->count;

	fprintf(page->out, "<path class=\"%s\" d=\"", near ? "near" : "bar");
	for (uint32_t i = 0; i < columns->count; i++) {
		double part = columns->most ? (double)columns->misses[i] / columns->most : 0;
		double inner = columns->most ? (double)columns->near[i] / columns->most : 0;
		double height = DEPTH * (near ? inner : part - inner);
		double y = TOP + DEPTH * (1 - part) + (near ? DEPTH * (part - inner) : 0);

		if (height > 0)
			svg_rectangle(page, LEFT + i * width + 0.5, y, fmax(width - 1, 0.5),
				      height);
	}
	fputs("\"/>\n", page->out);
}

static void put_permille(FILE *out, const char *name, const uint64_t *counts,
			 const struct columns *columns)
{
	fprintf(out, " data-%s=\"", name);
	for (uint32_t i = 0; i < columns->count; i++)
		fprintf(out, "%s%.0f", i ? " " : "",
			columns->all ? 1000.0 * counts[i] / columns->all : 0);
	fputs("\"", out);
}

/* What the script needs to say what is at a place. */
static void put_data(struct page *page, const struct columns *columns, const char *near)
{
	FILE *out = page->out;

	fputs("<figure data-at=\"", out);
	for (uint32_t i = 0; i < columns->count; i++)
		fprintf(out, "%s%.1f", i ? " " : "", LEFT + (i + 0.5) * AREA / columns->count);
	fputs("\"", out);
	put_permille(out, "a", columns->misses, columns);
	put_permille(out, "b", columns->near, columns);
	if (columns->count < columns->sets) {
		fputs(" data-x=\"", out);
		for (uint32_t i = 0; i < columns->count; i++)
			fprintf(out, "%s%" PRIu64, i ? " " : "",
				((uint64_t)i * columns->sets + columns->count - 1) /
				columns->count);
		fputs("\"", out);
	}
	fprintf(out, " data-name=\"%s\" data-first=\"of the misses\" data-second=\"%s\" "
		"data-top=\"%.0f\" data-bottom=\"%.0f\" data-begin=\"%" PRIu32 "\">\n",
		columns->count < columns->sets ? "Sets from" : "Set", near, TOP, TOP + DEPTH,
		columns->fullest);
}

static void draw_sets(struct page *page, const struct columns *columns, const char *near)
{
	double most = (double)columns->most / columns->all;
	double even = DEPTH * (1 - 1 / (most * columns->count));
	char *text = xasprintf("Bars of the share of the misses on each of %u sets; %u have "
			       "any. The fullest has %.1f%%; an equal share is %.1f%%.",
			       columns->sets, columns->used, 100 * most, 100.0 / columns->count);

	put_data(page, columns, near);
	svg_begin(page, WIDTH, HEIGHT, "Misses by set", text);
	free(text);
	put_grid(page, most);
	put_bars(page, columns, false);
	put_bars(page, columns, true);
	svg_line(page, "chance", LEFT, TOP + even, AREA);
	svg_line(page, "axis", LEFT, TOP + DEPTH, AREA);
	svg_set_axis(page, LEFT, TOP + DEPTH, AREA, columns->sets);
	svg_end(page);
	fprintf(page->out, "<figcaption>Misses by set.<span class=\"key near\"></span>%s<span "
		"class=\"key bar\"></span>others<span class=\"key dash\"></span>an equal "
		"share</figcaption>\n</figure>\n", near);
}

void page_set_bars(struct page *page, const struct rcd_set *by_set, uint32_t sets,
		   const char *near)
{
	struct columns columns = { 0 };

	count_columns(&columns, by_set, sets);
	if (columns.all)
		draw_sets(page, &columns, near);
}

void page_sets(struct page *page, const struct level_findings *level)
{
	uint32_t sets = level_sets(page->findings, level->level);
	char *near;

	if (!sets || !level->by_set)
		return;
	near = xasprintf("on a set that missed within the last %" PRIu32 " misses",
			 level->summary.threshold);
	page_set_bars(page, level->by_set, sets, near);
	free(near);
}
