// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <asm/trace/irq_vectors.h>

#include "filter.h"
#include "gaps.h"
#include "guard.h"
#include "marks.h"
#include "pmi.h"
#include "sched.h"

#define ROUNDS_MOST	16	/* slots that fill while one is closed: kernel events */

static DEFINE_MUTEX(probes_lock);
static unsigned int probes_users;

static bool wanted(const struct ccsample_session *s, const struct task_struct *task)
{
	return !s->halted && (!s->follows.filter || ccsample_filter_has(s->follows.filter, task));
}

/*
 * A task of the filter begins or ceases to run. The counters keep their values,
 * so a gap goes on where it was.
 */
static void gate(struct ccsample_session *s, bool inside)
{
	if (inside == s->inside)
		return;
	ccsample_count(s);
	s->inside = inside;
	for (unsigned int i = 0; i < s->events; i++)
		ccsample_guard_gate(s, &s->counter[i]);
}

void ccsample_sched_begin(struct ccsample_session *s)
{
	gate(s, wanted(s, current));
	ccsample_interval_begin(s, s->inside ? current : NULL);
}

static void end(struct ccsample_session *s, enum ccsample_reason reason)
{
	ccsample_guard_stop(s, reason);
	ccsample_session_end(s, reason);
}

/* Something has changed: may it? */
static noinline bool look_closely(struct ccsample_session *s)
{
	enum ccsample_reason reason = ccsample_guard_ds(s, current);

	if (!reason)
		reason = ccsample_guard_all(s);
	if (reason)
		end(s, reason);
	return !reason;
}

static __always_inline bool is_disturbed(const struct ccsample_session *s)
{
	return unlikely(!ccsample_guard_quick(s, s->events, s->architectural) ||
			!ccsample_area_ours(s));
}

void ccsample_sched_halt(struct ccsample_session *s)
{
	if (is_disturbed(s) && !look_closely(s))
		return;
	ccsample_interval_settle(s, ccsample_position(s));
	s->halted = true;
	gate(s, false);
}

bool ccsample_sched_look(struct ccsample_session *s)
{
	/* Branches that somebody traces begin there again, should they not have gone round. */
	if (!s->architectural)
		s->ds->bts_index = s->ds->bts_base;
	if (is_disturbed(s) && !look_closely(s))
		return false;
	if (ccsample_slot_over(s))
		ccsample_slot_close(s, ccsample_full(s) ? 0 : CCSAMPLE_SLOT_PARTIAL);
	ccsample_gaps_rearm(s);
	return true;
}

void ccsample_enter(struct ccsample_session *s)
{
	WRITE_ONCE(s->busy, true);
	barrier();
}

bool ccsample_enter_begun(struct ccsample_session *s)
{
	if (!s->begun)
		return false;
	ccsample_enter(s);
	/* Until then an NMI may have stopped it. */
	if (likely(s->begun))
		return true;
	ccsample_leave(s);
	return false;
}

void ccsample_leave(struct ccsample_session *s)
{
	for (unsigned int round = 0;; round++) {
		barrier();
		WRITE_ONCE(s->busy, false);
		barrier();
		if (this_cpu_read(ccsample_here) != s || !s->begun ||
		    !ccsample_slot_over(s))
			return;
		ccsample_enter(s);
		if (unlikely(!s->begun))
			continue;
		if (round == ROUNDS_MOST)
			end(s, CCSAMPLE_STORM);
		else
			ccsample_sched_look(s);
	}
}

/* Interrupts are off and the run queue's lock is held; current is still @prev. */
static void on_switch(void *unused, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct ccsample_session *s = this_cpu_read(ccsample_here);

	if (!s || !ccsample_enter_begun(s))
		return;
	s->control->switches++;
	if (ccsample_sched_look(s)) {
		gate(s, wanted(s, next));
		ccsample_interval_begin(s, s->inside && next->pid ? next : NULL);
	}
	ccsample_leave(s);
}

/* The session of this CPU, entered, if the task is its filter's; interrupts off. */
static struct ccsample_session *enter_filtered(const struct task_struct *task)
{
	struct ccsample_session *s = this_cpu_read(ccsample_here);

	if (!s || !s->begun || !s->follows.filter ||
	    !ccsample_filter_has(s->follows.filter, task))
		return NULL;
	return ccsample_enter_begun(s) ? s : NULL;
}

static void on_fork(void *unused, struct task_struct *parent, struct task_struct *child)
{
	struct ccsample_session *s;
	unsigned long flags;

	ccsample_filter_fork(parent, child);
	local_irq_save(flags);
	s = enter_filtered(parent);
	if (s) {
		ccsample_mark_task(s, CCSAMPLE_MARK_FORK, child, ccsample_pid(s, parent));
		ccsample_leave(s);
	}
	local_irq_restore(flags);
}

static void on_exec(void *unused, struct task_struct *task, pid_t old_pid,
		    struct linux_binprm *program)
{
	struct ccsample_session *s;
	unsigned long flags;

	ccsample_filter_exec(task);
	local_irq_save(flags);
	s = enter_filtered(task);
	if (s) {
		/* Also inside: a thread that calls exec has the process's number now. */
		ccsample_sched_begin(s);
		ccsample_mark_task(s, CCSAMPLE_MARK_EXEC, task, 0);
		ccsample_leave(s);
	}
	local_irq_restore(flags);
}

