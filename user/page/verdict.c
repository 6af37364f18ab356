// SPDX-License-Identifier: GPL-2.0-only
/* What is in conflict, in sentences: the same that the text report says first. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "output/prose.h"
#include "page/internal.h"
#include "report/advice.h"
#include "report/text-data.h"
#include "report/text-others.h"
#include "report/why.h"

#define ENTRIES_ONE	4	/* in words, of the only level; of each of several: */
#define ENTRIES_EACH	3

static void put_pair(FILE *out, const char *name, char *text)
{
	if (text) {
		fprintf(out, "<dt>%s</dt><dd>", name);
		html_text(out, text);
		fputs("</dd>\n", out);
	}
	free(text);
}

static void put_try(struct page *page, const struct entry *entry)
{
	struct advice advice[ADVICE_MOST];
	size_t count = report_advice(page->findings, page->view->cures, entry, advice);

	if (!count)
		return;
	fputs("<dt>try</dt><dd>", page->out);
	page_advice(page->out, advice, count);
	fputs("</dd>\n", page->out);
}

static void put_entry(struct page *page, const struct entry *entry)
{
	FILE *out = page->out;

	fprintf(out, "<div class=\"finding %s\">\n<p class=\"lead\">",
		rcd_verdict_name(entry->summary->verdict));
	page_badge(out, entry->summary->verdict);
	fputs(" ", out);
	html_put_free(out, entry_sentence(entry));
	fputs("</p>\n<dl>\n", out);
	put_pair(out, "data", entry_data(entry));
	put_pair(out, "why", report_why(page->findings, entry));
	put_try(page, entry);
	fputs("</dl>\n</div>\n", out);
}

static void put_more(struct page *page, uint32_t level, const struct entry *entries, size_t count,
		     bool described)
{
	double share = 0;
	char *percent;

	for (size_t i = 0; i < count; i++)
		share += entries[i].nest ? 0 : entries[i].share;
	percent = prose_percent(share);
	fputs("<p>", page->out);
	html_put(page->out, "%s%zu %s in conflict or concentrated, with %s of the L%" PRIu32
		 " misses: see the table of code.", described ? "And " : "", count,
		 described ? "more" : count == 1 ? "piece of code is" : "pieces of code are",
		 percent, level);
	fputs("</p>\n", page->out);
	free(percent);
}

static void put_sentence(struct page *page, enum rcd_verdict verdict, char *text)
{
	fprintf(page->out, "<div class=\"finding %s\"><p class=\"lead\">",
		rcd_verdict_name(verdict));
	page_badge(page->out, verdict);
	fputs(" ", page->out);
	html_put_free(page->out, text);
	fputs("</p></div>\n", page->out);
}

static void put_nothing(struct page *page, uint32_t level)
{
	const char *class = report_nothing_good(page->findings, level) ? "none" : "";

	fprintf(page->out, "<div class=\"finding %s\"><p class=\"lead\"><span class=\"badge %s\">",
		class, class);
	html_text(page->out, report_nothing_key(page->findings, level));
	fputs("</span> ", page->out);
	html_put_free(page->out, report_nothing_text(page->findings, level));
	fputs("</p></div>\n", page->out);
}

static void put_level(struct page *page, uint32_t level)
{
	size_t most = page->level_count == 1 ? ENTRIES_ONE : ENTRIES_EACH;
	size_t row_count, count, shown = 0, rest = 0;
	struct row *rows = rows_new(page->findings, level, SORT_SAMPLES, &row_count);
	struct entry *entries = entries_of(page->findings, level, rows, row_count, &count);
	double undecided = report_undecided(rows, row_count);

	for (size_t i = 0; i < count; i++) {
		if (shown == most || !entry_matters(&entries[i])) {
			entries[rest++] = entries[i];
			continue;
		}
		put_entry(page, &entries[i]);
		shown++;
	}
	if (!row_count) {
		put_nothing(page, level);
	} else if (!shown && undecided < 0.5) {
		put_sentence(page, RCD_NONE, report_clean_text(page->findings, rows, row_count,
							  level));
	}
	if (row_count && undecided >= REPORT_SMALL)
		put_sentence(page, RCD_UNDECIDED, report_undecided_text(page->findings, rows,
									row_count, level));
	if (rest)
		put_more(page, level, entries, rest, shown);
	free(entries);
	free(rows);
}

void page_verdict(struct page *page)
{
	page_part(page->out, "verdict", "Verdict");
	for (size_t i = 0; i < page->level_count; i++)
		put_level(page, page->levels[i]);
	if (page->level_count)
		return;
	fputs("<div class=\"finding\"><p class=\"lead\">", page->out);
	html_put(page->out, "The recording samples no cache level: there is nothing to judge.");
	fputs("</p></div>\n", page->out);
}
