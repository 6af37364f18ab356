/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the ring of a program (tracee/preload/ring.h), and believes nothing of it. */
#ifndef CCSAMPLE_RECORD_RING_READER_H
#define CCSAMPLE_RECORD_RING_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "format/format.h"

struct ring_reader;

/**
 * ring_reader_open() - map a ring.
 * @fd: of its memory; the caller closes it
 * @wrong: set to a reason where it is no ring
 *
 * Return: NULL with a reason.
 */
struct ring_reader *ring_reader_open(int fd, const char **wrong);
void ring_reader_close(struct ring_reader *reader);

/* How far the program has written: a limit for ring_reader_peek(). */
uint64_t ring_reader_head(struct ring_reader *reader);

/**
 * ring_reader_peek() - the next record, a copy that the program cannot change.
 * @limit: only records that begin before it
 *
 * Its size is right for its type and its contents pass record_check(); it is of
 * a type that programs send. May be changed in place: another peek gives the same.
 *
 * Return: NULL if there is none yet, or ring_reader_broken() gives the reason why there never will
 * be.
 */
struct ccs_record *ring_reader_peek(struct ring_reader *reader, uint64_t limit);

/* The record was taken. Space is given back to the program in larger pieces. */
void ring_reader_drop(struct ring_reader *reader);
void ring_reader_give_back(struct ring_reader *reader);

/* Its process has ended: a record that it was writing then never comes, and is passed over. */
void ring_reader_ended(struct ring_reader *reader);

/* Bytes that are not read yet, or never will be. */
uint64_t ring_reader_left(struct ring_reader *reader);

/* Records dropped since it was asked last, those passed over included. */
uint64_t ring_reader_lost(struct ring_reader *reader);

/* Children that could not report, since it was asked last. */
uint64_t ring_reader_orphans(struct ring_reader *reader);

/* TSC of the exec under way, 0 if none is. */
uint64_t ring_reader_exec_time(const struct ring_reader *reader);

/* Why no more is read; NULL while all is well. */
const char *ring_reader_broken(const struct ring_reader *reader);

#endif /* CCSAMPLE_RECORD_RING_READER_H */
