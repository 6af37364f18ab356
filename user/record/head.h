/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording begins with: who recorded what, where and how. */
#ifndef CCSAMPLE_RECORD_HEAD_H
#define CCSAMPLE_RECORD_HEAD_H

#include "format/recording.h"
#include "host/machine.h"
#include "record/source.h"

/**
 * beginning_write() - write META, CACHE and EVENT records.
 * @source: whose records will follow
 *
 * Event number n of the request, from 0, gets the id n + 1.
 */
void beginning_write(struct recording_writer *writer, const struct record_request *request,
		     const struct machine *machine, const struct source_ops *source);

/* One more of the options asked for, as META option.NAME. */
void beginning_option(struct recording_writer *writer, const char *name, const char *value);

/* The parts, for what is not recorded here and now. */
void beginning_text(struct recording_writer *writer, const char *key, const char *text);
void beginning_command(struct recording_writer *writer, char **argv);
void beginning_caches(struct recording_writer *writer, const struct hierarchy_plan *plan,
		      bool simulated);
void beginning_event(struct recording_writer *writer, const struct request_event *wanted,
		     uint32_t id);

#endif /* CCSAMPLE_RECORD_HEAD_H */
