/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Miss patterns of the compositional method, and the next level's trace made of them.
 *
 * A pattern is what a reference misses: a count and a stride for each loop around it. Over a loop
 * of n iterations in which it moves by s and misses c times its stride is s x n / c.
 */
#ifndef CCSAMPLE_PRSD_PATTERNS_H
#define CCSAMPLE_PRSD_PATTERNS_H

#include "prsd/shapes.h"

enum pattern_kind { PATTERN_FIRST, PATTERN_CAPACITY, PATTERN_CONFLICT };

struct miss_pattern {
	uint32_t slot;
	uint32_t name;			/* of what it is in the end: the slot at L1 */
	enum pattern_kind kind;
	double part;			/* 0 .. 1, of its misses: the others had a predecessor */
	double counts[TRACE_DEPTH_MAX];	/* by depth, 0 = outermost; 1 where it does not iterate */
	double strides[TRACE_DEPTH_MAX];
	uint64_t offset;		/* scratch */
};

struct miss_patterns {
	struct miss_pattern *all;
	uint32_t count, room;
};

/* All misses of a pattern. */
double pattern_misses(const struct miss_pattern *pattern);

/* A node of the next level's trace; its slots' ips are the patterns' names. */
struct pattern_sink {
	/* Return: 0 to go on. */
	int (*node)(void *context, const struct trace_shapes *shapes, uint32_t shape,
		    const uint64_t *addresses);
	void *context;
};

/**
 * patterns_tree() - the trace of what was missed.
 * @shapes, @shape, @addresses: what missed
 *
 * A pattern stands in the uppermost loop in which it iterates. In a loop, patterns with equal
 * counts share a loop; of those with others the more frequent come in two pieces: one as long as
 * the next ones, with them, and the rest ("regularisation"), where loops are longer than
 * REGULAR_LENGTH; shorter ones follow each other, longest first.
 *
 * Return: NULL, or why there is none.
 */
const char *patterns_tree(struct miss_patterns *patterns, const struct trace_shapes *shapes,
			  uint32_t shape, const uint64_t *addresses,
			  const struct pattern_sink *sink, const struct allocator *memory);

#define REGULAR_LENGTH 16

#endif /* CCSAMPLE_PRSD_PATTERNS_H */
