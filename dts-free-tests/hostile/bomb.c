// SPDX-License-Identifier: GPL-2.0-only
/*
 * bomb KIND FILE N: a small recording that asks for much memory.
 *
 *	sets	a cache of 2^20 sets and N threads, each with a sample
 *	threads	N threads
 *	bursts	N threads, each with a burst of misses of a cache of 2048 sets of 16 ways
 *	forks	a process with 10,000 heap blocks and N children, all alive
 *	busy	likewise, and each child frees a block, maps a file and has a sample
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dts-free-tests/unit/recording-maker.h"

#define BLOCKS 10000u

static void map_code(struct recording_writer *writer, uint32_t process, uint64_t start)
{
	struct ccs_map map;

	make_header(&map.record, sizeof(map), CCS_MAP);
	map.record.process = process;
	map.start = start;
	map.end = start + 0x100000;
	map.protection = CCS_MAP_READ | CCS_MAP_EXEC;
	recording_write(writer, &map.record);
}

static void begin(struct recording_writer *writer, uint32_t sets, uint32_t ways)
{
	struct ccs_process process = { .pid = 1, .cause = CCS_PROCESS_START };

	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = ways, .sets = sets });
	make_event(writer, (struct ccs_event){ .id = 1, .level = 1, .period = 1, .burst = 1,
					       .name = "l1-miss" });
	make_header(&process.record, sizeof(process), CCS_PROCESS);
	process.pid = 1;
	recording_write(writer, &process.record);
	map_code(writer, 1, 0x400000);
}

static void sample(struct recording_writer *writer, uint32_t process, uint32_t tid,
		   uint32_t number, uint32_t flags)
{
	struct {
		struct ccs_samples head;
		struct ccs_sample samples[2];
	} s;

	make_header(&s.head.record, sizeof(s), CCS_SAMPLES);
	s.head.record.process = process;
	s.head.record.tid = tid;
	s.head.event = 1;
	s.head.pid = process;
	s.head.flags = flags;
	s.head.events = s.head.count = 2;
	s.head.fills = 2;
	s.head.sample_size = sizeof(s.samples[0]);
	memset(s.samples, 0, sizeof(s.samples));
	s.samples[0].time = s.samples[1].time = number + 1;
	s.samples[0].physical = s.samples[1].physical = CCS_UNKNOWN;
	s.samples[0].ip = s.samples[1].ip = 0x400000 + 16 * (number % 1000);
	s.samples[0].address = 0x10000000 + (uint64_t)number * 64;
	s.samples[1].address = s.samples[0].address + (64ull << 20);
	recording_write(writer, &s.head.record);
}

static void threads(struct recording_writer *writer, uint32_t count, uint32_t sets,
		    uint32_t ways, uint32_t flags)
{
	begin(writer, sets, ways);
	for (uint32_t i = 0; i < count; i++)
		sample(writer, 1, i + 1, i, flags);
}

static void free_block(struct recording_writer *writer, uint32_t process, uint32_t number)
{
	struct ccs_free free;

	make_header(&free.record, sizeof(free), CCS_FREE);
	free.record.process = process;
	free.time = 2;
	free.address = 0x10000000 + number % BLOCKS * 4096ull;
	recording_write(writer, &free.record);
}

static void forks(struct recording_writer *writer, uint32_t count, bool busy)
{
	struct ccs_process process;
	struct ccs_alloc alloc;

	begin(writer, 64, 8);
	for (uint32_t i = 0; i < BLOCKS; i++) {
		make_header(&alloc.record, sizeof(alloc), CCS_ALLOC);
		alloc.time = 1;
		alloc.address = 0x10000000 + i * 4096ull;
		alloc.size = 100;
		alloc.kind = CCS_ALLOC_HEAP;
		recording_write(writer, &alloc.record);
	}
	for (uint32_t i = 0; i < count; i++) {
		make_header(&process.record, sizeof(process), CCS_PROCESS);
		process.record.process = i + 2;
		process.time = 2;
		process.pid = i + 2;
		process.ppid = process.parent = 1;
		process.cause = CCS_PROCESS_FORK;
		recording_write(writer, &process.record);
		if (!busy)
			continue;
		free_block(writer, i + 2, i);
		map_code(writer, i + 2, 0x600000);
		sample(writer, i + 2, i + 2, i, CCS_BATCH_BURST);
	}
	sample(writer, 1, 1, 1, 0);
}

int main(int argc, char **argv)
{
	struct recording_writer *writer = argc == 4 ? recording_create(argv[2]) : NULL;
	uint32_t count = argc == 4 ? atoi(argv[3]) : 0;

	if (!writer)
		return 2;
	if (!strcmp(argv[1], "sets"))
		threads(writer, count, 1 << 20, 8, 0);
	else if (!strcmp(argv[1], "threads"))
		threads(writer, count, 64, 8, 0);
	else if (!strcmp(argv[1], "bursts"))
		threads(writer, count, 2048, 16, CCS_BATCH_BURST);
	else
		forks(writer, count, !strcmp(argv[1], "busy"));
	return recording_finish(writer, 1000000) ? 1 : 0;
}
