// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "gate/views.h"
#include "output/prose.h"
#include "output/region.h"
#include "output/text.h"
#include "report/words.h"

static const char *const kinds[CHECK_KINDS] = {
	[CHECK_NEW_CONFLICT] = "new conflict", [CHECK_CONFLICT_UP] = "more conflicts",
	[CHECK_MISSES_UP] = "more misses",
};

char *check_place(const struct check_issue *issue)
{
	char *place, *function, *text;

	if (!issue->change)
		return xstrdup("all code");
	place = region_place(&issue->change->after->region, false);
	function = region_function(&issue->change->after->region, 60);
	text = xasprintf("%s in %s", place, function);
	free(place);
	free(function);
	return text;
}

static void append_number(char **text, const struct comparison *comparison, double misses)
{
	prose_append_free(text, isnan(misses) ? xstrdup("unknown") :
				comparison->per_thousand ? text_number(misses) :
							   text_count_short(llround(misses)));
}

static void append_misses(char **text, const struct comparison *comparison, double before,
			  double after)
{
	append_number(text, comparison, before);
	prose_append(text, " -> ");
	append_number(text, comparison, after);
	prose_append(text, comparison->per_thousand ? " misses of 1,000 references" : " misses");
	if (before > 0 && !isnan(after))
		prose_append(text, " (%+.0f%%)", 100 * (after / before - 1));
}

static void append_conflicts(char **text, const struct level_findings *level)
{
	const struct rcd_summary *summary = &level->summary;

	if (!rcd_share_known(summary))
		prose_append(text, "%s", rcd_verdict_name(summary->verdict));
	else
		prose_append(text, "%.0f%% (%.0f to %.0f%%)", 100 * summary->conflict_share,
			     100 * summary->conflict_low, 100 * summary->conflict_high);
}

static char *what_is_worse(const struct check_issue *issue)
{
	const struct comparison *comparison = issue->comparison;
	const struct change *change = issue->change;
	char *text = NULL;

	if (!change) {
		append_misses(&text, comparison, comparison->misses_before,
			      comparison->misses_after);
		return text;
	}
	if (issue->kind != CHECK_MISSES_UP) {
		prose_append(&text, "conflicts ");
		if (change->level_before)
			append_conflicts(&text, change->level_before);
		else
			prose_append(&text, "none");
		prose_append(&text, " -> ");
		append_conflicts(&text, change->level_after);
		prose_append(&text, " of its misses, ");
	}
	append_misses(&text, comparison, change->misses_before, change->misses_after);
	return text;
}

char *check_what(const struct check_issue *issue)
{
	char *text = what_is_worse(issue);

	if (issue->layouts > 1)
		prose_append(&text, ", worse in %zu of %zu layouts", issue->worse_in,
			     issue->layouts);
	return text;
}

char *check_summary(const struct check_result *result)
{
	static const char *const one[CHECK_KINDS] = {
		"new conflict", "loop with more conflicts", "rise of misses",
	}, *const several[CHECK_KINDS] = {
		"new conflicts", "loops with more conflicts", "rises of misses",
	};
	size_t counts[CHECK_KINDS] = { 0 };
	char *text = NULL;

	for (size_t i = 0; i < result->count; i++)
		counts[result->issues[i].kind] += check_fails(&result->issues[i]);
	for (size_t kind = 0; kind < CHECK_KINDS; kind++)
		if (counts[kind])
			prose_append(&text, "%s%zu %s", text ? ", " : "", counts[kind],
				     counts[kind] == 1 ? one[kind] : several[kind]);
	return text ? text : xstrdup("nothing is worse");
}

static void put_issue(FILE *out, const struct check_issue *issue, bool colour)
{
	char *place = check_place(issue), *what = check_what(issue);
	bool fails = check_fails(issue);

	prose_line(out, kinds[issue->kind], fails ? TINT_BAD : TINT_DIM, colour,
		   "L%" PRIu32 ": %s: %s%s%s%s%s", issue->level, place, what, fails ? "" : " [",
		   issue->ignore ? "ignored: " : "", fails ? "" : check_excuse(issue),
		   fails ? "" : "]");
	free(place);
	free(what);
}

void check_text(FILE *out, const struct check_result *result, bool colour)
{
	char *summary = check_summary(result), *text = NULL;
	size_t ignored = 0, depend;

	for (size_t i = 0; i < result->count; i++) {
		put_issue(out, &result->issues[i], colour);
		ignored += !!result->issues[i].ignore;
	}
	prose_append(&text, "%s; %zu loop%s judged", summary, result->judged,
		     result->judged == 1 ? "" : "s");
	if (result->undecided)
		prose_append(&text, ", %zu of them undecided", result->undecided);
	if (result->unclear)
		prose_append(&text, "; %zu may be a new conflict: the intervals overlap, a longer "
			     "run decides", result->unclear);
	if (result->unknown)
		prose_append(&text, "; a rise of misses cannot be seen: the bursts are too few, "
			     "or differ: record longer");
	if (ignored)
		prose_append(&text, "; %zu ignored", ignored);
	depend = result->count - result->failures - ignored;
	if (depend)
		prose_append(&text, "; %zu depend%s on layout", depend,
			     depend == 1 ? "s" : "");
	prose_line(out, result->failures ? "FAIL" : "ok", result->failures ? TINT_BAD : TINT_GOOD,
		   colour, "%s", text);
	free(text);
	free(summary);
}
