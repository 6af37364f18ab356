// SPDX-License-Identifier: GPL-2.0-only
/*
 * What runs on the sampled CPU when a slot is full. The interrupt is an NMI: no
 * locks, no allocation, nobody woken; a fixed number of instructions, whatever
 * the length of the burst.
 *
 * perf's own handler follows ours in the same NMI, because we hold perf events:
 * it acknowledges the status bit and unmasks LVTPC, and finds its DS area empty.
 */
#include <linux/math64.h>
#include <linux/mm.h>
#include <asm/nmi.h>

#include "cpu.h"
#include "guard.h"
#include "marks.h"
#include "pmi.h"

#define LATE_MAX	8	/* records that may land after PEBS was stopped */

DEFINE_PER_CPU(struct ccsample_session *, ccsample_here);

void ccsample_count(struct ccsample_session *s, struct ccsample_counter *c)
{
	u64 raw;

	if (!ccsample_carried(c->plain))
		return;
	/* perf restarts a counter from where it stood: x86_perf_event_set_period(). */
	raw = native_read_pmc(c->plain->hw.event_base_rdpmc);
	if (s->inside)
		c->total += (raw - c->last) & s->counter_mask;
	c->last = raw;
}

/* SplitMix64 (Steele, Lea, Flood 2014), scaled without a division. */
static u64 draw(struct ccsample_session *s, const struct ccsample_gaps *gaps)
{
	u64 z = s->random += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	z ^= z >> 31;
	return gaps->low + mul_u64_u64_shr(z, gaps->span + 1, 64);
}

static s64 signed_count(const struct ccsample_session *s, u64 raw)
{
	unsigned int unused = __builtin_clzll(s->counter_mask);

	return (s64)(raw << unused) >> unused;
}

/*
 * In a burst the reset value is -1 and the gap goes into the counter; spread,
 * the reset value is the gap, and what the counter has counted since it was
 * reloaded is kept.
 */
static void write_gap(struct ccsample_session *s, struct ccsample_counter *c, u64 elapsed)
{
	c->gap = draw(s, &c->gaps[s->rung]);
	c->slot_gap = c->gap;
	c->elapsed = elapsed < c->gap ? elapsed : 0;
	c->written = -(s64)(c->gap - c->elapsed);
	if (s->spread)
		s->ds->reset[c->index] = -c->gap & s->counter_mask;
	ccsample_wrmsr(c->precise->hw.event_base, c->written & s->counter_mask);
}

/* Is its burst over (or, spread, has it recorded since its gap was drawn)? */
static void next_gap(struct ccsample_session *s, struct ccsample_counter *c)
{
	s64 value;

	c->slot_gap = 0;
	c->at_opening = c->total;
	if (c->index < 0 || !ccsample_carried(c->precise))
		return;
	value = signed_count(s, native_read_pmc(c->precise->hw.event_base_rdpmc));
	if (s->spread) {
		if (s->events == 1 || value <= c->written)
			write_gap(s, c, value + c->gap);
	} else if (value >= -1) {
		write_gap(s, c, 0);
	}
}

static void next_rung(struct ccsample_session *s)
{
	if (s->rung + 1 < s->rungs && ++s->rung_bursts == CCSAMPLE_LADDER_STEP) {
		s->rung++;
		s->rung_bursts = 0;
	}
}

void ccsample_gaps_begin(struct ccsample_session *s)
{
	s->rung = 0;
	s->rung_bursts = 0;
	for (unsigned int i = 0; i < s->events; i++) {
		struct ccsample_counter *c = &s->counter[i];

		c->at_opening = c->total;
		write_gap(s, c, 0);
	}
}

void ccsample_slot_open(struct ccsample_session *s)
{
	struct ccsample_ds *ds = s->ds;
	u64 number = s->control->head & (s->slots - 1);
	u32 records = s->spread ? s->batch : s->burst[s->rung];

	ds->base = s->ds_area + CCSAMPLE_RECORDS_AT + number * s->slot_bytes;
	ds->index = ds->base;
	ds->maximum = ds->base + s->slot_room;
	ds->threshold = ds->base + (u64)records * s->record_bytes;
	s->opened_tsc = rdtsc();
}

/* Records of the slot before, that were not yet in memory when it was closed. */
static u32 late_records(const struct ccsample_session *s, u64 bytes)
{
	size_t at = s->ds->base - s->ds_area + ccsample_cpu.tsc_at;
	u32 late = 0;

	if (!ccsample_cpu.tsc_at)
		return 0;
	while (late < LATE_MAX && (u64)late * s->record_bytes < bytes &&
	       *(u64 *)ccsample_memory_at(s->memory, at + late * s->record_bytes) < s->opened_tsc)
		late++;
	return late;
}

/*
 * How many events too few were counted for the gap to have passed. A PMI that
 * comes late, or records that are lost, only make them more.
 */
static s64 missing_events(const struct ccsample_session *s, const struct ccsample_counter *c,
			  u64 records)
{
	u64 want = c->slot_gap;

	if (!c->plain || !c->slot_gap || !records)
		return 0;
	if (s->events == 1)
		want = s->spread ? want * records - c->elapsed : want + records - 1;
	else if (s->spread)
		return 0;
	return want - (c->total - c->at_opening);
}

