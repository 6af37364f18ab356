/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MACPO's classes from reuse distances d (distinct other lines since the line's last access): the
 * first access is cold, d <= ways hits, ways < d < lines of the cache conflicts, the rest lacks
 * capacity. Two readings: d counted among the lines of the set, as its source has it, and among all
 * lines. They stand here to be compared with the exact classes: true LRU hits where d < ways among
 * the set's lines, and conflicts need distances over all lines.
 *
 * And the edges that MACPO draws: which site uses lines again that which site had used last.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_REUSE_H
#define CCSAMPLE_CACHESIM_REUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/classes.h"
#include "cachesim/distance.h"
#include "cachesim/geometry.h"
#include "cachesim/pairs.h"
#include "base/allocator.h"

enum reuse_reading { REUSE_BY_SET, REUSE_OVER_ALL, REUSE_READINGS };

/*
 * What is added up of an edge in struct pair.conflicts: reuses further away than the ways (in the
 * set), and the sums of distances by both readings. The victim is who uses a line again, the
 * evictor who had used it.
 */
enum reuse_sum { REUSE_FAR, REUSE_SUM_SET, REUSE_SUM_ALL };

/* What became of the accesses of one set. */
struct set_reuse {
	uint64_t outcomes[REUSE_READINGS][MISS_CLASSES];
};

struct reuse {
	struct cache_geometry geometry;
	struct distance *sets;
	struct distance all;
	uint32_t *slots;		/* hash of lines: key + 1, 0 = free; two slots a key */
	uint64_t *lines;		/* by key */
	uint32_t *times[REUSE_READINGS];	/* by key */
	uint32_t *users;		/* by key: who used the line last + 1, 0 = unknown */
	uint32_t shift;
	uint32_t used;			/* keys */
	uint64_t outcomes[REUSE_READINGS][MISS_CLASSES];
	struct set_reuse *by_set;
	/* Of the latest access: its class, CLASS_NONE before any; its distance; its key. */
	enum miss_class last[REUSE_READINGS];
	uint32_t distances[REUSE_READINGS];
	uint32_t key;
	struct pairs edges;		/* total: reuses */
};

bool reuse_open(struct reuse *reuse, const struct cache_geometry *geometry,
		const struct allocator *memory);
void reuse_close(struct reuse *reuse, const struct allocator *memory);

/* An access. Return: false without memory. */
bool reuse_access(struct reuse *reuse, uint32_t set, uint64_t line,
		  const struct allocator *memory);

/* It was @who's: an edge from whoever used its line before. Return: false without memory. */
bool reuse_edge(struct reuse *reuse, uint32_t who, const struct allocator *memory);

#endif /* CCSAMPLE_CACHESIM_REUSE_H */
