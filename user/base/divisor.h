/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_DIVISOR_H
#define CCSAMPLE_BASE_DIVISOR_H

#include <stdint.h>

/* The greatest common divisor (Euclid); of a number and 0 the number. */
static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif /* CCSAMPLE_BASE_DIVISOR_H */
