// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/fail.h"
#include "cmd/plan.h"
#include "cmd/sim-options.h"
#include "host/machine-file.h"

static int plan_levels(struct hierarchy_plan *plan, const struct sim_arguments *arguments)
{
	for (uint32_t n = 0; n < CACHE_LEVELS; n++)
		if (arguments->levels[n] && plan_level(plan, n, arguments->levels[n]) < 0)
			return -1;
	return 0;
}

int sim_plan(struct hierarchy_plan *plan, const struct sim_arguments *arguments)
{
	bool given = arguments->levels[0] || arguments->levels[1] || arguments->levels[2];
	const char *error;

	memset(plan, 0, sizeof(*plan));
	if (arguments->machine && machine_plan(arguments->machine, plan) < 0)
		return -1;
	if (!arguments->machine && !given && plan_this_machine(plan) < 0)
		return -1;
	if (plan_levels(plan, arguments) < 0)
		return -1;
	if (arguments->policy && plan_policy(plan, arguments->policy) < 0)
		return -1;
	if (arguments->inclusion && plan_inclusion(plan, arguments->inclusion) < 0)
		return -1;
	plan->detector = arguments->detector;
	error = hierarchy_error(plan);
	return error ? fail("these caches cannot be simulated: %s", error) : 0;
}
