// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "compat/workqueue.h"
#include "counters.h"
#include "cpu.h"
#include "filter.h"
#include "gaps.h"
#include "guard.h"
#include "marks.h"
#include "models.h"
#include "netlink.h"
#include "pmi.h"
#include "reasons.h"
#include "registry.h"
#include "request.h"
#include "sched.h"
#include "session.h"
#include "storm.h"

/*
 * Events. What a counter reloads before the session has begun, ours too: no interrupt is handled
 * then, and the kernel's events in one must not make the next.
 */
#define FAR_AWAY	100000
#define WATCH_JIFFIES	HZ	/* overruns are reported once in so many */
#define LANDING_US	1000	/* records in flight are in memory after this */

void ccsample_session_end(struct ccsample_session *s, enum ccsample_reason reason)
{
	if (cmpxchg(&s->ended, CCSAMPLE_NOT_ENDED, reason) != CCSAMPLE_NOT_ENDED)
		return;
	WRITE_ONCE(s->control->reason, reason);
	/* Whoever sees the state sees the reason. */
	smp_store_release(&s->control->state, CCSAMPLE_ENDED);
	irq_work_queue(&s->ended_irq);
}

void ccsample_session_status(const struct ccsample_session *s, struct ccsample_status *status)
{
	*status = (struct ccsample_status) {
		.cpu = s->cpu,
		.device = ccsample_core_device(s->kind->core),
		.owner = s->opener,
		.events = s->events,
		.burst = s->spread ? 1 : s->burst[s->ramp_lengths - 1],
		.config = s->config,
		.period = READ_ONCE(s->period),
		.control = *s->control,
	};
}

static void notify(const struct ccsample_session *s, enum ccsample_nl_command command)
{
	struct ccsample_status status;

	ccsample_session_status(s, &status);
	if (command == CCSAMPLE_NL_STOPPED && status.control.reason)
		pr_info("session on CPU %d ended: %s\n", s->cpu,
			ccsample_reason_text(status.control.reason));
	ccsample_netlink_notify(command, &status);
}

struct call {
	struct ccsample_session *s;
	struct ccsample_read *answer;
	int error;
	enum ccsample_reason reason;	/* of EBUSY */
};

/* Of an ENABLE; what has ended, or ends meanwhile, keeps the reason of its end. */
static void set_reason(struct ccsample_session *s, enum ccsample_reason reason)
{
	if (READ_ONCE(s->ended))
		return;
	WRITE_ONCE(s->control->reason, reason);
	/* Pairs with cmpxchg() in ccsample_session_end(), which writes its reason behind that. */
	smp_mb();
	if (READ_ONCE(s->ended))
		WRITE_ONCE(s->control->reason, READ_ONCE(s->ended));
}

static int busy(struct ccsample_session *s, enum ccsample_reason reason)
{
	set_reason(s, reason);
	return -EBUSY;
}

static int on_cpu(struct ccsample_session *s, smp_call_func_t function)
{
	struct call call = { .s = s };

	if (smp_call_function_single(s->cpu, function, &call, 1))
		return -ESHUTDOWN;
	return call.error == -EBUSY ? busy(s, call.reason) : call.error;
}

static int while_running(struct ccsample_session *s, smp_call_func_t function)
{
	mutex_lock(&s->lock);
	if (s->running && !READ_ONCE(s->ended))
		on_cpu(s, function);
	mutex_unlock(&s->lock);
	return READ_ONCE(s->ended) ? -ESHUTDOWN : 0;
}

static void look_here(void *argument)
{
	struct ccsample_session *s = ((struct call *)argument)->s;

	if (this_cpu_read(ccsample_here) != s || !ccsample_enter_begun(s))
		return;
	ccsample_sched_look(s);
	ccsample_leave(s);
}

/* Reports once what has grown since the last report. */
static void report(const struct ccsample_session *s, u64 *reported, u64 now,
		   enum ccsample_nl_command command)
{
	if (*reported != now)
		notify(s, command);
	*reported = now;
}

