// SPDX-License-Identifier: GPL-2.0-only
/*
 * Misses of 1,000 references that bursts leave unknown are neither a rise nor none, and a rise in few
 * layouts of the program does not fail: L1, no code.
 */
#include <stdlib.h>
#include <string.h>

#include "gate/check.h"
#include "gate/views.h"
#include "tap.h"

/* @spread: half the interval of the ratio */
static struct findings bursts(double misses, double spread)
{
	return (struct findings){
		.bursts = { .known = true, .bursts = 3, .weighted_counted = 1000,
			    .weighted_misses = misses, .spread = spread },
	};
}

static struct check_result check(const struct findings *before, const struct findings *after,
				 char **text)
{
	struct check_policy policy = {
		.levels[0] = true, .fails[CHECK_MISSES_UP] = true, .misses_up = 0.1,
	};
	struct comparison *comparison = compare_findings(before, after, 1);
	struct check_result result;
	size_t size;
	FILE *out = open_memstream(text, &size);

	check_findings(before, after, &comparison, 1, &policy, &result);
	check_text(out, &result, false);
	fclose(out);
	comparison_free(comparison);
	return result;
}

/* A rise in the first of four layouts and in @more others. */
static void layouts(size_t more)
{
	struct findings low = bursts(100, 0.001), high = bursts(300, 0.001);
	char *text, *other_text;
	struct check_result result = check(&low, &high, &text), other;

	for (size_t i = 0; i < 3; i++) {
		other = check(&low, i < more ? &high : &low, &other_text);
		check_layout(&result, &other);
		check_result_drop(&other);
		free(other_text);
	}
	check_layouts_settle(&result);
	ok(result.layouts == 4 && result.issues[0].worse_in == 1 + more &&
	   result.issues[0].depends_on_layout == (more < 2) && result.failures == (more >= 2) &&
	   !check_excuse(&result.issues[0]) == (more >= 2),
	   "a rise in %zu of 4 layouts %s", 1 + more, more < 2 ? "depends on layout" : "fails");
	check_result_drop(&result);
	free(text);
}

/* A conflict that is new, in a loop that was inlined twice, by a policy that lets its lines off. */
static void ignored(char *pattern, bool expected)
{
	struct level_findings level = {
		.level = 1, .samples = 1000, .share = 1,
		.summary = {
			.samples = 1000, .verdict = RCD_CONFLICT, .has_conflict_share = true,
			.conflict_share = 0.9, .conflict_low = 0.8, .conflict_high = 1,
		},
	};
	struct context context = {
		.region = {
			.kind = REGION_LOOP, .id = 1, .function = "f", .file = "src/a.c",
			.line = 10, .end_line = 12, .call_file = "src/a.c", .call_line = 50,
			.apart = true,
		},
		.levels = &level, .level_count = 1, .samples = 1000, .share = 1,
	};
	struct findings before = bursts(100, 0.001), after = bursts(100, 0.001);
	struct check_ignore ignore = { .pattern = pattern };
	struct check_policy policy = {
		.levels[0] = true, .fails[CHECK_NEW_CONFLICT] = true,
		.ignores = &ignore, .ignore_count = 1,
	};
	struct comparison *comparison;
	struct check_result result;

	after.contexts = &context;
	after.context_count = 1;
	comparison = compare_findings(&before, &after, 1);
	check_findings(&before, &after, &comparison, 1, &policy, &result);
	ok(result.count == 1 && !!result.issues[0].ignore == expected,
	   "%s %s the new conflict at a.c:10-12 (from :50)", pattern,
	   expected ? "lets off" : "does not let off");
	check_result_drop(&result);
	comparison_free(comparison);
}

int main(void)
{
	struct findings low = bursts(100, 0.001), high = bursts(300, 0.001), unknown = bursts(300, 0.8);
	struct check_result result;
	char *text;

	result = check(&low, &high, &text);
	ok(result.failures == 1 && !result.unknown && !strstr(text, "too few"),
	   "100 to 300 misses of 1,000 references are a rise");
	check_result_drop(&result);
	free(text);
	result = check(&low, &unknown, &text);
	ok(!result.failures && result.unknown == 1 && strstr(text, "cannot be seen: the bursts are"),
	   "100 to what is unknown is none, and it is said");
	check_result_drop(&result);
	free(text);
	result = check(&unknown, &low, &text);
	ok(!result.failures && result.unknown == 1, "... nor is it the other way");
	check_result_drop(&result);
	free(text);
	for (size_t more = 0; more <= 3; more++)
		layouts(more);
	ignored("a.c:10-12", true);
	ignored("a.c:1*", true);
	ignored("a.c:20-22", false);
	return done();
}
