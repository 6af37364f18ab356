// SPDX-License-Identifier: GPL-2.0-only
/* Two recordings, before and after a change, as a page. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "diff/words.h"
#include "output/html.h"
#include "output/text.h"
#include "page/diff.h"
#include "page/internal.h"
#include "report/text-data.h"

#define ROWS_MOST	500
#define CHARTS_MOST	12	/* pieces of code of a level drawn */

static bool is_large(const struct level_findings *level)
{
	return level && level->share >= REPORT_SMALL;
}

static bool matters(const struct change *change)
{
	return is_large(change->level_before) || is_large(change->level_after);
}

static size_t count_conflicts(const struct comparison *comparison, bool after)
{
	size_t count = 0;

	for (size_t i = 0; i < comparison->count; i++)
		count += diff_in_conflict(after ? comparison->changes[i].level_after :
						  comparison->changes[i].level_before);
	return count;
}

/* Worse is what is in conflict now; better, what no longer is. */
static enum rcd_verdict tint_of(size_t before, size_t after)
{
	if (after)
		return RCD_CONFLICT;
	return before ? RCD_NONE : RCD_UNDECIDED;
}

static const char *unit_of(const struct comparison *comparison)
{
	if (comparison->per_thousand)
		return "misses of 1,000 references";
	return comparison->sees_stores ? "misses" : "load misses";
}

static void put_sentence(struct page *page, const struct diff_view *view,
			 const struct comparison *comparison)
{
	size_t before = count_conflicts(comparison, false);
	size_t after = count_conflicts(comparison, true);
	char *name = page_level_name(comparison->level);
	char *was = diff_total_text(comparison, comparison->misses_before);
	char *is = diff_total_text(comparison, comparison->misses_after);
	char *interval = diff_interval_text(comparison, view);
	char *conflicts = diff_conflicts_text(comparison, view);
	char *ratio = diff_ratio_text(comparison->misses_before, comparison->misses_after);

	fprintf(page->out, "<div class=\"finding %s\"><p class=\"lead\">",
		rcd_verdict_name(tint_of(before, after)));
	html_put(page->out, "%s %s: %s before, %s after (%s%s).", name,
		 unit_of(comparison), was, is, ratio,
		 comparison->exact ? "" : "; estimated");
	if (interval)
		html_put(page->out, " 95%% interval: %s.", interval);
	if (conflicts)
		html_put(page->out, " Conflicts: %s.", conflicts);
	html_put(page->out, " Pieces of code in conflict: %zu before, %zu after (those with "
		 "conflicts of 1%% of the misses or more).", before, after);
	fputs("</p></div>\n", page->out);
	free(conflicts);
	free(interval);
	free(ratio);
	free(is);
	free(was);
	free(name);
}

static char *recording_of(const struct findings *findings)
{
	char *command = page_command(findings);
	char *text = xasprintf("%s: %s%s", shown_input(findings->path), command,
			       findings->whole ? "" : " (cut short or damaged)");

	free(command);
	return text;
}

static void put_head(struct page *page, const struct diff_view *view)
{
	bool only;
	char *lab = diff_lab_text(view), *time = diff_time_text(view, &only);
	char *unlike = diff_unlike_text(view), *caches = diff_caches_text(view);

	page_part(page->out, "verdict", "Verdict");
	for (size_t i = 0; i < view->level_count; i++)
		put_sentence(page, view, view->levels[i]);
	fputs("<dl class=\"facts\">\n", page->out);
	page_fact(page->out, "before", recording_of(view->before));
	page_fact(page->out, "after", recording_of(view->after));
	page_fact(page->out, "time", time);
	fputs("</dl>\n", page->out);
	if (only)
		fputs("<p class=\"warn\">" DIFF_ONLY_TIME "</p>\n", page->out);
	if (caches)
		page_warn(page->out, caches);
	if (unlike)
		page_warn(page->out, unlike);
	if (lab)
		page_warn(page->out, xasprintf("The machine was set differently: %s", lab));
	free(lab);
}

static double change_of(const struct change *change)
{
	return change->misses_before > 0 ? change->misses_after / change->misses_before : INFINITY;
}

static void put_verdict(FILE *out, const struct level_findings *level)
{
	if (level)
		page_badge(out, &level->summary, level->share);
	else
		fputs("-", out);
}

