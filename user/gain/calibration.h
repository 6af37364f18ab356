/* SPDX-License-Identifier: GPL-2.0-only */
/* What misses cost on a processor, as a file. */
#ifndef CCSAMPLE_GAIN_CALIBRATION_H
#define CCSAMPLE_GAIN_CALIBRATION_H

#include <stdio.h>

#include "gain/calibrate.h"

/**
 * calibration_parse() - read a calibration.
 * @name: of the file, for the line
 * @text: ends with 0, and is changed
 *
 * Return: 0, or -1 after one line.
 */
int calibration_parse(const char *name, char *text, struct calibration *calibration);

/**
 * calibration_find() - what misses cost on the processor that recorded.
 * @path: NULL = this user's, if there is one
 * @cpu: the recording's, NULL = unknown
 * @found: set to @calibration, NULL if this user's is missing, another processor's, or cannot be
 * read (after one line)
 *
 * Return: 0, or -1 after one line: @path cannot be read, or is another processor's.
 */
int calibration_find(const char *path, const char *cpu, struct calibration *calibration,
		     const struct calibration **found);

/* Keeps it in a file. @path: NULL = this user's. Return: 0, or -1 after one line. */
int calibration_keep(const char *path, const struct calibration *calibration);

/* For people. */
void calibration_text(FILE *out, const struct calibration *calibration);

#endif /* CCSAMPLE_GAIN_CALIBRATION_H */
