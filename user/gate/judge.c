// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "base/fail.h"
#include "base/text.h"
#include "gate/check.h"

static int same_caches(const struct findings *before, const struct findings *after,
		       uint32_t level)
{
	if (compare_caches(before, after, level))
		return 0;
	return fail("L%" PRIu32 " is not the same in %s and %s: state it (record %s)", level,
		    before->path, after->path, level == 1 ? "--D1" : level == 2 ? "--L2" : "--L3");
}

/* Return: 0, or -1 after one line. */
static int compare(const struct findings *before, const struct findings *after,
		   const struct check_policy *policy, struct check_judged *judged)
{
	for (uint32_t level = 1; level <= FINDINGS_LEVELS; level++) {
		if (!policy->levels[level - 1] || !findings_event(before, level) ||
		    !findings_event(after, level))
			continue;
		if (same_caches(before, after, level) < 0 || compare_stores(before, after, level))
			return -1;
		judged->comparisons[judged->count++] = compare_findings(before, after, level);
	}
	return judged->count ? 0 : fail("%s and %s sample no level in common that the policy names",
					before->path, after->path);
}

/* Not even one burst, or sample: what it was made of was not seen, or ended at once. */
static int check_seen(const struct findings *findings)
{
	uint64_t samples = findings->bursts.bursts;

	for (size_t i = 0; i < findings->event_count; i++)
		samples += findings->events[i].samples;
	return samples ? 0 : fail("%s holds no burst and no sample: there is nothing to compare "
				  "(was the program traced, and did it run long enough?)",
				  findings->path);
}

int check_judge(const struct findings *before, const struct findings *after,
		const struct check_policy *policy, struct check_judged *judged)
{
	*judged = (struct check_judged){ .count = 0 };
	if (before->bursts.known != after->bursts.known)
		return fail("%s and %s are of different sources: record both with the same "
			    "--source", before->path, after->path);
	if (check_seen(before) || check_seen(after) ||
	    compare(before, after, policy, judged) < 0) {
		check_judged_drop(judged);
		return -1;
	}
	if (compare_unlike(before, after, judged->comparisons, judged->count)) {
		check_judged_drop(judged);
		return fail("%s is of %s and %s of %s, which hardly miss in the same code: there "
			    "is nothing to compare", before->path, base_name(*before->command),
			    after->path, base_name(*after->command));
	}
	check_findings(before, after, judged->comparisons, judged->count, policy, &judged->result);
	return 0;
}

void check_judged_drop(struct check_judged *judged)
{
	check_result_drop(&judged->result);
	while (judged->count)
		comparison_free(judged->comparisons[--judged->count]);
}

/* ---- layouts ---- */

static const struct code_region *region_of(const struct check_issue *issue)
{
	return issue->change ? &issue->change->after->region : NULL;
}

static bool same_place(const struct check_issue *a, const struct check_issue *b)
{
	const struct code_region *x = region_of(a), *y = region_of(b);

	return a->level == b->level && (x && y ? same_copy(x, y) : x == y);
}

void check_layout(struct check_result *result, const struct check_result *other)
{
	result->layouts++;
	for (size_t i = 0; i < result->count; i++) {
		bool worse = false;

		for (size_t j = 0; j < other->count && !worse; j++)
			worse = !other->issues[j].ignore &&
				same_place(&result->issues[i], &other->issues[j]);
		result->issues[i].worse_in += worse;
		result->issues[i].layouts = result->layouts;
	}
}

void check_layouts_settle(struct check_result *result)
{
	result->failures = 0;
	for (size_t i = 0; i < result->count; i++) {
		struct check_issue *issue = &result->issues[i];

		issue->depends_on_layout = 2 * issue->worse_in <= result->layouts;
		result->failures += check_fails(issue);
	}
}

const char *check_excuse(const struct check_issue *issue)
{
	return issue->ignore ? issue->ignore->reason :
	       issue->depends_on_layout ? "depends on layout" : NULL;
}