static void on_task_exit(struct task_struct *task)
{
	bool last = !atomic_read(&task->signal->live);
	struct ccsample_session *s;
	unsigned long flags;

	local_irq_save(flags);
	s = enter_filtered(task);
	if (s) {
		ccsample_mark_task(s, CCSAMPLE_MARK_EXIT, task, last);
		ccsample_leave(s);
	}
	local_irq_restore(flags);
	if (last)
		ccsample_filter_exit(task);
}

static void on_exit(void *unused, struct task_struct *task)
{
	on_task_exit(task);
}

/* As 6.16 and later call it. */
static void on_exit_of_group(void *unused, struct task_struct *task, bool group_dead)
{
	on_task_exit(task);
}

/* kCFI compares a function's type with its caller's. */
#define EXIT_HAS_GROUP								\
	__builtin_types_compatible_p(typeof(&check_trace_callback_type_sched_process_exit), \
				     void (*)(void (*)(void *, struct task_struct *, bool)))

/* Is a burst under way? Of several events one may go on in an empty slot. */
static bool in_burst(const struct ccsample_session *s)
{
	return !s->spread && (ccsample_position(s) || s->events > 1);
}

/*
 * What an interrupt evicts misses again behind it, and that is none of the
 * task's doing: what follows in the burst is a run interval of its own, with a mark. In a gap there
 * is nothing to part, and the next buffer switch is spared a mark. Interrupts are off.
 */
static void on_interrupt(void)
{
	struct ccsample_session *s = this_cpu_read(ccsample_here);

	if (!s || !s->begun || !s->inside || !in_burst(s) ||
	    !ccsample_enter_begun(s))
		return;
	ccsample_interval_split(s);
	ccsample_leave(s);
}

static void on_vector(void *unused, int vector)
{
	on_interrupt();
}

/*
 * A counter that a switch of PEBS has disarmed (ccsample_gaps_rearm()) would stand until the next
 * task switch, and a program that keeps the CPU has none for long.
 */
static void on_tick(void *unused, int vector)
{
	struct ccsample_session *s = this_cpu_read(ccsample_here);

	if (s && s->begun && s->inside && unlikely(ccsample_gaps_overdue(s)) &&
	    ccsample_enter_begun(s)) {
		ccsample_sched_look(s);
		ccsample_leave(s);
	}
	on_interrupt();
}

static void on_irq(void *unused, int irq, struct irqaction *action)
{
	on_interrupt();
}

/*
 * A probe is registered as an address without a type; with kCFI, one of another type than the
 * tracepoint's callback is a panic. Here the compiler compares them.
 */
static void check_types(void)
{
	check_trace_callback_type_sched_switch(on_switch);
	check_trace_callback_type_sched_process_fork(on_fork);
	check_trace_callback_type_sched_process_exec(on_exec);
	check_trace_callback_type_irq_handler_entry(on_irq);
	check_trace_callback_type_local_timer_entry(on_tick);
	check_trace_callback_type_irq_work_entry(on_vector);
}

static struct probe {
	const char *name;
	void *function;
	bool needed;
	struct tracepoint *point;
} probes[] = {
	{ "sched_switch", on_switch, true },
	{ "sched_process_fork", on_fork, true },
	{ "sched_process_exec", on_exec, true },
	{ "sched_process_exit", EXIT_HAS_GROUP ? (void *)on_exit_of_group : (void *)on_exit, true },
	{ "irq_handler_entry", on_irq },
	{ "local_timer_entry", on_tick },
	{ "reschedule_entry", on_vector },
	{ "call_function_entry", on_vector },
	{ "call_function_single_entry", on_vector },
	{ "irq_work_entry", on_vector },
};

static void match(struct tracepoint *point, void *unused)
{
	for (size_t i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!strcmp(point->name, probes[i].name))
			probes[i].point = point;
	}
}

int ccsample_sched_init(void)
{
	check_types();
	for_each_kernel_tracepoint(match, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(probes); i++) {
		if (probes[i].point)
			continue;
		if (probes[i].needed)
			return -ENOENT;
		pr_info("no tracepoint %s: such interrupts are not marked\n", probes[i].name);
	}
	return 0;
}

static void unregister(size_t nr)
{
	while (nr--) {
		if (probes[nr].point)
			tracepoint_probe_unregister(probes[nr].point, probes[nr].function, NULL);
	}
	tracepoint_synchronize_unregister();
}

int ccsample_sched_get(void)
{
	int error = 0;

	mutex_lock(&probes_lock);
	if (probes_users++)
		goto unlock;
	for (size_t i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!probes[i].point)
			continue;
		error = tracepoint_probe_register(probes[i].point, probes[i].function, NULL);
		if (error) {
			unregister(i);
			probes_users--;
			break;
		}
	}
unlock:
	mutex_unlock(&probes_lock);
	return error;
}

void ccsample_sched_put(void)
{
	mutex_lock(&probes_lock);
	if (!--probes_users)
		unregister(ARRAY_SIZE(probes));
	mutex_unlock(&probes_lock);
}
