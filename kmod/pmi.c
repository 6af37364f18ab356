// SPDX-License-Identifier: GPL-2.0-only
/*
 * What runs on the sampled CPU when a slot is full. The interrupt is an NMI: no
 * locks, no allocation, no wake-up; a fixed number of instructions, whatever
 * the length of the burst. What is rare is out of line.
 *
 * perf's own handler follows ours in the same NMI, because we hold perf events.
 * We acknowledge what is ours, so that it finds a status of zero and has nothing
 * to do but to write GLOBAL_CTRL again and to unmask LVTPC (intel_pmu_handle_irq()).
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <asm/nmi.h>

#include "counters.h"
#include "cpu.h"
#include "gaps.h"
#include "guard.h"
#include "marks.h"
#include "pmi.h"
#include "storm.h"

/* One right behind may find nothing: default_do_nmi() swallows it, and no driver sees it. */
#define NMI_HANDLED_TWO	2
#define LATE_JIFFIES	(HZ / 10)	/* as perf_nmi_window of AMD's driver */
#define EVENTS_AT_ONCE	BIT_ULL(40)	/* between two readings; more: perf set the counter again */

DEFINE_PER_CPU(struct ccsample_session *, ccsample_here);
static DEFINE_PER_CPU(unsigned long, late_until);	/* jiffies; 0 = none is expected */

static __always_inline void count(struct ccsample_session *s, struct ccsample_counter *c)
{
	/* perf restarts a counter from where it stood: x86_perf_event_set_period(). */
	u64 raw = ccsample_rdpmc(c->plain->hw.event_base_rdpmc);
	u64 passed = (raw - c->last) & s->counter_mask;

	c->last = raw;
	if (!s->inside)
		return;
	if (likely(passed < EVENTS_AT_ONCE))
		c->total += passed;
	else
		s->control->rewrites++;
}

/* Return: references since they were last read; EVENTS_AT_ONCE or more: perf set the counter. */
static __always_inline u64 read_references(struct ccsample_session *s)
{
	u64 raw = ccsample_rdpmc(s->references.event->hw.event_base_rdpmc);
	u64 passed = (raw - s->references.last) & s->counter_mask;

	s->references.last = raw;
	return passed;
}

/* Those of ours. */
static u64 count_references(struct ccsample_session *s, u64 passed)
{
	if (!s->inside)
		return 0;
	if (passed < EVENTS_AT_ONCE)
		return passed;
	s->control->rewrites++;
	return 0;
}

void ccsample_count(struct ccsample_session *s)
{
	for (unsigned int i = 0; i < s->events; i++) {
		if (ccsample_carried(s->counter[i].plain))
			count(s, &s->counter[i]);
	}
	if (ccsample_carried(s->references.event))
		s->references.pending += count_references(s, read_references(s));
}

static noinline u64 references_of(struct ccsample_session *s, u64 passed)
{
	u64 references = s->references.pending + count_references(s, passed);

	return min_t(u64, references, CCSAMPLE_REFERENCES_MOST);
}

/* perf may have given the event up. */
static __always_inline void report_references(struct ccsample_session *s,
					      struct ccsample_slot *slot)
{
	u64 passed, references;

	if (unlikely(!ccsample_is_on(s->references.event))) {
		slot->references = CCSAMPLE_NOT_COUNTED;
		return;
	}
	passed = read_references(s);
	references = passed + s->references.pending;
	if (unlikely(references > CCSAMPLE_REFERENCES_MOST || !s->inside))
		references = references_of(s, passed);
	slot->references = references;
	s->references.pending = 0;
	s->references.reported += references;
}

/* Return: bytes of records in the slot before. */
static __always_inline u32 point_at(struct ccsample_session *s, u64 base, u64 now,
				    bool architectural)
{
	struct ccsample_ds *ds = s->ds;
	u64 was;

	s->opened_tsc = now;
	if (architectural)
		return ccsample_arch_point(s, base);
	was = ds->base;
	ds->base = base;
	ds->maximum = base + s->slot_room;
	ds->threshold = base + s->slot_full;
	return xchg(&ds->index, base) - was;
}

