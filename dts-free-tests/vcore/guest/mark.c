// SPDX-License-Identifier: GPL-2.0-only
/* Runs CPUID with the oracle's leaf: a mark in its file, a no-op elsewhere. */
#include <cpuid.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	unsigned int a, b, c, d;

	__cpuid_count(0x56434d4b, argc > 1 ? atoi(argv[1]) : 0, a, b, c, d);
	return 0;
}
