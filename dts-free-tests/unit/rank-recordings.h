/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings as the ranks of a program make them: images, blocks, bursts of misses, at random. */
#ifndef CCSAMPLE_RANK_RECORDINGS_H
#define CCSAMPLE_RANK_RECORDINGS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/recording.h"
#include "draw.h"
#include "recording-maker.h"

#define BURST		700
#define RANK_BURSTS	8
#define BLOCKS		6
#define CODE		0x400000ull
#define HEAP		0x10000000ull

static const char *rank_program;	/* a file with code at 0x401100 */

/* How a recording is to be; zeros: as the others. */
struct kind {
	uint64_t seed;
	uint32_t bursts;
	uint32_t period;
	uint32_t ways;
	const char *source;
	const char *rank;
	const char *governor;
	bool second;			/* samples L2 too */
	bool unfinished;
};

static void header(struct ccs_record *record, size_t size, uint16_t type, uint32_t process)
{
	make_header(record, size, type);
	record->process = process;
	record->tid = 100;
}

static void write_event(struct recording_writer *writer, uint32_t id, uint32_t level,
			uint32_t period)
{
	struct ccs_event event = { .id = id, .level = level, .period = period, .burst = BURST };

	snprintf((char *)event.name, sizeof(event.name), "l%u-miss", level);
	make_event(writer, event);
}

static void write_head(struct recording_writer *writer, const struct kind *kind)
{
	const char *source = kind->source ? kind->source : "engine";

	recording_meta(writer, "source", source, strlen(source));
	recording_meta(writer, "clock", "instructions", strlen("instructions"));
	recording_meta(writer, "command", "./app\0-n", 9);
	if (kind->rank)
		recording_meta(writer, "rank", kind->rank, strlen(kind->rank));
	recording_meta(writer, "lab.turbo", "off", 3);
	if (kind->governor)
		recording_meta(writer, "lab.governor", kind->governor, strlen(kind->governor));
	make_cache(writer, (struct ccs_cache){
		.level = 1, .ways = kind->ways ? kind->ways : 8, .sets = 64 });
	make_cache(writer, (struct ccs_cache){
		.level = 2, .ways = 8, .sets = 256, .flags = CCS_CACHE_PHYSICAL });
	write_event(writer, 3 + kind->seed % 5, 1, kind->period ? kind->period : 1212);
	if (!kind->second)
		write_event(writer, 20, 2, 121);
}

static void write_map(struct recording_writer *writer, uint32_t process)
{
	static uint64_t buffer[64];
	struct ccs_map *map = (struct ccs_map *)buffer;
	const char *path = rank_program;

	header(&map->record, sizeof(*map) + (strlen(path) + 7) / 8 * 8, CCS_MAP, process);
	map->start = CODE;
	map->end = CODE + 0x10000;
	map->protection = CCS_MAP_READ | CCS_MAP_EXEC;
	map->path_size = strlen(path);
	memcpy(map + 1, path, strlen(path));
	recording_write(writer, &map->record);
}

static void write_block(struct recording_writer *writer, uint32_t process, uint64_t number)
{
	struct {
		struct ccs_stack stack;
		uint64_t frame;
	} stack;
	struct ccs_alloc alloc;

	header(&stack.stack.record, sizeof(stack), CCS_STACK, process);
	stack.stack.id = number + 1;
	stack.stack.depth = 1;
	stack.frame = CODE + 0x1100 + number * 8;
	recording_write(writer, &stack.stack.record);
	header(&alloc.record, sizeof(alloc), CCS_ALLOC, process);
	alloc.address = HEAP + number * 0x100000;
	alloc.size = 0x80000;
	alloc.stack = number + 1;
	recording_write(writer, &alloc.record);
}

/* Threads and code at random; a fourth of the lines come back soon, many on few sets. */
static void write_burst(struct recording_writer *writer, uint32_t process, uint32_t event,
			uint64_t time)
{
	static union {
		struct ccs_samples batch;
		uint8_t bytes[sizeof(struct ccs_samples) + BURST * sizeof(struct ccs_sample)];
	} burst;
	struct ccs_sample *samples = (struct ccs_sample *)(&burst.batch + 1);
	uint64_t ip = CODE + 0x1100 + draw(40) * 16, last = 0;

	header(&burst.batch.record, sizeof(burst), CCS_SAMPLES, process);
	burst.batch.record.tid = 100 + draw(3);
	burst.batch.event = event;
	burst.batch.flags = CCS_BATCH_BURST | (draw(4) ? 0 : CCS_BATCH_CONTINUES);
	burst.batch.events = BURST + draw(100);
	burst.batch.fills = BURST + draw(200);
	burst.batch.gap = draw(100000);
	burst.batch.count = BURST;
	burst.batch.sample_size = sizeof(*samples);
	for (uint32_t i = 0; i < BURST; i++) {
		uint64_t line = draw(3) ? draw(8192) : draw(12) * 64 + ip % 64;

		if (!draw(4))
			line = last;
		last = line;
		samples[i].time = time + i;
		samples[i].ip = ip + 4 * draw(3);
		samples[i].address = HEAP + (draw(BLOCKS) << 20) + line * 64;
		samples[i].physical = draw(20) ? samples[i].address ^ 0x55000 : CCS_UNKNOWN;
	}
	recording_write(writer, &burst.batch.record);
}

static void write_counts(struct recording_writer *writer, uint32_t process)
{
	struct ccs_counts counts;
	struct ccs_lost lost;

	header(&counts.record, sizeof(counts), CCS_COUNTS, process);
	counts.instructions = draw(1000000);
	counts.loads = counts.instructions / 3;
	counts.load_misses = draw(1000);
	recording_write(writer, &counts.record);
	header(&lost.record, sizeof(lost), CCS_LOST, process);
	lost.kind = CCS_LOST_SAMPLES;
	lost.count = draw(50);
	recording_write(writer, &lost.record);
}

/* Two images with the same addresses. */
static void write_body(struct recording_writer *writer, const struct kind *kind, uint32_t first)
{
	uint32_t bursts = kind->bursts ? kind->bursts : RANK_BURSTS;

	state = 88172645463325252ull + kind->seed * 7919;
	for (uint32_t process = first; process < first + 2; process++) {
		struct ccs_process begin;

		header(&begin.record, sizeof(begin), CCS_PROCESS, process);
		recording_write(writer, &begin.record);
		write_map(writer, process);
		for (uint64_t i = 0; i < BLOCKS; i++)
			write_block(writer, process, i);
		for (uint32_t i = 0; i < bursts; i++) {
			write_burst(writer, process, 3 + kind->seed % 5, i * 100000);
			if (!kind->second)
				write_burst(writer, process, 20, i * 100000 + 50000);
		}
		write_counts(writer, process);
	}
}

/* Return: @path. */
static const char *write_rank(const char *path, const struct kind *kind)
{
	struct recording_writer *writer = recording_create(path);
	struct stat about;

	if (!writer)
		exit(1);
	write_head(writer, kind);
	write_body(writer, kind, 1);
	if (recording_finish(writer, 1000 + kind->seed))
		exit(1);
	if (kind->unfinished && (stat(path, &about) || truncate(path, about.st_size - 20)))
		exit(1);
	return path;
}

#endif /* CCSAMPLE_RANK_RECORDINGS_H */
