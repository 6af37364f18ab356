/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways of a set in the order of their use, or arrival: four bits each in a word, the newest in
 * the lowest ones. What is above the last way's is 0.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_ORDER_H
#define CCSAMPLE_CACHESIM_ORDER_H

#include <stdint.h>

#define ORDER_WAYS_MAX	16u
#define ORDER_ONES	0x1111111111111111u	/* 1 in each place */

/* Of a set that is empty: way 0 is the first to be taken. */
static inline uint64_t order_of(uint32_t ways)
{
	uint64_t order = 0;
	uint32_t way;

	for (way = 0; way < ways; way++)
		order = order << 4 | way;
	return order;
}

static inline uint32_t order_oldest(uint64_t order, uint32_t ways)
{
	return order >> 4 * (ways - 1);
}

/* Makes the oldest way the newest. */
static inline uint64_t order_turn(uint64_t order, uint32_t ways)
{
	uint64_t oldest = order_oldest(order, ways);

	return (order ^ oldest << 4 * (ways - 1)) << 4 | oldest;
}

/* What is newer than a way: all bits below it. The lowest place that differs in nothing has it. */
static inline uint64_t order_newer(uint64_t order, uint32_t way)
{
	uint64_t differ = order ^ way * ORDER_ONES;
	uint64_t same = (differ - ORDER_ONES) & ~differ & ORDER_ONES << 3;

	return ((same & -same) >> 3) - 1;
}

/* Makes a way the newest. */
static inline uint64_t order_renew(uint64_t order, uint32_t way)
{
	uint64_t newer = order_newer(order, way);

	return (order & ~(newer << 4 | 15)) | (order & newer) << 4 | way;
}

/* Makes a way the oldest. */
static inline uint64_t order_drop(uint64_t order, uint32_t ways, uint32_t way)
{
	uint64_t newer = order_newer(order, way);

	return (order & newer) | (order >> 4 & ~newer) | (uint64_t)way << 4 * (ways - 1);
}

#endif /* CCSAMPLE_CACHESIM_ORDER_H */
