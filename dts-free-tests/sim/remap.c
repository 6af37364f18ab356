// SPDX-License-Identifier: GPL-2.0-only
/* remap: writes 8 pages, gives them back, and again at the same addresses. */
#include <stdlib.h>
#include <sys/mman.h>

#define SIZE	(8 * 4096)

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 20;
	volatile char *area = NULL;

	for (int turn = 0; turn < times; turn++) {
		area = mmap((void *)area, SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | (area ? MAP_FIXED : 0), -1, 0);
		if (area == MAP_FAILED)
			return 1;
		for (int i = 0; i < SIZE; i += 64)
			area[i] = 1;
		for (int i = 0; i < 64 * 4096; i += 64)
			(void)area[i % SIZE];
	}
	return 0;
}
