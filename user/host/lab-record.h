/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_HOST_LAB_RECORD_H
#define CCSAMPLE_HOST_LAB_RECORD_H

#include <sched.h>
#include <stdbool.h>

#include "format/recording.h"

/**
 * lab_record() - write the state of the machine as META lab.NAME (docs/format.md).
 * @root: "" for this machine
 * @cpus: that are measured on
 * @interrupts: those that come there, too: a server has thousands, each of which is two files
 *
 * What the machine does not have or report is left out.
 */
void lab_record(struct recording_writer *writer, const char *root, const cpu_set_t *cpus,
		bool interrupts);

#endif /* CCSAMPLE_HOST_LAB_RECORD_H */
