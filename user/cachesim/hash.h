/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Multiplicative hashing (Knuth, TAOCP 3, 6.4): the top bits of key x 2^64 / golden ratio, twice,
 * for once is not enough for keys a power of two apart, which all programs have (chains of 3.6
 * nodes at a stride of 2^16 lines).
 */
#ifndef CCSAMPLE_CACHESIM_HASH_H
#define CCSAMPLE_CACHESIM_HASH_H

#include <stdint.h>

/* A slot of a table of 2^(64 - shift), shift 1 .. 63. */
static inline uint64_t hash_slot(uint64_t key, uint32_t shift)
{
	uint64_t product = key * 0x9e3779b97f4a7c15u;

	return (product ^ product >> 32) * 0x9e3779b97f4a7c15u >> shift;
}

/* The shift of the smallest table with at least @slots, two or more. */
static inline uint32_t hash_shift(uint64_t slots)
{
	uint32_t shift = 63;

	while ((uint64_t)1 << (64 - shift) < slots)
		shift--;
	return shift;
}

static inline uint64_t hash_slots(uint32_t shift)
{
	return (uint64_t)1 << (64 - shift);
}

#endif /* CCSAMPLE_CACHESIM_HASH_H */
