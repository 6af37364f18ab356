// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table whose buckets are structs of 4096 B: the count is in front.
 *
 * Thread: https://github.com/rurban/smhasher/issues/209
 * Loop: insert
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define BUCKETS	128
#define SLOTS	511

struct bucket {
	uint64_t count;
	uint64_t keys[SLOTS + PAD / sizeof(uint64_t)];
};

static uint64_t insert(struct bucket *table, int passes)
{
	uint64_t key = 1;

	for (; passes-- > 0; )
		for (size_t i = 0; i < 256; i++) {
			struct bucket *bucket = &table[key >> 57];

			bucket->keys[bucket->count & 3] = key;
			bucket->count++;
			key = key * 6364136223846793005u + (bucket->count & 1) * 2 + 1;
		}
	return key;
}

int main(int argc, char **argv)
{
	struct bucket *table = malloc(BUCKETS * sizeof(*table));
	uint64_t sum;
	size_t i;

	for (i = 0; i < BUCKETS; i++)
		table[i] = (struct bucket){ .count = i };
	sum = insert(table, zoo_passes(argc, argv, 400000));
	for (i = 0; i < BUCKETS; i++)
		sum += table[i].count * i + table[i].keys[1];
	printf("%ju\n", (uintmax_t)sum);
	return 0;
}