/* Under the session's lock: DISABLE of one thread must not cancel what ENABLE of another queued. */
static void watch_again(struct ccsample_session *s)
{
	if (s->running && !READ_ONCE(s->ended))
		queue_delayed_work(system_dfl_wq, &s->watch, WATCH_JIFFIES);
}

/*
 * A reader that is late, or has died, is reported by somebody else. A session that has published
 * nothing since the last time is looked at: a program that never leaves the CPU may count on
 * with a counter that records nothing any more.
 */
static void watch(struct work_struct *work)
{
	struct ccsample_session *s = container_of(to_delayed_work(work), struct ccsample_session,
						  watch);
	u64 head = READ_ONCE(s->control->head);

	if (s->watched_head == head)
		while_running(s, look_here);
	s->watched_head = head;
	report(s, &s->reported_overruns, READ_ONCE(s->control->overruns), CCSAMPLE_NL_OVERRUN);
	report(s, &s->reported_rearmed, READ_ONCE(s->control->rearmed), CCSAMPLE_NL_REARMED);
	report(s, &s->reported_full, READ_ONCE(s->control->full_slots), CCSAMPLE_NL_FULL);
	mutex_lock(&s->lock);
	watch_again(s);
	mutex_unlock(&s->lock);
}

static void ended_irq(struct irq_work *work)
{
	schedule_work(&container_of(work, struct ccsample_session, ended_irq)->ended_work);
}

/* What all counters reload, until ours have their gaps. */
static void fill_resets(struct ccsample_session *s, u64 events)
{
	for (unsigned int i = 0; i < CCSAMPLE_RESETS; i++)
		s->ds->reset[i] = -events & s->counter_mask;
}

/* Who has a use for the DS area, or its like, already? */
static enum ccsample_reason taken(const struct ccsample_session *s)
{
	if (s->architectural)
		return ccsample_arch_enabled(s, 0) ? CCSAMPLE_FOREIGN_PEBS : CCSAMPLE_NOT_ENDED;
	if (ccsample_rdmsr(MSR_IA32_PEBS_ENABLE))
		return CCSAMPLE_FOREIGN_PEBS;
	return ccsample_rdmsr(MSR_IA32_DEBUGCTLMSR) & (DEBUGCTLMSR_TR | DEBUGCTLMSR_BTS) ?
	       CCSAMPLE_BRANCH_TRACE : CCSAMPLE_NOT_ENDED;
}

/*
 * Where branches go that somebody traces from now on (perf's intel_bts): the processor writes them
 * to the DS area that is there, ours. They go round in its page: a threshold above the maximum is
 * never met (SDM volume 3, "Setting Up the BTS Buffer").
 */
static void lay_branches(struct ccsample_session *s)
{
	struct ccsample_ds *ds = s->ds;

	BUILD_BUG_ON(sizeof(*ds) > CCSAMPLE_RECORDS_AT);
	ds->bts_base = s->ds_area + offsetof(struct ccsample_ds, branches);
	ds->bts_index = ds->bts_base;
	ds->bts_maximum = ds->bts_base + sizeof(ds->branches);
	ds->bts_threshold = ds->bts_maximum + CCSAMPLE_BRANCH;
}

/* On the session's CPU, before perf programs our events. */
static void take_ds(void *argument)
{
	struct call *call = argument;
	struct ccsample_session *s = call->s;

	call->reason = taken(s);
	if (call->reason) {
		call->error = -EBUSY;
		return;
	}
	s->pebs = 0;
	s->groups = ccsample_groups(s);
	s->quenched = false;
	s->begun = false;
	/* Of nobody, as are records that land before a task's begins. */
	s->interval = (struct ccsample_interval){
		.owner.tsc = rdtsc(),
		.slot = s->control->head,
		.open = true,
	};
	s->unmarked = (struct ccsample_unmarked){ };
	s->marked = (struct ccsample_owner){ };
	s->busy = true;
	if (s->architectural) {
		this_cpu_write(ccsample_here, s);
		ccsample_arch_take(s);
		return;
	}
	lay_branches(s);
	fill_resets(s, FAR_AWAY);
	ccsample_slot_open(s, s->control->head);
	s->saved_ds_area = ccsample_rdmsr(MSR_IA32_DS_AREA);
	this_cpu_write(ccsample_here, s);
	ccsample_wrmsr(MSR_IA32_DS_AREA, s->ds_area);
}

