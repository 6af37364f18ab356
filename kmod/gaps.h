/* SPDX-License-Identifier: GPL-2.0-only */
/* The gaps between bursts: drawn, written into the counters, verified afterwards. */
#ifndef CCSAMPLE_KMOD_GAPS_H
#define CCSAMPLE_KMOD_GAPS_H

#include "ds.h"
#include "session.h"

#define CCSAMPLE_LATE_MAX	8	/* records that may land after PEBS was stopped */

/* On the session's CPU, interrupts off, `busy` set (or in the NMI), PEBS off. */

/* Draws a first gap for each counter, whatever its value. */
void ccsample_gaps_begin(struct ccsample_session *s);

/* One more burst of a ladder that has not reached its last rung. */
void ccsample_gaps_climb(struct ccsample_session *s);

/* Uniformly from c->range. */
u64 ccsample_gap_draw(struct ccsample_session *s, const struct ccsample_counter *c);

/* A gap goes into the counter; the reset value is -1. */
static __always_inline void ccsample_gap_write(struct ccsample_session *s,
					       struct ccsample_counter *c)
{
	c->gap = ccsample_gap_draw(s, c);
	c->slot_gap = c->gap;
	c->at_gap = c->total;
	ccsample_wrmsr(c->precise->hw.event_base, -c->gap & s->counter_mask);
}

/* Why were fewer events counted? */
void ccsample_gap_short(struct ccsample_session *s, const struct ccsample_counter *c,
			struct ccsample_slot *slot, u64 want);

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

/* Of several events: verifies and draws anew where the counter's burst is over. */
void ccsample_gap_of_several(struct ccsample_session *s, struct ccsample_counter *c,
			     struct ccsample_slot *slot);

/* Spread mode: the same of a period. @records: of the slot, that are its own */
void ccsample_gap_period(struct ccsample_session *s, struct ccsample_counter *c,
			 struct ccsample_slot *slot, u64 records);

#endif /* CCSAMPLE_KMOD_GAPS_H */
