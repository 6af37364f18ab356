// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stretch of a task gets its mark when it turns out that records came in it:
 * at the next switch or hand-over. So most task switches write none.
 */
#include <linux/pid.h>
#include <linux/sched.h>

#include "marks.h"

/* The ring's next mark, or NULL: there is no room. */
static struct ccsample_mark *next_mark(struct ccsample_session *s)
{
	u64 head = s->control->mark_head;
	struct ccsample_mark *mark = &s->mark[head & (s->marks - 1)];

	if (head - READ_ONCE(s->reader->mark_tail) >= s->marks) {
		s->control->lost_marks++;
		s->marks_lost = true;
		return NULL;
	}
	mark->flags = s->marks_lost ? CCSAMPLE_MARK_AFTER_LOSS : 0;
	s->marks_lost = false;
	return mark;
}

static void publish(struct ccsample_session *s)
{
	/* Pairs with the reader's acquire: the mark is complete. */
	smp_store_release(&s->control->mark_head, s->control->mark_head + 1);
}

u32 ccsample_pid(const struct ccsample_session *s, struct task_struct *task)
{
	return s->namespace == &init_pid_ns ? task->tgid : task_tgid_nr_ns(task, s->namespace);
}

static u32 thread_id(const struct ccsample_session *s, struct task_struct *task)
{
	return s->namespace == &init_pid_ns ? task->pid : task_pid_nr_ns(task, s->namespace);
}

void ccsample_stint_begin(struct ccsample_session *s, struct task_struct *task)
{
	struct ccsample_stint *stint = &s->stint;

	stint->task = task;
	stint->tsc = rdtsc();
	stint->slot = s->control->head;
	stint->offset = ccsample_position(s);
	stint->open = true;
}

void ccsample_stint_mark(struct ccsample_session *s)
{
	struct ccsample_stint *stint = &s->stint;
	struct ccsample_mark *mark = next_mark(s);

	stint->open = false;
	if (!mark)
		return;
	mark->tsc = stint->tsc;
	mark->slot = stint->slot;
	mark->offset = stint->offset;
	mark->kind = CCSAMPLE_MARK_SWITCH;
	mark->pid = stint->task ? ccsample_pid(s, stint->task) : 0;
	mark->tid = stint->task ? thread_id(s, stint->task) : 0;
	mark->other = 0;
	publish(s);
}

void ccsample_mark_task(struct ccsample_session *s, u16 kind, struct task_struct *task, u32 other)
{
	struct ccsample_mark *mark = next_mark(s);

	if (!mark)
		return;
	mark->tsc = rdtsc();
	mark->slot = s->control->head;
	mark->offset = ccsample_position(s);
	mark->kind = kind;
	mark->pid = ccsample_pid(s, task);
	mark->tid = thread_id(s, task);
	mark->other = other;
	publish(s);
}
