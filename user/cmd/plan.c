// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "cachesim/policy-names.h"
#include "cmd/plan.h"
#include "host/machine.h"

int plan_this_machine(struct hierarchy_plan *plan)
{
	struct machine machine;

	machine_read(&machine);
	machine_levels(&machine, plan);
	if (!plan->levels)
		return fail("this machine does not tell its caches: give --machine or --D1");
	return 0;
}

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
			return fail("--inclusion takes inclusive, exclusive or non-inclusive, for L2 "
				    "and L3, not '%s'", text);
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
