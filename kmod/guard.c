// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/reboot.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/suspend.h>
#include <asm/perf_event.h>

#include "compat/sched.h"
#include "counters.h"
#include "cpu.h"
#include "gaps.h"
#include "guard.h"
#include "marks.h"
#include "pmi.h"
#include "registry.h"

static enum cpuhp_state hotplug_state;

#define PRECISE_STORE_BIT	63
#define PRECISE_STORE_COUNTER	3

/*
 * The bits that are a counter's: its own, precise stores' (SDM volume 3, "Layout of
 * IA32_PEBS_ENABLE MSR"; intel_pmu_pebs_enable()). Load latency's is no event's of ours.
 */
static u64 bits_of(const struct ccsample_cpu *kind, int counter)
{
	u64 bits = BIT_ULL(counter);

	if (kind->pebs_format == 1 && counter == PRECISE_STORE_COUNTER)
		bits |= BIT_ULL(PRECISE_STORE_BIT);
	return bits;
}

/* The PEBS_ENABLE bits of our events, wherever perf has put them. */
static u64 our_bits(const struct ccsample_session *s)
{
	u64 bits = 0;

	for (unsigned int i = 0; i < s->events; i++) {
		const struct perf_event *precise = s->counter[i].precise;

		bits |= ccsample_carried(precise) ? bits_of(s->kind, precise->hw.idx) : 0;
	}
	return bits;
}

/* Those without which our events are not recorded. */
static u64 carriers(const struct ccsample_session *s)
{
	u64 bits = 0;

	for (unsigned int i = 0; i < s->events; i++) {
		const struct perf_event *precise = s->counter[i].precise;

		bits |= ccsample_carried(precise) ? BIT_ULL(precise->hw.idx) : 0;
	}
	return bits;
}

enum ccsample_reason ccsample_guard_pebs(struct ccsample_session *s)
{
	/* Zero is our doing then, until the slot is closed. */
	if (s->quenched)
		return CCSAMPLE_NOT_ENDED;
	s->pebs = s->architectural ? ccsample_arch_enabled(s, our_bits(s)) :
				     ccsample_rdmsr(MSR_IA32_PEBS_ENABLE);
	/* In an interrupt perf may be half done: the next look says if a bit is gone for good. */
	s->pebs_lacks = carriers(s) & ~s->pebs;
	return s->pebs & ~our_bits(s) || !ccsample_guard_groups(s) ? CCSAMPLE_FOREIGN_PEBS :
								     CCSAMPLE_NOT_ENDED;
}

bool ccsample_guard_virtual(int cpu)
{
	const struct task_struct *process, *task;
	bool found = false;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (runs_virtual_machine(task) && cpumask_test_cpu(cpu, task->cpus_ptr))
			found = true;
	}
	rcu_read_unlock();
	return found;
}

enum ccsample_reason ccsample_guard_ds(struct ccsample_session *s, struct task_struct *task)
{
	enum ccsample_reason reason = ccsample_guard_pebs(s);

	if (reason || ccsample_area_ours(s))
		return reason;
	return runs_virtual_machine(task) ? CCSAMPLE_VIRTUAL_MACHINE : CCSAMPLE_DS_CHANGED;
}

/* Another of our events may have come to where this one was. */
static bool alone_there(const struct ccsample_session *s, const struct ccsample_counter *c)
{
	for (unsigned int i = 0; i < s->events; i++) {
		if (&s->counter[i] != c && s->counter[i].index == c->index)
			return false;
	}
	return true;
}

static void want(const struct ccsample_session *s, struct ccsample_counter *c)
{
	c->wanted = s->inside ? c->evtsel : c->evtsel & ~(u64)ARCH_PERFMON_EVENTSEL_ENABLE;
}

static void write_selection(const struct ccsample_counter *c)
{
	u64 counting = ccsample_count_off();

	ccsample_wrmsr(c->precise->hw.config_base, c->wanted);
	ccsample_count_on(counting);
}

