/* SPDX-License-Identifier: GPL-2.0-only */
/* Libraries that few commands need, loaded by these alone: all others start in less time. */
#ifndef CCSAMPLE_BASE_LATE_H
#define CCSAMPLE_BASE_LATE_H

#include <stddef.h>

struct late_function {
	const char *name;
	size_t at;			/* where a pointer to it goes, bytes */
};

/**
 * late_load() - load a library for as long as the process runs.
 * @file: libNAME.so.N
 * @package: that has it
 * @functions: needed ones, up to one without a name
 * @to: takes pointers to them
 *
 * Return: 0, or -1 after a line through fail().
 */
int late_load(const char *file, const char *package, const struct late_function *functions,
	      void *to);

#endif /* CCSAMPLE_BASE_LATE_H */
