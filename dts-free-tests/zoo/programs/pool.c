// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slabs of a pool: the free list's head is the first word of each.
 *
 * Thread: https://github.com/microsoft/snmalloc/issues/256
 * Loop: push
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define SLABS	64
#define SLAB	(16384 + PAD)

/* Takes an object of a slab and gives it back, slab after slab. */
static uint64_t push(char *pool, int passes)
{
	uint64_t taken = 0;

	for (; passes-- > 0; )
		for (size_t i = 0; i < SLABS; i++) {
			uint64_t *head = (void *)(pool + i * SLAB);

			taken += *head & 15;
			*head += taken & 7;
			head[1]++;
		}
	return taken;
}

int main(int argc, char **argv)
{
	char *pool = malloc(SLABS * SLAB);
	uint64_t sum;
	size_t i;

	for (i = 0; i < SLABS; i++) {
		((uint64_t *)(pool + i * SLAB))[0] = i;
		((uint64_t *)(pool + i * SLAB))[1] = 0;
	}
	sum = push(pool, zoo_passes(argc, argv, 3000000));
	for (i = 0; i < SLABS; i++)
		sum += ((uint64_t *)(pool + i * SLAB))[1];
	printf("%ju\n", (uintmax_t)sum);
	return 0;
}
