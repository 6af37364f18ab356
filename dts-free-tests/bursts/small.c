// SPDX-License-Identifier: GPL-2.0-only
/* Small blocks alone make the heap grow, and are walked: no block of it is reported. */
#include <stdio.h>
#include <stdlib.h>

struct block {
	struct block *next;
	double value[20];
};

int main(void)
{
	struct block *first = NULL, *block;
	double sum = 0;

	for (int i = 0; i < 300; i++) {
		for (int n = 0; n < 1000; n++) {
			block = malloc(sizeof(*block));
			block->next = first;
			block->value[0] = n;
			first = block;
		}
		for (block = first; block; block = block->next)
			sum += block->value[0];
	}
	printf("%g\n", sum);
	return 0;
}
