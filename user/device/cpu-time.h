/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU time of the processes that are recorded, while they run. */
#ifndef CCSAMPLE_DEVICE_CPU_TIME_H
#define CCSAMPLE_DEVICE_CPU_TIME_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Of one process, with all of its threads. */
struct cpu_clock {
	pid_t pid;
	clockid_t clock;
	uint64_t first, latest;		/* ns: when it was added, when it was read last */
};

/* Zeroed to begin with. */
struct cpu_time {
	struct cpu_clock *live;
	size_t count, room;
	uint64_t ended;			/* ns that processes took which have ended */
};

/* A process is counted from now on; nothing happens if it is already. */
void cpu_time_add(struct cpu_time *time, pid_t pid);

/* It ends: what it took since it was read last is not known, and left out. */
void cpu_time_end(struct cpu_time *time, pid_t pid);

/* ns that all took since they were added. Those that are gone are not looked at again. */
uint64_t cpu_time_read(struct cpu_time *time);

void cpu_time_free(struct cpu_time *time);

#endif /* CCSAMPLE_DEVICE_CPU_TIME_H */