u32 ccsample_slot_open(struct ccsample_session *s, u64 number)
{
	return point_at(s, ccsample_slot_base(s, number), rdtsc(), s->architectural);
}

/* Records of the slot before, that were not yet in memory when it was closed. */
static noinline u32 late_records(struct ccsample_session *s, struct ccsample_slot *slot,
				 u64 base, u64 opened_tsc)
{
	u32 late = 1, bytes = s->record_bytes;

	while (late < CCSAMPLE_LATE_MAX && late * bytes < slot->bytes &&
	       ccsample_record_tsc(s, base + late * bytes) < opened_tsc)
		late++;
	s->control->in_flight += late;
	slot->flags |= CCSAMPLE_SLOT_IN_FLIGHT;
	slot->late = late;
	return late;
}

/* Records that came behind the last one that there was room for are lost. */
static noinline void no_room(struct ccsample_session *s, struct ccsample_slot *slot, u64 records)
{
	/* Without a time, records of the burst before, which it begins with, look like its own. */
	u64 made = s->tsc_at ? 0 : CCSAMPLE_LATE_MAX, passed = made, lost;

	ccsample_count(s);
	for (unsigned int i = 0; i < s->events; i++) {
		const struct ccsample_counter *c = &s->counter[i];

		if (!c->plain)
			continue;
		made += ccsample_gap_records(s, c);
		passed += c->total - c->at_gap;
	}
	lost = made > records ? made - records : 0;
	slot->flags |= CCSAMPLE_SLOT_FULL;
	s->control->full_slots++;
	s->control->full_records += lost;
	if (!s->spread && passed > records + lost)
		s->full_in_gaps += passed - records - lost;
}

/* One counter's part of a slot with so many records of its burst, and what it does next. */
static __always_inline void turn(struct ccsample_session *s, unsigned int i,
				 struct ccsample_slot *slot, u64 records, unsigned int events)
{
	struct ccsample_counter *c = &s->counter[i];

	if (c->plain && ccsample_is_on(c->plain))
		count(s, c);
	slot->counter[i] = c->slot_counter;
	slot->gap[i] = c->slot_gap;
	slot->events[i] = c->total - c->published;
	c->published = c->total;
	c->slot_gap = 0;
	c->slot_counter = c->index;
	if (unlikely(!ccsample_in_place(c) || !records)) {
		if (ccsample_is_moved(c))
			slot->counter[i] = CCSAMPLE_NO_COUNTER;
		return;
	}
	if (unlikely(s->spread)) {
		ccsample_gap_period(s, c, slot, records, events);
	} else if (events > 1) {
		ccsample_gap_of_several(s, c, slot);
	} else {
		ccsample_gap_verify(s, c, slot, c->gap + records - 1);
		ccsample_gap_write(s, c);
	}
}

void ccsample_records_lost(struct ccsample_session *s, u64 records)
{
	s->after_loss = true;
	s->lost_records += records;
	s->control->overrun_records += records;
}

void ccsample_slot_lost(struct ccsample_session *s, u64 records)
{
	ccsample_records_lost(s, records);
	s->control->overruns++;
	/* Its number is used again, too, in the marks. */
	ccsample_interval_restart(s);
}

static noinline void drop(struct ccsample_session *s, const struct ccsample_slot *slot,
			  u64 records)
{
	for (unsigned int i = 0; i < s->events; i++) {
		s->counter[i].published -= slot->events[i];
		/* Without another one the burst goes on in the slot's second filling. */
		if (!s->counter[i].slot_gap)
			s->counter[i].slot_gap = slot->gap[i];
	}
	if (slot->references != CCSAMPLE_NOT_COUNTED) {
		s->references.pending += slot->references;
		s->references.reported -= slot->references;
	}
	ccsample_slot_lost(s, records);
}

/* A counter's bit in the records: that of an event which may have none, or one that they lack. */
static u8 value_of(const struct ccsample_session *s, const struct perf_event *event)
{
	return ccsample_carried(event) && event->hw.idx < (int)s->kind->carriers ?
	       event->hw.idx : CCSAMPLE_NO_VALUE;
}

