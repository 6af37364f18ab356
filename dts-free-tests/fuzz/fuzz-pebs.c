// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the decoder of PEBS records: the first byte of an input is the
 * format, with a bit for a latency of two parts; the rest are the records, in memory of just their
 * size. Whatever comes
 * in: an end, each step forward, nothing read past it.
 */
#include <stdlib.h>
#include <string.h>

#include "pebs/pebs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pebs_sample sample;
	struct pebs_reader reader;
	size_t at = 0, count = 0;
	uint8_t *records;

	if (!size)
		return 0;
	records = malloc(size);
	memcpy(records, data + 1, size - 1);
	records = realloc(records, size - 1 ? size - 1 : 1);
	pebs_begin(&reader, data[0] % 8, data[0] & 8, records, size - 1);
	while (pebs_next(&reader, &sample)) {
		if (reader.at <= at || reader.at > size - 1)
			abort();
		at = reader.at;
		count++;
	}
	if (count > size / 32 || pebs_next(&reader, &sample) || reader.at != size - 1)
		abort();
	free(records);
	return 0;
}
