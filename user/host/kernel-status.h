/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel module's sessions, over generic netlink (uapi/ccsample-netlink.h). */
#ifndef CCSAMPLE_HOST_KERNEL_STATUS_H
#define CCSAMPLE_HOST_KERNEL_STATUS_H

#include <stdint.h>

#include "ccsample.h"
#include "ccsample-netlink.h"

/* Counters as in struct ccsample_control. */
struct kernel_session {
	uint32_t cpu;
	char device[16];		/* of a hybrid: perf's device of such cores; else "" */
	uint32_t owner;			/* pid of the opener, initial namespace */
	uint32_t state;			/* enum ccsample_state */
	uint32_t reason;		/* enum ccsample_reason */
	uint32_t events;		/* sampled at once */
	uint32_t burst;
	uint32_t tsc_khz;		/* 0 = unknown */
	uint64_t config;		/* raw code of the first event */
	uint64_t period;		/* mean events a slot */
	uint64_t interrupts;
	uint64_t records;
	uint64_t bursts;		/* slots published */
	uint64_t overruns;
	uint64_t overrun_records;
	uint64_t short_gaps;
	uint64_t lost_marks;
	uint64_t rearmed;
	uint64_t full_slots;
	uint64_t full_records;
	uint64_t handler_tsc;
	uint64_t handler_tsc_max;
};

/* Return: 0 to go on, else what the caller gives back. */
typedef int kernel_session_handler(enum ccsample_nl_command command,
				   const struct kernel_session *session, void *data);

/**
 * kernel_sessions() - every session of the module.
 *
 * Return: 0, -1 after one line on standard error (no module, no answer), or the handler's value.
 */
int kernel_sessions(kernel_session_handler *handler, void *data);

/**
 * kernel_monitor() - changes of sessions from now on, until the handler ends it.
 *
 * Warns each time that messages came too fast for this reader.
 *
 * Return: as kernel_sessions().
 */
int kernel_monitor(kernel_session_handler *handler);

/* Nanoseconds; 0 where the rate of the TSC is unknown. */
double kernel_session_ns(const struct kernel_session *session, uint64_t ticks);

#endif /* CCSAMPLE_HOST_KERNEL_STATUS_H */