static noinline void report_values(struct ccsample_session *s, struct ccsample_slot *slot)
{
	for (unsigned int i = 0; i <= CCSAMPLE_EVENTS_MAX; i++) {
		u8 now = value_of(s, i < CCSAMPLE_EVENTS_MAX ? s->counter[i].plain :
							       s->references.event);

		slot->value[i] = now == s->value[i] ? now : CCSAMPLE_NO_VALUE;
		s->value[i] = now;
	}
}

void ccsample_values_begin(struct ccsample_session *s)
{
	struct ccsample_slot none;

	if (!s->values)
		return;
	report_values(s, &none);
	ccsample_values_on(s);
}

/* What was dropped before a slot is reported in it. */
static noinline void report_loss(struct ccsample_session *s, struct ccsample_slot *slot)
{
	slot->flags |= CCSAMPLE_SLOT_AFTER_LOSS;
	slot->lost_records = s->lost_records;
	s->after_loss = false;
	s->lost_records = 0;
}

/*
 * The DS area goes to the next slot before anything is made of this one: a
 * record that lands meanwhile comes there, and is known by its time. PEBS is
 * off; @events are s->events, @values s->values, @architectural s->architectural, constants where
 * that makes the code shorter.
 */
static __always_inline void close_slot(struct ccsample_session *s, u64 now, u32 flags,
				       unsigned int events, bool values, bool architectural)
{
	u64 head = s->control->head, base = architectural ? s->slot_at : s->ds->base;
	u64 next = architectural ? ccsample_slot_base(s, head + 1) : base + s->slot_bytes;
	bool room = head + 1 - READ_ONCE(s->reader->tail) < s->slots;
	struct ccsample_slot *slot = &s->slot[head & (s->slots - 1)];
	u64 opened_tsc = s->opened_tsc, bytes, records, late = 0;

	slot->burst = s->burst[s->ramp_at];
	if (unlikely(s->ramp_left))
		ccsample_gaps_ramp(s);
	if (unlikely(!room))
		next = base;
	else if (!architectural && unlikely(next == s->slots_end))
		next = s->ds_area + CCSAMPLE_RECORDS_AT;
	bytes = point_at(s, next, now, architectural);
	records = bytes * s->record_reciprocal >> 32;
	slot->sequence = head;
	slot->tsc = now;
	slot->bytes = bytes;
	slot->flags = flags;
	slot->late = 0;
	slot->lost_records = 0;
	if (s->tsc_at && unlikely(ccsample_record_tsc(s, base) < opened_tsc))
		late = late_records(s, slot, base, opened_tsc);
	if (unlikely(bytes >= s->slot_room))
		no_room(s, slot, records - late);
	for (unsigned int i = 0; i < events; i++)
		turn(s, i, slot, records - late, events);
	if (s->references.event)
		report_references(s, slot);
	if (values)
		report_values(s, slot);
	ccsample_interval_settle(s, bytes);
	if (unlikely(!room)) {
		drop(s, slot, records);
		return;
	}
	if (unlikely(s->after_loss))
		report_loss(s, slot);
	s->control->records += records;
	/* Pairs with the reader's acquire: the slot and its marks are complete. */
	smp_store_release(&s->control->head, head + 1);
}

static __always_inline void records_off(struct ccsample_session *s, bool architectural)
{
	if (architectural)
		ccsample_arch_off(s);
	else
		ccsample_wrmsr(MSR_IA32_PEBS_ENABLE, 0);
}

static __always_inline void records_on(struct ccsample_session *s, bool architectural)
{
	if (architectural)
		ccsample_arch_on(s);
	else
		ccsample_wrmsr(MSR_IA32_PEBS_ENABLE, s->pebs);
}

u64 ccsample_pebs_off(struct ccsample_session *s)
{
	u64 counting = ccsample_count_off();

	records_off(s, s->architectural);
	return counting;
}

void ccsample_pebs_on(struct ccsample_session *s, u64 counting)
{
	s->quenched = false;
	records_on(s, s->architectural);
	ccsample_count_on(counting);
}

