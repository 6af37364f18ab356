/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples of one level by instruction and data object: what all other counts add up from. */
#ifndef CCSAMPLE_FINDINGS_PLACES_H
#define CCSAMPLE_FINDINGS_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct miss_place {
	uint32_t site;			/* number in contexts */
	uint32_t object;		/* id */
	uint64_t samples;
	uint64_t near;			/* of them with an RCD <= ways */
	uint64_t again;			/* of them re-misses */
};

/* Zeroed to begin with. */
struct places {
	struct miss_place *all;		/* in the order of their first samples */
	size_t count, capacity;
	struct map numbers;		/* site and object -> number + 1 */
};

/* The place of an instruction and object, new where there is none; valid until the next call. */
struct miss_place *places_at(struct places *places, size_t site, uint32_t object);
void places_drop(struct places *places);

#endif /* CCSAMPLE_FINDINGS_PLACES_H */
