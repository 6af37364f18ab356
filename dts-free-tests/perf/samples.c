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

#include "format/pass.h"

static void print_sample(const struct ccs_samples *batch, const struct ccs_sample *sample)
{
	uint64_t physical = sample->physical == CCS_UNKNOWN ? 0 : sample->physical;

	printf("%u %" PRIu64 ".%09" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %u\n",
	       batch->record.tid, sample->time / 1000000000, sample->time % 1000000000,
	       sample->ip, sample->address, physical, sample->weight);
}

#define IMAGES	65536

static uint32_t pids[IMAGES];

static void take_process(void *context, const struct ccs_record *record)
{
	if (record->process < IMAGES)
		pids[record->process] = ((const struct ccs_process *)record)->pid;
}

static void print_map(void *context, const struct ccs_record *record)
{
	const struct ccs_map *map = (const void *)record;

	if (record->process >= IMAGES)
		return;
	printf("%u %" PRIx64 " %" PRIx64 " %" PRIx64 " %c%c%c %.*s\n", pids[record->process],
	       map->start, map->end - map->start, map->offset,
	       map->protection & CCS_MAP_READ ? 'r' : '-',
	       map->protection & CCS_MAP_WRITE ? 'w' : '-',
	       map->protection & CCS_MAP_EXEC ? 'x' : '-', (int)map->path_size,
	       (const char *)(map + 1));
}

/* @context: the event, 0 = all */
static void take_samples(void *context, const struct ccs_record *record)
{
	const struct ccs_samples *batch = (const struct ccs_samples *)record;
	const uint8_t *at = (const uint8_t *)(batch + 1);
	const uint32_t *event = context;

	if (*event && batch->event != *event)
		return;
	for (uint32_t i = 0; i < batch->count; i++, at += batch->sample_size)
		print_sample(batch, (const struct ccs_sample *)at);
}

int main(int argc, char **argv)
{
	static const struct record_consumer maps = {
		.take = { [CCS_PROCESS] = take_process, [CCS_MAP] = print_map },
	}, samples = { .take[CCS_SAMPLES] = take_samples };
	struct recording *recording = argc > 1 ? recording_open(argv[1]) : NULL;
	const char *what = argc > 2 ? argv[2] : "0";
	uint32_t event = atoi(what);

	if (!recording)
		return 1;
	recording_pass(recording, strcmp(what, "maps") ? &samples : &maps, &event);
	recording_close(recording);
	return 0;
}
