// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace of ccsample's as lackey writes one, without instructions: what tests compare. With --ips
 * each line begins with the address of its instruction; with --threads there is a line for each
 * thread instead, with a checksum of its references, order and instructions included.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "tracing/traced.h"

static int print(void *context, uint64_t thread, uint64_t ip, uint64_t address, uint32_t size,
		 bool store)
{
	if (context)
		printf("%" PRIx64, ip);
	printf(" %c %08" PRIx64 ",%" PRIu32 "\n", store ? 'S' : 'L', address, size);
	return 0;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static int add_up(void *context, uint64_t thread, uint64_t ip, uint64_t address, uint32_t size,
		  bool store)
{
	uint64_t *sum = map_at(context, thread);

	*sum = mix(mix(mix(*sum | 1, ip), address), size << 1 | store);
	return 0;
}

/* Threads of an image in the order of their numbers, images in the order of theirs. */
static int by_thread(const void *a, const void *b)
{
	const struct map_entry *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static int print_threads(const char *path)
{
	struct map sums = { NULL };
	int result = traced_expand(path, add_up, &sums);
	size_t i;

	if (sums.entries)
		qsort(sums.entries, sums.mask + 1, sizeof(*sums.entries), by_thread);
	for (i = 0; sums.entries && i <= sums.mask; i++)
		if (sums.entries[i].value)
			printf("%" PRIu64 " %016" PRIx64 "\n", sums.entries[i].key >> 32,
			       sums.entries[i].value);
	return result < 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--threads"))
		return print_threads(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "--ips"))
		return traced_expand(argv[2], print, argv) < 0;
	return argc != 2 || traced_expand(argv[1], print, NULL) < 0;
}
