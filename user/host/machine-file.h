/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines to simulate, as text: lines of "key = value", # begins a remark.
 *
 *   name = ...                  a description
 *   source = ...                where the figures are published
 *   L1 = 32K,8,64               size,ways,line; L2 and L3 likewise
 *   L2.inclusion = inclusive    or exclusive, non-inclusive (the default); L3 likewise
 *   L1.policy = lru             or plru, fifo; the others likewise
 *   L3.hash = intel-8           a slice hash of cachesim/slices.c
 */
#ifndef CCSAMPLE_HOST_MACHINE_FILE_H
#define CCSAMPLE_HOST_MACHINE_FILE_H

#include <stddef.h>

#include "cachesim/hierarchy.h"

/* A machine that comes with ccsample. */
struct known_machine {
	const char *name;	/* for --machine */
	const char *text;
};

/* NULL after the last. */
const struct known_machine *known_machine_at(size_t place);

/* @name: a known machine, or else a file. Return: 0, or -1 after one line on standard error. */
int machine_plan(const char *name, struct hierarchy_plan *plan);

#endif /* CCSAMPLE_HOST_MACHINE_FILE_H */
