// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "diff/words.h"
#include "output/prose.h"
#include "output/table.h"
#include "output/text.h"
#include "report/entry.h"
#include "report/text-header.h"
#include "report/words.h"

#define SMALL 0.01	/* of a level's misses: a change of less is counted, no more */

static enum tint tint_of(const struct change *change)
{
	if (diff_in_conflict(change->level_after))
		return TINT_BAD;
	return diff_in_conflict(change->level_before) ? TINT_GOOD : TINT_NONE;
}

static void put_row(struct table *table, const struct comparison *comparison,
		    const struct change *change, bool cf)
{
	const struct context *code = change->before ? change->before : change->after;

	table_cell(table, diff_misses_text(comparison, change->level_before, change->misses_before),
		   TINT_NONE);
	table_cell(table, diff_misses_text(comparison, change->level_after, change->misses_after),
		   TINT_NONE);
	table_cell(table, diff_ratio_text(change->misses_before, change->misses_after), TINT_BOLD);
	if (cf)
		table_cell(table, diff_cf_text(change), TINT_NONE);
	table_cell(table, diff_conflict_text(change), TINT_NONE);
	table_cell(table, diff_verdict_text(change), tint_of(change));
	table_cell(table, xstrdup(prose_or_unknown(code->region.function)), TINT_NONE);
	table_cell(table, diff_place(change), TINT_NONE);
}

/* Of one side's misses; where both sides' are known, of those of the side that has more. */
static double part_of(const struct comparison *comparison, const struct change *change)
{
	double before = change->level_before ? change->level_before->share : 0;
	double after = change->level_after ? change->level_after->share : 0;

	if (comparison_unknown(comparison))
		return fmax(before, after);
	return fmax(change->misses_before, change->misses_after) /
	       fmax(comparison->misses_before, comparison->misses_after);
}

static bool matters(const struct comparison *comparison, const struct change *change)
{
	return part_of(comparison, change) >= SMALL ||
	       diff_in_conflict(change->level_before) || diff_in_conflict(change->level_after);
}

/* @text: allocated, or NULL */
static void put_fact(FILE *out, const struct diff_view *view, const char *key, char *text)
{
	if (text)
		prose_line(out, key, TINT_DIM, view->colour, "%s", text);
	free(text);
}

/* The loops of these are undecided in the rows, each by itself. */
static void put_nests(FILE *out, const char *side, const struct findings *findings, uint32_t level,
		      bool colour)
{
	for (size_t i = 0; i < findings->context_count; i++) {
		const struct context *context = &findings->contexts[i];
		const struct nest_findings *nest = context_nest(context, level);
		struct entry entry;
		char *text;

		if (!nest || !nest->combined || report_is_small(&nest->summary, nest->share))
			continue;
		entry = entry_of_nest(context, nest);
		text = entries_sentence(&entry, 1);
		prose_line(out, rcd_verdict_name(nest->summary.verdict),
			   report_tint(&nest->summary, nest->share), colour, "%s: %s", side, text);
		free(text);
	}
}

static void put_level(FILE *out, const struct diff_view *view, const struct comparison *comparison)
{
	static const struct column columns[] = {
		{ "before", .right = true }, { "after", .right = true },
		{ "change", .right = true }, { .header = "cf" }, { .header = "conflicts" },
		{ .header = "verdict" },
		{ "function", .flexible = true, .fit = TEXT_FIT_FUNCTION },
		{ "where", .flexible = true, .fit = TEXT_FIT_START, .keep = PLACE_COLUMNS },
	};
	const struct column counted[] = {
		columns[0], columns[1], columns[2], columns[4], columns[5], columns[6], columns[7],
	};
	bool cf = diff_shows_cf(comparison), few = false;
	struct table *table = cf ? table_new(columns, ARRAY_SIZE(columns)) :
				   table_new(counted, ARRAY_SIZE(counted));
	char *before = diff_total_text(comparison, comparison->misses_before);
	char *after = diff_total_text(comparison, comparison->misses_after);
	char *ratio = diff_ratio_text(comparison->misses_before, comparison->misses_after);
	size_t shown = 0, i;

	fprintf(out, "\n%sL%" PRIu32 " %s: %s before, %s after",
		tint_code(TINT_BOLD, view->colour), comparison->level,
		comparison->per_thousand ? "misses of 1,000 references" :
		comparison->sees_stores ? "misses" : "load misses", before, after);
	if (!isnan(comparison->misses_before) && !isnan(comparison->misses_after))
		fprintf(out, " (%s%s)", ratio, comparison->exact ? "" : "; estimated");
	fprintf(out, "%s\n", tint_code(TINT_NONE, view->colour));
	put_fact(out, view, "95% interval", diff_interval_text(comparison, view));
	put_fact(out, view, "conflicts", diff_conflicts_text(comparison, view));
	for (i = 0; i < comparison->count && (!view->top || shown < view->top); i++) {
		if (view->fold && !matters(comparison, &comparison->changes[i]))
			continue;
		put_row(table, comparison, &comparison->changes[i], cf);
		few |= change_is_few(&comparison->changes[i], false) ||
		       change_is_few(&comparison->changes[i], true);
		shown++;
	}
	if (shown)
		table_print(table, out, 1, view->colour);
	if (shown < comparison->count)
		fprintf(out, "  and %zu more\n", comparison->count - shown);
	if (few)
		prose_line(out, DIFF_FEW, TINT_DIM, view->colour, "%s", DIFF_FEW_LEGEND);
	put_nests(out, "before", view->before, comparison->level, view->colour);
	put_nests(out, "after", view->after, comparison->level, view->colour);
	table_free(table);
	free(before);
	free(after);
	free(ratio);
}

static void put_side(FILE *out, const char *key, const struct findings *findings, bool colour)
{
	char *command = report_command_text(findings, 2);

	prose_line(out, key, TINT_BOLD, colour, "%s: %s%s%s%s", findings->path, command,
		   findings->pages ? ", pages " : "", findings->pages ? findings->pages : "",
		   findings->whole ? "" : " (cut short or damaged)");
	free(command);
}

static void put_times(FILE *out, const struct diff_view *view)
{
	bool only;
	char *text = diff_time_text(view, &only);

	if (text)
		prose_line(out, "time", TINT_BOLD, view->colour, "%s", text);
	if (only)
		prose_line(out, "", TINT_CAUTION, view->colour, "%s", DIFF_ONLY_TIME);
	free(text);
}

static void put_lab(FILE *out, const struct diff_view *view)
{
	char *text = diff_lab_text(view);

	if (text)
		prose_line(out, "lab", TINT_CAUTION, view->colour,
			   "the machine was set differently: %s (ccsample lab)", text);
	free(text);
}

static void put_note(FILE *out, char *text, bool colour)
{
	if (text)
		prose_line(out, "note", TINT_CAUTION, colour, "%s", text);
	free(text);
}

void diff_text(FILE *out, const struct diff_view *view)
{
	put_side(out, "before", view->before, view->colour);
	put_side(out, "after", view->after, view->colour);
	put_lab(out, view);
	put_note(out, diff_caches_text(view), view->colour);
	put_note(out, diff_unlike_text(view), view->colour);
	put_times(out, view);
	for (size_t i = 0; i < view->level_count; i++)
		put_level(out, view, view->levels[i]);
}
