// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "space/call-frames.h"
#include "base/memory.h"

static uint64_t *waiting_of(struct call_frames *frames, const struct ccs_record *record)
{
	return map_at(&frames->waiting, (uint64_t)record->process << 32 | record->tid);
}

void call_frames_take(struct call_frames *frames, const struct ccs_frames *record)
{
	uint64_t *waiting = waiting_of(frames, &record->record);

	free((void *)(uintptr_t)*waiting);
	*waiting = (uintptr_t)xmalloc(record->record.size);
	memcpy((void *)(uintptr_t)*waiting, record, record->record.size);
}

void call_frames_batch(struct call_frames *frames, const struct ccs_samples *batch)
{
	uint64_t *waiting;

	free(frames->now);
	frames->now = NULL;
	frames->next = 0;
	if (!frames->waiting.entries)
		return;
	waiting = waiting_of(frames, &batch->record);
	frames->now = (void *)(uintptr_t)*waiting;
	*waiting = 0;
}

const struct ccs_frame *call_frames_of(struct call_frames *frames, uint32_t number)
{
	const struct ccs_frame *frame;

	if (!frames->now)
		return NULL;
	frame = (const struct ccs_frame *)(frames->now + 1);
	while (frames->next < frames->now->count && frame[frames->next].sample < number)
		frames->next++;
	if (frames->next == frames->now->count || frame[frames->next].sample != number)
		return NULL;
	return &frame[frames->next];
}

void call_frames_free(struct call_frames *frames)
{
	map_free_values(&frames->waiting, free);
	free(frames->now);
	frames->now = NULL;
}
