// SPDX-License-Identifier: GPL-2.0-only
/*
 * Do interrupts leave the CPU to its programs? A rate alone does not tell: kernel events come in
 * the interrupt itself, so it may be due again before anything else has moved, however few
 * interrupts a second that makes.
 */
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <asm/nmi.h>
#include <asm/tsc.h>

#include "storm.h"

#define SHARE_MOST	4	/* interrupts take at most a quarter of a session */
#define SHARE_STEP	1000	/* of them between two looks at it */
#define STANDING_MOST	2000	/* interrupts of one instruction, in one state */
#define DUE_SECONDS	5	/* for which a switch may be due: a soft lockup is 20 */
#define DUE_LEAST	1000	/* interrupts that all find it so */

static DEFINE_MUTEX(timed_lock);
static unsigned int timed_users;

/* So many interrupts again, as the session allows in a second: did they take one? */
static bool too_many(struct ccsample_session *s, u64 now)
{
	u64 passed = now - s->storm_start;

	if (s->control->interrupts - s->storm_from < s->storm_limit)
		return false;
	s->storm_start = now;
	s->storm_from = s->control->interrupts;
	return passed < (u64)tsc_khz * 1000;
}

/* Of kernel sessions: the others have no time measured. */
static bool too_long(struct ccsample_session *s, u64 now)
{
	u64 spent = s->nmi_spent, passed = now - s->share_start;

	s->nmi_spent = 0;
	s->share_start = now;
	return spent > passed / SHARE_MOST;
}

/* The kernel lets interrupts in. */
static void let_in(struct irq_work *work)
{
	WRITE_ONCE(container_of(work, struct ccsample_session, let_in_irq)->due.let_in, true);
}

void ccsample_storm_init(struct ccsample_session *s)
{
	init_irq_work(&s->let_in_irq, let_in);
}

/* From now on a task switch may be due. */
static void begin_due(struct ccsample_session *s, u64 now)
{
	s->due.since = now;
	s->due.switches = s->control->switches;
	s->due.interrupts = s->control->interrupts;
	s->due.count = 0;
}

void ccsample_storm_begin(struct ccsample_session *s)
{
	s->storm_at = s->control->interrupts;
	s->storm_from = s->storm_at;
	s->storm_start = rdtsc();
	s->share_start = s->storm_start;
	s->nmi_spent = 0;
	s->standing = 0;
	s->due.asked = s->storm_start;
	WRITE_ONCE(s->due.let_in, true);
	begin_due(s, s->storm_start);
}

bool ccsample_storm(struct ccsample_session *s, u64 now)
{
	bool many = too_many(s, now), slow = too_long(s, now);

	s->storm_at = s->control->interrupts + min_t(u64, s->storm_limit, SHARE_STEP);
	return many || slow;
}

/* Has the kernel not moved since the last interrupt, for how many? A loop changes a register. */
static bool stands_still(struct ccsample_session *s, const struct pt_regs *regs)
{
	if (regs->ip != s->found.ip || regs->sp != s->found.sp || regs->cx != s->found.cx ||
	    regs->di != s->found.di) {
		s->found.ip = regs->ip;
		s->found.sp = regs->sp;
		s->found.cx = regs->cx;
		s->found.di = regs->di;
		s->standing = 0;
	}
	return ++s->standing > STANDING_MOST;
}

/* An interrupt that others let in is asked for once a second: is it still not there? */
static bool lets_nobody_in(struct ccsample_session *s, u64 now)
{
	if (READ_ONCE(s->due.let_in) && now - s->due.asked > (u64)tsc_khz * 1000) {
		s->due.asked = now;
		WRITE_ONCE(s->due.let_in, false);
		irq_work_queue(&s->let_in_irq);
	}
	return !READ_ONCE(s->due.let_in);
}

/*
 * Has every interrupt for seconds found the kernel with a task switch due, that did not come, or
 * with interrupts off? Where an interrupt makes most of the next one's events, as on a kernel that
 * looks for mistakes, what is interrupted hardly moves, and records may take the time that is not
 * measured. The tick asks for the switch, or the watchdog (watchdog_timer_fn()); where one task
 * has the CPU alone nobody, nor where an idle CPU does not get out of an interrupt's handler.
 */
static bool holds_up(struct ccsample_session *s)
{
	u64 now = rdtsc();
	bool closed = lets_nobody_in(s, now);

	if (s->control->switches != s->due.switches ||
	    s->control->interrupts != s->due.interrupts + s->due.count)
		begin_due(s, now);
	if (!closed && !test_tsk_need_resched(current))
		return false;
	return ++s->due.count > DUE_LEAST && now - s->due.since > (u64)tsc_khz * 1000 * DUE_SECONDS;
}

bool ccsample_storm_in_kernel(struct ccsample_session *s, const struct pt_regs *regs)
{
	return stands_still(s, regs) || holds_up(s);
}

/* Behind perf's handler: how long did the interrupt take, all in all? */
static int timed(unsigned int command, struct pt_regs *regs)
{
	struct ccsample_session *s = this_cpu_read(ccsample_here);

	if (s && s->nmi_start) {
		s->nmi_spent += rdtsc() - s->nmi_start;
		s->nmi_start = 0;
	}
	return NMI_DONE;
}

int ccsample_storm_get(u32 flags)
{
	int error = 0;

	if (!(flags & CCSAMPLE_KERNEL))
		return 0;
	mutex_lock(&timed_lock);
	if (!timed_users)
		error = register_nmi_handler(NMI_LOCAL, timed, 0, "ccsample time");
	timed_users += !error;
	mutex_unlock(&timed_lock);
	return error;
}

void ccsample_storm_put(u32 flags)
{
	if (!(flags & CCSAMPLE_KERNEL))
		return;
	mutex_lock(&timed_lock);
	if (!--timed_users)
		unregister_nmi_handler(NMI_LOCAL, "ccsample time");
	mutex_unlock(&timed_lock);
}
