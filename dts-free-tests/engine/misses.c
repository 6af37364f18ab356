// SPDX-License-Identifier: GPL-2.0-only
/*
 * misses N [US]: N load misses on a 32K,8,64 cache, a store miss for every fourth, a few more
 * around. It sleeps for US microseconds at a third and at two thirds.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static volatile uint8_t area[1 << 20];

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000, i, at = 0;
	useconds_t nap = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	for (i = 0; i < n; i++) {
		(void)area[at];
		at = (at + 64) & (sizeof(area) - 1);
		if (i % 4 == 0)
			area[(at + (sizeof(area) >> 1)) & (sizeof(area) - 1)] = 1;
		if (i == n / 3 || i == 2 * n / 3)
			usleep(nap);
	}
	return 0;
}