void ccsample_slot_close(struct ccsample_session *s, u32 flags)
{
	u64 counting;

	/* What is in one that was emptied is not all. */
	if (ccsample_arch_mend(s))
		return;
	/* Switching PEBS off would disarm a counter that has overflowed, and is due to record. */
	if (!ccsample_position(s))
		return;
	counting = ccsample_pebs_off(s);
	close_slot(s, rdtsc(), flags, s->events, s->values, s->architectural);
	ccsample_pebs_on(s, counting);
}

void ccsample_slot_reopen(struct ccsample_session *s)
{
	u32 records = (u64)ccsample_slot_open(s, s->control->head) * s->record_reciprocal >> 32;

	s->control->overruns += !!records;
	s->control->overrun_records += records;
}

void ccsample_slot_discard(struct ccsample_session *s)
{
	u64 counting = ccsample_pebs_off(s);

	ccsample_slot_reopen(s);
	ccsample_pebs_on(s, counting);
}

static noinline enum ccsample_reason look_in_kernel(struct ccsample_session *s,
						    const struct pt_regs *regs)
{
	enum ccsample_reason reason = ccsample_guard_pebs(s);

	s->quenched = false;
	if (!reason && s->flags & CCSAMPLE_KERNEL && ccsample_storm_in_kernel(s, regs))
		reason = CCSAMPLE_STORM;
	return reason;
}

/* Is everything as it was? In the kernel perf itself may have been interrupted, half done. */
static __always_inline enum ccsample_reason look_around(struct ccsample_session *s,
							struct pt_regs *regs, unsigned int events,
							bool architectural)
{
	if (unlikely(!user_mode(regs)))
		return look_in_kernel(s, regs);
	return likely(ccsample_guard_quick(s, events, architectural)) ? CCSAMPLE_NOT_ENDED :
									ccsample_guard_all(s);
}

static __always_inline enum ccsample_reason switch_slot(struct ccsample_session *s,
							struct pt_regs *regs, u64 now,
							unsigned int events, bool values,
							bool architectural)
{
	enum ccsample_reason reason = look_around(s, regs, events, architectural);
	u64 status = architectural ? CCSAMPLE_ARCH_STATUS : GLOBAL_STATUS_BUFFER_OVF;

	s->control->interrupts++;
	if (unlikely(reason))
		return reason;
	/* Records may have gone elsewhere; or the slot has been begun again. */
	if (architectural && !ccsample_arch_ours(s))
		return ccsample_guard_ds(s, current);
	if (architectural && !ccsample_full(s))
		return CCSAMPLE_NOT_ENDED;
	/* A record that is still due would reload a counter over its gap. */
	records_off(s, architectural);
	close_slot(s, now, 0, events, values, architectural);
	records_on(s, architectural);
	/* The counters' bits: on some parts they show next to the buffer's. */
	ccsample_wrmsr(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status | (u32)s->pebs);
	if (unlikely(s->control->interrupts > s->storm_at) && ccsample_storm(s, now))
		return CCSAMPLE_STORM;
	return CCSAMPLE_NOT_ENDED;
}

static noinline enum ccsample_reason switch_any_slot(struct ccsample_session *s,
						     struct pt_regs *regs, u64 now)
{
	return switch_slot(s, regs, now, s->events, s->values, s->architectural);
}

static noinline void stop(struct ccsample_session *s, enum ccsample_reason reason)
{
	ccsample_guard_stop(s, reason);
	ccsample_session_end(s, reason);
}

/*
 * Another's interrupt: no slot is full. Or perf has set a threshold of its own; or records in
 * flight could reach ours before its handler, which is next.
 */
static noinline int look(struct ccsample_session *s)
{
	enum ccsample_reason reason = ccsample_guard_ds(s, current);

	if (reason)
		stop(s, reason);
	else if (s->architectural && (ccsample_arch_emptied(s) || ccsample_arch_nearly_full(s)))
		ccsample_slot_close(s, CCSAMPLE_SLOT_PARTIAL);
	return NMI_DONE;
}

