/* SPDX-License-Identifier: GPL-2.0-only */
/* What must be as we left it, and what happens where it is not. */
#ifndef CCSAMPLE_KMOD_GUARD_H
#define CCSAMPLE_KMOD_GUARD_H

#include "archpebs.h"
#include "ds.h"
#include "pmi.h"
#include "session.h"

/* CPU hotplug, suspend, reboot. */
int ccsample_guard_init(void);
void ccsample_guard_exit(void);

/* Is there a vCPU, in KVM_RUN now, that may come to this CPU? It would write DS_AREA there. */
bool ccsample_guard_virtual(int cpu);

/* On the session's CPU, interrupts off, `busy` set (or in the NMI). */

/*
 * Does PEBS_DATA_CFG hold what our events want? perf adds to it what another's wants, and takes
 * nothing away when that goes, as long as ours are there (pebs_update_state()).
 */
static __always_inline bool ccsample_guard_groups(const struct ccsample_session *s)
{
	return !s->groups || ccsample_rdmsr(MSR_PEBS_DATA_CFG) == s->groups;
}

/* The registers in which somebody else's PEBS shows; s->pebs is PEBS_ENABLE's value. */
enum ccsample_reason ccsample_guard_pebs(struct ccsample_session *s);

/* ... and DS_AREA. A slot that has just been filled shows as much. @task: runs, or did. */
enum ccsample_reason ccsample_guard_ds(struct ccsample_session *s, struct task_struct *task);

/* One event's counters: follows the one where perf has moved it, puts its bit right. */
enum ccsample_reason ccsample_guard_counter(struct ccsample_session *s,
					    struct ccsample_counter *c);

/* The same, and the counters of all events. */
enum ccsample_reason ccsample_guard_all(struct ccsample_session *s);

/* Is all that as it was at the last look? @architectural: s->architectural */
static __always_inline bool ccsample_guard_quick(const struct ccsample_session *s,
						 unsigned int events, bool architectural)
{
	for (unsigned int i = 0; i < events; i++) {
		const struct ccsample_counter *c = &s->counter[i];

		if (!ccsample_in_place(c) || (c->plain && !ccsample_is_on(c->plain)) ||
		    ccsample_rdmsr(c->precise->hw.config_base) != c->wanted)
			return false;
	}
	if (architectural)
		return !s->pebs_lacks && !ccsample_arch_disturbed(s);
	return !s->pebs_lacks && ccsample_rdmsr(MSR_IA32_PEBS_ENABLE) == s->pebs &&
	       ccsample_guard_groups(s);
}

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
