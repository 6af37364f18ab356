// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "device/cpu-time.h"

static struct cpu_clock *find(const struct cpu_time *time, pid_t pid)
{
	size_t i;

	for (i = 0; i < time->count; i++)
		if (time->live[i].pid == pid)
			return &time->live[i];
	return NULL;
}

/* Another process with the same pid may have taken less. Return: false if it is gone. */
static bool look(struct cpu_clock *process)
{
	struct timespec now;
	uint64_t ns;

	if (clock_gettime(process->clock, &now))
		return false;
	ns = now.tv_sec * SECOND_NS + now.tv_nsec;
	if (ns > process->latest)
		process->latest = ns;
	return true;
}

static void drop(struct cpu_time *time, struct cpu_clock *process)
{
	time->ended += process->latest - process->first;
	*process = time->live[--time->count];
}

void cpu_time_add(struct cpu_time *time, pid_t pid)
{
	struct cpu_clock *process;
	clockid_t clock;

	if (find(time, pid) || clock_getcpuclockid(pid, &clock))
		return;
	time->live = grow(time->live, time->count, &time->room, sizeof(*time->live));
	process = &time->live[time->count++];
	*process = (struct cpu_clock){ .pid = pid, .clock = clock };
	look(process);
	process->first = process->latest;
}

void cpu_time_end(struct cpu_time *time, pid_t pid)
{
	struct cpu_clock *process = find(time, pid);

	if (!process)
		return;
	look(process);
	drop(time, process);
}

uint64_t cpu_time_read(struct cpu_time *time)
{
	uint64_t sum = 0;
	size_t i = time->count;

	while (i--) {
		struct cpu_clock *process = &time->live[i];

		if (look(process))
			sum += process->latest - process->first;
		else
			drop(time, process);
	}
	return sum + time->ended;
}

void cpu_time_free(struct cpu_time *time)
{
	free(time->live);
}
