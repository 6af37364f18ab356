/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers as bytes: unsigned LEB128 (DWARF 5, 7.6), signed ones zigzag before that, so that small
 * ones of either sign are short.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_BASE_LEB128_H
#define CCSAMPLE_BASE_LEB128_H

#include <stdbool.h>
#include <stdint.h>

#define LEB128_MOST 10			/* bytes of a number */

/* Return: behind its bytes, which there must be room for. */
static inline uint8_t *leb128_put(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = number | 0x80;
	*at = number;
	return at + 1;
}

/* @at: moved behind its bytes. Return: false if it has no end before @end, or in 64 bits. */
static inline bool leb128_get(const uint8_t **at, const uint8_t *end, uint64_t *number)
{
	unsigned int shift = 0;

	for (*number = 0; *at < end && shift < 64; shift += 7) {
		uint8_t byte = *(*at)++;

		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static inline uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static inline uint64_t unzigzag(uint64_t number)
{
	return number >> 1 ^ -(number & 1);
}

#endif /* CCSAMPLE_BASE_LEB128_H */
