/* SPDX-License-Identifier: GPL-2.0-only */
/* What became of an access at a level. */
#ifndef CCSAMPLE_CACHESIM_CLASSES_H
#define CCSAMPLE_CACHESIM_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

enum miss_class { CLASS_HIT, CLASS_COLD, CLASS_CAPACITY, CLASS_CONFLICT, CLASS_NONE };

#define MISS_CLASSES 4			/* CLASS_NONE: the access did not come that far */

static inline uint64_t outcomes_missed(const uint64_t *outcomes)
{
	return outcomes[CLASS_COLD] + outcomes[CLASS_CAPACITY] + outcomes[CLASS_CONFLICT];
}

static inline void outcomes_add(uint64_t *to, const uint64_t *more)
{
	for (int class = 0; class < MISS_CLASSES; class++)
		to[class] += more[class];
}

/* A miss: conflicts less hits that a fully associative cache would miss. Layouts save these. */
static inline double outcomes_net_share(uint64_t conflicts, uint64_t saved, uint64_t misses)
{
	return conflicts > saved ? (double)(conflicts - saved) / misses : 0;
}

/* Do shares differ so much that both are shown? */
static inline bool outcomes_net_differs(double gross, double net)
{
	return gross - net >= 0.05;
}

#endif /* CCSAMPLE_CACHESIM_CLASSES_H */
