// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/diff.h"
#include "output/prose.h"
#include "report/rows.h"
#include "output/table.h"
#include "output/text.h"

#define SMALL 0.01	/* share of a level's misses below which a change is left out */

/* "-98.2%", "x 3.4", or nothing where there was nothing. */
static char *ratio_text(double before, double after)
{
	if (before <= 0)
		return xstrdup("-");
	if (after < 2 * before)
		return xasprintf("%+.1f%%", 100 * (after / before - 1));
	return xasprintf("x %.3g", after / before);
}

/* A number of misses, or of those of 1,000 references. */
static char *number_text(const struct comparison *comparison, double misses)
{
	return comparison->per_thousand ? xasprintf("%.3g", misses) :
					  text_count_short(llround(misses));
}

static char *misses_text(const struct comparison *comparison, const struct level_findings *level,
			 double misses)
{
	return level ? number_text(comparison, misses) : xstrdup("-");
}

static char *cf_text(const struct level_findings *level)
{
	return level && isfinite(level->summary.cf) ? xasprintf("%.2f", level->summary.cf) :
						      xstrdup("-");
}

static char *conflict_text(const struct level_findings *level)
{
	return level && level->summary.has_conflict_share ?
	       xasprintf("%.0f%%", 100 * level->summary.conflict_share) : xstrdup("-");
}

static char *arrow(char *before, char *after)
{
	char *text = xasprintf("%s > %s", before, after);

	free(before);
	free(after);
	return text;
}

static const char *verdict_of(const struct level_findings *level)
{
	return level ? rcd_verdict_name(level->summary.verdict) : "-";
}

static bool in_conflict(const struct level_findings *level)
{
	return level && level->summary.verdict == RCD_CONFLICT;
}

static enum tint tint_of(const struct change *change)
{
	if (in_conflict(change->level_after))
		return TINT_BAD;
	return in_conflict(change->level_before) ? TINT_GOOD : TINT_NONE;
}

static char *place_of(const struct change *change)
{
	char *before, *after;

	if (!change->moved)
		return region_place(&(change->before ? change->before : change->after)->region,
				    false);
	before = region_place(&change->before->region, false);
	after = region_place(&change->after->region, false);
	return arrow(before, after);
}

static void put_row(struct table *table, const struct comparison *comparison,
		    const struct change *change)
{
	const struct context *code = change->before ? change->before : change->after;

	table_cell(table, misses_text(comparison, change->level_before, change->misses_before),
		   TINT_NONE);
	table_cell(table, misses_text(comparison, change->level_after, change->misses_after),
		   TINT_NONE);
	table_cell(table, ratio_text(change->misses_before, change->misses_after), TINT_BOLD);
	table_cell(table, arrow(cf_text(change->level_before), cf_text(change->level_after)),
		   TINT_NONE);
	table_cell(table, arrow(conflict_text(change->level_before),
				conflict_text(change->level_after)), TINT_NONE);
	table_cell(table, xasprintf("%s > %s", verdict_of(change->level_before),
				    verdict_of(change->level_after)), tint_of(change));
	table_cell(table, xstrdup(prose_or_unknown(code->region.function)), TINT_NONE);
	table_cell(table, place_of(change), TINT_NONE);
}

static bool matters(const struct change *change)
{
	return (change->level_before && change->level_before->share >= SMALL) ||
	       (change->level_after && change->level_after->share >= SMALL) ||
	       in_conflict(change->level_before) || in_conflict(change->level_after);
}

