/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands before a recording's samples, in perf's terms. */
#ifndef CCSAMPLE_EXPORT_PERF_ABOUT_H
#define CCSAMPLE_EXPORT_PERF_ABOUT_H

#include "format/recording.h"
#include "perf/write.h"

struct perf_about {
	struct perf_written written;	/* points to the texts below */
	uint32_t levels[PERF_EVENTS_WRITTEN], ids[PERF_EVENTS_WRITTEN];	/* of its events */
	char *names[PERF_EVENTS_WRITTEN];
	char *kernel, *processor, *version, **command;
	bool own_clocks;		/* each image's time begins at 0 */
};

/* Return: whether the record was of that kind: META, CACHE or EVENT. */
bool perf_about_take(struct perf_about *about, const struct ccs_record *record);

void perf_about_drop(struct perf_about *about);

#endif /* CCSAMPLE_EXPORT_PERF_ABOUT_H */
