// SPDX-License-Identifier: GPL-2.0-only
/* Several recordings of one run: how the ranks differ. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "output/text.h"
#include "page/internal.h"
#include "report/rows.h"

#define ROWS_MOST	50
#define SHARE_LEAST	0.01	/* in the recording that has most, of code that is shown */
#define NAME_COLUMNS	40

static void put_of(FILE *out, const char *name)
{
	fputs("<td><bdi>", out);
	html_put_free(out, text_fit(name ? name : "", NAME_COLUMNS, TEXT_FIT_START));
	fputs("</bdi></td>", out);
}

static void put_spread(FILE *out, const struct spread_findings *spread,
		       char *(*text)(double value))
{
	page_number(out, spread->in, text_count(spread->in), "");
	page_number(out, spread->least, text(spread->least), "");
	put_of(out, spread->least_name);
	page_number(out, spread->median, text(spread->median), "");
	page_number(out, spread->most, text(spread->most), "");
	put_of(out, spread->most_name);
	fputs("</tr>\n", out);
}

static char *whole_text(double value)
{
	return text_count(value);
}

static void put_row(struct page *page, const struct row *row)
{
	page_row_name(page->out, page_site(&row->context->region));
	put_spread(page->out, &row->level->spread, text_percent);
}

static void put_level(struct page *page, uint32_t number)
{
	static const struct page_column columns[] = {
		{ "code", false }, { "in", true }, { "least", true }, { "of", false },
		{ "median", true }, { "most", true }, { "of", false }, { NULL, false }
	};
	const struct spread_findings *all = &page->findings->spread[number - 1];
	char *name = page_level_name(number), *caption, *title;
	size_t count, shown = 0;
	struct row *rows = rows_new(page->findings, number, SORT_SAMPLES, &count);

	caption = xasprintf("%s: samples, and shares of the misses, by recording. In: how many "
			    "have any.", name);
	title = xasprintf("%s by recording", name);
	page_table(page, title, caption, "full sortable tall", columns);
	fputs("<tr><th scope=\"row\">all: samples</th>", page->out);
	put_spread(page->out, all, whole_text);
	for (size_t i = 0; i < count && shown < ROWS_MOST; i++) {
		if (rows[i].level->spread.most < SHARE_LEAST)
			continue;
		put_row(page, &rows[i]);
		shown++;
	}
	page_table_end(page);
	free(caption);
	free(title);
	free(rows);
	free(name);
}

void page_recordings(struct page *page)
{
	if (page->findings->recordings < 2)
		return;
	page_part(page->out, "recordings", "Recordings");
	fprintf(page->out, "<p>%" PRIu64 " recordings, added up above. Here is how they "
		"differ.</p>\n",
		page->findings->recordings);
	for (size_t i = 0; i < page->level_count; i++)
		if (page->levels[i] <= FINDINGS_LEVELS &&
		    page->findings->spread[page->levels[i] - 1].files)
			put_level(page, page->levels[i]);
}
