// SPDX-License-Identifier: GPL-2.0-only
/*
 * elements: reads the last double and then, in a second walk, the last float of each line of a
 * megabyte by a scalar multiply-add, which loads that element and nothing of the next line. So
 * L1 misses once a line: 32,768 times.
 */
#include <stdio.h>
#include <stdlib.h>

#define BYTES	(1 << 20)
#define LINE	64

int main(void)
{
	char *lines = aligned_alloc(LINE, BYTES);
	double sum = 0;
	float sums = 0;
	int i;

	if (!lines)
		return 1;
	for (i = 0; i < BYTES; i++)
		lines[i] = 0;
	for (i = LINE - sizeof(sum); i < BYTES; i += LINE)
		__asm__("vfmadd231sd %1, %0, %0" : "+x"(sum) : "m"(*(double *)(lines + i)));
	for (i = LINE - sizeof(sums); i < BYTES; i += LINE)
		__asm__("vfmadd231ss %1, %0, %0" : "+x"(sums) : "m"(*(float *)(lines + i)));
	printf("%g %g\n", sum, sums);
	free(lines);
	return 0;
}
