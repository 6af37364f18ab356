// SPDX-License-Identifier: GPL-2.0-only
/* Other layouts of data: what each saves, and where rows and blocks lie before and after. */
#include <math.h>
#include <stdlib.h>

#include "advise/edit.h"
#include "advise/plan.h"
#include "advise/words.h"
#include "base/memory.h"
#include "output/html.h"
#include "output/text.h"
#include "page/advise.h"
#include "page/internal.h"

struct cures_page {
	struct page page;
	const struct cures *advice;
	const struct cure_view *view;
	size_t count;			/* cures shown */
};

static void put_verdict(struct cures_page *cures)
{
	const struct cures *advice = cures->advice;
	const struct findings *findings = cures->page.findings;
	FILE *out = cures->page.out;

	page_part(out, "verdict", "Verdict");
	if (cures_nothing(advice)) {
		page_lead(out, "", xstrdup(cures_nothing(advice)));
	} else {
		const struct cure *best = advice->together ? advice->together : &advice->cures[0];
		char *effect = effect_text(&best->all);

		page_lead(out, "none",
			  xasprintf("%s: %s", advice->together ? "All of the changes together" :
				    "One change of the layout saves misses", effect));
		free(effect);
	}
	fputs("<dl class=\"facts\">\n", out);
	page_fact(out, "recording", text_fit(findings->path, 80, TEXT_FIT_START));
	page_fact(out, "now", cures_now_text(advice));
	page_fact(out, "replayed", xasprintf("%zu of %zu bursts, with %zu layouts", advice->bursts,
					     advice->bursts_recorded, advice->tried));
	if (advice->together)
		page_fact(out, "time", time_text(&advice->together->time));
	if ((cures->view->time_unknown || !advice->pieces) && !advice->modelled)
		page_fact(out, "time", xasprintf("not known: %s", cures_untimed(cures->view)));
	page_fact(out, "dTLB", cures_tlb_text(advice, cures->page.keep));
	if (cures_hide_outer(advice))
		page_fact(out, "L2", xstrdup(CURES_NO_OUTER));
	fputs("</dl>\n", out);
}

static void put_row(struct cures_page *cures, size_t number)
{
	const struct cure *cure = &cures->advice->cures[number];
	const struct cure_effect *all = &cure->all;
	const struct time_share *time = &cure->time;
	FILE *out = cures->page.out;

	fprintf(out, "<tr><th class=\"num\" scope=\"row\"><a href=\"#cure-%zu\">%zu</a></th>",
		number + 1, number + 1);
	page_name(out, cure_edit(cure));
	page_number(out, all->before, text_number(all->before), "");
	page_number(out, all->after, text_number(all->after), "");
	for (int after = 0; after < 2; after++)
		page_number(out, after ? all->outer_after : all->outer_before,
			    effect_has_outer(all) ? effect_outer_text(all, after) : xstrdup("-"),
			    "");
	page_number(out, isfinite(time->share) ? time->share : -INFINITY,
		    isfinite(time->share) ? xasprintf("%.0f%% (%.0f to %.0f)", 100 * time->share,
						      100 * time->low, 100 * time->high) :
		    xstrdup("-"), "");
	page_number(out, cure->bytes, text_size(cure->bytes), "");
	fputs("</tr>\n", out);
}

static void put_table(struct cures_page *cures)
{
	static const struct page_column columns[] = {
		{ "cure", true }, { "edit", false }, { "L1 misses", true }, { "then", true },
		{ "L2 misses", true }, { "then", true }, { "time saved", true },
		{ "memory", true }, { NULL, false }
	};

	page_table(&cures->page, "Cures, the best first",
		   "Changes of the layout of data, the best first; misses of 1,000 references of "
		   "the whole program.", "full sortable", columns);
	for (size_t i = 0; i < cures->count; i++)
		put_row(cures, i);
	page_table_end(&cures->page);
	page_more(cures->page.out, cures->advice->count - cures->count);
}

static void put_cure(struct cures_page *cures, size_t number)
{
	const struct cure *cure = &cures->advice->cures[number];
	FILE *out = cures->page.out;
	char *size = text_size(cure->bytes);

	fprintf(out, "<section id=\"cure-%zu\">\n<h3 tabindex=\"-1\">", number + 1);
	html_put_free(out, cure_name(cures->advice, number));
	fputs("</h3>\n<div class=\"finding none\"><p class=\"lead\">", out);
	html_put_free(out, cure_edit(cure));
	fputs("</p>\n<dl>\n<dt>loops</dt><dd><ul>\n", out);
	for (size_t i = 0; i < cure->loop_count; i++)
		page_item(out, loop_effect_text(&cure->loops[i]));
	fputs("</ul></dd>\n", out);
	page_pair(out, "program", effect_text(&cure->all));
	page_pair(out, "dTLB", cure_tlb_text(cure));
	page_pair(out, "time", cure_time_text(cure));
	page_pair(out, "memory", xasprintf("%s more", size));
	free(size);
	if (cure_at_run_time(cure))
		fputs("<dt>try</dt><dd>" CURE_AT_RUN_TIME "</dd>\n", out);
	fputs("</dl></div>\n", out);
	page_cure_layout(&cures->page, cure);
	fputs("</section>\n", out);
}

static void put_none(struct cures_page *cures)
{
	const struct cures *advice = cures->advice;

	page_part(cures->page.out, "none", "Code without a cure");
	fputs("<ul>\n", cures->page.out);
	for (size_t i = 0; i < advice->none_count; i++)
		page_item(cures->page.out, no_cure_text(&advice->none[i]));
	fputs("</ul>\n", cures->page.out);
}

static void put_begin(struct cures_page *cures)
{
	const char *parts[8], **at = parts;
	FILE *out = cures->page.out;

	*at++ = "verdict"; *at++ = "Verdict";
	if (cures->count) {
		*at++ = "cures"; *at++ = "Cures";
	}
	if (cures->advice->none_count) {
		*at++ = "none"; *at++ = "Code without a cure";
	}
	*at = NULL;
	page_begin_of(out, cures->page.findings, "layouts that save misses",
		      "Layouts of data that save misses in");
	page_contents(out, parts);
}

void page_cures(FILE *out, const struct findings *findings, const struct keep *keep,
		const struct cures *advice, const struct cure_view *view)
{
	struct cures_page cures = {
		.page = { .out = out, .findings = findings, .keep = keep },
		.advice = advice, .view = view,
		.count = view->top && view->top < advice->count ? view->top : advice->count,
	};

	put_begin(&cures);
	put_verdict(&cures);
	if (cures.count) {
		page_part(out, "cures", "Cures");
		put_table(&cures);
	}
	for (size_t i = 0; i < cures.count; i++)
		put_cure(&cures, i);
	if (advice->none_count)
		put_none(&cures);
	page_end(out);
}
