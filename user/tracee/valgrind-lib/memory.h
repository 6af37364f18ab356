/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_MEMORY_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_MEMORY_H

#include "base/allocator.h"

/* Valgrind's own, which ends the program rather than fail. */
extern const struct allocator engine_memory;

/*
 * The same for large tables: blocks begin on a line of the machine that we run on, so that rows of
 * tags do too; the largest on a huge page, and what is never touched of these takes no memory.
 */
extern const struct allocator engine_tables;

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_MEMORY_H */
