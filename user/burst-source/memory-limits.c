// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "burst-source/memory-limits.h"

#define MIB		(1u << 20)
#define FAR		16u	/* limits of so many times what bursts take are of no account */
#define GROUP_NEAR	(64ull * MIB)	/* the recorder and a few processes; builds have many */

/* What a process may have, and what bursts take of it. */
static const struct limited {
	int what;
	const char *name;		/* in /proc/PID/limits */
	const char *option;		/* of ulimit */
	unsigned int mib;
} all[] = {
	{ RLIMIT_AS, "Max address space ", "-v", 130 }, { RLIMIT_DATA, "Max data size ", "-d", 75 },
};

void memory_limits_say(pid_t pid)
{
	struct rlimit limit;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (!prlimit(pid, all[i].what, NULL, &limit) && limit.rlim_cur != RLIM_INFINITY)
			note("a process may have %llu MiB of memory here (ulimit %s), and bursts "
			     "take %u of them: raise it where the program needs these",
			     (unsigned long long)limit.rlim_cur / MIB, all[i].option, all[i].mib);
}

/* The number after a name at a line's beginning; UINT64_MAX = none, or "unlimited", "max". */
static uint64_t number_after(const char *text, const char *name)
{
	const char *at = text;
	char *end;
	uint64_t number;

	while (at && strncmp(at, name, strlen(name))) {
		at = strchr(at, '\n');
		at += !!at;
	}
	if (!at)
		return UINT64_MAX;
	at += strlen(name);
	number = strtoull(at, &end, 10);
	return end > at ? number : UINT64_MAX;
}

/* Return: there was any, which is said. */
static bool find_own(struct doctor *doctor)
{
	char *text = system_text(&doctor->system, "/proc/self/limits");
	bool any = false;

	for (size_t i = 0; text && i < ARRAY_SIZE(all); i++) {
		const struct limited *row = &all[i];
		uint64_t limit = number_after(text, row->name);

		if (limit == UINT64_MAX || limit / MIB >= FAR * row->mib)
			continue;
		any = true;
		doctor_find(doctor, "memory", limit / MIB < row->mib ? DOCTOR_NO : DOCTOR_LIMITED,
			    "raise the limit, or record --source engine where it is for other "
			    "programs",
			    "a process may have %" PRIu64 " MiB (ulimit %s), and bursts take %u "
			    "of them", limit / MIB, row->option, row->mib);
	}
	free(text);
	return any;
}

/* Names of a hierarchy of control groups: both versions have them. */
struct groups {
	const char *mounted, *limit, *used, *cache;
};

static uint64_t group_number(const struct system *system, const char *dir, const char *file,
			     const char *name)
{
	char *path = xasprintf("%s/%s", dir, file);
	char *text = system_text(system, path);
	uint64_t number = text ? number_after(text, name) : UINT64_MAX;

	free(text);
	free(path);
	return number;
}

/* What a group may still take: what it caches of files goes when memory is needed. */
static uint64_t room_of(const struct system *system, const struct groups *groups, const char *dir)
{
	uint64_t limit = group_number(system, dir, groups->limit, "");
	uint64_t used = group_number(system, dir, groups->used, "");
	uint64_t cache = group_number(system, dir, "memory.stat", groups->cache);

	if (limit == UINT64_MAX || used == UINT64_MAX)
		return UINT64_MAX;
	used -= cache < used ? cache : 0;
	return limit > used ? limit - used : 0;
}

/* The least of a group and those that it is in. @path: of the group, as /proc/self/cgroup has it */
static uint64_t least_room(const struct system *system, const struct groups *groups,
			   const char *path)
{
	char *dir = xasprintf("%s%s", groups->mounted, path);
	uint64_t least = UINT64_MAX, room;

	while (strlen(dir) >= strlen(groups->mounted)) {
		room = room_of(system, groups, dir);
		least = room < least ? room : least;
		*strrchr(dir, '/') = '\0';
	}
	free(dir);
	return least;
}

static uint64_t group_room(const struct system *system)
{
	static const struct groups second = {
		"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file ",
	}, first = {
		"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
		"total_inactive_file ",
	};
	char *text = system_text(system, "/proc/self/cgroup"), *next = text, *line;
	uint64_t least = UINT64_MAX, room;

	while ((line = strsep(&next, "\n"))) {
		const char *controllers = strchr(line, ':');
		const char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		room = UINT64_MAX;
		if (path == controllers + 1)
			room = least_room(system, &second, path + 1);
		else if (!strncmp(controllers, ":memory:", 8))
			room = least_room(system, &first, path + 1);
		least = room < least ? room : least;
	}
	free(text);
	return least;
}

void memory_limits_find(struct doctor *doctor)
{
	uint64_t room = group_room(&doctor->system);

	if (room < GROUP_NEAR)
		doctor_find(doctor, "memory", DOCTOR_LIMITED,
			    "raise memory.max of the control group (a container's --memory)",
			    "the control group may take %" PRIu64 " MiB more, and record about 8, "
			    "and 4 for each process that it traces", room / MIB);
	if (!find_own(doctor) && room >= GROUP_NEAR)
		doctor_find(doctor, "memory", DOCTOR_OK, NULL,
			    "no limit is near: bursts take 130 MiB of a process's addresses, 4 of "
			    "them in memory");
}
