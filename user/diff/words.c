// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "diff/words.h"
#include "output/prose.h"
#include "output/text.h"
#include "report/words.h"

char *diff_ratio_text(double before, double after)
{
	if (!(before > 0) || isnan(after))
		return xstrdup("-");
	if (after < 2 * before)
		return xasprintf("%+.1f%%", 100 * (after / before - 1));
	return xasprintf("x %.3g", after / before);
}

/* A number of misses, or of those of 1,000 references; "-" where a side has no samples. */
static char *diff_number_text(const struct comparison *comparison, double misses)
{
	return comparison->per_thousand ? text_number(misses) :
					  text_count_short(llround(misses));
}

char *diff_total_text(const struct comparison *comparison, double misses)
{
	return isnan(misses) ? xstrdup("unknown") : diff_number_text(comparison, misses);
}

char *diff_conflicts_text(const struct comparison *comparison, const struct diff_view *view)
{
	char *before = report_program_conflicts(view->before, comparison->level);
	char *after = report_program_conflicts(view->after, comparison->level), *text = NULL;

	if (before || after)
		text = xasprintf("%s%s before, %s%s after", prose_or_unknown(before),
				 before ? " of them" : "", prose_or_unknown(after),
				 before ? "" : " of them");
	free(before);
	free(after);
	return text;
}

static char *side_interval(const struct findings *side, uint32_t level)
{
	struct miss_ratio ratio = findings_miss_ratio(side, level);
	char *vague = report_ratio_vague(side, level), *text = NULL;

	if (isfinite(ratio.ratio)) {
		prose_append_free(&text, text_number(1000 * ratio.low));
		prose_append(&text, " to ");
		prose_append_free(&text, text_number(1000 * ratio.high));
	}
	if (vague)
		prose_append(&text, "%s%s", text ? ", " : "", vague);
	free(vague);
	return text;
}

char *diff_interval_text(const struct comparison *comparison, const struct diff_view *view)
{
	char *before, *after, *text;

	if (!comparison->per_thousand)
		return NULL;
	before = side_interval(view->before, comparison->level);
	after = side_interval(view->after, comparison->level);
	text = strcmp(before, after) ? xasprintf("before: %s; after: %s", before, after) :
				       xasprintf("on both sides: %s", before);
	if (comparison_unknown(comparison) && comparison->count)
		prose_append(&text, "; rows in %% are shares of a side's misses");
	free(before);
	free(after);
	return text;
}

char *diff_caches_text(const struct diff_view *view)
{
	char *text = NULL;

	for (size_t i = 0; i < view->level_count; i++) {
		uint32_t level = view->levels[i]->level;

		if (compare_caches(view->before, view->after, level))
			continue;
		prose_append(&text, "%sL%" PRIu32 " differs: ", text ? "; " : "", level);
		report_append_cache(&text, findings_cache(view->before, level));
		prose_append(&text, " -> ");
		report_append_cache(&text, findings_cache(view->after, level));
	}
	if (text)
		prose_append(&text, "; so changes may be the cache's: %s",
			     view->before->bursts.known && !view->before->bursts.classes &&
			     !view->after->bursts.classes ?
			     "diff --D1 or --machine takes the same one for both" :
			     "record both for the same one (--D1 or --machine)");
	return text;
}

char *diff_unlike_text(const struct diff_view *view)
{
	if (!compare_unlike(view->before, view->after, view->levels, view->level_count))
		return NULL;
	return xasprintf("%s and %s hardly miss in the same code: if they are different programs, "
			 "the changes say nothing", base_name(*view->before->command),
			 base_name(*view->after->command));
}

/* Where nobody knows how often a side misses, its bursts still say where. */
char *diff_misses_text(const struct comparison *comparison, const struct level_findings *level,
		       double misses)
{
	if (!level)
		return xstrdup("-");
	return isnan(misses) ? text_percent(level->share) : diff_number_text(comparison, misses);
}

bool diff_shows_cf(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++) {
		const struct change *change = &comparison->changes[i];

		if ((change->level_before && !change->level_before->summary.exact) ||
		    (change->level_after && !change->level_after->summary.exact))
			return true;
	}
	return false;
}

static char *one_cf_text(const struct change *change, bool after)
{
	const struct level_findings *level = after ? change->level_after : change->level_before;

	if (change_is_few(change, after))
		return xstrdup(DIFF_FEW);
	return level && isfinite(level->summary.cf) ? xasprintf("%.2f", level->summary.cf) :
						      xstrdup("-");
}

