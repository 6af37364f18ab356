/* SPDX-License-Identifier: GPL-2.0-only */
/* What limits of memory leave for bursts. */
#ifndef CCSAMPLE_BURST_SOURCE_MEMORY_LIMITS_H
#define CCSAMPLE_BURST_SOURCE_MEMORY_LIMITS_H

#include <sys/types.h>

#include "host/doctor.h"

/* Says which limits a process has (ulimit). @pid: 0 = ours, which a program inherits */
void memory_limits_say(pid_t pid);

/* Adds what the limits of this process and of its control groups leave. */
void memory_limits_find(struct doctor *doctor);

#endif /* CCSAMPLE_BURST_SOURCE_MEMORY_LIMITS_H */
