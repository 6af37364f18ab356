// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look-ups of one field in a table of -n structs of 256 bytes: one line in four,
 * a quarter of the sets. -p: each struct longer.
 */
#include "kernel.h"

#define BYTES	256

static uint64_t look_up(const char *table, size_t bytes, const uint32_t *order, size_t looks)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < looks; i++)
		sum += *(const uint64_t *)(table + order[i] * bytes);
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 8, sizeof(uint64_t), 300, 65536);
	size_t bytes = BYTES + run.pad, looks = 1 << 19;
	char *table = kernel_require(calloc(run.size, bytes));
	uint32_t *order = kernel_require(calloc(looks, sizeof(uint32_t)));
	uint64_t state = 88172645463325252ull;
	double sum = 0;

	for (size_t i = 0; i < run.size; i++)
		*(uint64_t *)(table + i * bytes) = i;
	for (size_t i = 0; i < looks; i++)
		order[i] = kernel_random(&state) % run.size;
	for (unsigned long r = 0; r < run.repeats; r++)
		sum += look_up(table, bytes, order, looks);
	kernel_checksum(sum);
	free(order);
	free(table);
	return 0;
}
