/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes as perf reports them, as process images of a recording. */
#ifndef CCSAMPLE_IMPORT_PERF_IMAGES_H
#define CCSAMPLE_IMPORT_PERF_IMAGES_H

#include "base/timeline.h"
#include "format/recording.h"
#include "perf/features.h"
#include "perf/side-events.h"

struct perf_image {
	uint32_t pid, ppid;
	uint32_t threads;		/* alive */
	bool written;			/* PROCESS is; until then its executable is awaited */
	bool ended;
	uint32_t parent, cause;
	uint64_t time;
	/* Until it is written: */
	char *name;			/* of its first thread */
	struct ccs_map **maps;		/* that came before its executable's */
	size_t map_count, map_room;
};

struct perf_images {
	struct recording_writer *writer;
	const struct perf_facts *facts;
	/* Samples from before the current record must be written: of an image */
	void (*settle)(void *context, uint32_t image);
	void *context;
	struct perf_image *all;		/* image n is all[n - 1] */
	size_t count, room;
	struct timeline timeline;	/* which image a process was */
	uint64_t bad;			/* maps that cannot be */
};

/* A process did something: MAP, NAME, EXEC, FORK or EXIT. */
void perf_images_side_event(struct perf_images *images, const struct side_event *side);

/* The image that a sample is of; an unknown one begins here. */
uint32_t perf_images_of(struct perf_images *images, uint32_t pid, uint64_t time);

/* Nothing follows: writes what waited, and frees. */
void perf_images_end(struct perf_images *images);

#endif /* CCSAMPLE_IMPORT_PERF_IMAGES_H */
