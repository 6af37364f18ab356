/* SPDX-License-Identifier: GPL-2.0-only */
/* The ring of marks: who owns which records, who was born and who died. */
#ifndef CCSAMPLE_KMOD_MARKS_H
#define CCSAMPLE_KMOD_MARKS_H

#include "session.h"

/* On the session's CPU, interrupts off, `busy` set (or in the NMI). */

/* A task's run interval begins, or goes on after an interrupt; NULL = outside the filter. */
void ccsample_interval_begin(struct ccsample_session *s, struct task_struct *task);

/* Bytes of records in the slot being filled. */
static inline u32 ccsample_position(const struct ccsample_session *s)
{
	return READ_ONCE(s->ds->index) - s->ds->base;
}

/* Writes the interval's mark. */
void ccsample_interval_mark(struct ccsample_session *s);

/* ... if it has none and records have come in it; `position` is now. */
static inline void ccsample_interval_settle(struct ccsample_session *s, u32 position)
{
	const struct ccsample_interval *interval = &s->interval;

	if (interval->open && (interval->offset != position || interval->slot != s->control->head))
		ccsample_interval_mark(s);
}

/**
 * ccsample_mark_task() - a mark about a task at the present position.
 * @kind: enum ccsample_mark_kind
 * @other: as struct ccsample_mark has it for that kind
 */
void ccsample_mark_task(struct ccsample_session *s, u16 kind, struct task_struct *task, u32 other);

/* A task's process number as the session's opener sees it, 0 = it does not. */
u32 ccsample_pid(const struct ccsample_session *s, struct task_struct *task);

#endif /* CCSAMPLE_KMOD_MARKS_H */