/* Both sides have their interval if that of one is wide. */
static bool is_wide(const struct change *change)
{
	const struct level_findings *sides[] = { change->level_before, change->level_after };
	bool wide = false;

	for (int i = 0; i < 2; i++) {
		struct interval interval;

		if (!sides[i] || !rcd_share_known(&sides[i]->summary) ||
		    sides[i]->summary.counted || change_is_few(change, i))
			continue;
		interval.low = sides[i]->summary.conflict_low;
		interval.high = sides[i]->summary.conflict_high;
		wide |= report_is_wide(&interval);
	}
	return wide;
}

static char *one_conflict_text(const struct change *change, bool after)
{
	const struct level_findings *level = after ? change->level_after : change->level_before;
	char *text;

	if (change_is_few(change, after))
		return xstrdup(DIFF_FEW);
	if (!level || !rcd_share_known(&level->summary))
		return xstrdup("-");
	text = xasprintf("%.0f%%", 100 * level->summary.conflict_share);
	if (is_wide(change) && !level->summary.counted)
		prose_append(&text, " %.0f-%.0f", 100 * level->summary.conflict_low,
			     100 * level->summary.conflict_high);
	return text;
}

static char *arrow(char *before, char *after)
{
	char *text = xasprintf("%s -> %s", before, after);

	free(before);
	free(after);
	return text;
}

char *diff_cf_text(const struct change *change)
{
	return arrow(one_cf_text(change, false), one_cf_text(change, true));
}

char *diff_conflict_text(const struct change *change)
{
	return arrow(one_conflict_text(change, false), one_conflict_text(change, true));
}

static const char *verdict_of(const struct level_findings *level)
{
	return level ? rcd_verdict_name(level->summary.verdict) : "-";
}

char *diff_verdict_text(const struct change *change)
{
	const char *before = verdict_of(change->level_before);
	const char *after = verdict_of(change->level_after);

	return same_text(before, after) ? xstrdup(after) : xasprintf("%s -> %s", before, after);
}

bool diff_in_conflict(const struct level_findings *level)
{
	return level && level->summary.verdict == RCD_CONFLICT &&
	       !report_is_small(&level->summary, level->share);
}

char *diff_place(const struct change *change)
{
	char *before, *after;

	if (!change->moved)
		return region_place(&(change->before ? change->before : change->after)->region,
				    false);
	before = region_place(&change->before->region, false);
	after = region_place(&change->after->region, false);
	return arrow(before, after);
}

char *diff_lab_text(const struct diff_view *view)
{
	char *text = NULL;

	for (size_t i = 0; i < view->before->lab_count; i++) {
		const struct lab_fact *before = &view->before->lab[i];
		const char *after = findings_lab(view->after, before->name);

		if (after && strcmp(before->value, after))
			prose_append(&text, "%s%s %s -> %s", text ? "; " : "", before->name,
				     before->value, after);
	}
	return text;
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
		if (comparison_unknown(view->levels[i]) || after > 1.05 * before ||
		    before > 1.05 * after)
			return false;
	}
	return true;
}

char *diff_time_text(const struct diff_view *view, bool *only)
{
	struct time_change time = compare_times(view->before, view->after);
	char *wall[2], *user[2], *ratios[2], *text;

	*only = false;
	if (!time.known)
		return NULL;
	wall[0] = seconds_text(time.before.wall_ns);
	wall[1] = seconds_text(time.after.wall_ns);
	user[0] = seconds_text(time.before.user_ns);
	user[1] = seconds_text(time.after.user_ns);
	ratios[0] = diff_ratio_text(time.before.wall_ns, time.after.wall_ns);
	ratios[1] = diff_ratio_text(time.before.user_ns, time.after.user_ns);
	*only = only_time(view, &time);
	text = xasprintf("%s -> %s (%s), of that in the program %s -> %s (%s); %s", wall[0],
			 wall[1], ratios[0], user[0], user[1], ratios[1],
			 time.baseline ? "medians of runs without ccsample" :
			 strcmp(view->before->source, "engine") ? "of the runs recorded" :
			 "of the runs recorded, which the engine makes many times slower: record "
			 "--time 5 for the program's own");
	for (int i = 0; i < 2; i++) {
		free(wall[i]);
		free(user[i]);
		free(ratios[i]);
	}
	return text;
}
