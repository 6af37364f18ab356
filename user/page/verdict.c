// SPDX-License-Identifier: GPL-2.0-only
/* What is in conflict, in sentences: the same that the text report says first. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "page/internal.h"
#include "report/advice.h"
#include "report/text-others.h"
#include "report/why.h"

#define ENTRIES_ONE	4	/* in words, of the only level; of each of several: */
#define ENTRIES_EACH	3

static void put_try(struct page *page, const struct entry *entry)
{
	char *texts[ADVICE_MOST];
	bool advised;
	size_t count = report_tries(page->findings, page->view->cures, entry, texts, &advised);

	if (!count)
		return;
	fputs("<dt>try</dt><dd>", page->out);
	page_list(page->out, texts, count);
	fputs("</dd>\n", page->out);
}

static void put_entry(struct page *page, const struct entry *entry)
{
	FILE *out = page->out;

	fprintf(out, "<div class=\"finding %s\">\n<p class=\"lead\">",
		rcd_verdict_name(entry->summary->verdict));
	page_badge(out, entry->summary, entry->share);
	fputs(" ", out);
	html_put_free(out, entry_sentence(entry));
	fputs("</p>\n<dl>\n", out);
	page_pair(out, "data", entry_data(entry));
	page_pair(out, "why", report_why(page->findings, entry));
	put_try(page, entry);
	fputs("</dl>\n</div>\n", out);
}

/* Its colour is that of `none`, or none. */
static void put_sentence(FILE *out, const struct sentence *sentence)
{
	const char *class = sentence->tint == TINT_GOOD ? "none" : "";

	fprintf(out, "<div class=\"finding %s\"><p class=\"lead\"><span class=\"badge %s\">%s"
		"</span> ", class, class, sentence->key);
	html_put_free(out, sentence->text);
	fputs("</p></div>\n", out);
}

static void put_level(struct page *page, uint32_t level)
{
	size_t most = page->level_count == 1 ? ENTRIES_ONE : ENTRIES_EACH, count, shown, left;
	struct others others = { .level = level };
	struct row *rows = rows_new(page->findings, level, SORT_SAMPLES, &others.row_count);
	struct entry *entries = entries_of(page->findings, level, rows, others.row_count, &count);
	struct sentence sentences[OTHERS_MOST];

	shown = entries_shown(entries, count, most, true);
	for (size_t i = 0; i < shown; i++)
		put_entry(page, &entries[i]);
	others.rows = rows;
	others.entries = entries + shown;
	others.entry_count = count - shown;
	left = report_others(page->findings, &others, sentences);
	for (size_t i = 0; i < left; i++)
		put_sentence(page->out, &sentences[i]);
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
