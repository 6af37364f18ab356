// SPDX-License-Identifier: GPL-2.0-only
#include "base/fail.h"
#include "cmd/plan.h"
#include "source/machine.h"

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
	const char *trouble;

	if (n > plan->levels)
		return fail("--%s needs --%s", names[n], names[n - 1]);
	if (n == plan->levels)
		plan->levels++;
	plan->level[n].hash = NULL;
	trouble = cache_geometry_parse(&plan->level[n].geometry, text);
	return trouble ? fail("--%s %s: %s", names[n], text, trouble) : 0;
}