/*
 * Whoever is inside closes the slot when it leaves. Until then kernel events would go on filling
 * what is full, and a processor may ask for an interrupt at each of them; and records in flight
 * what is nearly so.
 */
static noinline int turn_away(struct ccsample_session *s)
{
	bool full = s->begun && ccsample_full(s);

	if (!full && !(s->begun && s->architectural && ccsample_arch_nearly_full(s)))
		return NMI_DONE;
	if (s->architectural ? !ccsample_arch_disturbed(s) :
			       ccsample_rdmsr(MSR_IA32_PEBS_ENABLE) == s->pebs) {
		records_off(s, s->architectural);
		s->quenched = true;
	}
	return full ? NMI_HANDLED_TWO : NMI_DONE;
}

static __always_inline int serve(struct ccsample_session *s, struct pt_regs *regs)
{
	enum ccsample_reason reason;
	u64 start, spent;

	if (READ_ONCE(s->busy))
		return turn_away(s);
	if (!ccsample_full(s))
		return look(s);
	start = rdtsc();
	/*
	 * The counters stand while they are written: ccsample_count_off(). perf's handler, which is
	 * next in each of our NMIs, restores it, unless it was interrupted with its PMU off. Of the
	 * kernel's events those of the way here may have asked for an interrupt of their own, which
	 * is kept until LVTPC is unmasked.
	 */
	ccsample_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	if (s->flags & CCSAMPLE_KERNEL)
		s->nmi_start = start;
	if (likely(s->simple))
		reason = switch_slot(s, regs, start, 1, false, false);
	else
		reason = switch_any_slot(s, regs, start);
	if (unlikely(reason))
		stop(s, reason);
	spent = rdtsc() - start;
	s->control->handler_tsc += spent;
	if (unlikely(spent > s->control->handler_tsc_max))
		s->control->handler_tsc_max = spent;
	return NMI_HANDLED_TWO;
}

/*
 * The status is acknowledged first, and once more for what records in flight have set meanwhile: of
 * a session that has ended it may be another's.
 */
static noinline int serve_architectural(struct ccsample_session *s, struct pt_regs *regs)
{
	bool reached = ccsample_arch_acknowledge(s);
	int handled = serve(s, regs);

	if (this_cpu_read(ccsample_here) == s)
		reached |= ccsample_arch_acknowledge(s);
	return reached ? NMI_HANDLED_TWO : handled;
}

static int interrupt(unsigned int command, struct pt_regs *regs)
{
	struct ccsample_session *s = this_cpu_read(ccsample_here);

	if (!s || !(unlikely(s->architectural) ? serve_architectural(s, regs) : serve(s, regs)))
		return NMI_DONE;
	this_cpu_write(late_until, jiffies + LATE_JIFFIES);
	return NMI_HANDLED_TWO;
}

/*
 * Nobody has claimed it, nor was it right behind another. A PMI that was asked for behind one of
 * ours may come when its status is acknowledged already: kept until LVTPC is unmasked, and then
 * late by some events. So one is taken since the last of ours. perf's for AMD takes all in that
 * time (amd_pmu_handle_irq()), as the first; other drivers have seen this one, too.
 */
static int unknown(unsigned int command, struct pt_regs *regs)
{
	unsigned long until = this_cpu_read(late_until);

	if (!until || time_after(jiffies, until))
		return NMI_DONE;
	this_cpu_write(late_until, 0);
	return NMI_HANDLED;
}

int ccsample_pmi_init(void)
{
	int error = register_nmi_handler(NMI_LOCAL, interrupt, NMI_FLAG_FIRST, "ccsample");

	if (error)
		return error;
	error = register_nmi_handler(NMI_UNKNOWN, unknown, 0, "ccsample_late");
	if (error)
		unregister_nmi_handler(NMI_LOCAL, "ccsample");
	return error;
}

void ccsample_pmi_exit(void)
{
	unregister_nmi_handler(NMI_UNKNOWN, "ccsample_late");
	unregister_nmi_handler(NMI_LOCAL, "ccsample");
}
