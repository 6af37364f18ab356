/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by device.c, which runs a recording, device-sessions.c and device-end.c. */
#ifndef CCSAMPLE_DEVICE_INSIDE_H
#define CCSAMPLE_DEVICE_INSIDE_H

#include "base/clock.h"
#include "record/child.h"
#include "device/merge.h"
#include "device/cpu-time.h"
#include "device/pace.h"
#include "device/plan.h"
#include "device/pagemap.h"

/* A session, and when something came of it. */
struct sampled {
	struct device_session session;
	struct device_run **fresh;	/* the first run of the drain under way */
	uint64_t moved;			/* ns: when it last published something */
	uint64_t checked;
	uint64_t empty;			/* ns: when the current slot was last seen empty */
	bool ended;			/* it was said */
};

struct device {
	struct record_request *request;
	struct source_run *run;
	struct device_plan plan;
	struct sideband *sideband;	/* NULL = no process has the library */
	struct processes *processes;
	struct pagemap *pagemap;
	struct child child;
	char *program;			/* its path, NULL = none is started */
	struct sampled *sampled;
	struct device_drain *drains;	/* one a session */
	size_t count;
	struct ccsample_mark *pending;	/* not yet due */
	size_t pending_count, pending_room;
	struct cpu_time cpu_time;
	struct device_pace pace;
	uint64_t paced;			/* ns: when it was looked at */
	uint64_t children_ns;		/* CPU time of children before the program */
	struct device_merge merge;
};

/* Open and enable a session on each CPU of the plan. Return: 0, or -1 after one line. */
int device_open_sessions(struct device *device, pid_t pid);
void device_close_sessions(struct device *device);

/* Run where no session samples, if there is anywhere else. */
void device_move_away(const struct device *device);

/* Before the first session is opened. */
void device_pace_start(struct device *device);

/* A session samples at the pace's periods from its next gaps on. Return: 0, or -1 with errno. */
int device_set_periods(struct device *device, size_t number);

/* All do, if what was taken and spent asks for it and none was given. @now: ns */
void device_adapt(struct device *device, uint64_t now);

/* How much was measured and estimated, in one line. */
void device_say_cost(struct device *device);

/* Look after a session: check one without new slots, cut a burst that lasts, report an end. */
void device_watch_session(struct device *device, size_t number, uint64_t now);

/* Write what was counted, and what was lost, once all is drained. */
void device_write_end(struct device *device);

#endif /* CCSAMPLE_DEVICE_INSIDE_H */
