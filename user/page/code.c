// SPDX-License-Identifier: GPL-2.0-only
/* All code with its shares, and one piece of it at a time in full. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/html.h"
#include "output/text.h"
#include "page/internal.h"
#include "report/text-data.h"

#define ROWS_MOST	500	/* of the table */
#define DETAILS_MOST	40
#define DETAILS_LEAST	3	/* however small */
#define BYTES_MOST	(880u << 10)	/* of table and details, from which on no detail begins */
#define ROW_BYTES	500u		/* of the table, about */

static bool shown_at(const struct page *page, const struct context *context)
{
	for (size_t i = 0; i < page->level_count; i++)
		if (context_level(context, page->levels[i]))
			return true;
	return false;
}

/* Is it worth a part of its own? */
static bool matters(const struct page *page, const struct context *context)
{
	for (size_t i = 0; i < page->level_count; i++) {
		const struct level_findings *level = context_level(context, page->levels[i]);

		if (level && level->share >= REPORT_SMALL)
			return true;
	}
	return false;
}

size_t page_details(struct page *page)
{
	const struct findings *findings = page->findings;
	size_t count = 0, most = page->view->top ? page->view->top : DETAILS_MOST;

	/* They are in the order of their shares. */
	for (size_t i = 0; i < findings->context_count && count < most; i++)
		count += shown_at(page, &findings->contexts[i]) &&
			 (count < DETAILS_LEAST || matters(page, &findings->contexts[i]));
	return count;
}

static void put_head(struct page *page)
{
	static const struct page_column first[] = {
		{ "id", true }, { "function", false }, { "where", false }, { NULL, false }
	}, each[] = {
		{ "misses", true }, { "conflicts", true }, { "verdict", false }, { NULL, false }
	};

	page_level_table(page, "Code by its shares of the misses",
			 "Loops, and functions without their loops, by their shares of the misses. "
			 "Conflicts: the share of the misses that would hit in a fully associative "
			 "cache, with its 95% interval.", "full sortable tall code-table", first,
			 each);
}

void page_search(FILE *out)
{
	fputs("<div class=\"tools\"><label>Find code <input type=\"search\" "
	      "data-filter=\".code-table\" data-count=\"code-count\"></label><span "
	      "id=\"code-count\" role=\"status\" class=\"muted\"></span></div>\n", out);
}

void page_row_begin(FILE *out, const struct code_region *region, bool detailed)
{
	uint32_t id = region->id;

	fprintf(out, "<tr data-loop=\"loop-%" PRIu32 "\"><td class=\"num\" data-n=\"%" PRIu32 "\">%"
		PRIu32 "</td><th class=\"name\" scope=\"row\">", id, id, id);
	if (detailed)
		fprintf(out, "<a href=\"#loop-%" PRIu32 "\">", id);
	fputs("<bdi>", out);
	html_put_free(out, page_function(region));
	fprintf(out, "</bdi>%s</th>", detailed ? "</a>" : "");
	page_name(out, page_place(region));
}

static void put_row(struct page *page, const struct context *context, bool detailed)
{
	FILE *out = page->out;

	page_row_begin(out, &context->region, detailed);
	for (size_t i = 0; i < page->level_count; i++) {
		const struct level_findings *level = context_level(context, page->levels[i]);

		if (!level) {
			fputs("<td class=\"num\" data-n=\"-1\">-</td><td class=\"num\" "
			      "data-n=\"-1\">-</td><td>-</td>", out);
			continue;
		}
		page_share(out, level->share);
		page_conflicts(out, &level->summary);
		fputs("<td>", out);
		page_badge(out, &level->summary, level->share);
		fputs("</td>", out);
	}
	fputs("</tr>\n", out);
}

/* @share: of a level's misses; NAN = of several levels */
static void put_rest(struct page *page, size_t count, double share)
{
	if (!count)
		return;
	fputs("<p class=\"note\">", page->out);
	html_put(page->out, "And %zu more", count);
	if (isfinite(share)) {
		fputs(" with ", page->out);
		html_put_free(page->out, text_percent(share));
		fputs(" of the misses", page->out);
	}
	fputs(": ccsample report --full -n 0 shows all.</p>\n", page->out);
}

static bool detailed(const struct code_region *const *details, size_t count,
		     const struct code_region *region)
{
	for (size_t i = 0; i < count; i++)
		if (details[i] == region)
			return true;
	return false;
}

static void put_table(struct page *page, const struct code_region *const *details, size_t count)
{
	uint32_t only = page->level_count == 1 ? page->levels[0] : 0;
	size_t row_count, shown = 0, hidden = 0;
	struct row *rows = rows_new(page->findings, only, page->view->sort, &row_count);
	/* Of several levels, samples do not weigh alike: shares do, and give the order of ids. */
	bool by_id = !only && page->view->sort == SORT_SAMPLES;
	double rest = 0;

	page_search(page->out);
	put_head(page);
	for (size_t i = 0; i < row_count; i++) {
		const struct context *context = by_id ? &page->findings->contexts[i] :
							rows[i].context;

		if (!shown_at(page, context))
			continue;
		if (shown == ROWS_MOST) {
			hidden++;
			rest += only ? rows[i].level->share : NAN;
			continue;
		}
		put_row(page, context, detailed(details, count, &context->region));
		shown++;
	}
	page_table_end(page);
	put_rest(page, hidden, rest);
	free(rows);
}

void page_choice(FILE *out, const struct code_region *const *regions, size_t count)
{
	fputs("<div class=\"tools\"><label>Show <select id=\"choose\">\n", out);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "<option value=\"loop-%" PRIu32 "\">%" PRIu32 ": ", regions[i]->id,
			regions[i]->id);
		html_put_free(out, page_site(regions[i]));
		fputs("</option>\n", out);
	}
	fputs("</select></label><span class=\"steps\"><button type=\"button\" "
	      "data-step=\"-1\">Previous</button> <button type=\"button\" "
	      "data-step=\"1\">Next</button></span></div>\n", out);
}

/* Written apart: how many fit is known only then. Return: allocated, @size bytes. */
static char *write_details(struct page *page, const struct code_region **details, size_t *count,
			   size_t *size)
{
	size_t rows = page->findings->context_count, most = *count, table;
	FILE *out = page->out;
	char *text = NULL;

	*count = 0;
	table = (rows < ROWS_MOST ? rows : ROWS_MOST) * ROW_BYTES;
	page->out = xmemstream(&text, size, "the code in a page");
	for (size_t i = 0; i < page->findings->context_count && *count < most; i++) {
		const struct context *context = &page->findings->contexts[i];

		if (!shown_at(page, context) ||
		    (*count >= DETAILS_LEAST && !matters(page, context)))
			continue;
		fflush(page->out);
		if (*count && table + *size > BYTES_MOST)
			break;
		details[(*count)++] = &context->region;
		page_loop(page, context);
	}
	fclose(page->out);
	page->out = out;
	return text;
}

void page_code(struct page *page, size_t most)
{
	const struct code_region **details = xcalloc(most + 1, sizeof(*details));
	size_t count = most, size;
	char *text = write_details(page, details, &count, &size);

	page_part(page->out, "code", "Code that misses");
	put_table(page, details, count);
	if (count) {
		page_part(page->out, "loop", "One piece of code");
		if (count > 1)
			page_choice(page->out, details, count);
		fwrite(text, 1, size, page->out);
	}
	free(text);
	free(details);
}
