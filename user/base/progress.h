/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line on standard error with the progress of a long job; only where
 * standard error is a terminal, and only once the job has taken two seconds.
 */
#ifndef CCSAMPLE_BASE_PROGRESS_H
#define CCSAMPLE_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Starts the clock of a new job. */
void progress_start(void);

/* Is the line due to be written again (about ten times a second)? Ask before formatting. */
bool progress_due(void);

/* Writes the line in place of the last one. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * progress_left() - what is left of the job, for the end of its line.
 * @part: done of it, 0 to 1; less than 0 = unknown
 *
 * Return: ", about 12 s left", until the next call; "" where too little is done to say it.
 */
const char *progress_left(double part);

/* The same after so many seconds. */
void progress_left_text(char *text, size_t size, double seconds, double part);

/* Takes the line away, so that other output can follow. */
void progress_clear(void);

#endif /* CCSAMPLE_BASE_PROGRESS_H */
