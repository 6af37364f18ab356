/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf counts of a program: time, and its use of the last-level cache. */
#ifndef CCSAMPLE_HOST_COUNTERS_H
#define CCSAMPLE_HOST_COUNTERS_H

#include <stdbool.h>
#include <sys/types.h>

enum counter { COUNTER_CYCLES, COUNTER_INSTRUCTIONS, COUNTER_ACCESSES, COUNTER_MISSES, COUNTERS };

struct counters {
	int fd[COUNTERS];
};

/**
 * counters_open() - count a process that is about to execute a program, and its children, in user
 * mode, from that moment on.
 *
 * Accesses and misses are the processor's own events for the last level (on Intel the architectural
 * LLC references and misses, SDM 3B 21.2.1.2, which hold prefetches; elsewhere what the kernel
 * takes for them).
 *
 * Return: false where there is no such counter, and nothing is open.
 */
bool counters_open(struct counters *counters, pid_t pid);

/* Counts so far, scaled where counters took turns. Return: false if one never counted. */
bool counters_read(const struct counters *counters, double counts[COUNTERS]);
void counters_close(struct counters *counters);

#endif /* CCSAMPLE_HOST_COUNTERS_H */