/* What a counter that our event has left restarts from. */
static void forget_reload(struct ccsample_session *s, const struct ccsample_counter *c)
{
	if (s->architectural)
		ccsample_arch_cease(c);
	else
		s->ds->reset[c->index] = -s->period & s->counter_mask;
}

/*
 * perf has put the event on a counter, or moved it: its reset slot moves along. Until now that had
 * a whole period.
 */
static void follow(struct ccsample_session *s, struct ccsample_counter *c)
{
	const struct hw_perf_event *hw = &c->precise->hw;
	bool moved = c->index >= 0;

	if (moved) {
		if (alone_there(s, c))
			forget_reload(s, c);
		s->control->rewrites++;
	}
	c->index = hw->idx;
	c->slot_counter = moved && ccsample_position(s) ? CCSAMPLE_NO_COUNTER : c->index;
	ccsample_gap_reload(s, c, s->spread ? -c->gap & s->counter_mask : s->counter_mask);
	c->evtsel = ccsample_rdmsr(hw->config_base) | ARCH_PERFMON_EVENTSEL_ENABLE;
	want(s, c);
	if (c->wanted != c->evtsel)
		write_selection(c);
}

/* By perf: a pinned event that found no counter when events were scheduled again. */
static bool is_given_up(const struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_ERROR;
}

enum ccsample_reason ccsample_guard_counter(struct ccsample_session *s, struct ccsample_counter *c)
{
	const struct hw_perf_event *hw = &c->precise->hw;
	u64 found;

	if (is_given_up(c->precise) || (c->plain && is_given_up(c->plain)))
		return CCSAMPLE_COUNTER_CHANGED;
	if (!ccsample_carried(c->precise))
		return CCSAMPLE_NOT_ENDED;
	if (hw->idx != c->index) {
		/* A fixed counter, that of instructions, has no EVTSEL to switch it by. */
		if (hw->idx >= (int)s->kind->counters)
			return CCSAMPLE_COUNTER_CHANGED;
		follow(s, c);
		return CCSAMPLE_NOT_ENDED;
	}
	found = ccsample_rdmsr(hw->config_base);
	if (found == c->wanted)
		return CCSAMPLE_NOT_ENDED;
	/* perf, rescheduling, enables what the task filter had disabled. */
	if (found != c->evtsel)
		return CCSAMPLE_COUNTER_CHANGED;
	s->control->rewrites++;
	write_selection(c);
	return CCSAMPLE_NOT_ENDED;
}

enum ccsample_reason ccsample_guard_all(struct ccsample_session *s)
{
	enum ccsample_reason reason = ccsample_guard_pebs(s);

	for (unsigned int i = 0; !reason && i < s->events; i++)
		reason = ccsample_guard_counter(s, &s->counter[i]);
	if (!reason && carriers(s) & ~s->pebs)
		reason = CCSAMPLE_COUNTER_CHANGED;
	if (!reason)
		ccsample_arch_mend(s);
	return reason;
}

void ccsample_guard_gate(struct ccsample_session *s, struct ccsample_counter *c)
{
	want(s, c);
	if (c->index >= 0 && ccsample_in_place(c))
		write_selection(c);
}

/*
 * Records in flight come when the DS area is no longer ours. Some, of those that are due, are not
 * there: a counter may take several events to each. On a processor whose records come late, as
 * those without a time do not always tell, a slot begins with those of the burst before, of which
 * some may be on their way, too.
 */
static void lose_in_flight(struct ccsample_session *s)
{
	u64 records = (u64)ccsample_position(s) * s->record_reciprocal >> 32;
	u64 due = s->control->in_flight || !s->tsc_at ? CCSAMPLE_LATE_MAX : 0;

	for (unsigned int i = 0; i < s->events; i++) {
		if (s->counter[i].plain)
			due += ccsample_gap_records(s, &s->counter[i]);
	}
	if (due > records)
		s->control->full_records += min_t(u64, due - records, CCSAMPLE_LATE_MAX);
}

