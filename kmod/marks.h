/* SPDX-License-Identifier: GPL-2.0-only */
/* The ring of marks: who owns which records, who was born and who died. */
#ifndef CCSAMPLE_KMOD_MARKS_H
#define CCSAMPLE_KMOD_MARKS_H

#include <linux/compiler.h>

#include "session.h"

/* Where the processor finds a slot. */
static inline u64 ccsample_slot_base(const struct ccsample_session *s, u64 number)
{
	return s->ds_area + CCSAMPLE_RECORDS_AT + (number & (s->slots - 1)) * s->slot_bytes;
}

/* When was a record made? KASAN knows nothing of the window. */
static __always_inline u64 ccsample_record_tsc(const struct ccsample_session *s, u64 record)
{
	return READ_ONCE_NOCHECK(*(u64 *)(record + s->tsc_at));
}

/* On the session's CPU, interrupts off, `busy` set (or in the NMI). */

/* Bytes of records in the slot being filled. */
static inline u32 ccsample_position(const struct ccsample_session *s)
{
	return READ_ONCE(s->ds->index) - s->ds->base;
}

/* A task's run interval begins, NULL = outside the filter; what has come before is settled. */
void ccsample_interval_begin(struct ccsample_session *s, struct task_struct *task);

/* The same task's next one, after an interrupt. */
void ccsample_interval_split(struct ccsample_session *s);

/* The slot being filled is filled again from its beginning. */
void ccsample_interval_restart(struct ccsample_session *s);

/* Writes the marks of what came up to @position: the interval's, and of those before it. */
void ccsample_interval_mark(struct ccsample_session *s, u32 position);

/* ... if the interval has none and records have come in it; `position` is now. */
static inline void ccsample_interval_settle(struct ccsample_session *s, u32 position)
{
	const struct ccsample_interval *interval = &s->interval;

	if (interval->open && (interval->offset != position || interval->slot != s->control->head))
		ccsample_interval_mark(s, position);
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
