// SPDX-License-Identifier: GPL-2.0-only
/*
 * near TURNS OTHERS: a loop of one miss a turn: OTHERS of them on lines of a large array, one after the
 * other, then one on a line of five of the same set of four ways, in turn: a conflict.
 */
#include <stdlib.h>

#define LINE	64
#define SETS	64	/* of a cache of 16 KiB and four ways */
#define LARGE	(1 << 24)

static _Alignas(SETS * LINE) volatile char column[5 * SETS * LINE], large[LARGE];

int main(int argc, char **argv)
{
	int turns = argc > 2 ? atoi(argv[1]) : 0, others = argc > 2 ? atoi(argv[2]) : 0;
	unsigned int at = 0;

	for (int i = 0; i < turns; i++) {
		if (i % (others + 1))
			large[at = (at + LINE) % LARGE];
		else
			column[i / (others + 1) % 5 * SETS * LINE];
	}
	return 0;
}