static void put_level(FILE *out, const struct diff_view *view, const struct comparison *comparison)
{
	static const struct column columns[] = {
		{ "before", .right = true }, { "after", .right = true },
		{ "change", .right = true }, { .header = "cf" }, { .header = "conflicts" },
		{ .header = "verdict" },
		{ "function", .flexible = true, .fit = TEXT_FIT_FUNCTION },
		{ "where", .flexible = true, .fit = TEXT_FIT_START },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	char *before = number_text(comparison, comparison->misses_before);
	char *after = number_text(comparison, comparison->misses_after);
	char *ratio = ratio_text(comparison->misses_before, comparison->misses_after);
	size_t shown = 0, i;

	fprintf(out, "\n%sL%" PRIu32 " %s: %s before, %s after (%s%s)%s\n",
		tint_code(TINT_BOLD, view->colour), comparison->level,
		comparison->per_thousand ? "misses of 1,000 references" : "load misses", before,
		after, ratio,
		comparison->exact ? "" : "; estimated", tint_code(TINT_NONE, view->colour));
	for (i = 0; i < comparison->count && (!view->top || shown < view->top); i++) {
		if (view->fold && !matters(&comparison->changes[i]))
			continue;
		put_row(table, comparison, &comparison->changes[i]);
		shown++;
	}
	if (shown)
		table_print(table, out, 1, view->colour);
	if (shown < comparison->count)
		fprintf(out, "  and %zu more\n", comparison->count - shown);
	table_free(table);
	free(before);
	free(after);
	free(ratio);
}

static void put_side(FILE *out, const char *key, const struct findings *findings, bool colour)
{
	char *command = NULL;

	for (char **word = findings->command; word && *word; word++)
		prose_append(&command, " %s", *word);
	prose_line(out, key, TINT_BOLD, colour, "%s:%s%s%s%s", findings->path,
		   command ? command : " an unknown command", findings->pages ? ", pages " : "",
		   findings->pages ? findings->pages : "",
		   findings->whole ? "" : " (cut short or damaged)");
	free(command);
}

/* What was set otherwise; nothing where a recording does not say. */
static void put_lab(FILE *out, const struct diff_view *view)
{
	char *text = NULL;

	for (size_t i = 0; i < view->before->lab_count; i++) {
		const struct lab_fact *before = &view->before->lab[i];
		const char *after = findings_lab(view->after, before->name);

		if (after && strcmp(before->value, after))
			prose_append(&text, "%s%s %s > %s", text ? "; " : "", before->name,
				     before->value, after);
	}
	if (text)
		prose_line(out, "lab", TINT_CAUTION, view->colour,
			   "the machine was set differently: %s (ccsample lab)", text);
	free(text);
}

static char *seconds_text(uint64_t ns)
{
	return ns < 1000000000 ? xasprintf("%.3g ms", ns / 1e6) : xasprintf("%.3g s", ns / 1e9);
}

/* A change of time without one of misses has another cause than sets. */
static bool only_time(const struct diff_view *view, const struct time_change *time)
{
	double before = time->before.user_ns, after = time->after.user_ns;

	if ((!time->baseline && !strcmp(view->before->source, "engine")) ||
	    (after < 1.1 * before && before < 1.1 * after))
		return false;
	for (size_t i = 0; i < view->level_count; i++) {
		before = view->levels[i]->misses_before;
		after = view->levels[i]->misses_after;
		if (after > 1.05 * before || before > 1.05 * after)
			return false;
	}
	return true;
}

static void put_times(FILE *out, const struct diff_view *view)
{
	struct time_change time = compare_times(view->before, view->after);
	char *wall[2], *user[2], *ratios[2];

	if (!time.known)
		return;
	wall[0] = seconds_text(time.before.wall_ns);
	wall[1] = seconds_text(time.after.wall_ns);
	user[0] = seconds_text(time.before.user_ns);
	user[1] = seconds_text(time.after.user_ns);
	ratios[0] = ratio_text(time.before.wall_ns, time.after.wall_ns);
	ratios[1] = ratio_text(time.before.user_ns, time.after.user_ns);
	prose_line(out, "time", TINT_BOLD, view->colour, "%s > %s (%s), of that in the program %s "
		   "> %s (%s); %s", wall[0], wall[1], ratios[0], user[0], user[1], ratios[1],
		   time.baseline ? "medians of runs without ccsample" :
		   strcmp(view->before->source, "engine") ? "of the runs recorded" :
		   "of the runs recorded, which the engine makes many times slower: record --time "
		   "5 for the program's own");
	if (only_time(view, &time))
		prose_line(out, "", TINT_CAUTION, view->colour, "the time has changed and the "
			   "misses have not: sets are not the cause. Loads that wait for a store "
			   "to the same place in another page (4K aliasing) are one such cause: "
			   "ccsample sim --alias counts them");
	for (int i = 0; i < 2; i++) {
		free(wall[i]);
		free(user[i]);
		free(ratios[i]);
	}
}

void diff_text(FILE *out, const struct diff_view *view)
{
	put_side(out, "before", view->before, view->colour);
	put_side(out, "after", view->after, view->colour);
	put_lab(out, view);
	put_times(out, view);
	for (size_t i = 0; i < view->level_count; i++)
		put_level(out, view, view->levels[i]);
}
