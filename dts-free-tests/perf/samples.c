// SPDX-License-Identifier: GPL-2.0-only
/*
 * samples FILE [EVENT]: the samples of a recording (of one event), a line each:
 *
 *	TID SECONDS.NANOSECONDS IP ADDRESS PHYSICAL WEIGHT
 *
 * as perf script shows them: addresses hexadecimal, an unknown one 0.
 *
 * samples FILE maps: the maps, of images whose PROCESS came before:
 *
 *	PID START SIZE OFFSET PROTECTION PATH
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/recording.h"

static void print_sample(const struct ccs_samples *batch, const struct ccs_sample *sample)
{
	uint64_t physical = sample->physical == CCS_UNKNOWN ? 0 : sample->physical;

	printf("%u %" PRIu64 ".%09" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %u\n",
	       batch->record.tid, sample->time / 1000000000, sample->time % 1000000000,
	       sample->ip, sample->address, physical, sample->weight);
}

#define IMAGES	65536

static void print_map(const struct ccs_map *map, uint32_t pid)
{
	printf("%u %" PRIx64 " %" PRIx64 " %" PRIx64 " %c%c%c %.*s\n", pid, map->start,
	       map->end - map->start, map->offset, map->protection & CCS_MAP_READ ? 'r' : '-',
	       map->protection & CCS_MAP_WRITE ? 'w' : '-', map->protection & CCS_MAP_EXEC ? 'x' : '-',
	       (int)map->path_size, (const char *)(map + 1));
}

static void take_map(const struct ccs_record *record)
{
	static uint32_t pids[IMAGES];

	if (record->process >= IMAGES)
		return;
	if (record->type == CCS_PROCESS)
		pids[record->process] = ((const struct ccs_process *)record)->pid;
	else if (record->type == CCS_MAP)
		print_map((const struct ccs_map *)record, pids[record->process]);
}

static void take_samples(const struct ccs_record *record, uint32_t event)
{
	const struct ccs_samples *batch = (const struct ccs_samples *)record;
	uint32_t i;

	if (record->type != CCS_SAMPLES || (event && batch->event != event))
		return;
	for (i = 0; i < batch->count; i++)
		print_sample(batch, (const struct ccs_sample *)(batch + 1) + i);
}

int main(int argc, char **argv)
{
	struct recording *recording = argc > 1 ? recording_open(argv[1]) : NULL;
	const char *what = argc > 2 ? argv[2] : "0";
	const struct ccs_record *record;

	if (!recording)
		return 1;
	while (recording_next(recording, &record)) {
		if (!strcmp(what, "maps"))
			take_map(record);
		else
			take_samples(record, atoi(what));
	}
	recording_close(recording);
	return 0;
}
