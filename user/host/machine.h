/* SPDX-License-Identifier: GPL-2.0-only */
/* This machine, or the one below CCSAMPLE_SYSROOT: its caches (sysfs), processor, kernel. */
#ifndef CCSAMPLE_HOST_MACHINE_H
#define CCSAMPLE_HOST_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cachesim/geometry.h"
#include "cachesim/hierarchy.h"

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

/* Fills what can be read; caches that sysfs does not report are left out. */
void machine_read(struct machine *machine);

/* Adds the machine's levels, L1 first and without a gap, to those that a plan has. */
void machine_levels(const struct machine *machine, struct hierarchy_plan *plan);

/* A machine's caches as a machine file, as `sim --machine` reads it. */
void machine_text(FILE *out, const struct machine *machine);

void machine_json(FILE *out, const struct machine *machine);

#endif /* CCSAMPLE_HOST_MACHINE_H */
