// SPDX-License-Identifier: GPL-2.0-only
/*
 * A run interval of a task gets its mark when it turns out that records came in it:
 * at the next task or buffer switch. So most task switches write none.
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

void ccsample_interval_begin(struct ccsample_session *s, struct task_struct *task)
{
	struct ccsample_interval *interval = &s->interval;

	interval->task = task;
	interval->tsc = rdtsc();
	interval->slot = s->control->head;
	interval->offset = ccsample_position(s);
	interval->open = true;
}

void ccsample_interval_mark(struct ccsample_session *s)
{
	struct ccsample_interval *interval = &s->interval;
	struct ccsample_mark *mark = next_mark(s);

	interval->open = false;
	if (!mark)
		return;
	mark->tsc = interval->tsc;
	mark->slot = interval->slot;
	mark->offset = interval->offset;
	mark->kind = CCSAMPLE_MARK_SWITCH;
	mark->pid = interval->task ? ccsample_pid(s, interval->task) : 0;
	mark->tid = interval->task ? thread_id(s, interval->task) : 0;
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
