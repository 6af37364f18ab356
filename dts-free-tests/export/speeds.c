// SPDX-License-Identifier: GPL-2.0-only
/*
 * Of five misses four are of code that makes them fast, one of code that divides in between: bursts,
 * taken by CPU time, meet the second far more often than its share.
 */
#include <stdio.h>
#include <stdlib.h>

#define COUNT	(1 << 18)
#define LINE	8

static double slow[COUNT], fast[COUNT];

__attribute__((noinline)) static double divide(double quotient)
{
	for (int i = 0; i < COUNT; i += LINE)
		for (int j = 0; j < 6; j++)
			quotient = (j ? j : slow[i]) / (quotient + 1.5);
	return quotient;
}

__attribute__((noinline)) static double add(double sum)
{
	for (int i = 0; i < COUNT; i += LINE)
		sum += fast[i];
	return sum;
}

int main(int count, char **arguments)
{
	double sum = 0, quotient = 1;

	for (int i = 0; i < COUNT; i++)
		slow[i] = fast[i] = i;
	for (int round = count > 1 ? atoi(arguments[1]) : 0; round; round--) {
		for (int i = 0; i < 5; i++)
			quotient = divide(quotient);
		for (int i = 0; i < 20; i++)
			sum = add(sum);
	}
	printf("%g %g\n", sum, quotient);
	return 0;
}
