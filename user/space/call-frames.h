/* SPDX-License-Identifier: GPL-2.0-only */
/* Stack frames of samples that are still to come. */
#ifndef CCSAMPLE_SPACE_CALL_FRAMES_H
#define CCSAMPLE_SPACE_CALL_FRAMES_H

#include "base/map.h"
#include "format/format.h"

/* Zeroed to begin with. */
struct call_frames {
	struct map waiting;	/* process and thread -> struct ccs_frames * */
	struct ccs_frames *now;	/* of the current batch */
	uint32_t next;		/* in it */
};

/* They hold for the thread's next batch. */
void call_frames_take(struct call_frames *frames, const struct ccs_frames *record);

void call_frames_batch(struct call_frames *frames, const struct ccs_samples *batch);

/* The frame of a sample of that batch; NULL = none. @number: ascending from call to call */
const struct ccs_frame *call_frames_of(struct call_frames *frames, uint32_t number);

void call_frames_free(struct call_frames *frames);

#endif /* CCSAMPLE_SPACE_CALL_FRAMES_H */
