/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs of the zoo share. PAD, in bytes, comes from the compiler's command line: 0 is
 * the program of the complaint, another value the cure by hand. Each program prints a checksum that
 * does not depend on where data lies.
 */
#ifndef ZOO_H
#define ZOO_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define STREAMS	16
#define COUNT	(1u << 15)		/* doubles of a stream: 256 KiB */

/* How often the loop runs: the first argument, or as often as takes some tenths of a second. */
static inline int zoo_passes(int argc, char **argv, int usual)
{
	return argc > 1 ? atoi(argv[1]) : usual;
}

/* Where block @number begins by hand; @block must have room for that. */
static inline void *zoo_later(void *block, size_t number)
{
	return (char *)block + number * PAD;
}

static inline void zoo_fill(double *values, size_t count, size_t first)
{
	for (size_t i = 0; i < count; i++)
		values[i] = first + i % 7;
}

static inline double zoo_sum(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

#endif /* ZOO_H */
