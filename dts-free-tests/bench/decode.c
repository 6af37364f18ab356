// SPDX-License-Identifier: GPL-2.0-only
/*
 * decode FORMAT FILE: decodes the PEBS records in a file, over and over, for as
 * many as ten million records; prints their number.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pebs/pebs.h"

#define RECORDS		10000000ull

int main(int argc, char **argv)
{
	FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
	uint64_t count = 0, sum = 0;
	struct pebs_sample sample;
	struct pebs_reader reader;
	static char bytes[1 << 20];
	size_t size;

	if (!file) {
		fprintf(stderr, "usage: decode FORMAT FILE\n");
		return 2;
	}
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	do {
		pebs_begin(&reader, atoi(argv[1]), false, bytes, size);
		for (; pebs_next(&reader, &sample); count++)
			sum += sample.address;
	} while (count && count < RECORDS);
	printf("%llu records, sum %llx\n", (unsigned long long)count, (unsigned long long)sum);
	return !count;
}
