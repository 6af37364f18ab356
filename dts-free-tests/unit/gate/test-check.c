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
	return done();
}
