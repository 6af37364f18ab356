// SPDX-License-Identifier: GPL-2.0-only
/*
 * samples FILE [EVENT]: the samples of a recording (of one event), a line each:
 *
 *	TID SECONDS.NANOSECONDS IP ADDRESS PHYSICAL WEIGHT
 *
 * as perf script shows them: addresses hexadecimal, an unknown one 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/recording.h"

static void print_sample(const struct ccs_samples *stretch, const struct ccs_sample *sample)
{
	uint64_t physical = sample->physical == CCS_UNKNOWN ? 0 : sample->physical;

	printf("%u %" PRIu64 ".%09" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %u\n",
	       stretch->record.tid, sample->time / 1000000000, sample->time % 1000000000,
	       sample->ip, sample->address, physical, sample->weight);
}

int main(int argc, char **argv)
{
	struct recording *recording = argc > 1 ? recording_open(argv[1]) : NULL;
	uint32_t event = argc > 2 ? atoi(argv[2]) : 0, i;
	const struct ccs_record *record;

	if (!recording)
		return 1;
	while (recording_next(recording, &record)) {
		const struct ccs_samples *stretch = (const void *)record;

		if (record->type != CCS_SAMPLES || (event && stretch->event != event))
			continue;
		for (i = 0; i < stretch->count; i++)
			print_sample(stretch, (const struct ccs_sample *)(stretch + 1) + i);
	}
	recording_close(recording);
	return 0;
}
