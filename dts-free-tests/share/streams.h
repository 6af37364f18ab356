/* SPDX-License-Identifier: GPL-2.0-only */
/* What programs ask of a cache that they are to share, in order, with the time between. */
#ifndef CCSAMPLE_STREAMS_H
#define CCSAMPLE_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cachesim/array.h"

#define L1_GEOMETRY	"32K,8,64"
#define SHARED_GEOMETRY	"512K,16,64"

/* The clock of the simulations: nothing overlaps. */
#define CYCLES_INSTRUCTION	0.4
#define CYCLES_HIT		12.0
#define CYCLES_MISS		200.0	/* more than a hit */

/* Its set is the program's choice, as in huge pages; else each page lies somewhere. */
#define LINE_PLACED	(1ull << 54)

struct access {
	uint64_t line;			/* virtual */
	uint64_t instructions;	/* since the last access */
};

struct stream {
	char name[32];
	struct access *accesses;
	uint64_t count;
	double instructions;
};

/* An access of one cache. Return: whether it hits. */
static inline bool stream_use(struct array *array, uint64_t line)
{
	uint32_t set = array_set(array, line);
	struct shadow_l1_node *none = NULL;

	if (array_use(array, set, line, 0))
		return true;
	array_fill(array, set, line, 0, &none);
	return false;
}

#endif /* CCSAMPLE_STREAMS_H */
