// SPDX-License-Identifier: GPL-2.0-only
/*
 * A run interval of a task gets its mark when it turns out that records came in it:
 * at the next task or buffer switch. So most task switches write none. A record may land when
 * its task is gone from the CPU already: its time stamp says whose it is, and the mark of who
 * runs then stands behind it.
 */
#include <linux/pid.h>
#include <linux/sched.h>

#include "gaps.h"
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

static void write_mark(struct ccsample_session *s, const struct ccsample_owner *owner, u64 slot,
		       u32 offset)
{
	struct ccsample_mark *mark = next_mark(s);

	s->marked = *owner;
	if (!mark)
		return;
	mark->tsc = owner->tsc;
	mark->slot = slot;
	mark->offset = offset;
	mark->kind = CCSAMPLE_MARK_SWITCH;
	mark->pid = owner->pid;
	mark->tid = owner->tid;
	mark->other = 0;
	publish(s);
}

/* --- records that come when another task runs already --- */

static struct ccsample_owner *unmarked(struct ccsample_session *s, u32 number)
{
	return &s->unmarked.owner[number & (CCSAMPLE_INTERVALS - 1)];
}

static void forget(struct ccsample_session *s, u64 tsc)
{
	if (!s->unmarked.forgotten)
		s->unmarked.forgotten = tsc;
}

static void remember(struct ccsample_session *s, const struct ccsample_owner *owner)
{
	struct ccsample_unmarked *list = &s->unmarked;

	if (list->next - list->first == CCSAMPLE_INTERVALS)
		forget(s, unmarked(s, list->first++)->tsc);
	*unmarked(s, list->next++) = *owner;
}

/* A record of an interval has come: so have all of those before it. */
static void drop_until(struct ccsample_session *s, u32 number)
{
	s->unmarked.first = number;
	s->unmarked.forgotten = 0;
}

/* Marks the owner of a record from before the interval, unless that is who has the last mark. */
static noinline void mark_late(struct ccsample_session *s, u64 tsc, u32 offset)
{
	struct ccsample_unmarked *list = &s->unmarked;
	u32 number = list->next;

	while (number != list->first && unmarked(s, number - 1)->tsc > tsc)
		number--;
	if (number != list->first) {
		write_mark(s, unmarked(s, number - 1), s->control->head, offset);
		drop_until(s, number);
	} else if (list->forgotten && list->forgotten <= tsc && !s->marks_lost) {
		s->control->lost_marks++;
		s->marks_lost = true;
	} else if (!s->marked.tsc) {
		/* perf enables a counter a little before the session begins (take_counters()). */
		write_mark(s, &(struct ccsample_owner){ .tsc = tsc }, s->control->head, offset);
	}
}

/* Return: where the records begin that were made in the interval. */
static u32 late_by_time(struct ccsample_session *s, u32 from, u32 position)
{
	u64 base = ccsample_slot_base(s, s->control->head), tsc;
	u32 at = from, late = 0;

	while (at < position && late++ < CCSAMPLE_LATE_MAX) {
		tsc = ccsample_record_tsc(s, base + at);
		if (tsc >= s->interval.owner.tsc)
			break;
		mark_late(s, tsc, at);
		at += s->record_bytes;
	}
	return at;
}

/* The same of records that have no time: as many as were late before have no owner. */
static noinline u32 late_by_number(struct ccsample_session *s, u32 from, u32 position)
{
	const struct ccsample_owner unowned = { .tsc = s->interval.owner.tsc };
	u32 at = from;

	if (s->interval.doubtful)
		write_mark(s, &unowned, s->control->head, from);
	for (; at < position && s->interval.doubtful; at += s->record_bytes)
		s->interval.doubtful--;
	return at;
}

/* --- intervals --- */

void ccsample_interval_mark(struct ccsample_session *s, u32 position)
{
	struct ccsample_interval *interval = &s->interval;
	u32 at = interval->slot == s->control->head ? interval->offset : 0;

	if (s->tsc_at)
		at = late_by_time(s, at, position);
	else
		at = late_by_number(s, at, position);
	interval->slot = s->control->head;
	interval->offset = at;
	if (at == position)
		return;
	interval->open = false;
	drop_until(s, s->unmarked.next);
	write_mark(s, &interval->owner, interval->slot, at);
}

static void next_interval(struct ccsample_session *s, u32 pid, u32 tid)
{
	struct ccsample_interval *interval = &s->interval;
	u64 tsc = rdtsc();
	u32 position = ccsample_position(s);

	ccsample_interval_settle(s, position);
	if (interval->open)
		remember(s, &interval->owner);
	else
		interval->doubtful = 0;
	if (tid != interval->owner.tid)
		interval->doubtful = max(interval->doubtful, s->late_most);
	interval->owner = (struct ccsample_owner){ tsc, pid, tid };
	interval->slot = s->control->head;
	interval->offset = position;
	interval->open = true;
}

void ccsample_interval_begin(struct ccsample_session *s, struct task_struct *task)
{
	if (task)
		next_interval(s, ccsample_pid(s, task), thread_id(s, task));
	else
		next_interval(s, 0, 0);
}

void ccsample_interval_split(struct ccsample_session *s)
{
	next_interval(s, s->interval.owner.pid, s->interval.owner.tid);
}

/* Whoever has the last mark needs another one, should more records of his come. */
void ccsample_interval_restart(struct ccsample_session *s)
{
	struct ccsample_unmarked *list = &s->unmarked;

	if (s->interval.open && (list->forgotten ||
				 list->next - list->first == CCSAMPLE_INTERVALS)) {
		list->forgotten = 0;
		forget(s, s->marked.tsc);
	} else if (s->interval.open) {
		*unmarked(s, --list->first) = s->marked;
	}
	s->interval.open = true;
	s->interval.slot = s->control->head;
	s->interval.offset = 0;
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
