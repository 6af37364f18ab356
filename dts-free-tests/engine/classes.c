// SPDX-License-Identifier: GPL-2.0-only
/* classes [TIMES]: columns that are only written, a table of look-ups a little larger than L1, a stream. */
#include <stdint.h>
#include <stdlib.h>

#define ROWS	1024
#define ROW	2048			/* bytes: so many rows share 2 of 64 sets */

static uint8_t columns[ROWS][ROW] __attribute__((aligned(4096)));
static uint8_t table[40960] __attribute__((aligned(4096)));
static volatile uint32_t sum;

__attribute__((noinline)) void write_columns(int times)
{
	for (int time = 0; time < times; time++)
		for (int column = 0; column < 16; column++)
			for (int row = 0; row < 40; row++)
				((volatile uint8_t *)columns[row])[column] = time;
}

__attribute__((noinline)) void add_columns(int times)
{
	for (int time = 0; time < times; time++)
		for (int column = 0; column < 16; column++)
			for (int row = 0; row < 40; row++)
				__asm__ volatile("addb $1, %0" : "+m"(columns[row][column]));
}

__attribute__((noinline)) void look_up(int times)
{
	uint32_t chance = 1;

	while (times--) {
		chance = chance * 1664525 + 1013904223;
		sum += ((volatile uint8_t *)table)[(chance >> 8) % sizeof(table)];
	}
}

__attribute__((noinline)) void stream(int times)
{
	while (times--)
		for (uint32_t at = 0; at < sizeof(columns) / 4; at += 4)
			sum += *(volatile uint32_t *)(columns[0] + at);
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 1;

	while (times-- > 0) {
		write_columns(100);
		add_columns(100);
		look_up(300000);
		stream(2);
	}
	return 0;
}
