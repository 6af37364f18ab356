/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which slice of a last-level cache holds a physical address, where the hash is published.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_SLICES_H
#define CCSAMPLE_CACHESIM_SLICES_H

#include <stdint.h>

#define SLICE_MASKS_MAX		7
#define SLICES_MAX		64	/* of any hash */
#define SLICE_UNKNOWN		UINT32_MAX

/*
 * Bit i of a number is the parity of (address & masks[i]). It is the slice where slices are a power
 * of two; elsewhere it permutes a base sequence of slices, one a line of the address's low bits.
 */
struct slice_hash {
	const char *name;
	const char *source;		/* who published it */
	uint32_t slices;
	uint32_t mask_count;
	uint64_t masks[SLICE_MASKS_MAX];
	const char *base;		/* 2^mask_count digits, NULL = the number is the slice */
	uint64_t end;			/* first address for which it is not known */
};

/**
 * slice_hash_named() - look a hash up.
 * Return: the hash, or NULL.
 */
const struct slice_hash *slice_hash_named(const char *name);

/* The hash of a place in the table, NULL after the last. */
const struct slice_hash *slice_hash_at(uint32_t place);

/**
 * slice_shares() - what part of all lines lies in each slice.
 * @shares: hash->slices of them, summing to 1
 *
 * Parities halve any long run of lines evenly; a base sequence need not hold
 * each slice as often as the others.
 */
void slice_shares(const struct slice_hash *hash, double *shares);

#define SLICE_TABLE_BITS	8u
#define SLICE_TABLES	4u	/* for the bits of lines below 2^32, addresses below 2^38 */

/* The same for lines of 64 bytes below 2^32, without counting bits: parities of parts add up. */
struct slice_tables {
	const struct slice_hash *hash;
	uint8_t numbers[SLICE_TABLES][1u << SLICE_TABLE_BITS];
};

/* All that slice_of_line() reads of a hash. */
void slice_tables_fill(struct slice_tables *tables, const struct slice_hash *hash);

/* The slice of a line whose addresses are known to the hash. */
static inline uint32_t slice_of_line(const struct slice_tables *tables, uint64_t line)
{
	uint32_t number = tables->numbers[0][line & 0xff] ^ tables->numbers[1][line >> 8 & 0xff] ^
			  tables->numbers[2][line >> 16 & 0xff] ^
			  tables->numbers[3][line >> 24 & 0xff];
	const struct slice_hash *hash = tables->hash;

	if (!hash->base)
		return number;
	return hash->base[(line & ((1u << hash->mask_count) - 1)) ^ number] - '0';
}

/* The slice of a physical address, SLICE_UNKNOWN where nothing is published. */
static inline uint32_t slice_of(const struct slice_hash *hash, uint64_t address)
{
	uint32_t number = 0, i;

	if (address >= hash->end)
		return SLICE_UNKNOWN;
	for (i = 0; i < hash->mask_count; i++)
		number |= (uint32_t)__builtin_parityll(address & hash->masks[i]) << i;
	if (!hash->base)
		return number;
	return hash->base[(address >> 6 & ((1u << hash->mask_count) - 1)) ^ number] - '0';
}

#endif /* CCSAMPLE_CACHESIM_SLICES_H */
