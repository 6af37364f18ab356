/* SPDX-License-Identifier: GPL-2.0-only */
/* The gaps between bursts: drawn, written into the counters, verified afterwards. */
#ifndef CCSAMPLE_KMOD_GAPS_H
#define CCSAMPLE_KMOD_GAPS_H

#include "archpebs.h"
#include "ds.h"
#include "session.h"

#define CCSAMPLE_LATE_MAX	8	/* records that may land after PEBS was stopped */

/* On the session's CPU, interrupts off, `busy` set (or in the NMI), PEBS off. */

/* Draws a first gap for each counter, whatever its value. */
void ccsample_gaps_begin(struct ccsample_session *s);

/**
 * ccsample_gaps_rearm() - a counter that has run past its overflow gets a new gap.
 *
 * An overflow arms PEBS, and a later event is recorded; who switches PEBS off in between (perf,
 * when it schedules its events) may disarm it. Then nothing reloads the counter, which would
 * run on for 2^48 events. Each time is counted in control->rearmed. PEBS is on.
 */
void ccsample_gaps_rearm(struct ccsample_session *s);

/* Has one of the counters run past its overflow? Interrupts off. */
bool ccsample_gaps_overdue(const struct ccsample_session *s);

/* One more burst of a ramp that has not reached its last length. */
void ccsample_gaps_ramp(struct ccsample_session *s);

/* Linear congruence (Knuth's for MMIX, TAOCP 3.3.4, table 1), of which the high bits count. */
static __always_inline void ccsample_gap_draw(struct ccsample_session *s,
					      struct ccsample_counter *c)
{
	s->random = s->random * 6364136223846793005ULL + 1442695040888963407ULL;
	c->gap = c->range->low + ccsample_mul_high(s->random, c->range->choices);
	c->slot_gap = c->gap;
	c->at_gap = c->total;
}

/* A gap goes into the counter; the reset value is -1. */
static __always_inline void ccsample_gap_write(struct ccsample_session *s,
					       struct ccsample_counter *c)
{
	ccsample_gap_draw(s, c);
	ccsample_wrmsr(c->precise->hw.event_base, -c->gap & s->counter_mask);
}

/* What the counter restarts from at a record. */
static __always_inline void ccsample_gap_reload(struct ccsample_session *s,
						struct ccsample_counter *c, u64 value)
{
	if (s->architectural)
		ccsample_arch_reload(c, value);
	else
		s->ds->reset[c->index] = value;
}

/* Spread mode: a period goes into the reset slot, of which @elapsed events have passed. */
static __always_inline void ccsample_gap_write_period(struct ccsample_session *s,
						      struct ccsample_counter *c, u64 elapsed)
{
	ccsample_gap_draw(s, c);
	c->elapsed = elapsed < c->gap ? elapsed : 0;
	ccsample_gap_reload(s, c, -c->gap & s->counter_mask);
	ccsample_wrmsr(c->precise->hw.event_base, (c->elapsed - c->gap) & s->counter_mask);
}

/* How many records do the events make that were counted since the gap was drawn? */
u64 ccsample_gap_records(const struct ccsample_session *s, const struct ccsample_counter *c);

/* Why were fewer events counted? */
void ccsample_gap_short(struct ccsample_session *s, const struct ccsample_counter *c,
			struct ccsample_slot *slot, u64 want);

/* Spread mode, records without time stamps: are fewer there than have been made? */
void ccsample_gap_late(struct ccsample_session *s, const struct ccsample_counter *c, u64 records);

/**
 * ccsample_gap_verify() - were as many events counted as a gap and its records are?
 * @want: events
 *
 * A PMI that comes late, or records that are lost, only make them more.
 */
static __always_inline void ccsample_gap_verify(struct ccsample_session *s,
						const struct ccsample_counter *c,
						struct ccsample_slot *slot, u64 want)
{
	if (unlikely(c->total - c->at_gap < want))
		ccsample_gap_short(s, c, slot, want);
}

/* Of several events: verifies and draws again where the counter's burst is over. */
void ccsample_gap_of_several(struct ccsample_session *s, struct ccsample_counter *c,
			     struct ccsample_slot *slot);

/* Spread mode: the same of a period. @records: of the slot, that are its own; @events: s->events */
static __always_inline void ccsample_gap_period(struct ccsample_session *s,
						struct ccsample_counter *c,
						struct ccsample_slot *slot, u64 records,
						unsigned int events)
{
	u64 raw = ccsample_rdpmc(c->precise->hw.event_base_rdpmc);
	u64 passed = (raw + c->gap) & s->counter_mask;

	if (events == 1 && unlikely(!s->tsc_at))
		ccsample_gap_late(s, c, records);
	/* What the counter has counted since it was reloaded is kept. */
	if (events == 1)
		ccsample_gap_verify(s, c, slot, c->gap * records - c->elapsed);
	else if (passed > c->elapsed && passed < c->gap)
		return;
	ccsample_gap_write_period(s, c, passed);
}

#endif /* CCSAMPLE_KMOD_GAPS_H */
