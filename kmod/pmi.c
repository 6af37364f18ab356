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
#define EVENTS_AT_ONCE	(1ULL << 40)	/* between two readings; more: perf set the counter anew */

/* A slot that is no longer being filled. */
struct slot_closed {
	u64 base, opened_tsc;
	u64 bytes, records;
	u32 burst, late, flags;
};

DEFINE_PER_CPU(struct ccsample_session *, ccsample_here);

void ccsample_count(struct ccsample_session *s, struct ccsample_counter *c)
{
	u64 raw, passed;

	if (!ccsample_carried(c->plain))
		return;
	/* perf restarts a counter from where it stood: x86_perf_event_set_period(). */
	raw = native_read_pmc(c->plain->hw.event_base_rdpmc);
	passed = (raw - c->last) & s->counter_mask;
	c->last = raw;
	if (!s->inside)
		return;
	if (passed < EVENTS_AT_ONCE)
		c->total += passed;
	else
		s->control->rewrites++;
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
	c->at_gap = c->total;
	c->elapsed = elapsed < c->gap ? elapsed : 0;
	c->written = -(s64)(c->gap - c->elapsed);
	if (s->spread)
		s->ds->reset[c->index] = -c->gap & s->counter_mask;
	ccsample_wrmsr(c->precise->hw.event_base, c->written & s->counter_mask);
}

/* Where the counters stand: which of them have recorded and need a new gap? */
static void read_counters(struct ccsample_session *s)
{
	for (unsigned int i = 0; i < s->events; i++) {
		struct ccsample_counter *c = &s->counter[i];

		ccsample_count(s, c);
		c->over = false;
		if (c->index < 0 || c->index != c->precise->hw.idx || !ccsample_carried(c->precise))
			continue;
		c->value = signed_count(s, native_read_pmc(c->precise->hw.event_base_rdpmc));
		if (s->spread)
			c->over = s->events == 1 || c->value <= c->written;
		else
			c->over = c->value >= -1;
	}
}

static void next_gap(struct ccsample_session *s, struct ccsample_counter *c)
{
	c->slot_gap = 0;
	if (c->over)
		write_gap(s, c, s->spread ? c->value + c->gap : 0);
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
	for (unsigned int i = 0; i < s->events; i++)
		write_gap(s, &s->counter[i], 0);
}

u64 ccsample_slot_open(struct ccsample_session *s, u64 number)
{
	struct ccsample_ds *ds = s->ds;
	u32 records = s->spread ? s->batch : s->burst[s->rung];

	ds->base = s->ds_area + CCSAMPLE_RECORDS_AT + (number & (s->slots - 1)) * s->slot_bytes;
	ds->maximum = ds->base + s->slot_room;
	ds->threshold = ds->base + (u64)records * s->record_bytes;
	s->opened_tsc = rdtsc();
	return xchg(&ds->index, ds->base);
}

/* Records of the slot before, that were not yet in memory when it was closed. */
static u32 late_records(const struct ccsample_session *s, const struct slot_closed *closed)
{
	size_t at = closed->base - s->ds_area + ccsample_cpu.tsc_at;
	u32 late = 0;

	if (!ccsample_cpu.tsc_at)
		return 0;
	while (late < LATE_MAX && late < closed->records &&
	       *(u64 *)ccsample_memory_at(s->memory, at + late * s->record_bytes) <
	       closed->opened_tsc)
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
	u64 want = c->gap;

	if (!c->plain || !c->over || !records)
		return 0;
	if (s->events == 1)
		want = s->spread ? want * records - c->elapsed : want + records - 1;
	else if (s->spread)
		return 0;
	/* The kernel's events go on between one counter's switching and the other's. */
	if (s->flags & CCSAMPLE_KERNEL)
		want -= want / 8;
	return want - (c->total - c->at_gap);
}

static void verify(struct ccsample_session *s, struct slot_closed *closed)
{
	bool short_gap = false;

	for (unsigned int i = 0; i < s->events; i++) {
		const struct ccsample_counter *c = &s->counter[i];
		s64 missing = missing_events(s, c, closed->records - closed->late);

		if (missing <= 0)
			continue;
		/* Without time stamps a few too many records look like this, too. */
		if (!ccsample_cpu.tsc_at && s->events == 1 && missing <= LATE_MAX &&
		    2 * missing < c->gap)
			closed->late = missing;
		else
			short_gap = true;
	}
	s->control->short_gaps += short_gap;
	s->control->in_flight += closed->late;
	if (short_gap)
		closed->flags |= CCSAMPLE_SLOT_SHORT_GAP;
	if (closed->late)
		closed->flags |= CCSAMPLE_SLOT_IN_FLIGHT;
}

