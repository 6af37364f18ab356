// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "output/text.h"
#include "page/history.h"
#include "page/internal.h"

#define WIDTH		860
#define HEIGHT		330
#define LEFT		70.0
#define RIGHT		45.0
#define TOP		14.0
#define BOTTOM		70.0
#define AREA		(WIDTH - LEFT - RIGHT)
#define DEPTH		(HEIGHT - TOP - BOTTOM)
#define LABELS_MOST	16	/* commits that are named */
#define COMMIT_MOST	9	/* characters of one */
#define TICKS_MOST	50	/* of any axis there are fewer */
#define CURVES		6	/* classes c1 to c6 of page.css */

struct history_page {
	struct page page;
	const struct history *history;
	const struct history_view *view;
	struct series series;
	double most;			/* of all values */
};

static double value(const struct history_page *pages, size_t run, size_t curve)
{
	return series_value(&pages->history->runs[run], pages->series.figures[curve],
			    pages->view->conflicts);
}

static double x_of(const struct history_page *pages, size_t run)
{
	size_t count = pages->history->count;

	return LEFT + (count > 1 ? AREA * run / (count - 1) : AREA / 2);
}

static double y_of(const struct history_page *pages, double value)
{
	return TOP + DEPTH * (1 - (pages->most > 0 ? value / pages->most : 0));
}

/* An unknown value interrupts the curve; a point of its own is seen, too. */
static void put_curve(struct history_page *pages, size_t curve)
{
	FILE *out = pages->page.out;
	bool goes_on = false;

	fprintf(out, "<path class=\"trend c%zu\" d=\"", curve % CURVES + 1);
	for (size_t i = 0; i < pages->history->count; i++) {
		double at = value(pages, i, curve);

		if (isfinite(at))
			fprintf(out, "%c%.1f %.1f", goes_on ? 'L' : 'M', x_of(pages, i),
				y_of(pages, at));
		if (isfinite(at) && !goes_on)
			fputs("h0.01", out);
		goes_on = isfinite(at);
	}
	fputs("\"/>\n", out);
}

static void put_axes(struct history_page *pages)
{
	const struct history *history = pages->history;
	size_t step = (history->count + LABELS_MOST - 1) / LABELS_MOST;
	const struct figure *first = pages->series.figures[0];
	double tick = svg_step(pages->most);

	for (size_t i = 0; i <= pages->most * 1.0001 / tick && i <= TICKS_MOST; i++) {
		double at = i * tick, y = y_of(pages, at);

		svg_line(&pages->page, "grid", LEFT, y, AREA);
		svg_text_free(&pages->page, LEFT - 6, y + 4, SVG_END, first->per_thousand ?
			      text_number(at) : text_count_short(llround(at)));
	}
	fputs("<g class=\"m\">\n", pages->page.out);
	for (size_t i = 0; i < history->count; i += step)
		svg_text_free(&pages->page, x_of(pages, i), TOP + DEPTH + 16 + i / step % 2 * 15,
			      SVG_MIDDLE, text_fit(history->runs[i].commit, COMMIT_MOST,
						   TEXT_FIT_CUT));
	svg_text(&pages->page, LEFT + AREA / 2, HEIGHT - 12, SVG_MIDDLE, "commit, oldest first");
	fputs("</g>\n", pages->page.out);
	for (size_t i = 0; i < history->count; i++)
		if (history->runs[i].failed)
			fprintf(pages->page.out, "<path class=\"mark\" d=\"M%.1f %.1fV%.1f\"/>\n",
				x_of(pages, i), TOP, TOP + DEPTH);
}

static char *unit_text(const struct history_page *pages)
{
	return xasprintf("L%" PRIu32 " %s%s", pages->series.level,
			 pages->view->conflicts ? "conflict " : "",
			 pages->series.count ? figure_unit(pages->series.figures[0]) : "misses");
}

