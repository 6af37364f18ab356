// SPDX-License-Identifier: GPL-2.0-only
/*
 * -n lines, read one after the other, again and again. -p: lines left out
 * between them. 300 lines with 64 bytes between use half of the sets, and a pad
 * of another line would help; 528 lines without a gap are a line too many for
 * some sets, and for a fully associative cache as well.
 */
#include "kernel.h"

#define LINE	64

static uint64_t sweep(const char *memory, size_t lines, size_t step)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < lines; i++)
		sum += *(const uint64_t *)(memory + i * step);
	return sum;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 12000, LINE, 528, 65536);
	size_t step = LINE + run.pad;
	char *memory = kernel_require(aligned_alloc(KERNEL_PAGE, (run.size * step + KERNEL_PAGE) /
							KERNEL_PAGE * KERNEL_PAGE));
	double sum = 0;

	for (size_t i = 0; i < run.size; i++)
		*(uint64_t *)(memory + i * step) = i;
	for (unsigned long r = 0; r < run.repeats; r++) {
		sum += sweep(memory, run.size, step);
		kernel_changed(memory);
	}
	kernel_checksum(sum);
	free(memory);
	return 0;
}
