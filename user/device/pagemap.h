/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Physical addresses of other processes' memory, from /proc/PID/pagemap
 * (Linux, Documentation/admin-guide/mm/pagemap.rst), remembered for a tenth of a
 * second: pages move, but not often. What can no longer be looked up is taken
 * from what was known before.
 */
#ifndef CCSAMPLE_DEVICE_PAGEMAP_H
#define CCSAMPLE_DEVICE_PAGEMAP_H

#include <stdint.h>
#include <sys/types.h>

struct pagemap;

struct pagemap *pagemap_new(void);

/**
 * pagemap_physical() - where an address of a process lies, or lay.
 * @tsc: when it was referred to; before pagemap_forget()'s time only what was known by then counts
 * @now: in nanoseconds, of any clock
 *
 * Frames are shown only to CAP_SYS_ADMIN; without it a note says so, once.
 *
 * Return: CCS_UNKNOWN where it is not known.
 */
uint64_t pagemap_physical(struct pagemap *pagemap, pid_t pid, uint64_t tsc, uint64_t address,
			  uint64_t now);

/* A process has another address space from @tsc on, by exec or as a new one of that number. */
void pagemap_forget(struct pagemap *pagemap, pid_t pid, uint64_t tsc);

void pagemap_free(struct pagemap *pagemap);

#endif /* CCSAMPLE_DEVICE_PAGEMAP_H */
