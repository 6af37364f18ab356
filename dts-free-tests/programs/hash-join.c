// SPDX-License-Identifier: GPL-2.0-only
/*
 * hash-join: builds a chained hash table of 64 Ki tuples, then probes it with
 * 64 Ki tuples a repeat.
 *
 * Shows: a negative with pointers: random buckets and chains beside a stream.
 * Verdict: none.
 */
#include "kernel.h"

#define TUPLES	(64 * 1024)
#define NONE	UINT32_MAX

struct tuple {
	uint32_t key, payload, next;
};

static uint32_t buckets[TUPLES];

static uint32_t bucket_of(uint32_t key)
{
	return key * UINT32_C(2654435769) >> 16;
}

static __attribute__((noinline)) void build(struct tuple *tuples)
{
	for (uint32_t i = 0; i < TUPLES; i++)
		buckets[i] = NONE;
	for (uint32_t i = 0; i < TUPLES; i++) {
		uint32_t *bucket = &buckets[bucket_of(tuples[i].key)];

		tuples[i].next = *bucket;
		*bucket = i;
	}
}

static __attribute__((noinline)) uint64_t probe(const struct tuple *tuples, const uint32_t *keys)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < TUPLES; i++) {
		uint32_t at = buckets[bucket_of(keys[i])];

		while (at != NONE) {
			const struct tuple *tuple = &tuples[at];

			if (tuple->key == keys[i])
				sum += tuple->payload;
			at = tuple->next;
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 120, sizeof(uint32_t), 0, 0);
	struct tuple *tuples = kernel_require(malloc(TUPLES * sizeof(struct tuple)));
	uint32_t *keys = kernel_require(malloc(TUPLES * sizeof(uint32_t)));
	uint64_t state = 88172645463325252, sum = 0;

	for (uint32_t i = 0; i < TUPLES; i++) {
		tuples[i].key = kernel_random(&state) % (4 * TUPLES);
		tuples[i].payload = i;
		keys[i] = kernel_random(&state) % (4 * TUPLES);
	}
	build(tuples);
	for (unsigned long r = 0; r < run.repeats; r++) {
		kernel_changed(tuples);
		sum += probe(tuples, keys);
	}
	kernel_checksum(sum % 1000003);
	free(tuples);
	free(keys);
	return 0;
}
