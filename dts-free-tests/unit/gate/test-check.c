// SPDX-License-Identifier: GPL-2.0-only
/* Misses of 1,000 references that bursts leave unknown are neither a rise nor none: L1, no code. */
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
	ok(!result.failures && result.unknown == 1 && strstr(text, "too few bursts"),
	   "100 to what is unknown is none, and it is said");
	check_result_drop(&result);
	free(text);
	result = check(&unknown, &low, &text);
	ok(!result.failures && result.unknown == 1, "... nor is it the other way");
	check_result_drop(&result);
	free(text);
	return done();
}
