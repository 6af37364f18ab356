/* SPDX-License-Identifier: GPL-2.0-only */
/* The ring of marks: who owns which records, who was born and who died. */
#ifndef CCSAMPLE_KMOD_MARKS_H
#define CCSAMPLE_KMOD_MARKS_H

#include <linux/compiler.h>

#include "archpebs.h"
#include "ds.h"
#include "session.h"

/* In the chunks. */
static inline u64 ccsample_slot_offset(const struct ccsample_session *s, u64 number)
{
	return (s->architectural ? 0 : CCSAMPLE_RECORDS_AT) +
	       (number & (s->slots - 1)) * s->slot_bytes;
}

/* Where a slot is: in the window; architectural: the kernel's own address. */
static inline u64 ccsample_slot_base(const struct ccsample_session *s, u64 number)
{
	u64 offset = ccsample_slot_offset(s, number);

	return s->architectural ? (u64)ccsample_memory_at(s->memory, offset) : s->ds_area + offset;
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
	return s->architectural ? ccsample_arch_position() : READ_ONCE(s->ds->index) - s->ds->base;
}

/* Is it full, so that the interrupt is due? */
static inline bool ccsample_full(const struct ccsample_session *s)
{
	return s->architectural ? ccsample_arch_position() >= s->slot_full :
				  READ_ONCE(s->ds->index) >= s->ds->threshold;
}

/* Is the slot to be closed: full, or PEBS stopped by an interrupt that was turned away? */
static inline bool ccsample_slot_over(const struct ccsample_session *s)
{
	return ccsample_full(s) || READ_ONCE(s->quenched);
}

/* Is the buffer, or DS_AREA, as we have set it? */
static inline bool ccsample_area_ours(const struct ccsample_session *s)
{
	return s->architectural ? ccsample_arch_ours(s) :
				  ccsample_rdmsr(MSR_IA32_DS_AREA) == s->ds_area;
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
