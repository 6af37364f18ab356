// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk() reads 100 elements: 50 times from near(), 100 times from far(), 20 times each at the end of
 * a recursion of 3 and of 30 calls from one place.
 */
#include <stdio.h>

static volatile double area[4096];

static __attribute__((noinline)) double walk(long stride)
{
	double sum = 0;

	for (long i = 0; i < 100; i++)
		sum += area[i * stride];
	return sum;
}

static __attribute__((noinline)) double near(void)
{
	return walk(1) + 1;
}

static __attribute__((noinline)) double far(void)
{
	return walk(16) + 1;
}

static __attribute__((noinline)) double down(int depth)
{
	if (!depth)
		return walk(2) + 1;
	return down(depth - 1) + 1;
}

int main(void)
{
	double sum = 0;

	for (int turn = 0; turn < 100; turn++) {
		if (turn % 2)
			sum += near();
		sum += far();
	}
	for (int turn = 0; turn < 40; turn++)
		sum += down(turn % 2 ? 3 : 30);
	printf("%g\n", sum);
	return 0;
}
