/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stack distances: the distinct other keys used since a key's last use, in O(log keys). Each key
 * stands at the time of its last use; a Fenwick tree counts the times in use; once time runs out
 * they are numbered again.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_DISTANCE_H
#define CCSAMPLE_CACHESIM_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"

struct distance {
	uint32_t *tree;		/* [1 .. room] */
	uint32_t *keys;		/* by time: key + 1, 0 = used again since */
	uint32_t room;		/* times there is memory for */
	uint32_t now;
	uint32_t live;		/* keys */
};

#define DISTANCE_NEW	UINT32_MAX

/**
 * distance_use() - a use of a key.
 * @times: by key: time of its last use, 0 = never; kept up to date. Keys of several distances may
 *         share it, each key being used in one of them only.
 * @distance: DISTANCE_NEW at a key's first use
 *
 * Return: false without memory.
 */
bool distance_use(struct distance *d, uint32_t key, uint32_t *times, uint32_t *distance,
		  const struct allocator *memory);
void distance_close(struct distance *d, const struct allocator *memory);

#endif /* CCSAMPLE_CACHESIM_DISTANCE_H */
