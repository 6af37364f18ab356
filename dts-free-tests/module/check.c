// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds a recording made on the virtual core against the oracle's file.
 *
 *	check TRUTH RECORDING [MARK]
 *
 * With MARK: against what lies between that mark and the next one.
 * Every sample must be a record that the core wrote: its CPU, instruction,
 * address, time and physical address; none may be there twice. The events of the
 * recording's stretches and gaps must not be more than the core counted, and its
 * COUNTS must be just those. Prints what it found as NAME NUMBER lines.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../vcore/qemu/vcore-truth.h"
#include "data/recording.h"

#define CPUS	64

struct record {
	uint64_t ip, va, tsc, pa;
	uint64_t cpu;
	bool taken;
};

static struct record *records;
static size_t count, room;
static uint64_t events[CPUS][1 << 16];	/* by the counters that counted them */
static uint16_t recorders[CPUS];	/* counters that made records */

static uint64_t samples, strangers, moved, unplaced, weight, counted, lost, foreign, homeless;

static int compare(const void *a, const void *b)
{
	const struct record *one = a, *other = b;

	if (one->ip != other->ip)
		return one->ip < other->ip ? -1 : 1;
	if (one->va != other->va)
		return one->va < other->va ? -1 : 1;
	return one->tsc < other->tsc ? -1 : one->tsc > other->tsc;
}

static void keep(const struct vcore_truth *t, uint64_t pa)
{
	if (count == room) {
		room = room ? 2 * room : 4096;
		records = realloc(records, room * sizeof(*records));
		if (!records)
			exit(2);
	}
	records[count++] = (struct record){ t->ip, t->va, t->tsc, pa, t->cpu, false };
}

static void read_truth(const char *path, const char *mark)
{
	static uint64_t pa[CPUS];
	FILE *file = fopen(path, "rb");
	struct vcore_truth t;
	bool here = !mark;

	if (!file) {
		perror(path);
		exit(2);
	}
	while (fread(&t, sizeof(t), 1, file) == 1) {
		if (t.kind == 'M' && mark)
			here = t.extra == strtoull(mark, NULL, 0);
		if (!here)
			continue;
		if (t.kind == 'E') {
			events[t.cpu % CPUS][t.counters]++;
			pa[t.cpu % CPUS] = t.pa;
		} else if (t.kind == 'R') {
			recorders[t.cpu % CPUS] |= t.counters;
			keep(&t, pa[t.cpu % CPUS]);
		}
	}
	fclose(file);
	if (count)
		qsort(records, count, sizeof(*records), compare);
}

static size_t first_of(const struct ccs_sample *sample)
{
	const struct record wanted = { .ip = sample->ip, .va = sample->address };
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (compare(&records[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of several alike, the one of that time: without times in records, any. */
static struct record *find(const struct ccs_sample *sample, uint32_t cpu)
{
	struct record *other = NULL;
	size_t i;

	for (i = first_of(sample); i < count && records[i].ip == sample->ip &&
	     records[i].va == sample->address; i++) {
		if (records[i].taken || records[i].cpu != cpu)
			continue;
		if (records[i].tsc == sample->time)
			return &records[i];
		other = &records[i];
	}
	return other;
}

static void take_samples(const struct ccs_samples *stretch)
{
	const struct ccs_sample *sample = (const void *)(stretch + 1);
	struct record *record;
	uint32_t i;

	weight += stretch->events + (stretch->gap == CCS_UNKNOWN ? 0 : stretch->gap);
	homeless += !stretch->record.process;
	for (i = 0; i < stretch->count; i++, sample++) {
		samples++;
		record = find(sample, stretch->cpu);
		if (!record) {
			if (strangers++ < 5)
				fprintf(stderr, "check: no record: cpu %u ip %" PRIx64 " address %"
					PRIx64 " time %" PRIu64 "\n", stretch->cpu, sample->ip,
					sample->address, sample->time);
			continue;
		}
		record->taken = true;
		unplaced += sample->physical == CCS_UNKNOWN;
		moved += sample->physical != CCS_UNKNOWN && sample->physical != record->pa;
	}
}

static void read_recording(const char *path)
{
	struct recording *recording = recording_open(path);
	const struct ccs_record *record;

	if (!recording)
		exit(2);
	while (recording_next(recording, &record)) {
		const struct ccs_lost *loss = (const void *)record;

		if (record->type == CCS_SAMPLES)
			take_samples((const void *)record);
		else if (record->type == CCS_COUNTS)
			counted = ((const struct ccs_counts *)record)->load_misses;
		else if (record->type == CCS_LEVEL_COUNTS)
			counted = ((const struct ccs_level_counts *)record)->load_misses;
		else if (record->type == CCS_LOST && loss->kind == CCS_LOST_FOREIGN)
			foreign += loss->count;
		else if (record->type == CCS_LOST)
			lost += loss->count;
	}
	recording_close(recording);
}

/* What the counters counted that made the records; without any, those of another CPU. */
static uint64_t all_events(void)
{
	uint16_t any = 0;
	uint64_t sum = 0;
	size_t cpu, counters;

	for (cpu = 0; cpu < CPUS; cpu++)
		any |= recorders[cpu];
	for (cpu = 0; cpu < CPUS; cpu++)
		for (counters = 0; counters < sizeof(events[0]) / sizeof(events[0][0]); counters++)
			if (counters & (recorders[cpu] ? recorders[cpu] : any))
				sum += events[cpu][counters];
	return sum;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: check TRUTH RECORDING [MARK]\n");
		return 2;
	}
	read_truth(argv[1], argv[3]);
	read_recording(argv[2]);
	printf("records %zu\nsamples %" PRIu64 "\nstrangers %" PRIu64 "\nunplaced %" PRIu64
	       "\nmoved %" PRIu64 "\nevents %" PRIu64 "\ncounted %" PRIu64 "\nweight %" PRIu64
	       "\nlost %" PRIu64 "\nforeign %" PRIu64 "\nhomeless %" PRIu64 "\n", count, samples,
	       strangers, unplaced, moved, all_events(), counted, weight, lost, foreign, homeless);
	return 0;
}
