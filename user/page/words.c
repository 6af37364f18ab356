// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/html.h"
#include "output/prose.h"
#include "output/region.h"
#include "output/text.h"
#include "page/internal.h"
#include "report/text-data.h"
#include "report/words.h"

#define BAR 40		/* pixels of a whole share */

void page_badge(FILE *out, const struct rcd_summary *summary, double share)
{
	const char *name = rcd_verdict_name(summary->verdict);

	fprintf(out, "<span class=\"badge %s\">%s</span>",
		report_is_small(summary, share) ? "small" : name, name);
}

void page_fact(FILE *out, const char *name, char *text)
{
	if (!text)
		return;
	fprintf(out, "<div><dt>%s</dt><dd>", name);
	html_put_free(out, text);
	fputs("</dd></div>\n", out);
}

void page_pair(FILE *out, const char *name, char *text)
{
	if (!text)
		return;
	fputs("<dt>", out);
	html_text(out, name);
	fputs("</dt><dd>", out);
	html_put_free(out, text);
	fputs("</dd>\n", out);
}

void page_lead(FILE *out, const char *class, char *text)
{
	fprintf(out, "<div class=\"finding %s\"><p class=\"lead\">", class);
	html_put_free(out, text);
	fputs("</p></div>\n", out);
}

/* A text, which is freed, between tags. */
static void put_within(FILE *out, const char *begin, char *text, const char *end)
{
	fputs(begin, out);
	html_put_free(out, text);
	fputs(end, out);
}

void page_warn(FILE *out, char *text)
{
	put_within(out, "<p class=\"warn\">", text, "</p>\n");
}

void page_item(FILE *out, char *text)
{
	put_within(out, "<li>", text, "</li>\n");
}

void page_row_name(FILE *out, char *text)
{
	put_within(out, "<tr><th class=\"name\" scope=\"row\"><bdi>", text, "</bdi></th>");
}

void page_name(FILE *out, char *text)
{
	fputs("<td class=\"name\"><bdi>", out);
	if (text)
		html_put_free(out, text);
	fputs("</bdi></td>", out);
}

void page_more(FILE *out, size_t count)
{
	if (count)
		fprintf(out, "<p class=\"note\">And %zu more.</p>\n", count);
}

void page_number(FILE *out, double value, char *text, const char *class)
{
	fprintf(out, "<td class=\"num %s\" data-n=\"%.6g\">", class, isfinite(value) ? value : -1);
	html_put_free(out, text);
	fputs("</td>", out);
}

void page_share(FILE *out, double share)
{
	fprintf(out, "<td class=\"num\" data-n=\"%.6g\">", share);
	html_put_free(out, text_percent(share));
	fprintf(out, "<svg class=\"share\" width=\"%d\" height=\"10\" aria-hidden=\"true\">"
		"<path class=\"ground\" d=\"M0 0h%dv10h-%dz\"/><path class=\"bar\" "
		"d=\"M0 0h%.1fv10H0z\"/></svg></td>", BAR, BAR, BAR, BAR * fmin(fmax(share, 0), 1));
}

void page_part_share(FILE *out, double part, double whole, double most)
{
	fputs("<td class=\"num", out);
	if (most > 0)
		fprintf(out, " h%u", page_heat(part, most));
	fputs("\">", out);
	if (part > 0 && whole > 0)
		html_put_free(out, text_percent(part / whole));
	fputs("</td>", out);
}

void page_list(FILE *out, char **texts, size_t count)
{
	fputs("<ul>\n", out);
	for (size_t i = 0; i < count; i++)
		page_item(out, texts[i]);
	fputs("</ul>\n", out);
}

void page_conflicts(FILE *out, const struct rcd_summary *summary)
{
	page_number(out, rcd_share_known(summary) ? summary->conflict_share : -1,
		    rcd_share_known(summary) ?
		    xasprintf("%.0f%% (%.0f to %.0f)", 100 * summary->conflict_share,
			      100 * summary->conflict_low, 100 * summary->conflict_high) :
		    xstrdup("-"), "");
}

char *page_fit(char *text, enum text_fit how)
{
	char *fitted = text_fit(text, PAGE_NAME, how);

	free(text);
	return fitted;
}

char *page_function(const struct code_region *region)
{
	return region_function(region, PAGE_NAME);
}

char *page_place(const struct code_region *region)
{
	return page_fit(region_place(region, false), TEXT_FIT_START);
}

char *page_site(const struct code_region *region)
{
	return region_site(page_place(region), page_function(region));
}

char *page_object(const struct object *object)
{
	return report_object_name(object, PAGE_NAME);
}

char *page_object_among(const struct object *object, const struct object *const *others,
			size_t count)
{
	bool same = false;

	for (size_t i = 0; i < count; i++)
		same |= others[i] != object && same_text(others[i]->name, object->name);
	return same ? page_fit(report_object_placed(object, PAGE_NAME), TEXT_FIT_MIDDLE) :
		      page_object(object);
}

unsigned int page_heat(double value, double most)
{
	double part = most > 0 ? value / most : 0;

	if (!(part > 0))
		return 0;
	return part >= 1 ? 8 : 1 + (unsigned int)(part * 8);
}

char *page_level_name(uint32_t level)
{
	return level == 1 ? xstrdup("L1D") : xasprintf("L%" PRIu32, level);
}
