// SPDX-License-Identifier: GPL-2.0-only
#include <linux/math64.h>

#include "gaps.h"
#include "pmi.h"

#define OVERDUE_MOST	64	/* events from an overflow to its record; 1 to 8 are known */

void ccsample_gaps_begin(struct ccsample_session *s)
{
	for (unsigned int i = 0; i < s->events; i++) {
		if (s->spread)
			ccsample_gap_write_period(s, &s->counter[i], 0);
		else
			ccsample_gap_write(s, &s->counter[i]);
	}
}

/* How many events ago did the counter overflow, without a record and its reload? */
static s64 overdue(const struct ccsample_session *s, const struct ccsample_counter *c)
{
	unsigned int unused = __builtin_clzll(s->counter_mask);
	s64 value = ccsample_rdpmc(c->precise->hw.event_base_rdpmc) << unused;

	return value >> unused;
}

static bool is_overdue(const struct ccsample_session *s, const struct ccsample_counter *c)
{
	return ccsample_in_place(c) && overdue(s, c) > OVERDUE_MOST;
}

bool ccsample_gaps_overdue(const struct ccsample_session *s)
{
	for (unsigned int i = 0; i < s->events; i++) {
		if (is_overdue(s, &s->counter[i]))
			return true;
	}
	return false;
}

static noinline void rearm(struct ccsample_session *s, struct ccsample_counter *c)
{
	u64 counting;

	s->control->rearmed++;
	/* A burst that it died in is over; where that has written its counter, all is done. */
	ccsample_slot_close(s, CCSAMPLE_SLOT_PARTIAL);
	if (overdue(s, c) <= OVERDUE_MOST)
		return;
	ccsample_count(s);
	counting = ccsample_pebs_off(s);
	if (s->spread)
		ccsample_gap_write_period(s, c, 0);
	else
		ccsample_gap_write(s, c);
	ccsample_pebs_on(s, counting);
}

void ccsample_gaps_rearm(struct ccsample_session *s)
{
	for (unsigned int i = 0; i < s->events; i++) {
		if (unlikely(is_overdue(s, &s->counter[i])))
			rearm(s, &s->counter[i]);
	}
}

void ccsample_gaps_ramp(struct ccsample_session *s)
{
	if (++s->ramp_bursts < CCSAMPLE_RAMP_STEP)
		return;
	s->ramp_at++;
	s->ramp_left--;
	s->ramp_bursts = 0;
	s->slot_full = s->burst[s->ramp_at] * s->record_bytes;
	for (unsigned int i = 0; i < s->events; i++)
		s->counter[i].range++;
}

u64 ccsample_gap_records(const struct ccsample_session *s, const struct ccsample_counter *c)
{
	u64 passed = c->total - c->at_gap;

	if (s->spread)
		return div64_u64(passed + c->elapsed, c->gap);
	/* A processor that does not keep gaps may have recorded from the first event on. */
	if (s->control->short_gaps)
		return passed;
	return passed < c->gap ? 0 : passed - c->gap + 1;
}

void ccsample_gap_late(struct ccsample_session *s, const struct ccsample_counter *c, u64 records)
{
	u64 made = c->plain ? ccsample_gap_records(s, c) : 0;

	if (made > records)
		s->late_most = clamp_t(u64, made - records, s->late_most, CCSAMPLE_LATE_MAX);
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
	if (!s->tsc_at && s->events == 1 && missing <= CCSAMPLE_LATE_MAX) {
		s->late_most = max_t(u32, s->late_most, missing);
		if (2 * missing < c->gap) {
			s->control->in_flight += missing;
			slot->flags |= CCSAMPLE_SLOT_IN_FLIGHT;
			slot->late = missing;
			return;
		}
	}
	s->control->short_gaps += !(slot->flags & CCSAMPLE_SLOT_SHORT_GAP);
	slot->flags |= CCSAMPLE_SLOT_SHORT_GAP;
	/* Nor may those have been kept of which nothing tells. */
	s->control->full_records += s->full_in_gaps;
	s->full_in_gaps = 0;
}

void ccsample_gap_of_several(struct ccsample_session *s, struct ccsample_counter *c,
			     struct ccsample_slot *slot)
{
	unsigned int unused = __builtin_clzll(s->counter_mask);
	s64 value = ccsample_rdpmc(c->precise->hw.event_base_rdpmc) << unused;

	/* It has recorded none of the slot's records, or not all of its burst. */
	if (value >> unused < -1)
		return;
	ccsample_gap_verify(s, c, slot, c->gap);
	ccsample_gap_write(s, c);
}
