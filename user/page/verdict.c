// SPDX-License-Identifier: GPL-2.0-only
/* What is in conflict, in sentences: the same that the text report says first. */
#include "output/html.h"
#include "page/internal.h"
#include "report/advice.h"
#include "report/digest.h"
#include "report/why.h"

#define LOOPS_MOST	4	/* in words */

static void put_try(struct page *page, const struct joined *loop)
{
	char *texts[ADVICE_MOST];
	size_t count = report_tries(page->findings, page->view->cures, loop->at, loop->count,
				    texts);

	if (!count)
		return;
	fputs("<dt>try</dt><dd>", page->out);
	page_list(page->out, texts, count);
	fputs("</dd>\n", page->out);
}

static void put_loop(struct page *page, const struct joined *loop)
{
	const struct entry *worst = entries_worst(loop->at, loop->count);
	FILE *out = page->out;

	fprintf(out, "<div class=\"finding %s\">\n<p class=\"lead\">",
		rcd_verdict_name(worst->summary->verdict));
	page_badge(out, worst->summary, worst->share);
	fputs(" ", out);
	html_put_free(out, entries_sentence(loop->at, loop->count));
	fputs("</p>\n<dl>\n", out);
	page_pair(out, "data", entries_data(loop->at, loop->count));
	page_pair(out, "why", report_why(page->findings, loop->at, loop->count));
	put_try(page, loop);
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

void page_verdict(struct page *page)
{
	struct sentence sentences[OTHERS_MOST];
	struct digest digest;
	size_t shown, left;

	page_part(page->out, "verdict", "Verdict");
	digest_init(&digest, page->findings, page->levels, page->level_count, true);
	shown = digest.count < LOOPS_MOST ? digest.count : LOOPS_MOST;
	for (size_t i = 0; i < shown; i++)
		put_loop(page, &digest.loops[i]);
	left = digest_others(&digest, shown, false, sentences);
	for (size_t i = 0; i < left; i++)
		put_sentence(page->out, &sentences[i]);
	digest_drop(&digest);
	if (page->level_count)
		return;
	fputs("<div class=\"finding\"><p class=\"lead\">", page->out);
	html_put(page->out, "The recording samples no cache level: there is nothing to judge.");
	fputs("</p></div>\n", page->out);
}
