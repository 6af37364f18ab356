// SPDX-License-Identifier: GPL-2.0-only
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

/* One that is gone keeps what it had. */
static void look(struct cpu_clock *process)
{
	struct timespec now;

	if (!clock_gettime(process->clock, &now))
		process->latest = now.tv_sec * SECOND_NS + now.tv_nsec;
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
	time->ended += process->latest - process->first;
	*process = time->live[--time->count];
}

uint64_t cpu_time_read(struct cpu_time *time)
{
	uint64_t sum = time->ended;
	size_t i;

	for (i = 0; i < time->count; i++) {
		look(&time->live[i]);
		sum += time->live[i].latest - time->live[i].first;
	}
	return sum;
}

void cpu_time_free(struct cpu_time *time)
{
	free(time->live);
}
