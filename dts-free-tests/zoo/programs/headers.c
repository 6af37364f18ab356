// SPDX-License-Identifier: GPL-2.0-only
/*
 * A walk over the first word of each page of one block.
 *
 * Thread: https://danluu.com/3c-conflict/
 * Loop: walk
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define PAGES	256
#define SIZE	(4096 + PAD)

static uint64_t walk(const char *memory, int passes)
{
	uint64_t at = 0;

	for (; passes-- > 0; )
		for (size_t i = 0; i < PAGES; i++)
			at = *(const uint64_t *)(memory + at * SIZE);
	return at;
}

int main(int argc, char **argv)
{
	char *memory = malloc(PAGES * SIZE);
	size_t i;

	for (i = 0; i < PAGES; i++)
		*(uint64_t *)(memory + i * SIZE) = (i * 29 + 1) % PAGES;
	printf("%ju\n", (uintmax_t)walk(memory, zoo_passes(argc, argv, 400000)));
	return 0;
}
