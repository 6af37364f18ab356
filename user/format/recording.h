/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings: written once, front to back, and read once, front to back. The
 * layout is in format/format.h.
 */
#ifndef CCSAMPLE_FORMAT_RECORDING_H
#define CCSAMPLE_FORMAT_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/format.h"

#define RECORDING_MODE	0600	/* addresses, arguments, names are the user's own, as perf's are */

struct recording_writer;
struct recording;

/**
 * recording_create() - begin a recording.
 * @path: file to write, replaced if it exists (see recording_may_replace()); "-" writes to
 *	standard output
 *
 * A file that another writer has open is left alone.
 *
 * Return: the writer, or NULL after one line on standard error.
 */
struct recording_writer *recording_create(const char *path);

/**
 * recording_write() - append one record.
 * @record: record->size bytes, a multiple of 8, at most CCS_RECORD_MAX
 *
 * A full chunk is compressed and written at once. After the first error (a
 * full disk) nothing more is written; the file is readable up to there.
 *
 * Return: 0, or -1 after one line on standard error (once).
 */
int recording_write(struct recording_writer *writer, const struct ccs_record *record);

/* Whether a record of texts is of this key. */
static inline bool meta_is(const struct ccs_meta *meta, const char *key)
{
	return strlen(key) == meta->key_size && !memcmp(key, meta + 1, meta->key_size);
}

/**
 * meta_command() - the arguments that a record of the key "command" holds.
 *
 * Return: the arguments, NULL after the last; all of it to be freed.
 */
char **meta_command(const struct ccs_meta *meta);

/**
 * recording_meta() - append a CCS_META of a key and a value.
 * @size: bytes of the value, which may hold zeros
 */
int recording_meta(struct recording_writer *writer, const char *key,
		   const void *value, size_t size);

/**
 * recording_flush() - close the open chunk, so that what was written so far survives us.
 */
int recording_flush(struct recording_writer *writer);

/* Bytes that the file holds so far, and of the records that wait for it. */
uint64_t recording_written(const struct recording_writer *writer);

/**
 * recording_finish() - write CCS_END, close the file, free the writer.
 * @duration_ns: wall-clock time recorded
 *
 * Return: 0, or -1 if anything could not be written (it was said).
 */
int recording_finish(struct recording_writer *writer, uint64_t duration_ns);

/* Nothing was recorded: close the file, take it away, free the writer. */
void recording_discard(struct recording_writer *writer);

/* How a recording ended, known once recording_next() has returned 0. */
enum recording_end {
	RECORDING_WHOLE,	/* CCS_END was read */
	RECORDING_CUT,		/* the file stops early: killed, full disk, short copy */
	RECORDING_DAMAGED,	/* bytes that are no chunk, or whose checksum is wrong */
};

/**
 * recording_open() - begin to read a recording.
 * @path: the file; "-" reads standard input
 *
 * Return: the reader, or NULL after one line on standard error (no such file,
 * not a recording, another major version).
 */
struct recording *recording_open(const char *path);

/* Damage is not warned of: who reads the recording again will say it. */
void recording_quiet(struct recording *recording);

/**
 * recording_follow() - read a recording while it is written.
 * @wait: called some ten times a second where there is nothing to read, and before each chunk
 *
 * At the end of a file its reader waits for as long as a writer has it open; of a pipe anyway.
 */
void recording_follow(struct recording *recording, void (*wait)(void *context), void *context);

/**
 * recording_next() - the next record.
 * @record: points into the reader until the next call
 *
 * Every record returned is well-formed: its size fits its type, its variable
 * parts lie inside it, counts agree with sizes, strings hold what their sizes
 * say. Records of unknown types are skipped and counted. At damage, reading
 * stops: everything before it has been returned, and a warning is printed.
 *
 * Return: 1, or 0 at the end.
 */
int recording_next(struct recording *recording, const struct ccs_record **record);

enum recording_end recording_end(const struct recording *recording);

/* Records of types that this version does not know. */
uint64_t recording_skipped(const struct recording *recording);

/* Share of the file read so far, 0 .. 1; negative where its size is unknown (a pipe). */
double recording_position(const struct recording *recording);

void recording_close(struct recording *recording);

#endif /* CCSAMPLE_FORMAT_RECORDING_H */
