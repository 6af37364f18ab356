// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys to 64 buckets that begin a power of two apart.
 *
 * Thread: https://github.com/mlochbaum/rhsort/issues/2
 * Loop: scatter
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define BUCKETS	64
#define ROOM	(4096 + PAD / sizeof(uint32_t))
#define KEYS	(64 * 2048)

static void scatter(uint32_t *to, const uint32_t *keys, int passes)
{
	while (passes-- > 0) {
		uint32_t *next[BUCKETS];

		for (size_t i = 0; i < BUCKETS; i++)
			next[i] = to + i * ROOM;
		for (size_t i = 0; i < KEYS; i++)
			*next[keys[i] % BUCKETS]++ = keys[i];
	}
}

int main(int argc, char **argv)
{
	uint32_t *to = calloc(BUCKETS * ROOM, sizeof(*to));
	uint32_t *keys = malloc(KEYS * sizeof(*keys));
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < KEYS; i++)
		keys[i] = (uint32_t)i * 2654435761u % 1000003 * 64 + (i * 37 + i / 64) % 64;
	scatter(to, keys, zoo_passes(argc, argv, 700));
	for (i = 0; i < BUCKETS * ROOM; i++)
		sum += to[i];
	printf("%ju\n", (uintmax_t)sum);
	return 0;
}
