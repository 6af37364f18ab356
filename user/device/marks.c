// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/marks.h"

static void add_life_event(struct device_marks *marks, const struct ccsample_mark *mark)
{
	marks->life_events = grow(marks->life_events, marks->life_count, &marks->life_room,
			   sizeof(*marks->life_events));
	marks->life_events[marks->life_count++] = *mark;
}

static void add_pending(struct device_marks *marks, const struct ccsample_mark *mark)
{
	marks->pending = grow(marks->pending, marks->count, &marks->room,
			      sizeof(*marks->pending));
	marks->pending[marks->count++] = *mark;
	if (mark->kind != CCSAMPLE_MARK_SWITCH)
		add_life_event(marks, mark);
}

/*
 * A mark after a loss says so itself. A loss that no mark has followed yet shows
 * in the count alone: the ring was full, or filled while we read it.
 */
size_t device_marks_read(struct device_marks *marks, const struct device_session *session)
{
	const struct ccsample_control *control = session->control;
	uint64_t before = __atomic_load_n(&control->lost_marks, __ATOMIC_ACQUIRE);
	uint64_t head = __atomic_load_n(&control->mark_head, __ATOMIC_ACQUIRE);
	uint64_t tail = session->reader->mark_tail, at, after;
	bool full = head - tail >= control->marks, flagged = false;

	for (at = tail; at != head; at++) {
		struct ccsample_mark mark = session->marks[at & (control->marks - 1)];

		flagged |= mark.flags & CCSAMPLE_MARK_AFTER_LOSS;
		add_pending(marks, &mark);
	}
	after = __atomic_load_n(&control->lost_marks, __ATOMIC_ACQUIRE);
	if (after != marks->lost)
		marks->missing = !flagged || full || before != after;
	else if (flagged)
		marks->missing = false;
	marks->lost = after;
	__atomic_store_n(&session->reader->mark_tail, head, __ATOMIC_RELEASE);
	return head - tail;
}

static bool is_reached(const struct ccsample_mark *mark, uint64_t slot, uint32_t offset)
{
	return mark->slot < slot || (mark->slot == slot && mark->offset <= offset);
}

bool device_marks_reach(struct device_marks *marks, uint64_t slot, uint32_t offset)
{
	size_t passed = 0;

	while (passed < marks->count && is_reached(&marks->pending[passed], slot, offset)) {
		const struct ccsample_mark *mark = &marks->pending[passed++];

		if (mark->kind == CCSAMPLE_MARK_SWITCH)
			marks->owner = (struct device_owner){
				mark->pid, mark->tid, true, marks->owner.interval + 1
			};
		else if (mark->flags & CCSAMPLE_MARK_AFTER_LOSS)
			marks->owner.known = false;
	}
	if (passed) {
		marks->count -= passed;
		memmove(marks->pending, marks->pending + passed,
			marks->count * sizeof(*marks->pending));
	}
	/* Between the last mark before a loss and the first one after it: anybody's. */
	if (marks->count ? marks->pending[0].flags & CCSAMPLE_MARK_AFTER_LOSS : marks->missing)
		marks->owner.known = false;
	return passed;
}

const struct ccsample_mark *device_marks_next(const struct device_marks *marks, uint64_t slot)
{
	return marks->count && marks->pending[0].slot == slot ? &marks->pending[0] : NULL;
}

void device_marks_free(struct device_marks *marks)
{
	free(marks->pending);
	free(marks->life_events);
}
