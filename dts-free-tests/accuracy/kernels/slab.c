// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list of -n objects, each at the beginning of a block of 2048 bytes, walked
 * again and again: all in two sets. -p: each object so much farther in than the
 * last one's, within its block.
 */
#include "kernel.h"

#define BLOCK	2048
#define ROOM	64

struct object {
	struct object *next;
	uint64_t value;
};

static uint64_t walk(const struct object *object)
{
	uint64_t sum = 0;

	for (; object; object = object->next)
		sum += object->value;
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 12000, 16, 320, 4096);
	char *memory = kernel_require(aligned_alloc(KERNEL_PAGE, (run.size * BLOCK + KERNEL_PAGE) /
							KERNEL_PAGE * KERNEL_PAGE));
	struct object *first = NULL;
	double sum = 0;

	for (size_t i = 0; i < run.size; i++) {
		struct object *object =
			(struct object *)(memory + i * BLOCK + i * run.pad % (BLOCK - ROOM));

		*object = (struct object){ first, i };
		first = object;
	}
	for (unsigned long r = 0; r < run.repeats; r++)
		sum += walk(first);
	kernel_checksum(sum);
	free(memory);
	return 0;
}
