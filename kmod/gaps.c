// SPDX-License-Identifier: GPL-2.0-only
#include <linux/math64.h>

#include "cpu.h"
#include "gaps.h"

/* Linear congruence (Knuth's for MMIX, TAOCP 3.3.4, table 1), of which the high bits count. */
u64 ccsample_gap_draw(struct ccsample_session *s, const struct ccsample_counter *c)
{
	s->random = s->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return c->range->low + mul_u64_u64_shr(s->random, c->range->choices, 64);
}

/* What the counter has counted since it was reloaded with its period is kept. */
static void write_period(struct ccsample_session *s, struct ccsample_counter *c, u64 elapsed)
{
	c->gap = ccsample_gap_draw(s, c);
	c->slot_gap = c->gap;
	c->at_gap = c->total;
	c->elapsed = elapsed < c->gap ? elapsed : 0;
	c->written = -(s64)(c->gap - c->elapsed);
	s->ds->reset[c->index] = -c->gap & s->counter_mask;
	ccsample_wrmsr(c->precise->hw.event_base, c->written & s->counter_mask);
}

void ccsample_gaps_begin(struct ccsample_session *s)
{
	for (unsigned int i = 0; i < s->events; i++) {
		if (s->spread)
			write_period(s, &s->counter[i], 0);
		else
			ccsample_gap_write(s, &s->counter[i]);
	}
}

void ccsample_gaps_climb(struct ccsample_session *s)
{
	if (++s->rung_bursts < CCSAMPLE_LADDER_STEP)
		return;
	s->rung++;
	s->rungs_left--;
	s->rung_bursts = 0;
	s->slot_full = s->burst[s->rung] * s->record_bytes;
	for (unsigned int i = 0; i < s->events; i++)
		s->counter[i].range++;
}

void ccsample_gap_short(struct ccsample_session *s, const struct ccsample_counter *c,
			struct ccsample_slot *slot, u64 want)
{
	s64 missing = want - (c->total - c->at_gap);

	/* The kernel's events go on between one counter's switching and the other's. */
	if (s->flags & CCSAMPLE_KERNEL)
		missing -= want / 8;
	if (missing <= 0 || !c->plain)
		return;
	/* Without time stamps a few too many records look like this, too. */
	if (!ccsample_cpu.tsc_at && s->events == 1 && missing <= CCSAMPLE_LATE_MAX &&
	    2 * missing < c->gap) {
		s->control->in_flight += missing;
		slot->flags |= CCSAMPLE_SLOT_IN_FLIGHT;
		slot->late = missing;
		return;
	}
	s->control->short_gaps += !(slot->flags & CCSAMPLE_SLOT_SHORT_GAP);
	slot->flags |= CCSAMPLE_SLOT_SHORT_GAP;
}

/* Where the counter of a sampling event stands. */
static s64 value_of(const struct ccsample_session *s, const struct ccsample_counter *c)
{
	unsigned int unused = __builtin_clzll(s->counter_mask);

	return (s64)(ccsample_rdpmc(c->precise->hw.event_base_rdpmc) << unused) >> unused;
}

void ccsample_gap_of_several(struct ccsample_session *s, struct ccsample_counter *c,
			     struct ccsample_slot *slot)
{
	/* It has recorded none of the slot's records, or not all of its burst. */
	if (value_of(s, c) < -1)
		return;
	ccsample_gap_verify(s, c, slot, c->gap);
	ccsample_gap_write(s, c);
}

void ccsample_gap_period(struct ccsample_session *s, struct ccsample_counter *c,
			 struct ccsample_slot *slot, u64 records)
{
	s64 value = value_of(s, c);

	if (s->events == 1)
		ccsample_gap_verify(s, c, slot, c->gap * records - c->elapsed);
	else if (value > c->written)
		return;
	write_period(s, c, value + c->gap);
}
