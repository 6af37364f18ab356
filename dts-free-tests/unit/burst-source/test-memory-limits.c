// SPDX-License-Identifier: GPL-2.0-only
/* What the doctor says of limits of memory, of machines made of files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "burst-source/memory-limits.h"
#include "fake-root.h"
#include "tap.h"

#define GROUP	"/sys/fs/cgroup/a/b"

/* Of the last finding. */
static void expect(enum doctor_state state, const char *found, const char *name)
{
	struct doctor doctor = { .system.root = root };
	const struct doctor_finding *last;

	memory_limits_find(&doctor);
	last = &doctor.findings[doctor.count - 1];
	ok(last->state == state && strstr(last->found, found), "%s: %s", name, last->found);
	doctor_free(&doctor);
}

static void put_limits(const char *data)
{
	char *text = xasprintf("Limit                     Soft Limit           Hard Limit\n"
			       "Max data size             %-20s unlimited            bytes\n"
			       "Max address space         unlimited            unlimited\n", data);

	put("/proc/self/limits", text);
	free(text);
}

int main(void)
{
	begin();
	expect(DOCTOR_OK, "no limit is near", "no limits");
	put_limits("unlimited");
	expect(DOCTOR_OK, "no limit is near", "unlimited");
	put_limits("104857600");
	expect(DOCTOR_LIMITED, "have 100 MiB (ulimit -d), and bursts take 75",
	       "ulimit -d");
	put_limits("52428800");
	expect(DOCTOR_NO, "have 50 MiB (ulimit -d), and bursts take 75",
	       "ulimit -d, too low");
	put_limits("unlimited");
	put("/proc/self/cgroup", "5:cpu:/x\n0::/a/b\n");
	put(GROUP "/memory.max", "max\n");
	put(GROUP "/memory.current", "1048576\n");
	expect(DOCTOR_OK, "no limit is near", "a group without limit");
	put("/sys/fs/cgroup/a/memory.max", "104857600\n");
	put("/sys/fs/cgroup/a/memory.current", "94371840\n");
	expect(DOCTOR_LIMITED, "may take 10 MiB more", "a group's parent");
	put("/sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 73400320\n");
	expect(DOCTOR_OK, "no limit is near", "... but for what it caches");
	put("/proc/self/cgroup", "5:cpu:/x\n4:memory:/c\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "20971520\n");
	put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "31457280\n");
	expect(DOCTOR_LIMITED, "may take 0 MiB more",
	       "version 1, mounted in a container");
	remove_root();
	return done();
}
