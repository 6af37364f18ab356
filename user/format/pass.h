/* SPDX-License-Identifier: GPL-2.0-only */
/* One pass over a recording: each record goes to the handler that is registered for its type. */
#ifndef CCSAMPLE_FORMAT_PASS_H
#define CCSAMPLE_FORMAT_PASS_H

#include "format/recording.h"
#include "format/record-types.h"

struct record_consumer {
	/* By type; NULL = see @other. */
	void (*take[RECORD_TYPES])(void *context, const struct ccs_record *record);
	/* Of types without a handler; NULL = they are passed over. */
	void (*other)(void *context, const struct ccs_record *record);
	/* After each record; anything but 0 ends the pass. NULL = all are read. */
	int (*after)(void *context, const struct recording *recording);
};

/* Passes on one record, which record_check() accepts. */
void record_take(const struct record_consumer *consumer, void *context,
		 const struct ccs_record *record);

/**
 * recording_pass() - hand over what is left of a recording.
 *
 * Return: 0 at its end, else what @after gave.
 */
int recording_pass(struct recording *recording, const struct record_consumer *consumer,
		   void *context);

/* Does a file begin as recordings do? Standard input ("-") is never asked. */
bool recording_is(const char *path);

/*
 * To be asked before recording_create(), which replaces what is there. Return: 0, or -1 after one
 * line: something else than a recording is.
 */
int recording_may_replace(const char *path);

/* The same for what is no recording: one of that name is kept. @path: NULL = nothing is written */
int result_may_replace(const char *path);

/* Then reserve_file(). Return: 0, or -1 after one line. */
int reserve_result(const char *path);

#endif /* CCSAMPLE_FORMAT_PASS_H */
