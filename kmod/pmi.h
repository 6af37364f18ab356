/* SPDX-License-Identifier: GPL-2.0-only */
/* The switch to the next slot, and the interrupt (PMI) that asks for it. */
#ifndef CCSAMPLE_KMOD_PMI_H
#define CCSAMPLE_KMOD_PMI_H

#include "session.h"

/* Registers the NMI handler, ahead of perf's. */
int ccsample_pmi_init(void);
void ccsample_pmi_exit(void);

/* On the session's CPU, interrupts off, `busy` set (or in the NMI). */

/* Points the DS area, or its like, at a slot. Return: bytes of records in the one before. */
u32 ccsample_slot_open(struct ccsample_session *s, u64 number);

/**
 * ccsample_slot_close() - publish the slot being filled, open the next.
 * @flags: enum ccsample_slot_flag
 *
 * Draws new gaps for the counters whose burst is over. Without room for the
 * next slot the records are dropped, counted, and the slot is used again. An
 * empty slot is left alone.
 */
void ccsample_slot_close(struct ccsample_session *s, u32 flags);

/**
 * ccsample_pebs_off() - no records, and no counting, until ccsample_pebs_on().
 *
 * An event that overflows a counter while PEBS is off is never recorded, and the counter runs on
 * without a reload; and counters are written here. An NMI handler of perf's may let the kernel's
 * events go on meanwhile: ccsample_gaps_rearm().
 *
 * Return: for ccsample_pebs_on().
 */
u64 ccsample_pebs_off(struct ccsample_session *s);
void ccsample_pebs_on(struct ccsample_session *s, u64 counting);

/* Records with CCSAMPLE_VALUES from now on, with PEBS off; nothing for a session without. */
void ccsample_values_begin(struct ccsample_session *s);

/* Begins the slot again; what was in it is counted as lost. With PEBS off. */
void ccsample_slot_reopen(struct ccsample_session *s);

/* So many records are lost; the next slot says so. */
void ccsample_records_lost(struct ccsample_session *s, u64 records);

/* The same of a slot's, which is used again. */
void ccsample_slot_lost(struct ccsample_session *s, u64 records);

/* The same with PEBS on: records that may not be ours. */
void ccsample_slot_discard(struct ccsample_session *s);

/* Adds up what the counters that only count have counted for us since they were last read. */
void ccsample_count(struct ccsample_session *s);

/* Does perf have the event on a counter now? */
static inline bool ccsample_carried(const struct perf_event *event)
{
	return event && event->hw.idx >= 0 && !(READ_ONCE(event->hw.state) & PERF_HES_STOPPED);
}

/* The same of an event that has been on a counter before. */
static inline bool ccsample_is_on(const struct perf_event *event)
{
	return !(READ_ONCE(event->hw.state) & PERF_HES_STOPPED);
}

/* Has perf put a sampling one elsewhere? One that it has on no counter it has not. */
static inline bool ccsample_is_moved(const struct ccsample_counter *c)
{
	return c->precise->hw.idx >= 0 && c->precise->hw.idx != c->index;
}

/* ... and of a sampling one: is it where we saw it last? */
static inline bool ccsample_in_place(const struct ccsample_counter *c)
{
	return c->precise->hw.idx == c->index && ccsample_is_on(c->precise);
}

#endif /* CCSAMPLE_KMOD_PMI_H */
