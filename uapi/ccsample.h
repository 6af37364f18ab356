/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The contract of ccsample.ko and its users.
 *
 * A processor that cannot be sampled is refused at load, with one line in the
 * kernel log that begins with CCSAMPLE_REFUSAL; there is no device then.
 *
 * One open file of /dev/ccsample is one session on one CPU:
 *
 *	open				the file
 *	CCSAMPLE_QUERY			what a CPU of this processor offers (any time)
 *	CCSAMPLE_QUERY_EVENT		a named event of that CPU's, by number (any time)
 *	CCSAMPLE_OPEN			makes the file a session, once
 *	mmap				reader page, control area, records (below)
 *	CCSAMPLE_ENABLE			sample; again after CCSAMPLE_DISABLE
 *	CCSAMPLE_CHECK			look now whether everything is as we left it
 *	CCSAMPLE_FLUSH			publish the current slot, if anything is in it
 *	CCSAMPLE_READ			exact counts so far
 *	CCSAMPLE_PERIOD			other periods, from the next gap on
 *	CCSAMPLE_DISABLE		stop; what is in the buffer is published first
 *	close				ends the session; mappings are readable until unmapped
 *
 * Every struct begins with its size as the caller knows it. A shorter one than
 * the module's is an older caller's: what it lacks is taken as zero. A longer
 * one is refused with E2BIG unless the rest is zero, one of more than a page in any
 * case. Reserved fields must be zero (EINVAL). The size in an ioctl's number is ignored.
 *
 * Mappings, each at its own offset, all MAP_SHARED:
 *
 *	CCSAMPLE_MMAP_READER	struct ccsample_reader, one page, read and write
 *	CCSAMPLE_MMAP_CONTROL	struct ccsample_control, then the slots' and the
 *				marks' rings; control_bytes, read-only
 *	CCSAMPLE_MMAP_RECORDS	the PEBS records, records_bytes, read-only
 *
 * Records. The memory is a ring of `slots` slots of `slot_bytes` bytes. The
 * processor writes raw PEBS records into the slot number head % slots. At an
 * interrupt (PMI) the module fills struct ccsample_slot number head % slots,
 * adds 1 to control->head (release) and goes on in the next slot. The reader
 * takes slots tail .. head - 1 (acquire), then stores tail in its page
 * (release). If the next slot is still the reader's (head - tail == slots), the
 * records just taken are dropped and their slot is used again: the loss stands
 * in the next slot published and in control->overruns. No reader is woken.
 *
 * A slot is one burst: `burst` consecutive events after a gap drawn uniformly
 * from period +- spread, less burst - 1, so that one event in
 * period / burst is sampled on average. Records of a burst may be a few more
 * than asked for (the interrupt comes late) or less (DISABLE, a task's end, with architectural
 * PEBS another's interrupt near its end).
 * With first_burst the bursts begin short and double every CCSAMPLE_RAMP_STEP
 * of them until they are `burst` long, gaps in proportion: programs with few
 * events are sampled too. With burst 1 (spread mode) a slot holds up to `batch`
 * records, one every so many events; the number is drawn again for each slot.
 * A slot has room for some more records than it takes; an interrupt that comes later than that (in
 * kernel mode: the NMI of the slot before still runs, and Linux may report there that it took long)
 * costs records. Such a slot carries CCSAMPLE_SLOT_FULL, control->full_slots counts it, and
 * control->full_records how many records at most found no room: as many as its events with `plain`
 * would have made, less those in it, and 8 more where records have no time, for such a slot may
 * begin with records of the burst before. A slot may be filled just to its end, and nothing lost.
 * CCSAMPLE_FLUSH ends a burst: the next gap follows, and nothing goes uncounted. If
 * head has not moved when it returns, the current slot was empty, whatever older
 * records are in it.
 *
 * CCSAMPLE_PERIOD has all gaps drawn from other periods once it has returned; they are bounded as
 * OPEN's are, and those of a ramp's shorter bursts in proportion. The gap that is under way goes on
 * as it was drawn, so nothing is counted twice and no gap cut short; `from` is the number of the
 * first slot whose gaps are the new ones': that behind the slot being filled, or in a session that
 * does not run the one that ENABLE begins with. A gap that began before it (`gap` 0 there: the
 * burst goes on, or of several events this one's had none) is of the periods before. A slot of a
 * smaller number has a new gap where its own was drawn a second time: after a loss, at ENABLE,
 * where a counter was re-armed (`rearmed`).
 *
 * Counters. An event's sampling counter is reloaded by its records and gives no
 * number of events, so each event has a second one that only counts, and a session of
 * bursts may ask for one event more to be counted, `references`. Memory events
 * have four counters: who comes first has his, in the order of sampled events, their
 * second counters, `references`; OPEN's answer shows who has none. A slot holds the
 * references since the slot before, gap and burst, or CCSAMPLE_NOT_COUNTED where
 * others hold the counters (ENABLE does not fail for it).
 *
 * With CCSAMPLE_VALUES each record ends with the values of the counters that may carry memory
 * events, as its instruction left them (SDM volume 3, "Counters Snapshotting"): what the difference
 * between two records of a slot says of a second counter, or of the references, is exact. The slot
 * says which counter is whose. A value counts on over what is between two slots (gap, other tasks).
 *
 * Hybrids. A processor may have cores of several kinds, with their own events and counters: a
 * session has those of its CPU, and CCSAMPLE_QUERY and CCSAMPLE_QUERY_EVENT answer for the CPU that
 * they name (a CPU that was never online: ENODEV). An event's code is another one's, or no one's,
 * on other kinds of cores: names are to be looked up for each.
 *
 * Kernel events (CCSAMPLE_KERNEL) come in the interrupt itself: a slot must take at least
 * CCSAMPLE_KERNEL_LEAST of them, period - spread in bursts and batch times that in spread mode
 * (EINVAL), and the session ends with STORM where 1000 interrupts take more than a quarter of
 * the CPU's time, 2000 of them in a row leave the kernel where it was, or all of five seconds (and
 * of 1000) find it with a task switch due that does not come.
 *
 * A counter that has overflowed and records nothing (something switched PEBS off at that moment)
 * is noticed at the next timer interrupt or task switch, at CHECK and FLUSH, and (where the kernel
 * has stopped the tick) after a second in which nothing was published. It
 * gets a new gap, and control->rearmed grows; events in between are in the next slot's `events`.
 *
 * Marks. The owner of a record is in a side ring: a mark with kind
 * CCSAMPLE_MARK_SWITCH says that from byte `offset` of slot `slot` on the
 * records are of this thread, until the next such mark. Marks are in the
 * order in which they happened, mark_head counts them; the reader returns
 * mark_tail as it does tail. A thread in whose time no record came leaves no mark,
 * and a mark is there before the slot that needs it is published. In bursts, a thread
 * has another one behind an interrupt (of the timer, a device, another processor)
 * that came between two records of a slot: what others evicted from the cache meanwhile misses
 * again, and says nothing of the thread. A record that is not yet in memory when its thread leaves
 * the CPU is its thread's all the same: the next one's mark stands behind it. Records have no time
 * stamp before format 3: once some were seen to be late, as many behind a switch as were late
 * at once are nobody's (pid 0). A record's
 * owner is that of the last mark in the ring, up to mark_head as read after head,
 * that stands at or before it: the number of a slot that was dropped is used
 * again, so places in one slot may go back. Marks that found no room are counted in
 * control->lost_marks, and the next mark carries CCSAMPLE_MARK_AFTER_LOSS.
 * With a task filter there are marks for fork, exec and exit as well, on the
 * CPU where they happen. Process numbers are those of the opener's pid namespace.
 *
 * Ending. When the session ends by itself (somebody else's PEBS, a CPU gone
 * offline, ...) state becomes CCSAMPLE_ENDED, reason says why, poll gives
 * POLLHUP; what was published is kept. poll gives POLLIN when there is a slot to
 * read, but nothing wakes a sleeper for that: give poll a timeout.
 *
 * Errors, beyond EFAULT, ENOMEM and ENOTTY:
 *	EINVAL		an argument out of its range; no session yet
 *	EPERM		a right is missing, or the kernel is locked down for confidentiality
 *	EBUSY		OPEN: the CPU has a session, or the file; ENABLE: control->reason
 *			says why: FOREIGN_PEBS, VIRTUAL_MACHINE (a vCPU runs that may come to
 *			this CPU), COUNTER_CHANGED (the counters are taken), BRANCH_TRACE
 *	EOPNOTSUPP	bursts, several events, values or this event are not for this model; of
 *			latencies (0x01cd, 0x100b; E-cores' 0x05d0, 0x06d0) it is for none: they
 *			need a threshold, on some models a second event; nor of instructions
 *			(0x01c0), whose errata want periods that bursts do not have
 *	ENODEV, ESRCH	no such CPU (it is offline), no such process
 *	ENOSPC		no address space is left for the records
 *	ESHUTDOWN	the session has ended by itself; OPEN: the machine goes down
 *	EACCES		mmap: to write or to execute what is read-only
 *
 * Rights: CAP_PERFMON (or CAP_SYS_ADMIN, which is more) for each session, on a kernel that is not
 * locked down for confidentiality. OPEN looks at these first: a request for nothing, flags 0, ends
 * with EPERM where they are missing, and with EINVAL where they are not.
 * A task filter on a task of another user needs CAP_SYS_PTRACE as well, kernel
 * mode (CCSAMPLE_KERNEL) CAP_SYS_ADMIN.
 */
#ifndef _UAPI_CCSAMPLE_H
#define _UAPI_CCSAMPLE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define CCSAMPLE_ABI		1
#define CCSAMPLE_DEVICE		"/dev/ccsample"
#define CCSAMPLE_REFUSAL	"this processor cannot be sampled: "

#define CCSAMPLE_EVENTS_MAX	3	/* at once in a session */
#define CCSAMPLE_BURST_MAX	4096
#define CCSAMPLE_RAMP_STEP	2	/* bursts of one length before it doubles */
#define CCSAMPLE_PERIOD_MAX	(1ULL << 40)
#define CCSAMPLE_STORM_MAX	1000000
#define CCSAMPLE_KERNEL_LEAST	256	/* with CCSAMPLE_KERNEL: events between interrupts */

/* What CCSAMPLE_QUERY answers. */
enum ccsample_feature {
	CCSAMPLE_ADAPTIVE = 1 << 0,	/* records of groups (format 4 and later) */
	CCSAMPLE_HAS_COUNTER = 1 << 1,	/* records hold their counter: several events at once */
	CCSAMPLE_HAS_TSC = 1 << 2,	/* records have a time stamp (format 3 and later) */
	CCSAMPLE_BURSTS = 1 << 3,	/* periods of one event are trusted on this model */
	CCSAMPLE_KNOWN_MODEL = 1 << 4,	/* events have names */
	CCSAMPLE_ISOLATED = 1 << 5,	/* kernel page tables are hidden from user mode (PTI) */
	CCSAMPLE_HAS_VALUES = 1 << 6,	/* records can hold values of counters (format 6) */
	CCSAMPLE_SPLIT_LATENCY = 1 << 7, /* of their latency 15:0 are the instruction's, 47:32 */
					/* the cache's (Golden Cove, Gracemont, later ones) */
};

struct ccsample_query {
	__u32 size;
	__u32 abi;		/* CCSAMPLE_ABI */
	__u32 pebs_format;	/* 1 .. 6; 7: architectural */
	__u32 features;		/* enum ccsample_feature */
	__u32 counters;		/* general-purpose ones */
	__u32 counter_bits;
	__u32 named_events;	/* for CCSAMPLE_QUERY_EVENT: 0 .. named_events - 1 */
	__u32 least_period;
	__u32 tsc_khz;
	__u32 period_bits;	/* out: period and spread together are below 2^this; in: 0 */
	__u8 model[32];		/* as the module's table calls it, "" = unknown */
	__u8 warning[96];	/* an erratum of all its events, "" = none */
	__u8 device[16];	/* of a hybrid: perf's device of such cores, "cpu_core"; else "" */
	__u32 cpu;		/* in: which CPU */
	__u32 least_burst;	/* records that a burst or a batch has at least */
};

enum ccsample_event_flag {
	/*
	 * Retired stores, whether they miss `level` or not: bit 0 of a record's data source is set
	 * where the store hit it.
	 */
	CCSAMPLE_EVENT_STORES = 1 << 0,
};

struct ccsample_query_event {
	__u32 size;
	__u32 index;		/* in: which one */
	__u64 config;		/* as perf's raw code: event | umask << 8 | ... */
	__u32 level;		/* cache level whose load misses it counts; see flags */
	__u32 references;	/* raw code of what seeks lines there (docs/device.md), 0 = none */
	__u8 name[32];		/* "l1-miss" */
	__u8 warning[96];	/* an erratum of this event, "" = none */
	__u32 flags;		/* enum ccsample_event_flag */
	__u32 cpu;		/* in: which CPU */
};

enum ccsample_flag {
	CCSAMPLE_USER = 1 << 0,		/* events in user mode */
	CCSAMPLE_KERNEL = 1 << 1,	/* events in kernel mode */
	CCSAMPLE_TASK = 1 << 2,		/* only process pid, its threads and their children */
	CCSAMPLE_FROM_EXEC = 1 << 3,	/* the filter begins at the next exec of pid */
	CCSAMPLE_VALUES = 1 << 4,	/* records hold values (CCSAMPLE_HAS_VALUES) */
};

struct ccsample_event {
	__u64 config;		/* raw code (event | umask << 8), or that of a named event */
	__u64 period;		/* mean number of events a slot, least_period .. PERIOD_MAX */
	__u64 spread;		/* less than period; see ccsample_query.period_bits */
	__u32 plain;		/* out: 1 = counted exactly, by a second counter; in: 0 */
	__u32 reserved;
};

struct ccsample_open {
	__u32 size;
	__u32 cpu;
	__u32 flags;		/* enum ccsample_flag */
	__s32 pid;		/* with CCSAMPLE_TASK: a process */
	__u32 events;		/* 1 .. CCSAMPLE_EVENTS_MAX */
	__u32 burst;		/* 1 = spread mode; else events in a row, from least_burst on, */
				/* .. CCSAMPLE_BURST_MAX */
	__u32 batch;		/* spread mode: records a slot, from least_burst on (0 = so many); out */
	__u32 storm_limit;	/* interrupts a second that end the session, 0 = default; */
				/* .. CCSAMPLE_STORM_MAX */
	__u64 memory;		/* bytes for records (0 = module's default); out: what it became */
	__u64 marks;		/* entries for marks, a power of two (0 = default); out */
	__u64 seed;		/* of the gaps */
	struct ccsample_event event[CCSAMPLE_EVENTS_MAX];	/* zeros from `events` on */
	__u32 record_bytes;	/* out: of one record */
	__u32 slot_bytes;	/* out */
	__u32 slots;		/* out: a power of two */
	__u32 first_burst;	/* 0 = burst; else the ramp's first length, from least_burst on */
	__u64 control_bytes;	/* out: for mmap */
	__u64 records_bytes;	/* out: for mmap */
	__u64 references;	/* raw code of an event to be counted as well, with edge, */
				/* inversion, counter mask; out: 0 = it is not */
};

struct ccsample_read {
	__u32 size;
	__u32 reserved;
	__u64 events[CCSAMPLE_EVENTS_MAX];	/* since the first ENABLE, the sampled included */
	__u64 unpublished[CCSAMPLE_EVENTS_MAX];	/* of them: since the last slot published */
	__u64 references;			/* since the first ENABLE */
	__u64 references_unpublished;		/* ... since the last slot that reported them */
};

/* Of the session's events, as in struct ccsample_event; of others 0. */
struct ccsample_period {
	__u32 size;
	__u32 reserved;
	__u64 from;		/* out: the first slot that has gaps of these periods; in: 0 */
	__u64 period[CCSAMPLE_EVENTS_MAX];
	__u64 spread[CCSAMPLE_EVENTS_MAX];
};

#define CCSAMPLE_QUERY		_IOWR(0xcc, 1, struct ccsample_query)
#define CCSAMPLE_QUERY_EVENT	_IOWR(0xcc, 2, struct ccsample_query_event)
#define CCSAMPLE_OPEN		_IOWR(0xcc, 3, struct ccsample_open)
#define CCSAMPLE_ENABLE		_IO(0xcc, 4)
#define CCSAMPLE_DISABLE	_IO(0xcc, 5)
#define CCSAMPLE_CHECK		_IO(0xcc, 6)
#define CCSAMPLE_READ		_IOWR(0xcc, 7, struct ccsample_read)
#define CCSAMPLE_FLUSH		_IO(0xcc, 8)
#define CCSAMPLE_PERIOD		_IOWR(0xcc, 9, struct ccsample_period)

#define CCSAMPLE_MMAP_READER	0x00000000ULL
#define CCSAMPLE_MMAP_CONTROL	0x10000000ULL
#define CCSAMPLE_MMAP_RECORDS	0x100000000ULL

struct ccsample_reader {
	__u64 tail;		/* slots taken */
	__u64 mark_tail;	/* marks taken */
};

enum ccsample_state {
	CCSAMPLE_STOPPED = 0,
	CCSAMPLE_RUNNING = 1,
	CCSAMPLE_ENDED = 2,
};

enum ccsample_reason {
	CCSAMPLE_NOT_ENDED = 0,
	CCSAMPLE_FOREIGN_PEBS = 1,	/* another PEBS user on this CPU */
	CCSAMPLE_DS_CHANGED = 2,	/* somebody wrote DS_AREA */
	CCSAMPLE_COUNTER_CHANGED = 3,	/* somebody wrote our EVTSEL, or took a counter */
	CCSAMPLE_STORM = 4,		/* more interrupts than storm_limit; kernel events: above */
	CCSAMPLE_CPU_OFFLINE = 5,
	CCSAMPLE_SUSPEND = 6,
	CCSAMPLE_SHUTDOWN = 7,		/* reboot or kexec */
	CCSAMPLE_VIRTUAL_MACHINE = 8,	/* KVM runs here and would write DS_AREA */
	CCSAMPLE_BRANCH_TRACE = 9,	/* ENABLE: branches are traced into the DS area (BTS) */
};

/* Written by the module only. Counters only grow. */
struct ccsample_control {
	__u32 size;		/* the slots' ring begins here */
	__u32 abi;
	__u32 cpu;
	__u32 state;		/* enum ccsample_state */
	__u32 reason;		/* enum ccsample_reason: of the end, or the last ENABLE's EBUSY */
	__u32 slots;
	__u32 slot_bytes;
	__u32 marks;		/* entries; their ring follows the slots' one */
	__u64 head;		/* slots published */
	__u64 mark_head;	/* marks written */
	__u64 interrupts;	/* PMIs that were ours */
	__u64 records;		/* published */
	__u64 overruns;		/* slots dropped for want of room */
	__u64 overrun_records;	/* in them, and what landed just when architectural PEBS was */
				/* switched, or set to the next slot */
	__u64 short_gaps;	/* bursts that came before their gap had passed */
	__u64 in_flight;	/* records that landed after their slot was closed */
	__u64 rewrites;		/* times that perf had rewritten a counter; put right */
	__u64 lost_marks;
	__u64 switches;		/* task switches seen */
	__u64 handler_tsc;	/* time in our handler, in TSC ticks */
	__u64 handler_tsc_max;
	__u64 lost_tasks;	/* children that the filter had no memory for */
	__u64 rearmed;		/* times that a counter had ceased to record; it got a new gap */
	__u64 full_slots;	/* slots that were filled to the end of their room */
	__u64 full_records;	/* lost there at most, of events with `plain` (8 more a slot */
				/* where records have no time); and what may have been on its */
				/* way when the session ended by itself (up to 8) */
	__u64 reserved[2];
};

enum ccsample_slot_flag {
	CCSAMPLE_SLOT_PARTIAL = 1 << 0,		/* closed before its interrupt */
	CCSAMPLE_SLOT_SHORT_GAP = 1 << 1,	/* its gap was cut short */
	CCSAMPLE_SLOT_AFTER_LOSS = 1 << 2,	/* slots, or records, before it were lost */
	CCSAMPLE_SLOT_IN_FLIGHT = 1 << 3,	/* some records landed late: see `late` */
	CCSAMPLE_SLOT_FULL = 1 << 4,		/* records behind its last one may be lost */
};

struct ccsample_slot {
	__u64 sequence;		/* the value of head before it */
	__u64 tsc;		/* when it was closed */
	__u32 bytes;		/* of records */
	__u32 flags;		/* enum ccsample_slot_flag */
	__u64 lost_records;	/* of overrun_records: since the slot before */
	__u64 gap[CCSAMPLE_EVENTS_MAX];		/* drawn for this slot; 0 = its burst goes on */
	__u64 events[CCSAMPLE_EVENTS_MAX];	/* since the slot before, 0 without `plain` */
	__u16 burst;		/* asked for */
	__u16 late;		/* its first records, that many, are of the burst before */
	/* With CCSAMPLE_VALUES, of each event's second counter, last of the references': */
	__u8 value[CCSAMPLE_EVENTS_MAX + 1];	/* its bit in the records, or CCSAMPLE_NO_VALUE */
	/* Of each event its bit in the records, or CCSAMPLE_NO_COUNTER: */
	__u8 counter[CCSAMPLE_EVENTS_MAX + 1];
	__u32 references;	/* since the slot before, where they are counted: */
};

#define CCSAMPLE_NOT_COUNTED		0xffffffffU	/* unknown */
#define CCSAMPLE_REFERENCES_MOST	0xfffffffeU	/* that many, or more */
#define CCSAMPLE_NO_VALUE		0xffU	/* not on one counter since the slot before */
/*
 * perf has moved the event to another counter, which recorded once in a period until that was
 * noticed: its records here are of no burst, nor at the distance of `gap`.
 */
#define CCSAMPLE_NO_COUNTER		0xffU

enum ccsample_mark_kind {
	CCSAMPLE_MARK_SWITCH = 1,	/* this thread runs from here on */
	CCSAMPLE_MARK_FORK = 2,		/* pid, tid: the new task; other: the parent's pid */
	CCSAMPLE_MARK_EXEC = 3,		/* pid has a new image */
	CCSAMPLE_MARK_EXIT = 4,		/* the thread ends; other: 1 = it was the last one */
};

#define CCSAMPLE_MARK_AFTER_LOSS	(1 << 0)

struct ccsample_mark {
	__u64 tsc;
	__u64 slot;		/* sequence of the slot being filled */
	__u32 offset;		/* bytes in it */
	__u16 kind;		/* enum ccsample_mark_kind */
	__u16 flags;
	__u32 pid;		/* thread group; 0 = outside of namespace or filter, or idle */
	__u32 tid;
	__u32 other;
	__u32 reserved;
};

/* Names of nothing; an array of less than no elements is an error in C and in C++. */
#define CCSAMPLE_SIZE_IS(name, bytes)	\
	extern char name ## _size_is[sizeof(struct name) == (bytes) ? 1 : -1]
CCSAMPLE_SIZE_IS(ccsample_query, 192);
CCSAMPLE_SIZE_IS(ccsample_query_event, 160);
CCSAMPLE_SIZE_IS(ccsample_event, 32);
CCSAMPLE_SIZE_IS(ccsample_open, 192);
CCSAMPLE_SIZE_IS(ccsample_read, 72);
CCSAMPLE_SIZE_IS(ccsample_period, 64);
CCSAMPLE_SIZE_IS(ccsample_reader, 16);
CCSAMPLE_SIZE_IS(ccsample_control, 184);
CCSAMPLE_SIZE_IS(ccsample_slot, 96);
CCSAMPLE_SIZE_IS(ccsample_mark, 40);

#endif /* _UAPI_CCSAMPLE_H */
