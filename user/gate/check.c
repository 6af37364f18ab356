// SPDX-License-Identifier: GPL-2.0-only
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "gate/check.h"

#define Z95	1.96		/* half the width of a 95% interval, in standard deviations */

const char *check_kind_name(enum check_kind kind)
{
	static const char *const names[CHECK_KINDS] = {
		[CHECK_NEW_CONFLICT] = "new-conflict", [CHECK_CONFLICT_UP] = "conflict-up",
		[CHECK_MISSES_UP] = "misses-up",
	};

	return names[kind];
}

static bool in_conflict(const struct level_findings *level)
{
	return level && level->summary.verdict == RCD_CONFLICT;
}

/* Is the lower end now above the upper end before? Unknown intervals leave it to the verdicts. */
static bool apart(const struct rcd_summary *before, const struct rcd_summary *after)
{
	return !before->has_conflict_share || !after->has_conflict_share ||
	       after->conflict_low > before->conflict_high;
}

/*
 * The same of the numbers of conflict misses: where there were few misses, a wide interval is of
 * few.
 */
static bool more_conflicts(const struct change *change, double noise)
{
	const struct rcd_summary *before = &change->level_before->summary;
	const struct rcd_summary *after = &change->level_after->summary;

	return before->has_conflict_share && after->has_conflict_share &&
	       after->conflict_low * change->misses_after >
	       before->conflict_high * change->misses_before * (1 + noise);
}

/*
 * How many bursts of one length would say as much (Kish): of mixed lengths the short ones are most,
 * but hold few of the samples.
 */
static double bursts_alike(const struct event_totals *event)
{
	double samples = event->burst_samples;

	return event->batch_squares > 0 ? samples * samples / event->batch_squares : event->bursts;
}

/*
 * How far above a share its interval ends, relative to it (E. B. Wilson, JASA 22, 1927: of a small
 * share, few bursts say more about how small it may be than about how large). Bursts, not samples,
 * are independent.
 */
static double share_noise(const struct findings *findings, const struct level_findings *level)
{
	const struct event_totals *event = findings_event(findings, level->level);
	double groups = findings->bursts.known ? (level->level > 1 ? findings->long_bursts.bursts :
								     findings->bursts.bursts) :
			event && event->burst > 1 ? bursts_alike(event) :
					    level->samples / level->share;
	double width, high;

	if (!(groups > 0) || !(level->share > 0))
		return INFINITY;
	width = Z95 * Z95 / groups;
	high = (level->share + width / 2 +
		sqrt(width * (level->share * (1 - level->share) + width / 4))) / (1 + width);
	return high / level->share - 1;
}

/* The same of all misses of a level; counted ones have none. */
static double total_noise(const struct findings *findings, const struct comparison *comparison)
{
	struct miss_ratio ratio;
	const struct event_totals *event;

	if (comparison->exact)
		return 0;
	if (comparison->per_thousand) {
		ratio = findings_miss_ratio(findings, comparison->level);
		return ratio.ratio > 0 ? (ratio.high - ratio.low) / 2 / ratio.ratio : 0;
	}
	event = findings_event(findings, comparison->level);
	if (!event || !event->samples)
		return INFINITY;
	return Z95 / sqrt(event->burst > 1 && event->bursts ? bursts_alike(event) :
								     event->samples);
}

static bool more_misses(double before, double after, double noise,
			const struct check_policy *policy)
{
	return before > 0 && after > before * (1 + policy->misses_up) * (1 + noise);
}

/* How far the ratio of two numbers of misses of a piece of code may be off. */
static double change_noise(const struct check_result *result, const struct comparison *comparison,
			   const struct change *change)
{
	return hypot(hypot(share_noise(result->before, change->level_before),
			   share_noise(result->after, change->level_after)),
		     hypot(total_noise(result->before, comparison),
			   total_noise(result->after, comparison)));
}

