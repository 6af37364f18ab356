/* SPDX-License-Identifier: GPL-2.0-only */
/* What must be as we left it, and what happens where it is not. */
#ifndef CCSAMPLE_KMOD_GUARD_H
#define CCSAMPLE_KMOD_GUARD_H

#include "ds.h"
#include "pmi.h"
#include "session.h"

/* CPU hotplug, suspend, reboot. */
int ccsample_guard_init(void);
void ccsample_guard_exit(void);

/* On the session's CPU, interrupts off, `busy` set (or in the NMI). */

/* The PEBS_ENABLE bits of our events, wherever perf has put them. */
static inline u64 ccsample_our_bits(const struct ccsample_session *s)
{
	u64 bits = 0;

	for (unsigned int i = 0; i < s->events; i++) {
		const struct perf_event *precise = s->counter[i].precise;

		bits |= ccsample_carried(precise) ? BIT_ULL(precise->hw.idx) : 0;
	}
	return bits;
}

/* The register in which somebody else's PEBS shows; s->pebs is its value. */
static inline enum ccsample_reason ccsample_guard_pebs(struct ccsample_session *s)
{
	s->pebs = ccsample_rdmsr(MSR_IA32_PEBS_ENABLE);
	return s->pebs & ~ccsample_our_bits(s) ? CCSAMPLE_FOREIGN_PEBS : CCSAMPLE_NOT_ENDED;
}

/* ... and DS_AREA. A slot that has just been filled tells as much. @task: runs, or did. */
enum ccsample_reason ccsample_guard_ds(struct ccsample_session *s, struct task_struct *task);

/* What is to be done about a counter that is not as it ought to be. */
enum ccsample_reason ccsample_guard_changed(struct ccsample_session *s,
					    struct ccsample_counter *c);

/* One event's counter: follows it where perf has moved it, puts its bit right. */
static inline enum ccsample_reason ccsample_guard_counter(struct ccsample_session *s,
							  struct ccsample_counter *c)
{
	if (likely(ccsample_in_place(c) &&
		   ccsample_rdmsr(c->precise->hw.config_base) == c->wanted))
		return CCSAMPLE_NOT_ENDED;
	return ccsample_guard_changed(s, c);
}

/* Both, of all events. */
enum ccsample_reason ccsample_guard_all(struct ccsample_session *s);

/* Lets the counter count or not, as s->inside says. */
void ccsample_guard_gate(struct ccsample_session *s, struct ccsample_counter *c);

/**
 * ccsample_guard_stop() - stop sampling here and now, and give perf its DS area back.
 *
 * What is in the slot is published first, unless records of somebody else's may
 * stand among them.
 */
void ccsample_guard_stop(struct ccsample_session *s, enum ccsample_reason reason);

#endif /* CCSAMPLE_KMOD_GUARD_H */
