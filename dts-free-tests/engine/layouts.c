// SPDX-License-Identifier: GPL-2.0-only
/*
 * layouts TIMES: 12 lines on each of half the sets of an L1 of 8 ways. Of a frame of the stack, a heap
 * block and an argument miss the lines that lie on those sets.
 */
#include <stdlib.h>

#define PAGE	4096
#define HALF	(PAGE / 2)
#define PAGES	12
#define FRAME	1500
#define BLOCK	1800

static volatile unsigned char table[PAGES * PAGE] __attribute__((aligned(PAGE)));

__attribute__((noinline)) static unsigned int on_stack(const volatile unsigned char *block, int times)
{
	volatile unsigned char frame[FRAME];
	unsigned int sum = 0;

	for (int i = 0; i < FRAME; i++)
		frame[i] = i;
	while (times--)
		for (int i = 0; i < PAGES * HALF; i += 64)
			sum += table[i / HALF * PAGE + i % HALF] + frame[i % FRAME] + block[i % BLOCK];
	return sum;
}

__attribute__((noinline)) static unsigned int of_text(const volatile char *text, int times)
{
	unsigned int sum = 0;

	for (int i = 0; i < 64 * times; i++)
		sum += text[0] + table[i % PAGES * PAGE + i / PAGES * 64 % PAGE];
	return sum;
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 0;
	unsigned char *block = calloc(1, BLOCK);
	unsigned int sum = block && argc > 1 ? on_stack(block, times) + of_text(argv[1], times) : 0;

	free(block);
	return sum == 1;
}