/* What is true of a piece of code: the worst, or CHECK_KINDS. */
static enum check_kind judge(struct check_result *result, const struct check_policy *policy,
			     const struct comparison *comparison, const struct change *change)
{
	const struct level_findings *before = change->level_before, *after = change->level_after;
	double noise = before ? change_noise(result, comparison, change) : 0;

	if (in_conflict(after) && !in_conflict(before)) {
		if (!before || apart(&before->summary, &after->summary) ||
		    more_conflicts(change, noise))
			return CHECK_NEW_CONFLICT;
		result->unclear++;
	}
	if (in_conflict(after) && in_conflict(before) &&
	    before->summary.has_conflict_share && after->summary.has_conflict_share &&
	    apart(&before->summary, &after->summary) &&
	    after->summary.conflict_share - before->summary.conflict_share > policy->conflict_up)
		return CHECK_CONFLICT_UP;
	if (!before)
		return CHECK_KINDS;
	return more_misses(change->misses_before, change->misses_after, noise, policy) ?
	       CHECK_MISSES_UP : CHECK_KINDS;
}

/* A loop's lines match wherever it was inlined. */
static bool matches(const struct check_ignore *ignore, const struct code_region *region)
{
	const char *file = region->file ? base_name(region->file) : NULL;
	struct code_region lines = *region;
	char *place;
	bool found;

	lines.apart = false;
	place = region_text(&lines, false);
	found = (region->function && !fnmatch(ignore->pattern, region->function, 0)) ||
		(file && !fnmatch(ignore->pattern, file, 0)) ||
		!fnmatch(ignore->pattern, place, 0);
	free(place);
	return found;
}

static const struct check_ignore *ignored(const struct check_policy *policy,
					  const struct change *change)
{
	for (size_t i = 0; change && i < policy->ignore_count; i++)
		if (matches(&policy->ignores[i], &change->after->region))
			return &policy->ignores[i];
	return NULL;
}

static void add(struct check_result *result, const struct check_policy *policy,
		const struct comparison *comparison, enum check_kind kind,
		const struct change *change)
{
	struct check_issue *issue;

	if (kind == CHECK_KINDS || !policy->fails[kind])
		return;
	result->issues = xrealloc(result->issues, (result->count + 1) * sizeof(*result->issues));
	issue = &result->issues[result->count++];
	*issue = (struct check_issue){
		.kind = kind, .level = comparison->level, .comparison = comparison,
		.change = change, .ignore = ignored(policy, change), .layouts = 1,
		.worse_in = 1,
	};
	result->failures += check_fails(issue);
}

static void check_level(struct check_result *result, const struct check_policy *policy,
			const struct comparison *comparison)
{
	double noise = hypot(total_noise(result->before, comparison),
			     total_noise(result->after, comparison));
	size_t first = result->count;

	result->unknown += comparison_unknown(comparison);
	for (size_t i = 0; i < comparison->count; i++) {
		const struct change *change = &comparison->changes[i];

		if (!change->level_after || change->level_after->share < policy->share)
			continue;
		result->judged++;
		result->undecided += change->level_after->summary.verdict == RCD_UNDECIDED;
		add(result, policy, comparison, judge(result, policy, comparison, change), change);
	}
	/* Loops that are named say it already. */
	if (result->count == first && more_misses(comparison->misses_before,
						  comparison->misses_after, noise, policy))
		add(result, policy, comparison, CHECK_MISSES_UP, NULL);
}

void check_findings(const struct findings *before, const struct findings *after,
		    struct comparison *const *comparisons, size_t count,
		    const struct check_policy *policy, struct check_result *result)
{
	*result = (struct check_result){ .before = before, .after = after, .layouts = 1 };
	for (size_t i = 0; i < count; i++)
		if (policy->levels[comparisons[i]->level - 1])
			check_level(result, policy, comparisons[i]);
}

void check_result_drop(struct check_result *result)
{
	free(result->issues);
}
