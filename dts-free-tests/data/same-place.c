// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arrays that one place allocates, all in the same sets: in a loop, two on a line, and one
 * alone, whose rows are.
 */
#include <stdio.h>
#include <stdlib.h>

#define ARRAYS	16
#define LENGTH	4096			/* bytes of an array: each begins in the same set */
#define USED	1024			/* of them, so that all arrays together fit in an L1 */
#define TURNS	8000

static volatile char sink;

/* One from each, again and again. */
__attribute__((noinline)) static void lockstep(char **arrays, size_t count)
{
	char sum = 0;

	for (int turn = 0; turn < TURNS; turn++)
		for (size_t at = 0; at < USED; at += 64)
			for (size_t i = 0; i < count; i++)
				sum += arrays[i][at];
	sink = sum;
}

/* Rows of one block. */
__attribute__((noinline)) static void rows(const char *block, size_t count)
{
	char sum = 0;

	for (int turn = 0; turn < TURNS; turn++)
		for (size_t at = 0; at < USED; at += 64)
			for (size_t i = 0; i < count; i++)
				sum += block[i * LENGTH + at];
	sink = sum;
}

int main(void)
{
	char *many[ARRAYS], *two[ARRAYS], *whole;
	int i;

	for (i = 0; i < ARRAYS; i++)
		many[i] = aligned_alloc(LENGTH, LENGTH);
	for (i = 0; i < ARRAYS; i += 2)
		two[i] = aligned_alloc(LENGTH, LENGTH), two[i + 1] = aligned_alloc(LENGTH, LENGTH);
	whole = aligned_alloc(LENGTH, ARRAYS * LENGTH);
	for (i = 0; i < ARRAYS; i++)
		if (!many[i] || !two[i] || !whole)
			return 1;
	lockstep(many, ARRAYS);
	lockstep(two, ARRAYS);
	rows(whole, ARRAYS);
	return 0;
}
