// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "output/prose.h"
#include "output/region.h"
#include "report/text-spread.h"
#include "report/words.h"
#include "output/table.h"
#include "output/text.h"

#define SHARE_LEAST	0.01	/* in the recording that has most, of code that is shown */
#define ODD		2.0	/* times the median, or a part of it, that stands out */
#define ODD_CF		0.25	/* from the median */
#define ODD_MOST	5	/* contexts described in words */

void report_spread_head(FILE *out, const struct findings *findings, bool colour)
{
	char *text;

	if (findings->recordings < 2)
		return;
	text = text_count(findings->recordings);
	prose_append(&text, " added up");
	for (uint32_t level = 1; level <= FINDINGS_LEVELS; level++) {
		const struct spread_findings *spread = &findings->spread[level - 1];

		if (!spread->files)
			continue;
		prose_append(&text, "; L%" PRIu32 " samples of each: ", level);
		prose_append_free(&text, text_count(spread->least));
		prose_append(&text, " (%s) to ", spread->least_name);
		prose_append_free(&text, text_count(spread->most));
		prose_append(&text, " (%s), median ", spread->most_name);
		prose_append_free(&text, text_count(spread->median));
		if (spread->files < findings->recordings)
			prose_append(&text, "; %" PRIu64 " have none",
				     findings->recordings - spread->files);
	}
	prose_line(out, "recordings", TINT_DIM, colour, "%s", text);
	free(text);
}

/* One recording stands out. */
static bool is_odd(const struct spread_findings *spread)
{
	return spread->most > ODD * spread->median || spread->least * ODD < spread->median;
}

static void put_row(struct table *table, const struct row *row)
{
	const struct spread_findings *spread = &row->level->spread;
	enum tint tint = is_odd(spread) ? TINT_CAUTION : TINT_NONE;

	table_cell(table, xasprintf("%" PRIu32, row->context->region.id), TINT_DIM);
	table_cell(table, text_percent(row->level->share), TINT_BOLD);
	table_cell(table, xasprintf("%" PRIu64, spread->in), TINT_NONE);
	table_cell(table, text_percent(spread->least), tint);
	table_cell(table, xstrdup(spread->least_name), TINT_DIM);
	table_cell(table, text_percent(spread->median), TINT_NONE);
	table_cell(table, text_percent(spread->most), tint);
	table_cell(table, xstrdup(spread->most_name), TINT_DIM);
	table_cell(table, region_function(&row->context->region, 400), TINT_NONE);
	table_cell(table, region_place(&row->context->region, false), TINT_NONE);
}

static bool is_odd_cf(const struct spread_findings *cf)
{
	return cf->files && (cf->most - cf->median > ODD_CF || cf->median - cf->least > ODD_CF);
}

void report_odd(FILE *out, const struct row *rows, size_t count,
		const struct view_options *options)
{
	size_t shown = 0;

	for (size_t i = 0; i < count && shown < ODD_MOST; i++) {
		const struct spread_findings *cf = &rows[i].level->cf_spread;
		char *function;

		if (!is_odd_cf(cf) || rows[i].level->spread.most < SHARE_LEAST)
			continue;
		function = region_function(&rows[i].context->region, 40);
		prose_line(out, "odd", TINT_CAUTION, options->colour,
			   "%" PRIu32 " in %s: cf is %.2f in %s and %.2f in %s, in the median %.2f",
			   rows[i].context->region.id, function, cf->least, cf->least_name,
			   cf->most, cf->most_name, cf->median);
		free(function);
		shown++;
	}
}

void report_spread(FILE *out, const struct findings *findings, const struct row *rows, size_t count,
		   const struct view_options *options)
{
	static const struct column columns[] = {
		{ "id", .right = true }, { "share", .right = true }, { "in", .right = true },
		{ "least", .right = true }, { "of", .flexible = true, .fit = TEXT_FIT_START },
		{ "median", .right = true }, { "most", .right = true },
		{ "of", .flexible = true, .fit = TEXT_FIT_START },
		{ "function", .flexible = true, .fit = TEXT_FIT_FUNCTION },
		{ "where", .flexible = true, .fit = TEXT_FIT_START },
	};
	struct table *table;
	size_t shown = 0;

	if (findings->recordings < 2 || !count)
		return;
	table = table_new(columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < count && (!options->top || shown < options->top); i++) {
		if (options->fold && rows[i].level->spread.most < SHARE_LEAST)
			continue;
		put_row(table, &rows[i]);
		shown++;
	}
	prose_heading(out, options->colour, "Shares of the L%" PRIu32 " misses by recording",
		      rows[0].level->level);
	table_print(table, out, 1, options->colour);
	if (rows[0].level->spread.drawn)
		prose_line(out, "median", TINT_DIM, options->colour,
			   "of %d recordings drawn at random", SPREAD_KEPT);
	table_free(table);
	report_odd(out, rows, count, options);
}
