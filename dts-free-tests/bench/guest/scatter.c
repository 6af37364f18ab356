// SPDX-License-Identifier: GPL-2.0-only
/*
 * scatter MIB: takes so much memory, gives back every other page in random order,
 * tells so and waits for ever. What is allocated next lies in scattered frames, as
 * on a machine that has been up for long.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096ul

int main(int argc, char **argv)
{
	size_t pages = (argc > 1 ? strtoul(argv[1], NULL, 10) : 1) << 8, half = pages / 2, i;
	uint8_t *area = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t *order = malloc(half * sizeof(*order));

	if (area == MAP_FAILED || !order)
		return 1;
	madvise(area, pages * PAGE, MADV_NOHUGEPAGE);
	for (i = 0; i < pages; i++)
		area[i * PAGE] = 1;
	for (i = 0; i < half; i++)
		order[i] = i;
	for (i = half; i-- > 1;) {
		size_t other = random() % (i + 1);
		uint32_t kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
	for (i = 0; i < half; i++)
		madvise(area + 2 * order[i] * PAGE, PAGE, MADV_DONTNEED);
	puts("scattered");
	fflush(stdout);
	pause();
	return 0;
}