/* Return: whether perf has put all our events on counters, and enabled their PEBS. */
static bool take_counters(struct ccsample_session *s)
{
	/* A foreign counter that reloads from us is perf's again after one period. */
	if (!s->architectural)
		fill_resets(s, s->period);
	for (unsigned int i = 0; i < s->events; i++)
		s->counter[i].index = -1;
	for (unsigned int i = 0; i < s->events; i++) {
		struct ccsample_counter *c = &s->counter[i];

		if (ccsample_guard_counter(s, c) || c->index < 0)
			return false;
		/* A session that was halted before has left the counter off. */
		ccsample_guard_gate(s, c);
		if (ccsample_carried(c->plain))
			c->last = ccsample_rdpmc(c->plain->hw.event_base_rdpmc);
		if (!(s->pebs & BIT_ULL(c->index)))
			return false;
	}
	if (ccsample_carried(s->references.event))
		s->references.last = ccsample_rdpmc(s->references.event->hw.event_base_rdpmc);
	return true;
}

static void clear_slot(struct ccsample_session *s)
{
	ccsample_memory_clear(s->memory, ccsample_slot_offset(s, s->control->head), s->slot_bytes);
}

/*
 * When it has: records that came so far came with no gap of ours. Another's PEBS may have come
 * since the DS area was taken, and gone. An empty slot is left alone: readers know one by that.
 */
static void begin(void *argument)
{
	struct call *call = argument;
	struct ccsample_session *s = call->s;
	u64 counting;

	if (this_cpu_read(ccsample_here) != s || READ_ONCE(s->ended)) {
		call->error = -ESHUTDOWN;
		return;
	}
	ccsample_enter(s);
	s->halted = false;
	s->inside = true;
	call->reason = ccsample_guard_ds(s, current);
	/* Off before a counter reloads a gap: kernel events would go on from record to record. */
	counting = ccsample_pebs_off(s);
	if (!call->reason && !take_counters(s))
		call->reason = CCSAMPLE_COUNTER_CHANGED;
	if (call->reason) {
		ccsample_pebs_on(s, counting);
		/* It is kept busy until the DS area is given back. */
		s->inside = false;
		call->error = -EBUSY;
		return;
	}
	ccsample_values_begin(s);
	ccsample_gaps_begin(s);
	if (ccsample_position(s))
		clear_slot(s);
	ccsample_slot_reopen(s);
	ccsample_sched_begin(s);
	ccsample_pebs_on(s, counting);
	s->begun = true;
	ccsample_storm_begin(s);
	cmpxchg(&s->control->state, CCSAMPLE_STOPPED, CCSAMPLE_RUNNING);
	ccsample_leave(s);
}

/* Gives the DS area back, on the session's CPU; what is in it is published. */
static void give_back(void *argument)
{
	struct ccsample_session *s = ((struct call *)argument)->s;

	if (this_cpu_read(ccsample_here) != s)
		return;
	ccsample_enter(s);
	/* Since ours were taken from their counters another may have recorded. */
	ccsample_guard_stop(s, s->begun ? ccsample_guard_pebs(s) : CCSAMPLE_NOT_ENDED);
	ccsample_leave(s);
}

/*
 * The same, waited for. What another's PEBS may have written, the kernel's registers among it, is
 * dropped, and not for the opener, who has it mapped.
 */
