// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <unistd.h>

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

/* It writes 0 for them otherwise (pagemap.rst). */
bool plan_frames_shown(void)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0, page = sysconf(_SC_PAGESIZE);
	volatile char here = 1;
	off_t at = (uintptr_t)&here / page * sizeof(entry);

	if (fd < 0 || pread(fd, &entry, sizeof(entry), at) != sizeof(entry))
		entry = 0;
	if (fd >= 0)
		close(fd);
	return entry & (((uint64_t)1 << 55) - 1);
}

int plan_pages_given(struct page_plan *pages, const char *text, uint32_t levels)
{
	const char *wrong = page_plan_parse(pages, text);

	if (wrong)
		return fail("--pages %s: %s", text, wrong);
	if (levels < 2 || pages->kind != PAGES_REAL || plan_frames_shown())
		return 0;
	return fail("--pages real: the kernel shows page frames only with CAP_SYS_ADMIN: run as "
		    "root, or take random, huge or identity");
}
