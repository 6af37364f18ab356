// SPDX-License-Identifier: GPL-2.0-only
/*
 * luck SET PAGES TIMES: lines of a table, on eight sets from SET on and one in each of PAGES pages, and
 * a frame of the stack as long as eight lines. Eight pages fill an L1 of 8 ways: what misses then depends on
 * where the frame lies. More conflict by themselves. Prints the set where the frame begins.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE	4096
#define LINE	64
#define LINES	8
#define PAGES	16

static volatile unsigned char table[PAGES * PAGE] __attribute__((aligned(PAGE)));

__attribute__((noinline)) static unsigned int walk(int set, int pages, int times)
{
	volatile unsigned char frame[LINES * LINE];
	unsigned int sum = 0;

	printf("%d\n", (int)((uintptr_t)frame / LINE % (PAGE / LINE)));
	while (times--)
		for (int i = 0; i < LINES * (pages + 1); i++) {
			int line = i % LINES, page = i / LINES;

			sum += page == pages ? ++frame[line * LINE] :
			       table[page * PAGE + (set + line) * LINE % PAGE];
		}
	return sum;
}

int main(int argc, char **argv)
{
	return argc == 4 && walk(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])) == 1;
}
