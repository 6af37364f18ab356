/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one CPU, its DS area, its events. What interrupts (NMI) and task
 * switches touch is touched by that CPU only, without locks (`busy`); the rest
 * is under `lock`.
 */
#ifndef CCSAMPLE_KMOD_SESSION_H
#define CCSAMPLE_KMOD_SESSION_H

#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/pid_namespace.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "compat/kernel.h"
#include "ccsample.h"
#include "ds.h"
#include "filter.h"
#include "memory.h"

#define CCSAMPLE_RAMP_LENGTHS	13	/* lengths of bursts: 1, 2, 4 .. 4096 */

struct ccsample_cpu;
struct ccsample_status;

/* Gaps are drawn uniformly from low .. low + choices - 1. */
struct ccsample_gaps {
	u64 low, choices;
};

/* Of each event, by lengths of bursts. */
struct ccsample_ranges {
	struct ccsample_gaps of[CCSAMPLE_EVENTS_MAX][CCSAMPLE_RAMP_LENGTHS];
};

struct ccsample_counter {
	struct perf_event *precise;	/* samples: perf programs it, we write its value */
	struct perf_event *plain;	/* counts the same event; NULL = no counter was left */
	int index;			/* of the counter that carries `precise`, -1 = not known */
	u8 slot_counter;		/* of the slot being filled; CCSAMPLE_NO_COUNTER: of two */
	u64 evtsel;			/* how perf programmed that counter */
	u64 wanted;			/* the same, but enabled only where we want it to be */
	u64 gap;			/* drawn last */
	u64 slot_gap;			/* drawn for the slot being filled, 0 = none was */
	u64 reload;			/* architectural: what the counter restarts from */
	u64 elapsed;			/* events of that gap that had already passed */
	u64 last;			/* raw value of `plain` when it was last read */
	u64 total;			/* events counted since the first ENABLE */
	u64 at_gap;			/* `total` when the gap was drawn */
	u64 published;			/* `total` at the last published slot */
	const struct ccsample_gaps *range;	/* of the current burst length, in `ranges` */
};

/* An event that is counted as well, and not sampled. */
struct ccsample_references {
	struct perf_event *event;	/* NULL = no counter was left */
	u64 last;			/* raw value when it was last read */
	u64 pending;			/* counted since the last slot that reported them */
	u64 reported;			/* in slots published, since the first ENABLE */
};

#define CCSAMPLE_INTERVALS	32	/* a power of two */

/* Who runs from a time on. */
struct ccsample_owner {
	u64 tsc;
	u32 pid, tid;			/* 0 = outside the filter */
};

/* A run interval of one task; it gets its mark when records have come in it. */
struct ccsample_interval {
	struct ccsample_owner owner;
	u64 slot;
	u32 offset;
	u32 doubtful;			/* records that may be the one's before, and do not tell */
	bool open;			/* has no mark yet */
};

/*
 * Intervals since the last one that has a mark: records of theirs may still be on their way. In
 * a ring, first .. next - 1.
 */
struct ccsample_unmarked {
	struct ccsample_owner owner[CCSAMPLE_INTERVALS];
	u32 first, next;
	u64 forgotten;			/* TSC of the oldest that there was no room for, 0 = none */
};

struct ccsample_session {
	/* Set once, at CCSAMPLE_OPEN. */
	int cpu;
	const struct ccsample_cpu *kind;	/* of that CPU */
	u32 flags;			/* enum ccsample_flag */
	unsigned int events;
	u32 tsc_at;			/* offset of the time stamp in a record, 0 = none */
	u32 record_bytes;
	u32 record_reciprocal;		/* 2^32 / record_bytes, rounded up */
	u32 slot_bytes, slots;
	u32 slot_room;			/* bytes of records that a slot may take */
	u64 slots_end;			/* of the last one, in the window */
	u64 counter_mask;
	struct ccsample_memory *memory;
	struct ccsample_control *control;
	struct ccsample_reader *reader;
	struct ccsample_slot *slot;
	struct ccsample_mark *mark;
	u32 marks;
	struct pid_namespace *namespace;	/* of the opener */
	struct ccsample_filter_user follows;
	u64 storm_limit;
	u32 batch;
	u64 config, period;		/* of the first event, as asked for last */
	pid_t opener;			/* its process, in the initial namespace */
	u32 perf_type;			/* of its events */
	bool spread;			/* CCSAMPLE_OPEN's burst was 1 */
	bool values;			/* CCSAMPLE_VALUES */
	bool architectural;		/* PEBS: archpebs.h in place of a DS area */
	bool simple;			/* one event, no values, a DS area: the short way */

