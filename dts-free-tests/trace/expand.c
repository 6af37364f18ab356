// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace of ccsample's as lackey writes one, without instructions: what tests compare. With --ips
 * each line begins with the address of its instruction.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tracing/traced.h"

static int print(void *context, uint64_t ip, uint64_t address, uint32_t size, bool store)
{
	if (context)
		printf("%" PRIx64, ip);
	printf(" %c %08" PRIx64 ",%" PRIu32 "\n", store ? 'S' : 'L', address, size);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--ips"))
		return traced_expand(argv[2], print, argv) < 0;
	return argc != 2 || traced_expand(argv[1], print, NULL) < 0;
}