static void put_row(struct page *page, const struct comparison *comparison,
		    const struct change *change, size_t number)
{
	const struct context *code = change->before ? change->before : change->after;
	FILE *out = page->out;

	fputs("<tr><th class=\"name\" scope=\"row\">", out);
	if (number)
		fprintf(out, "<a href=\"#code-%" PRIu32 "-%zu\">", comparison->level, number);
	fputs("<bdi>", out);
	html_put_free(out, page_function(&code->region));
	fprintf(out, "</bdi>%s</th>", number ? "</a>" : "");
	page_name(out, page_fit(diff_place(change), TEXT_FIT_START));
	page_number(out, change->misses_before,
		    diff_misses_text(comparison, change->level_before, change->misses_before), "");
	page_number(out, change->misses_after,
		    diff_misses_text(comparison, change->level_after, change->misses_after), "");
	page_number(out, change_of(change),
		    diff_ratio_text(change->misses_before, change->misses_after), "");
	if (diff_shows_cf(comparison)) {
		fputs("<td class=\"num\">", out);
		html_put_free(out, diff_cf_text(change));
		fputs("</td>", out);
	}
	fputs("<td class=\"num\">", out);
	html_put_free(out, diff_conflict_text(change));
	fputs("</td><td>", out);
	put_verdict(out, change->level_before);
	fputs("</td><td>", out);
	put_verdict(out, change->level_after);
	fputs("</td></tr>\n", out);
}

static bool is_drawn(const struct change *change, size_t drawn)
{
	return drawn < CHARTS_MOST && matters(change);
}

static void put_table(struct page *page, const struct diff_view *view,
		      const struct comparison *comparison)
{
	const struct page_column columns[] = {
		{ "function", false }, { "where", false }, { "before", true }, { "after", true },
		{ "change", true }, { "cf", true }, { "conflicts", true },
		{ "verdict before", false },
		{ "verdict after", false }, { NULL, false }
	}, counted[] = {
		columns[0], columns[1], columns[2], columns[3], columns[4], columns[6], columns[7],
		columns[8], columns[9]
	};
	size_t most = view->top ? view->top : ROWS_MOST, shown = 0, drawn = 0;
	char *name = page_level_name(comparison->level);
	char *caption = xasprintf("%s: %s of each piece of code, before and after. " DIFF_FEW
				  ": " DIFF_FEW_LEGEND ".", name, unit_of(comparison));

	page_table(page, caption, caption, "full sortable tall",
		   diff_shows_cf(comparison) ? columns : counted);
	for (size_t i = 0; i < comparison->count && shown < most; i++, shown++) {
		bool draws = is_drawn(&comparison->changes[i], drawn);

		drawn += draws;
		put_row(page, comparison, &comparison->changes[i], draws ? drawn : 0);
	}
	page_table_end(page);
	page_more(page->out, comparison->count - shown);
	free(caption);
	free(name);
}

static void put_sets(struct page *page, const struct findings *findings,
		     const struct level_findings *level, const char *when)
{
	if (!level || !level->by_set)
		return;
	page->findings = findings;
	fprintf(page->out, "<div><p class=\"caption\"><strong>%s</strong></p>\n", when);
	page_sets(page, level);
	fputs("</div>\n", page->out);
}

static void put_charts(struct page *page, const struct diff_view *view, const struct change *change,
		       uint32_t level, size_t number)
{
	const struct context *code = change->after ? change->after : change->before;
	char *name = page_level_name(level);

	fprintf(page->out, "<section id=\"code-%" PRIu32 "-%zu\">\n<h3 tabindex=\"-1\"><bdi>",
		level,
		number);
	html_put_free(page->out, page_fit(diff_place(change), TEXT_FIT_START));
	fputs("</bdi> in <bdi>", page->out);
	html_put_free(page->out, page_function(&code->region));
	fprintf(page->out, "</bdi>, %s</h3>\n<div class=\"pair\">\n", name);
	put_sets(page, view->before, change->level_before, "Before");
	put_sets(page, view->after, change->level_after, "After");
	page->findings = change->level_after ? view->after : view->before;
	if (change->level_after)
		page_cdf(page, change->level_after, change->level_before);
	else
		page_cdf(page, change->level_before, NULL);
	fputs("</div>\n</section>\n", page->out);
	free(name);
}

static void put_level(struct page *page, const struct diff_view *view,
		      const struct comparison *comparison)
{
	size_t drawn = 0;

	put_table(page, view, comparison);
	for (size_t i = 0; i < comparison->count; i++)
		if (is_drawn(&comparison->changes[i], drawn))
			put_charts(page, view, &comparison->changes[i], comparison->level, ++drawn);
}

static void put_begin(FILE *out, const struct diff_view *view)
{
	static const char *const parts[] = { "verdict", "Verdict", "code", "Code", NULL };
	char *before = text_fit(view->before->path, 60, TEXT_FIT_START);
	char *after = text_fit(view->after->path, 60, TEXT_FIT_START);
	char *title = xasprintf("Cache conflicts: %s and %s", before, after);

	page_begin(out, title, "Cache conflicts, before and after", NULL);
	page_contents(out, parts);
	free(title);
	free(after);
	free(before);
}

void page_diff(FILE *out, const struct diff_view *view)
{
	struct page page = { .out = out, .findings = view->after };

	put_begin(out, view);
	put_head(&page, view);
	page_part(out, "code", "Code that misses");
	for (size_t i = 0; i < view->level_count; i++)
		put_level(&page, view, view->levels[i]);
	page_end(out);
}
