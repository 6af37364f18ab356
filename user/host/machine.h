/* SPDX-License-Identifier: GPL-2.0-only */
/* This machine, or the one below CCSAMPLE_SYSROOT: its caches, processor, kernel. */
#ifndef CCSAMPLE_HOST_MACHINE_H
#define CCSAMPLE_HOST_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cachesim/geometry.h"
#include "cachesim/hierarchy.h"
#include "host/system.h"

struct machine_cache {
	uint32_t level;
	uint64_t size;
	struct cache_geometry geometry;
};

#define MACHINE_CACHES	4	/* of a CPU, at most */
#define MACHINE_KINDS	3

/* Cores of one kind on a processor that has several (hybrid). */
struct machine_kind {
	const char *name;		/* of the kernel's perf device: "cpu_core", "cpu_atom" */
	char cpus[64];			/* "0-7" */
	struct machine_cache caches[MACHINE_CACHES];	/* of the first of these */
	uint32_t cache_count;
};

struct machine {
	char cpu[128];			/* "model name" of /proc/cpuinfo */
	char kernel[256];		/* uname: release and version */
	/* Data and unified caches of CPU 0, or as record/cores.h has it, nearest first. */
	struct machine_cache caches[MACHINE_CACHES];
	uint32_t cache_count;
	bool listed;			/* by the kernel; else they are the C library's */
	struct machine_kind kinds[MACHINE_KINDS];
	uint32_t kind_count;		/* 0 = all cores are of one kind */
	bool chosen;			/* the caches are of all CPUs that matter */
};

/* Fills what can be read. */
void machine_read(struct machine *machine);

/**
 * machine_caches() - the data and unified caches of CPU 0, nearest first.
 * @caches: MACHINE_CACHES of them
 * @listed: set to whether sysfs has them; where it has none of this machine's, as in some virtual
 *	    machines, they are the C library's (sysconf()), of the CPU that it began on
 *
 * Return: how many.
 */
uint32_t machine_caches(const struct system *system, struct machine_cache *caches, bool *listed);

/* The kinds of cores below a root, as in struct machine. Return: how many. */
uint32_t machine_kinds(const struct system *system, struct machine_kind *kinds);

/* Caches as they stand in a machine file: "L1 = 48K,12,64", @between them. To be freed. */
char *machine_caches_text(const struct machine_cache *caches, uint32_t count, const char *between);

/* Adds the machine's levels, L1 first and without a gap, to those that a plan has. */
void machine_levels(const struct machine *machine, struct hierarchy_plan *plan);

/* A machine's caches as a machine file, as `sim --machine` reads it. */
void machine_text(FILE *out, const struct machine *machine);

void machine_json(FILE *out, const struct machine *machine);

#endif /* CCSAMPLE_HOST_MACHINE_H */