static u32 verify(struct ccsample_session *s, u64 records, u32 *late)
{
	u32 flags = 0;

	for (unsigned int i = 0; i < s->events; i++) {
		s64 missing = missing_events(s, &s->counter[i], records - *late);

		if (missing <= 0)
			continue;
		/* Without time stamps a few too many records look like this, too. */
		if (!ccsample_cpu.tsc_at && s->events == 1 && missing <= LATE_MAX &&
		    2 * missing < s->counter[i].slot_gap)
			*late = missing;
		else
			flags |= CCSAMPLE_SLOT_SHORT_GAP;
	}
	s->control->short_gaps += flags != 0;
	s->control->in_flight += *late;
	return *late ? flags | CCSAMPLE_SLOT_IN_FLIGHT : flags;
}

static void publish(struct ccsample_session *s, u64 bytes, u64 records, u32 late, u32 flags)
{
	u64 head = s->control->head;
	struct ccsample_slot *slot = &s->slot[head & (s->slots - 1)];

	slot->sequence = head;
	slot->tsc = rdtsc();
	slot->bytes = bytes;
	slot->flags = s->after_loss ? flags | CCSAMPLE_SLOT_AFTER_LOSS : flags;
	slot->lost_records = s->lost_records;
	slot->burst = s->spread ? 1 : s->burst[s->rung];
	slot->late = late;
	for (unsigned int i = 0; i < s->events; i++) {
		struct ccsample_counter *c = &s->counter[i];

		slot->gap[i] = c->slot_gap;
		slot->events[i] = c->total - c->published;
		c->published = c->total;
	}
	s->after_loss = false;
	s->lost_records = 0;
	s->control->records += records;
	smp_store_release(&s->control->head, head + 1);
}

static void drop(struct ccsample_session *s, u64 records)
{
	s->after_loss = true;
	s->lost_records += records;
	s->control->overruns++;
	s->control->overrun_records += records;
}

void ccsample_slot_close(struct ccsample_session *s, u32 flags)
{
	u64 bytes = READ_ONCE(s->ds->index) - s->ds->base;
	u64 records = bytes * s->record_reciprocal >> 32;
	bool room = s->control->head + 1 - READ_ONCE(s->reader->tail) < s->slots;
	u32 late;

	for (unsigned int i = 0; i < s->events; i++)
		ccsample_count(s, &s->counter[i]);
	if (!bytes)
		return;
	late = late_records(s, bytes);
	flags |= verify(s, records, &late);
	ccsample_stint_settle(s);
	if (room)
		publish(s, bytes, records, late, flags);
	else
		drop(s, records);
	next_rung(s);
	/* A record that is still due would reload the counter over its gap. */
	ccsample_wrmsr(MSR_IA32_PEBS_ENABLE, 0);
	for (unsigned int i = 0; i < s->events; i++)
		next_gap(s, &s->counter[i]);
	ccsample_slot_open(s);
	ccsample_wrmsr(MSR_IA32_PEBS_ENABLE, s->pebs);
	ccsample_stint_again(s);
}

/* More interrupts in a second than the session allows? */
static bool storm(struct ccsample_session *s, u64 now)
{
	if (now - s->storm_start > (u64)tsc_khz * 1000) {
		s->storm_start = now;
		s->storm_count = 0;
	}
	return ++s->storm_count > s->storm_limit;
}

static enum ccsample_reason hand_over(struct ccsample_session *s, struct pt_regs *regs, u64 now)
{
	enum ccsample_reason reason = CCSAMPLE_NOT_ENDED;

	/* Kernel events: perf's handler, which is next, restores it. */
	if (s->flags & CCSAMPLE_KERNEL)
		ccsample_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	/* In the kernel perf itself may have been interrupted, its books half done. */
	if (user_mode(regs)) {
		s->looked = s->looked + 1 < s->events ? s->looked + 1 : 0;
		reason = ccsample_guard_counter(s, &s->counter[s->looked]);
	}
	ccsample_slot_close(s, 0);
	s->control->interrupts++;
	return reason == CCSAMPLE_NOT_ENDED && storm(s, now) ? CCSAMPLE_STORM : reason;
}

static int interrupt(unsigned int command, struct pt_regs *regs)
{
	struct ccsample_session *s = this_cpu_read(ccsample_here);
	enum ccsample_reason reason;
	u64 start, spent;
	bool full;

	if (!s || READ_ONCE(s->busy))
		return NMI_DONE;
	start = rdtsc();
	full = READ_ONCE(s->ds->index) >= s->ds->threshold;
	reason = ccsample_guard_ds(s, full ? NULL : current);
	if (full && !reason)
		reason = hand_over(s, regs, start);
	if (reason) {
		ccsample_guard_stop(s);
		ccsample_session_end(s, reason);
	}
	if (!full)
		return NMI_DONE;
	spent = rdtsc() - start;
	s->control->handler_tsc += spent;
	if (spent > s->control->handler_tsc_max)
		s->control->handler_tsc_max = spent;
	return NMI_HANDLED;
}

int ccsample_pmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, interrupt, NMI_FLAG_FIRST, "ccsample");
}

void ccsample_pmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "ccsample");
}
