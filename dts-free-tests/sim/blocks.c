// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks of one place: walk() stores to lines of them in an order that sim/blocks.py goes through,
 * too. Prints where the array of their addresses and each block lie.
 */
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS	12
#define LINES	96

static char *rows[BLOCKS];

/* Each round one load of an address and one store; nothing else but the return. */
__attribute__((noinline)) static void walk(unsigned int rounds)
{
	unsigned int state = 1;

	for (; rounds; rounds--) {
		state = state * 1103515245 + 12345;
		*(volatile char *)(rows[(state >> 16) % BLOCKS] + (state >> 20) % LINES * 512) = 1;
	}
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? atoi(argv[1]) : 20000;

	for (int i = 0; i < BLOCKS; i++)
		rows[i] = malloc(LINES * 512);
	printf("%p", (void *)rows);
	for (int i = 0; i < BLOCKS; i++)
		printf(" %p", (void *)rows[i]);
	printf("\n");
	fflush(stdout);
	walk(rounds);
	return 0;
}