static void take_back(struct ccsample_session *s)
{
	on_cpu(s, give_back);
	if (s->foreign)
		clear_slot(s);
	s->foreign = false;
}

/* perf gets its DS area and its counters back, and the reader is notified. */
static void ended_work(struct work_struct *work)
{
	struct ccsample_session *s = container_of(work, struct ccsample_session, ended_work);

	mutex_lock(&s->lock);
	s->running = false;
	take_back(s);
	ccsample_counters_release(s);
	mutex_unlock(&s->lock);
	wake_up_all(s->wait);
	notify(s, CCSAMPLE_NL_STOPPED);
}

static int start(struct ccsample_session *s)
{
	int error;

	/* An earlier EBUSY's: a session that samples would seem to have ended for it. */
	set_reason(s, CCSAMPLE_NOT_ENDED);
	if (ccsample_guard_virtual(s->cpu))
		return busy(s, CCSAMPLE_VIRTUAL_MACHINE);
	error = on_cpu(s, take_ds);
	if (error)
		return error;
	error = ccsample_counters_enable(s);
	if (error == -EBUSY)
		busy(s, CCSAMPLE_COUNTER_CHANGED);
	if (!error)
		error = on_cpu(s, begin);
	if (error) {
		/* Whoever had the counters, and is gone again, may have recorded. */
		s->foreign = true;
		take_back(s);
		ccsample_counters_disable(s);
	}
	return error;
}

int ccsample_session_enable(struct ccsample_session *s)
{
	int error = 0;

	mutex_lock(&s->lock);
	/* As in ccsample_registry_publish(): not on a CPU that goes offline meanwhile. */
	cpus_read_lock();
	if (READ_ONCE(s->ended))
		error = -ESHUTDOWN;
	else if (!s->running)
		error = start(s);
	cpus_read_unlock();
	if (!error) {
		s->running = true;
		watch_again(s);
	}
	mutex_unlock(&s->lock);
	if (error)
		return error;
	notify(s, CCSAMPLE_NL_STARTED);
	return 0;
}

static void halt_here(void *argument)
{
	struct ccsample_session *s = ((struct call *)argument)->s;

	if (this_cpu_read(ccsample_here) != s || !ccsample_enter_begun(s))
		return;
	ccsample_sched_halt(s);
	ccsample_leave(s);
}

static void stop(struct ccsample_session *s)
{
	on_cpu(s, halt_here);
	ccsample_counters_disable_precise(s);
	usleep_range(LANDING_US, 2 * LANDING_US);
	take_back(s);
	ccsample_counters_disable(s);
	cmpxchg(&s->control->state, CCSAMPLE_RUNNING, CCSAMPLE_STOPPED);
	s->running = false;
}

int ccsample_session_disable(struct ccsample_session *s)
{
	bool stopped;

	mutex_lock(&s->lock);
	stopped = s->running && !READ_ONCE(s->ended);
	if (stopped)
		stop(s);
	cancel_delayed_work(&s->watch);
	mutex_unlock(&s->lock);
	if (stopped)
		notify(s, CCSAMPLE_NL_STOPPED);
	return READ_ONCE(s->ended) ? -ESHUTDOWN : 0;
}

/* What a burst holds so far; the gap that follows is drawn now. */
static void flush_here(void *argument)
{
	struct ccsample_session *s = ((struct call *)argument)->s;

	if (this_cpu_read(ccsample_here) != s || !ccsample_enter_begun(s))
		return;
	if (ccsample_sched_look(s))
		ccsample_slot_close(s, CCSAMPLE_SLOT_PARTIAL);
	ccsample_leave(s);
}

int ccsample_session_check(struct ccsample_session *s)
{
	return while_running(s, look_here);
}

int ccsample_session_flush(struct ccsample_session *s)
{
	return while_running(s, flush_here);
}

