/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_KMOD_NETLINK_H
#define CCSAMPLE_KMOD_NETLINK_H

#include <linux/types.h>

#include "ccsample.h"
#include "ccsample-netlink.h"

/* A session as others may see it, copied at one moment. */
struct ccsample_status {
	u32 cpu;
	const char *device;		/* of a hybrid: perf's of such cores; NULL = none */
	u32 owner;			/* pid of the opener, initial namespace */
	u32 events;
	u32 burst;
	u64 config;
	u64 period;
	struct ccsample_control control;
};

/* Return: 0 or a negative errno; on failure nothing is left to undo. */
int ccsample_netlink_init(void);
void ccsample_netlink_exit(void);

/**
 * ccsample_netlink_notify() - notify the group "monitor"; in process context.
 * @command: any but CCSAMPLE_NL_STATUS, which answers a dump
 *
 * Costs next to nothing without a listener. A message that cannot be sent is
 * dropped: the counters in the next one, or in a dump, hold what it said.
 */
void ccsample_netlink_notify(enum ccsample_nl_command command,
			     const struct ccsample_status *status);

#endif /* CCSAMPLE_KMOD_NETLINK_H */
