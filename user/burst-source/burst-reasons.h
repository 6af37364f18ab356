/* SPDX-License-Identifier: GPL-2.0-only */
/* Why bursts ended early or did not begin, as the library counted it. */
#ifndef CCSAMPLE_BURST_SOURCE_BURST_REASONS_H
#define CCSAMPLE_BURST_SOURCE_BURST_REASONS_H

#include <stdbool.h>

#include "format/recording.h"
#include "record/images.h"
#include "tracee/burst-log/log.h"

/* @writer: NULL = nothing is written */
void burst_reasons_write(struct recording_writer *writer, const struct bursts_area *area);

/*
 * What makes a process run without any burst, in words for the user.
 * @images: what the processes run
 * @unattributed: bursts of processes that are not known
 * @nobody: what is said where no process had the library, NULL = nothing
 * @cpu_ns: CPU time of all processes
 *
 * Return: there was something.
 */
bool burst_reasons_say(const struct bursts_area *area, const struct images *images,
		       uint64_t unattributed, const char *nobody, uint64_t cpu_ns);

#endif /* CCSAMPLE_BURST_SOURCE_BURST_REASONS_H */