static void copy_counts(const struct ccsample_session *s, struct ccsample_read *answer)
{
	for (unsigned int i = 0; i < s->events; i++) {
		answer->events[i] = s->counter[i].total;
		answer->unpublished[i] = s->counter[i].total - s->counter[i].published;
	}
	answer->references = s->references.reported + s->references.pending;
	answer->references_unpublished = s->references.pending;
}

/* Copied here: a buffer switch between two of the values would make them differ. */
static void count_here(void *argument)
{
	struct call *call = argument;
	struct ccsample_session *s = call->s;

	if (this_cpu_read(ccsample_here) == s) {
		ccsample_enter(s);
		ccsample_count(s);
		copy_counts(s, call->answer);
		ccsample_leave(s);
		return;
	}
	copy_counts(s, call->answer);
}

int ccsample_session_read(struct ccsample_session *s, struct ccsample_read *answer)
{
	struct call call = { .s = s, .answer = answer };

	mutex_lock(&s->lock);
	/* On a CPU that is offline nothing counts any more. */
	if (smp_call_function_single(s->cpu, count_here, &call, 1))
		copy_counts(s, answer);
	mutex_unlock(&s->lock);
	return 0;
}

static void free_session(struct ccsample_session *s)
{
	int cpu = s->cpu;

	if (s->follows.filter)
		ccsample_filter_put(&s->follows);
	if (s->memory)
		ccsample_memory_drop(s->memory);
	put_pid_ns(s->namespace);
	kfree(s);
	ccsample_registry_disclaim(cpu);
}

/* No caller can end it any more, nothing of it is under way, nothing is held. */
static void retire(struct ccsample_session *s)
{
	ccsample_registry_withdraw(s);
	/* Waits for an interrupt that is just ending the session, too. */
	take_back(s);
	irq_work_sync(&s->ended_irq);
	irq_work_sync(&s->let_in_irq);
	/* It says why the session ended: not cancelled. */
	flush_work(&s->ended_work);
	ccsample_counters_release(s);
}

struct ccsample_session *ccsample_session_open(struct ccsample_open *ask, wait_queue_head_t *wait)
{
	int error = ccsample_request_check(ask) ?: ccsample_registry_claim(ask->cpu);
	struct ccsample_session *s;

	if (error)
		return ERR_PTR(error);
	s = kzalloc_node(sizeof(*s), GFP_KERNEL, cpu_to_node(ask->cpu));
	if (!s) {
		ccsample_registry_disclaim(ask->cpu);
		return ERR_PTR(-ENOMEM);
	}
	s->cpu = ask->cpu;
	mutex_init(&s->lock);
	s->wait = wait;
	init_irq_work(&s->ended_irq, ended_irq);
	ccsample_storm_init(s);
	INIT_WORK(&s->ended_work, ended_work);
	INIT_DELAYED_WORK(&s->watch, watch);
	s->namespace = get_pid_ns(task_active_pid_ns(current));
	s->opener = current->tgid;
	s->config = ask->event[0].config;
	s->period = ask->event[0].period;
	/* Before the filter is made: whoever forks or exits from now on is seen. */
	error = ccsample_sched_get();
	if (error)
		goto free;
	error = ccsample_request_apply(s, ask);
	if (error)
		goto put;
	error = ccsample_storm_get(s->flags);
	if (error)
		goto put;
	error = ccsample_registry_publish(s);
	if (error)
		goto put_storm;
	mutex_lock(&s->lock);
	error = ccsample_counters_create(s, ask);
	mutex_unlock(&s->lock);
	if (!error && READ_ONCE(s->ended))
		error = -ESHUTDOWN;
	if (!error)
		return s;
	retire(s);
put_storm:
	ccsample_storm_put(s->flags);
put:
	ccsample_sched_put();
free:
	free_session(s);
	return ERR_PTR(error);
}

void ccsample_session_close(struct ccsample_session *s)
{
	ccsample_session_disable(s);
	cancel_delayed_work_sync(&s->watch);
	retire(s);
	ccsample_storm_put(s->flags);
	ccsample_sched_put();
	free_session(s);
}
