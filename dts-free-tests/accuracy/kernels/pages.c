// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look-ups in -n pages of 4096 bytes, as in a B-tree: the header of each is at
 * its beginning, so all headers are in two sets. -p: colours, each page's header
 * so much farther in than the last one's, within the page.
 */
#include "kernel.h"

#define HEADER	128

struct header {
	uint64_t keys[8];
	uint64_t count;
	uint64_t left, right;
};

static uint64_t search(char *const *pages, size_t count, const uint32_t *order, size_t looks)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < looks; i++) {
		const struct header *header = (const struct header *)pages[order[i] % count];

		sum += header->keys[order[i] & 7] + header->count;
	}
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 6, sizeof(uint64_t), 160, 4096);
	size_t looks = 1 << 18;
	char *memory = kernel_require(aligned_alloc(KERNEL_PAGE, run.size * KERNEL_PAGE));
	char **pages = kernel_require(calloc(run.size, sizeof(char *)));
	uint32_t *order = kernel_require(calloc(looks, sizeof(uint32_t)));
	uint64_t state = 88172645463325252ull;
	double sum = 0;

	for (size_t i = 0; i < run.size; i++) {
		struct header *header;

		pages[i] = memory + i * KERNEL_PAGE + i * run.pad % (KERNEL_PAGE - HEADER);
		header = (struct header *)pages[i];
		*header = (struct header){ .count = i };
		for (size_t k = 0; k < 8; k++)
			header->keys[k] = i * k;
	}
	for (size_t i = 0; i < looks; i++)
		order[i] = kernel_random(&state);
	for (unsigned long r = 0; r < run.repeats; r++)
		sum += search(pages, run.size, order, looks);
	kernel_checksum(sum);
	free(order);
	free(pages);
	free(memory);
	return 0;
}