	/* The CPU's own. */
	struct ccsample_ds *ds;		/* NULL: architectural */
	u64 ds_area;			/* its address in the window */
	u64 saved_ds_area;		/* what the register held; architectural: PEBS_BASE */
	u64 saved_index;		/* architectural: PEBS_INDEX */
	u64 slot_at;			/* architectural: kernel address of the slot being filled */
	u64 pebs;			/* PEBS_ENABLE, or its like, as last read: all of it ours */
	u64 groups;			/* what PEBS_DATA_CFG must hold; 0 = there is none */
	unsigned int looked;		/* the counter that the last interrupt verified */
	bool begun;			/* samples; until then the DS area is merely held */
	bool busy;			/* the CPU is inside, below NMI level, or has not begun */
	bool foreign;			/* the slot of control->head may hold another's records */
	bool halted;			/* nothing counts any more: DISABLE is under way */
	bool inside;			/* a task of the filter runs: the counters count */
	bool after_loss, marks_lost;
	u64 lost_records;		/* since the last published slot */
	u64 random;
	u32 ramp_at, ramp_lengths, ramp_left, ramp_bursts;
	u32 burst[CCSAMPLE_RAMP_LENGTHS];
	u32 slot_full;			/* bytes of records at which the interrupt comes */
	u64 opened_tsc;			/* of the slot being filled */
	bool quenched;			/* an interrupt that was turned away stopped PEBS */
	bool pebs_lacks;		/* @pebs, a bit that our events should have there */
	u64 storm_at;			/* interrupts at which to look for a storm */
	u64 storm_start, storm_from;	/* TSC and interrupts, of as many as may come in a second */
	u64 share_start;		/* TSC; of interrupts since then: */
	u64 nmi_spent, nmi_start;	/* ticks in all of them; when the present one began */
	struct {
		unsigned long ip, sp, cx, di;
	} found;			/* where the kernel was at the last interrupt */
	u32 standing;			/* interrupts since it was elsewhere */
	struct {
		u64 since;		/* TSC, and control's counts of then */
		u64 switches, interrupts;
		u64 count;		/* interrupts since then, each in the kernel */
		u64 asked;		/* TSC: for an interrupt that others let in, let_in_irq */
		bool let_in;		/* ... and it came */
	} due;				/* a task switch, or an interrupt */
	struct ccsample_interval interval;
	struct ccsample_unmarked unmarked;
	struct ccsample_owner marked;	/* of the last mark */
	u64 full_in_gaps;		/* what full slots lost more if gaps were not kept */
	u32 late_most;			/* records without time stamps: seen to be late at once */
	u8 value[CCSAMPLE_EVENTS_MAX + 1];	/* as in slots: when the current one was begun */
	struct ccsample_references references;
	struct ccsample_counter counter[CCSAMPLE_EVENTS_MAX];
	struct ccsample_ranges ranges;

	/* Under lock. */
	struct mutex lock;
	bool running;
	u64 watched_head;		/* at the last `watch` */
	u64 reported_overruns, reported_rearmed, reported_full;
	unsigned int ended;		/* enum ccsample_reason; set once, by cmpxchg */
	struct irq_work ended_irq;
	struct irq_work let_in_irq;
	struct work_struct ended_work;
	struct delayed_work watch;	/* reports losses while it runs */
	wait_queue_head_t *wait;	/* the file's, who polls it */
};

/* The session that samples this CPU now, or NULL. */
DECLARE_PER_CPU(struct ccsample_session *, ccsample_here);

/**
 * ccsample_session_open() - check the request, make the session, hold its events.
 * @ask: the request; what it is answered is filled in
 * @wait: is there until the session is closed; woken when it ends by itself
 *
 * Return: the session or an error pointer (the errors are listed in ccsample.h).
 */
struct ccsample_session *ccsample_session_open(struct ccsample_open *ask, wait_queue_head_t *wait);

int ccsample_session_enable(struct ccsample_session *s);
int ccsample_session_disable(struct ccsample_session *s);
int ccsample_session_check(struct ccsample_session *s);
int ccsample_session_flush(struct ccsample_session *s);
int ccsample_session_read(struct ccsample_session *s, struct ccsample_read *answer);
int ccsample_session_period(struct ccsample_session *s, struct ccsample_period *ask);
void ccsample_session_close(struct ccsample_session *s);

/**
 * ccsample_session_end() - mark a session as ended by itself, once.
 *
 * From any context, NMI included. Releasing its events and waking its poller
 * follow from a work item.
 */
void ccsample_session_end(struct ccsample_session *s, enum ccsample_reason reason);

/* A copy of what the session is and has counted. */
void ccsample_session_status(const struct ccsample_session *s, struct ccsample_status *status);

#endif /* CCSAMPLE_KMOD_SESSION_H */
