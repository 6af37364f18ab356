/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the oracle share: the section at hand, options, complaints. */
#ifndef VCORE_ORACLE_H
#define VCORE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "qemu/vcore-truth.h"

#define CPUS		64

struct options {
	uint64_t period, latency[5], load, zero, late, unheard, collisions, lost;
};

extern const struct vcore_truth *truth;	/* the whole file; the section is [first, end) */
extern size_t first, end;
extern struct options options;
extern unsigned int errors;

/* Says what is wrong with a record of the file, up to ten times; counts it. */
void complain(const char *what, const struct vcore_truth *t);

/* Holds the samples on standard input, lines of COLUMNS, against the records. */
void check_samples(const char *columns);

#endif
