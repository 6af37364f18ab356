/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What ccsample.ko reports over generic netlink: family "ccsample", version 1.
 *
 *	CCSAMPLE_NL_STATUS	request, as a dump: a message for each session
 *
 * and to the multicast group "monitor", with the same attributes:
 *
 *	CCSAMPLE_NL_STARTED	a session samples
 *	CCSAMPLE_NL_STOPPED	it was disabled, closed, or ended by itself (reason)
 *	CCSAMPLE_NL_OVERRUN	records were dropped since the last such message; at
 *				most one a second for each session
 *	CCSAMPLE_NL_REARMED	a counter had ceased to record, and records again; as often
 *	CCSAMPLE_NL_FULL	slots had no room for all of their records; as often
 *
 * A dump needs CAP_PERFMON, the group CAP_SYS_ADMIN, both the initial network
 * namespace. docs/ynl/ccsample.yaml is the same as a YNL specification.
 */
#ifndef _UAPI_CCSAMPLE_NETLINK_H
#define _UAPI_CCSAMPLE_NETLINK_H

#define CCSAMPLE_NL_FAMILY	"ccsample"
#define CCSAMPLE_NL_VERSION	1
#define CCSAMPLE_NL_GROUP	"monitor"

enum ccsample_nl_command {
	CCSAMPLE_NL_STATUS = 1,
	CCSAMPLE_NL_STARTED = 2,
	CCSAMPLE_NL_STOPPED = 3,
	CCSAMPLE_NL_OVERRUN = 4,
	CCSAMPLE_NL_REARMED = 5,
	CCSAMPLE_NL_FULL = 6,
};

/* Counters are those of struct ccsample_control. */
enum ccsample_nl_attribute {
	CCSAMPLE_NL_UNSPEC = 0,			/* u64 attributes are padded with it */
	CCSAMPLE_NL_CPU = 1,			/* u32 */
	CCSAMPLE_NL_OWNER = 2,			/* u32: pid of the opener, initial namespace */
	CCSAMPLE_NL_STATE = 3,			/* u32: enum ccsample_state */
	CCSAMPLE_NL_REASON = 4,			/* u32: enum ccsample_reason */
	CCSAMPLE_NL_EVENTS = 5,			/* u32: events at once */
	CCSAMPLE_NL_CONFIG = 6,			/* u64: raw code of the first one */
	CCSAMPLE_NL_PERIOD = 7,			/* u64: mean number of them a slot */
	CCSAMPLE_NL_BURST = 8,			/* u32 */
	CCSAMPLE_NL_INTERRUPTS = 9,		/* u64 */
	CCSAMPLE_NL_RECORDS = 10,		/* u64 */
	CCSAMPLE_NL_HEAD = 11,			/* u64: slots published, i.e. bursts */
	CCSAMPLE_NL_OVERRUNS = 12,		/* u64 */
	CCSAMPLE_NL_OVERRUN_RECORDS = 13,	/* u64 */
	CCSAMPLE_NL_SHORT_GAPS = 14,		/* u64 */
	CCSAMPLE_NL_LOST_MARKS = 15,		/* u64 */
	CCSAMPLE_NL_HANDLER_TSC = 16,		/* u64 */
	CCSAMPLE_NL_HANDLER_TSC_MAX = 17,	/* u64 */
	CCSAMPLE_NL_TSC_KHZ = 18,		/* u32 */
	CCSAMPLE_NL_REARMED_COUNTERS = 19,	/* u64 */
	CCSAMPLE_NL_FULL_SLOTS = 20,		/* u64 */
	CCSAMPLE_NL_FULL_RECORDS = 21,		/* u64 */
	CCSAMPLE_NL_DEVICE = 22,		/* string, of hybrids: as CCSAMPLE_QUERY's */
};

#define CCSAMPLE_NL_ATTRIBUTE_MAX	CCSAMPLE_NL_DEVICE

#endif /* _UAPI_CCSAMPLE_NETLINK_H */