static void put_legend(struct history_page *pages, const char *unit)
{
	FILE *out = pages->page.out;

	fputs("<figcaption>", out);
	html_put(out, "%s by commit.", unit);
	for (size_t i = 0; i < pages->series.count; i++) {
		fprintf(out, "<span class=\"key trend c%zu\"></span><bdi>", i % CURVES + 1);
		html_put_free(out, series_title(pages->history, &pages->series, i,
						pages->view->conflicts));
		fputs("</bdi>", out);
	}
	fputs(". A dashed line across: the check failed.</figcaption>\n</figure>\n", out);
}

static void put_chart(struct history_page *pages)
{
	char *unit = unit_text(pages);
	char *most = text_number(pages->most);
	char *text = xasprintf("%s of %zu runs; the highest is %s. The table has the figures.",
			       unit, pages->history->count, most);

	page_part(pages->page.out, "chart", "By commit");
	fputs("<figure>\n", pages->page.out);
	svg_begin(&pages->page, WIDTH, HEIGHT, unit, text);
	put_axes(pages);
	for (size_t i = 0; i < pages->series.count; i++)
		put_curve(pages, i);
	svg_end(&pages->page);
	put_legend(pages, unit);
	free(text);
	free(most);
	free(unit);
}

static void put_head(struct history_page *pages)
{
	size_t count = pages->series.count;
	struct page_column *columns = xcalloc(count + 4, sizeof(*columns));
	char **names = xcalloc(count + 1, sizeof(*names)), *unit = unit_text(pages);

	columns[0] = (struct page_column){ "commit", false };
	columns[1] = (struct page_column){ "time (UTC)", false };
	columns[2] = (struct page_column){ "check", false };
	for (size_t i = 0; i < count; i++) {
		names[i] = page_fit(figure_name(pages->series.figures[i]), TEXT_FIT_MIDDLE);
		columns[3 + i] = (struct page_column){ names[i], true };
	}
	page_table(&pages->page, "Figures by commit", unit, "full sortable tall", columns);
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(unit);
	free(names);
	free(columns);
}

static void put_table(struct history_page *pages)
{
	FILE *out = pages->page.out;

	page_part(out, "figures", "Figures");
	put_head(pages);
	for (size_t i = pages->history->count; i-- > 0;) {
		const struct history_run *run = &pages->history->runs[i];

		fputs("<tr><th scope=\"row\" class=\"mono\"><bdi>", out);
		html_put_free(out, text_fit(run->commit, 40, TEXT_FIT_END));
		fputs("</bdi></th><td>", out);
		html_text(out, run->time);
		fprintf(out, "</td><td><span class=\"badge %s\">%s</span></td>",
			rcd_verdict_name(run->failed ? RCD_CONFLICT : RCD_NONE),
			run->failed ? "failed" : "ok");
		for (size_t j = 0; j < pages->series.count; j++)
			page_number(out, value(pages, i, j),
				    series_value_text(run, pages->series.figures[j],
						      pages->view->conflicts), "");
		fputs("</tr>\n", out);
	}
	page_table_end(&pages->page);
}

static void put_begin(struct history_page *pages)
{
	static const char *const parts[] = { "chart", "By commit", "figures", "Figures", NULL };
	const struct history *history = pages->history;
	char *program = text_fit(history->runs[history->count - 1].program, 300, TEXT_FIT_MIDDLE);
	char *title = text_fit(program, 60, TEXT_FIT_MIDDLE), *whole;

	whole = xasprintf("%s: cache misses by commit", title);
	page_begin(pages->page.out, whole, "Cache misses by commit", program);
	page_contents(pages->page.out, parts);
	free(whole);
	free(title);
	free(program);
}

void page_history(FILE *out, const struct history *history, const struct history_view *view)
{
	struct history_page pages = {
		.page = { .out = out }, .history = history, .view = view,
		.series = history_series(history, view),
	};

	for (size_t i = 0; i < history->count; i++)
		for (size_t j = 0; j < pages.series.count; j++)
			if (value(&pages, i, j) > pages.most)
				pages.most = value(&pages, i, j);
	put_begin(&pages);
	if (pages.most > 0)
		put_chart(&pages);
	put_table(&pages);
	page_end(out);
	series_drop(&pages.series);
}
