// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "cachesim/policy-names.h"
#include "simulate/request-text.h"

int plan_level(struct hierarchy_plan *plan, uint32_t n, const char *text)
{
	static const char *const names[] = { "D1", "L2", "L3" };
	const char *error;

	if (n > plan->levels)
		return fail("--%s needs --%s", names[n], names[n - 1]);
	if (n == plan->levels)
		plan->levels++;
	plan->level[n].hash = NULL;
	error = cache_geometry_parse(&plan->level[n].geometry, text);
	return error ? fail("--%s %s: %s", names[n], text, error) : 0;
}

int plan_inclusion(struct hierarchy_plan *plan, const char *text)
{
	char words[64], *rest = words, *word = NULL;

	snprintf(words, sizeof(words), "%s", text);
	for (uint32_t n = 1; n < CACHE_LEVELS; n++) {
		if (rest)
			word = strsep(&rest, ",");
		if (!inclusion_named(word, &plan->level[n].inclusion))
			return fail("--inclusion takes inclusive, exclusive or non-inclusive, for "
				    "L2 and L3, not '%s'", text);
	}
	return rest ? fail("--inclusion takes two words at most, not '%s'", text) : 0;
}

int plan_policy(struct hierarchy_plan *plan, const char *text)
{
	for (uint32_t n = 0; n < CACHE_LEVELS; n++)
		if (!policy_named(text, &plan->level[n].policy))
			return fail("--policy takes lru, plru or fifo, not '%s'", text);
	return 0;
}

/* A twenty-fifth is counted. Changes of phase cost little: many short ones are the best sample. */
int phases_parse(struct phases *wanted, const char *text)
{
	static const uint64_t defaults[] = { 4600000, 200000, 200000 };
	uint64_t *phases = wanted->lengths;
	char unit, end;
	uint64_t times;
	int i, got;

	if (!strcmp(text, "auto")) {
		memcpy(phases, defaults, sizeof(defaults));
		wanted->refill = true;
		return 0;
	}
	wanted->marked = !strcmp(text, "marked");
	if (wanted->marked)
		return 0;
	for (i = 0; i < 3; i++) {
		got = sscanf(text, "%15" SCNu64 "%n", &phases[i], &got) == 1 ? got : 0;
		if (!got || *text == '-' || *text == '+')
			break;
		text += got;
		unit = strchr("KkMmGg", *text) && *text ? *text++ | 0x20 : 0;
		times = unit == 'k' ? 1000 : unit == 'm' ? 1000000 : unit ? 1000000000 : 1;
		end = i < 2 ? ',' : 0;
		if (*text != end || __builtin_mul_overflow(phases[i], times, &phases[i]))
			break;
		text++;
	}
	if (i < 3 || !phases[2])
		return fail("--phases takes auto, marked, or instructions to skip, to warm up and "
			    "to evaluate as in 90M,5M,5M, the last not 0");
	return 0;
}

int plan_prefetchers(uint32_t *on, const char *text)
{
	return prefetchers_named(text, on) ? 0 :
	       fail("--prefetch takes some of next-line, stride, adjacent and stream, with commas "
		    "between, not '%s'", text);
}

void plan_prefetchers_text(uint32_t on, char *text, size_t size)
{
	size_t length = 0;

	*text = 0;
	for (int i = 0; i < PREFETCHERS; i++)
		if (on >> i & 1)
			length += snprintf(text + length, size - length, "%s%s",
					   length ? "," : "", prefetcher_name(i));
}
