// SPDX-License-Identifier: GPL-2.0-only
/* A piece of code in full: level by level, what misses where, and why. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "output/text.h"
#include "page/internal.h"
#include "report/advice.h"
#include "report/rows.h"
#include "report/why.h"

/* The figures that the verdict rests on. */
static void put_figures(struct page *page, const struct level_findings *level)
{
	const struct rcd_summary *summary = &level->summary;
	const char *reason = rcd_reason_text(summary->reason);
	uint32_t ways = level_ways(page->findings, level->level);
	char *share = text_percent(level->share), *samples = text_count(level->samples);
	FILE *out = page->out;

	fputs("<dl class=\"facts\">\n<div><dt>verdict</dt><dd>", out);
	page_badge(out, summary, level->share);
	fputs(" ", out);
	html_text(out, reason ? reason : "");
	fputs("</dd></div>\n", out);
	page_fact(out, "misses", xasprintf("%s of the level's; %s samples", share, samples));
	page_fact(out, "conflicts", rcd_share_known(summary) ?
		  xasprintf("%.0f%% of them (%.0f to %.0f%%), %s", 100 * summary->conflict_share,
			    100 * summary->conflict_low, 100 * summary->conflict_high,
			    summary->counted ? "all counted" :
			    summary->exact ? "counted" : "estimated") :
		  xstrdup(summary->has_conflict_share ?
			  "unknown: too few bursts, or too short ones" :
			  "unknown: no bursts of consecutive misses"));
	page_fact(out, "sets", summary->sets_used ?
		  xasprintf("%" PRIu32 " of %" PRIu32, summary->sets_used,
			    level_sets(page->findings, level->level)) : NULL);
	page_fact(out, "lines per set", rcd_share_known(summary) && summary->set_lines > 0 ?
		  xasprintf("about %.0f take turns in a set of %" PRIu32 " ways",
			    summary->set_lines,
			    ways) : NULL);
	page_fact(out, "cf", isfinite(summary->cf) ?
		  xasprintf("%.2f; by chance %.2f", summary->cf, summary->expected_cf) : NULL);
	page_fact(out, "writes", xasprintf("%.0f%% of the misses by instructions that write",
					   100 * level->writes));
	fputs("</dl>\n", out);
	free(share);
	free(samples);
}

/* All levels at once: they mostly say the same. */
static void put_advice(struct page *page, const struct context *context)
{
	struct entry entries[ENTRY_LEVELS];
	char *texts[ADVICE_MOST], *why;
	size_t count = 0, tries;

	for (size_t i = 0; i < page->level_count; i++) {
		const struct level_findings *level = context_level(context, page->levels[i]);

		if (level && (level->summary.verdict == RCD_CONFLICT ||
			      level->summary.verdict == RCD_CONCENTRATED))
			entries[count++] = entry_of(context, level);
	}
	tries = count ? report_tries(page->findings, page->view->cures, entries, count, texts) : 0;
	if (!tries)
		return;
	why = report_why(page->findings, entries, count);
	if (why) {
		fputs("<p><strong>Why:</strong> ", page->out);
		html_text(page->out, why);
		fputs("</p>\n", page->out);
	}
	free(why);
	fputs("<p><strong>Try:</strong></p>", page->out);
	page_list(page->out, texts, tries);
}

static void put_level(struct page *page, const struct context *context,
		      const struct level_findings *level)
{
	struct entry entry = entry_of(context, level);
	char *name = page_level_name(level->level);

	fprintf(page->out, "<h4>In %s</h4>\n", name);
	free(name);
	put_figures(page, level);
	page_layout(page, &entry);
	page_source(page, context, level->level);
	page_assembly(page, context, level->level);
	fputs("<div class=\"pair\">\n", page->out);
	page_sets(page, level);
	page_cdf(page, level, NULL);
	fputs("</div>\n", page->out);
	page_folds(page, context, level);
	page_evictors(page, level);
}

void page_loop_begin(FILE *out, const struct code_region *region)
{
	fprintf(out, "<section class=\"loop\" id=\"loop-%" PRIu32 "\" aria-labelledby=\"h-%" PRIu32
		"\">\n<h3 id=\"h-%" PRIu32 "\" tabindex=\"-1\"><bdi>", region->id, region->id,
		region->id);
	html_put_free(out, page_site(region));
	fprintf(out, "</bdi> <span class=\"muted\">(%s %" PRIu32 ")</span></h3>\n",
		region_kind_name(region->kind), region->id);
}

void page_loop(struct page *page, const struct context *context)
{
	page_loop_begin(page->out, &context->region);
	put_advice(page, context);
	for (size_t i = 0; i < page->level_count; i++) {
		const struct level_findings *level = context_level(context, page->levels[i]);

		if (level)
			put_level(page, context, level);
	}
	fputs("</section>\n", page->out);
}
