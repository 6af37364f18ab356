// SPDX-License-Identifier: GPL-2.0-only
/* A block is used for about as long as a burst runs, and freed much later: many begin in bursts. */
#include <stdlib.h>

#define BLOCKS	64
#define BLOCK	80000u			/* bytes: so large ones are reported, up to 11,000 a second */
#define USES	4

int main(void)
{
	static char *block[BLOCKS];

	for (unsigned int i = 0; i < 10000; i++) {
		char **at = &block[i % BLOCKS];
		unsigned int size = BLOCK + i % 61 * 512;

		free(*at);
		*at = malloc(size);
		for (unsigned int j = 0; j < USES * size; j += 4)
			(*at)[j % size]++;
	}
	return 0;
}