/* @full: was the slot full before the counters stopped? */
static void end_slot(struct ccsample_session *s, enum ccsample_reason reason, bool full)
{
	if (reason)
		lose_in_flight(s);
	s->foreign = reason == CCSAMPLE_FOREIGN_PEBS;
	/*
	 * The position goes on in whatever buffer PEBS_BASE names, and what perf has written of it
	 * for another's event is to stay.
	 */
	if (s->architectural && (reason == CCSAMPLE_FOREIGN_PEBS || !ccsample_arch_ours(s)))
		ccsample_slot_lost(s, (u64)ccsample_position(s) * s->record_reciprocal >> 32);
	else if (s->architectural && ccsample_arch_emptied(s))
		ccsample_arch_lose(s);
	else if (reason == CCSAMPLE_FOREIGN_PEBS)
		ccsample_slot_discard(s);
	else
		ccsample_slot_close(s, full ? 0 : CCSAMPLE_SLOT_PARTIAL);
}

/*
 * The counters first, so that no record of ours follows; DS_AREA last, and to
 * what was found there: with zero in it perf would lose its records in silence.
 * perf goes on with PEBS_ENABLE as its books say when our events are released.
 */
void ccsample_guard_stop(struct ccsample_session *s, enum ccsample_reason reason)
{
	bool full = ccsample_full(s);

	ccsample_count(s);
	s->inside = false;
	/* First: an interrupt that is turned away would clear the bits of others as well. */
	if (!s->architectural)
		s->pebs = ccsample_rdmsr(MSR_IA32_PEBS_ENABLE) & ~our_bits(s);
	for (unsigned int i = 0; i < s->events; i++)
		ccsample_guard_gate(s, &s->counter[i]);
	if (s->begun)
		end_slot(s, reason, full);
	if (s->values)
		ccsample_values_off(s);
	s->begun = false;
	if (s->architectural) {
		ccsample_arch_give(s);
	} else {
		ccsample_wrmsr(MSR_IA32_PEBS_ENABLE, s->pebs);
		if (ccsample_area_ours(s))
			ccsample_wrmsr(MSR_IA32_DS_AREA, s->saved_ds_area);
	}
	this_cpu_write(ccsample_here, NULL);
}

static int cpu_comes_online(unsigned int cpu)
{
	ccsample_cpu_online();
	return 0;
}

/* Before perf's own callback takes its DS area away: later states go first. */
static int cpu_goes_offline(unsigned int cpu)
{
	ccsample_registry_end(cpu, CCSAMPLE_CPU_OFFLINE);
	return 0;
}

static void end_all(enum ccsample_reason reason)
{
	int cpu;

	ccsample_registry_refuse(reason);
	cpus_read_lock();
	for_each_online_cpu(cpu)
		ccsample_registry_end(cpu, reason);
	cpus_read_unlock();
}

static int power_changes(struct notifier_block *block, unsigned long what, void *unused)
{
	switch (what) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		end_all(CCSAMPLE_SUSPEND);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		ccsample_registry_refuse(CCSAMPLE_NOT_ENDED);
		break;
	}
	return NOTIFY_OK;
}

/* Reboot, power-off and kexec: kernel_restart_prepare(). */
static int shuts_down(struct notifier_block *block, unsigned long what, void *unused)
{
	end_all(CCSAMPLE_SHUTDOWN);
	return NOTIFY_OK;
}

static struct notifier_block power_block = { .notifier_call = power_changes };
static struct notifier_block shutdown_block = { .notifier_call = shuts_down };

int ccsample_guard_init(void)
{
	int result = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "ccsample:online", cpu_comes_online,
				       cpu_goes_offline);

	if (result < 0)
		return result;
	hotplug_state = result;
	result = register_pm_notifier(&power_block);
	if (result)
		goto hotplug;
	result = register_reboot_notifier(&shutdown_block);
	if (result)
		goto power;
	return 0;
power:
	unregister_pm_notifier(&power_block);
hotplug:
	cpuhp_remove_state_nocalls(hotplug_state);
	return result;
}

void ccsample_guard_exit(void)
{
	unregister_reboot_notifier(&shutdown_block);
	unregister_pm_notifier(&power_block);
	cpuhp_remove_state_nocalls(hotplug_state);
}
