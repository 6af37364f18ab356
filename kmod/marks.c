// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stretch of a task gets its mark when it turns out that records came in it:
 * at the next switch or hand-over. So most task switches write none.
 */
#include <linux/pid.h>
#include <linux/sched.h>

#include "marks.h"

static void put(struct ccsample_session *s, const struct ccsample_mark *mark)
{
	u64 head = s->control->mark_head;
	struct ccsample_mark *to = &s->mark[head & (s->marks - 1)];

	if (head - READ_ONCE(s->reader->mark_tail) >= s->marks) {
		s->control->lost_marks++;
		s->marks_lost = true;
		return;
	}
	*to = *mark;
	to->flags = s->marks_lost ? CCSAMPLE_MARK_AFTER_LOSS : 0;
	s->marks_lost = false;
	smp_store_release(&s->control->mark_head, head + 1);
}

u32 ccsample_pid(const struct ccsample_session *s, struct task_struct *task)
{
	return s->namespace == &init_pid_ns ? task->tgid : task_tgid_nr_ns(task, s->namespace);
}

static u32 thread_id(const struct ccsample_session *s, struct task_struct *task)
{
	return s->namespace == &init_pid_ns ? task->pid : task_pid_nr_ns(task, s->namespace);
}

static u32 position(const struct ccsample_session *s)
{
	return READ_ONCE(s->ds->index) - s->ds->base;
}

void ccsample_stint_begin(struct ccsample_session *s, struct task_struct *task)
{
	struct ccsample_stint *stint = &s->stint;

	stint->task = task;
	stint->tsc = rdtsc();
	stint->slot = s->control->head;
	stint->offset = position(s);
	stint->open = true;
}

void ccsample_stint_settle(struct ccsample_session *s)
{
	struct ccsample_stint *stint = &s->stint;
	struct ccsample_mark mark;

	if (!stint->open ||
	    (stint->offset == position(s) && stint->slot == s->control->head))
		return;
	mark = (struct ccsample_mark){
		.tsc = stint->tsc,
		.slot = stint->slot,
		.offset = stint->offset,
		.kind = CCSAMPLE_MARK_SWITCH,
	};
	if (stint->task) {
		mark.pid = ccsample_pid(s, stint->task);
		mark.tid = thread_id(s, stint->task);
	}
	put(s, &mark);
	stint->open = false;
}

void ccsample_stint_again(struct ccsample_session *s)
{
	if (s->after_loss)
		ccsample_stint_begin(s, s->stint.task);
}

void ccsample_mark_task(struct ccsample_session *s, u16 kind, struct task_struct *task, u32 other)
{
	struct ccsample_mark mark = {
		.tsc = rdtsc(),
		.slot = s->control->head,
		.offset = position(s),
		.kind = kind,
		.pid = ccsample_pid(s, task),
		.tid = thread_id(s, task),
		.other = other,
	};

	put(s, &mark);
}
