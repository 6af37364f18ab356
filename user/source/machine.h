/* SPDX-License-Identifier: GPL-2.0-only */
/* This machine: its caches (sysfs), its processor and kernel. */
#ifndef CCSAMPLE_SOURCE_MACHINE_H
#define CCSAMPLE_SOURCE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/geometry.h"

struct machine_cache {
	uint32_t level;
	uint64_t size;
	struct cache_geometry geometry;
};

struct machine {
	char cpu[128];			/* "model name" of /proc/cpuinfo */
	char kernel[256];		/* uname: release and version */
	struct machine_cache caches[4];	/* data and unified caches of CPU 0, nearest first */
	uint32_t cache_count;
};

/* Fills what can be read; caches that sysfs does not tell are left out. */
void machine_read(struct machine *machine);

/* The data cache nearest to the core, or NULL. */
const struct machine_cache *machine_l1d(const struct machine *machine);

#endif /* CCSAMPLE_SOURCE_MACHINE_H */
