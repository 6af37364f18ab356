// SPDX-License-Identifier: GPL-2.0-only
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/counters.h"

static const uint64_t events[COUNTERS] = {
	[COUNTER_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
	[COUNTER_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
	[COUNTER_ACCESSES] = PERF_COUNT_HW_CACHE_REFERENCES,
	[COUNTER_MISSES] = PERF_COUNT_HW_CACHE_MISSES,
};

bool counters_open(struct counters *counters, pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .disabled = 1, .inherit = 1,
		.exclude_kernel = 1, .exclude_hv = 1, .enable_on_exec = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	bool all = true;

	for (int i = 0; i < COUNTERS; i++) {
		attr.config = events[i];
		counters->fd[i] = syscall(SYS_perf_event_open, &attr, pid, -1, -1,
					  PERF_FLAG_FD_CLOEXEC);
		all &= counters->fd[i] >= 0;
	}
	if (!all)
		counters_close(counters);
	return all;
}

bool counters_read(const struct counters *counters, double counts[COUNTERS])
{
	struct { uint64_t value, enabled, running; } got;

	for (int i = 0; i < COUNTERS; i++) {
		if (read(counters->fd[i], &got, sizeof(got)) != sizeof(got) || !got.running)
			return false;
		counts[i] = (double)got.value * got.enabled / got.running;
	}
	return true;
}

void counters_close(struct counters *counters)
{
	for (int i = 0; i < COUNTERS; i++) {
		if (counters->fd[i] >= 0)
			close(counters->fd[i]);
		counters->fd[i] = -1;
	}
}