static void publish(struct ccsample_session *s, const struct slot_closed *closed)
{
	u64 head = s->control->head;
	struct ccsample_slot *slot = &s->slot[head & (s->slots - 1)];

	slot->sequence = head;
	slot->tsc = s->opened_tsc;
	slot->bytes = closed->bytes;
	slot->flags = closed->flags;
	slot->lost_records = s->lost_records;
	slot->burst = closed->burst;
	slot->late = closed->late;
	if (s->after_loss)
		slot->flags |= CCSAMPLE_SLOT_AFTER_LOSS;
	for (unsigned int i = 0; i < s->events; i++) {
		struct ccsample_counter *c = &s->counter[i];

		slot->counter[i] = c->index;
		slot->gap[i] = c->slot_gap;
		slot->events[i] = c->total - c->published;
		c->published = c->total;
	}
	s->after_loss = false;
	s->lost_records = 0;
	s->control->records += closed->records;
	/* Pairs with the reader's acquire: the slot and its marks are complete. */
	smp_store_release(&s->control->head, head + 1);
}

static void drop(struct ccsample_session *s, const struct slot_closed *closed)
{
	s->after_loss = true;
	s->lost_records += closed->records;
	s->control->overruns++;
	s->control->overrun_records += closed->records;
	/* The slot is used again: so is its number, in the marks. */
	ccsample_stint_begin(s, s->stint.task);
}

/*
 * The DS area goes to the next slot before anything is made of this one: a
 * record that lands meanwhile comes there, and is known by its time.
 */
void ccsample_slot_close(struct ccsample_session *s, u32 flags)
{
	u64 head = s->control->head;
	bool room = head + 1 - READ_ONCE(s->reader->tail) < s->slots;
	struct slot_closed closed = {
		.base = s->ds->base,
		.opened_tsc = s->opened_tsc,
		.burst = s->burst[s->rung],
		.flags = flags,
	};

	/* A record that is still due would reload a counter over its gap. */
	ccsample_wrmsr(MSR_IA32_PEBS_ENABLE, 0);
	read_counters(s);
	if (READ_ONCE(s->ds->index) == closed.base)
		goto enable;
	next_rung(s);
	closed.bytes = ccsample_slot_open(s, head + room) - closed.base;
	closed.records = closed.bytes * s->record_reciprocal >> 32;
	closed.late = late_records(s, &closed);
	verify(s, &closed);
	ccsample_stint_settle(s, closed.bytes);
	if (room)
		publish(s, &closed);
	else
		drop(s, &closed);
	for (unsigned int i = 0; i < s->events; i++)
		next_gap(s, &s->counter[i]);
enable:
	ccsample_wrmsr(MSR_IA32_PEBS_ENABLE, s->pebs);
}

void ccsample_slot_reopen(struct ccsample_session *s)
{
	u64 base = s->ds->base;
	u32 records = (ccsample_slot_open(s, s->control->head) - base) *
		      s->record_reciprocal >> 32;

	s->control->overruns += !!records;
	s->control->overrun_records += records;
}

void ccsample_slot_discard(struct ccsample_session *s)
{
	ccsample_wrmsr(MSR_IA32_PEBS_ENABLE, 0);
	ccsample_slot_reopen(s);
	ccsample_wrmsr(MSR_IA32_PEBS_ENABLE, s->pebs);
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

	if (!s || !s->begun || READ_ONCE(s->busy))
		return NMI_DONE;
	start = rdtsc();
	full = READ_ONCE(s->ds->index) >= s->ds->threshold;
	/* Kernel events: no more of them. perf's handler, which is next, restores it. */
	if (full && s->flags & CCSAMPLE_KERNEL)
		ccsample_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	reason = ccsample_guard_ds(s, full ? NULL : current);
	if (full && !reason)
		reason = hand_over(s, regs, start);
	if (reason) {
		ccsample_guard_stop(s, reason);
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
