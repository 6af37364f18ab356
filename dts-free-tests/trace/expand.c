// SPDX-License-Identifier: GPL-2.0-only
/* A trace of ccsample's as lackey writes one, without instructions: what tests compare. */
#include <inttypes.h>
#include <stdio.h>

#include "tracing/traced.h"

static int print(void *context, uint64_t ip, uint64_t address, uint32_t size, bool store)
{
	printf(" %c %08" PRIx64 ",%" PRIu32 "\n", store ? 'S' : 'L', address, size);
	return 0;
}

int main(int argc, char **argv)
{
	return argc != 2 || traced_expand(argv[1], print, NULL) < 0;
}
