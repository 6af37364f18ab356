// SPDX-License-Identifier: GPL-2.0-only
/*
 * make-recording FILE SAMPLES MODULE [RANK]: a recording of a made-up program,
 * for measuring how fast `report` reads. 4 threads in bursts of 1024, 2000
 * instructions all over the code of MODULE, 1000 live heap blocks, one in eight
 * bursts between allocations. Ranks have threads of their own; every 20th
 * samples the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/recording.h"
#include "dts-free-tests/unit/recording-maker.h"
#include "program/elf-file.h"

#define BURST	1024u
#define SITES	2000u
#define BLOCKS	1000u
#define TEXT	0x400000ull
#define HEAP	0x10000000ull
#define BLOCK	0x100000ull

static uint64_t state = 42;
static uint32_t rank;
static uint64_t code_offset, code_size;	/* in the file */

static uint64_t draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void find_code(const char *path)
{
	struct elf_file file;
	GElf_Phdr segment;
	size_t count, i;

	if (elf_file_open(&file, path) || elf_getphdrnum(file.elf, &count))
		return;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(file.elf, i, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X))
			continue;
		code_offset = segment.p_offset & ~4095ull;
		code_size = segment.p_filesz + segment.p_offset % 4096;
	}
	elf_file_close(&file);
}

/* An instruction, or the middle of one. */
static uint64_t code_at(uint64_t site)
{
	return TEXT + code_size / (SITES + 1) * (site % SITES + 1);
}

static void write_map(struct recording_writer *writer, const char *path)
{
	static uint64_t buffer[1024];
	struct ccs_map *map = (struct ccs_map *)buffer;

	make_header(&map->record, sizeof(*map) + (strlen(path) + 7) / 8 * 8, CCS_MAP);
	map->start = TEXT;
	map->end = TEXT + (code_size + 4095) / 4096 * 4096;
	map->offset = code_offset;
	map->protection = CCS_MAP_READ | CCS_MAP_EXEC;
	map->path_size = strlen(path);
	memcpy(map + 1, path, strlen(path));
	recording_write(writer, &map->record);
}

static void write_block(struct recording_writer *writer, uint64_t number)
{
	struct ccs_alloc alloc;
	struct ccs_stack stack[2];

	if (number < 50) {
		make_header(&stack[0].record, sizeof(stack[0]) + 8, CCS_STACK);
		stack[0].id = number + 1;
		stack[0].depth = 1;
		*(uint64_t *)(stack + 1) = code_at(number);
		recording_write(writer, &stack[0].record);
	}
	make_header(&alloc.record, sizeof(alloc), CCS_ALLOC);
	alloc.address = HEAP + number * BLOCK;
	alloc.size = BLOCK - 4096;
	alloc.stack = number % 50 + 1;
	recording_write(writer, &alloc.record);
}

static void write_burst(struct recording_writer *writer, uint64_t number)
{
	static union {
		struct ccs_samples batch;
		uint8_t bytes[sizeof(struct ccs_samples) + BURST * sizeof(struct ccs_sample)];
	} burst;
	struct ccs_sample *samples = (struct ccs_sample *)(&burst.batch + 1);
	uint64_t base = HEAP + draw(BLOCKS) * BLOCK, site = draw(SITES);
	uint32_t i;

	make_header(&burst.batch.record, sizeof(burst), CCS_SAMPLES);
	burst.batch.record.tid = 4 * rank + number % 4 + 1;
	burst.batch.event = 1;
	burst.batch.flags = CCS_BATCH_BURST;
	burst.batch.gap = BURST * 1211;
	burst.batch.events = BURST;
	burst.batch.fills = BURST + BURST / 4;
	burst.batch.count = BURST;
	burst.batch.sample_size = sizeof(*samples);
	for (i = 0; i < BURST; i++) {
		samples[i].time = number * 1000000 + i * 37;
		samples[i].ip = code_at(site + i % 4);
		samples[i].address = base + (i % 4 * 131072 + draw(2048) * 64) % (BLOCK - 4096);
		samples[i].physical = CCS_UNKNOWN;
	}
	recording_write(writer, &burst.batch.record);
}

int main(int argc, char **argv)
{
	struct recording_writer *writer;
	uint64_t bursts, i;

	if (argc != 4 && argc != 5) {
		fputs("usage: make-recording FILE SAMPLES MODULE [RANK]\n", stderr);
		return 2;
	}
	find_code(argv[3]);
	if (!code_size) {
		fprintf(stderr, "make-recording: no code in %s\n", argv[3]);
		return 1;
	}
	writer = recording_create(argv[1]);
	if (!writer)
		return 1;
	bursts = strtoull(argv[2], NULL, 0) / BURST;
	if (argc == 5) {
		rank = strtoul(argv[4], NULL, 0);
		state += rank % 20 * 7919;
		recording_meta(writer, "rank", argv[4], strlen(argv[4]));
	}
	recording_meta(writer, "source", "engine", 6);
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = 64 });
	make_event(writer, (struct ccs_event){
		.id = 1, .level = 1, .period = 1212, .burst = BURST, .name = "l1-miss" });
	write_map(writer, argv[3]);
	for (i = 0; i < BLOCKS; i++)
		write_block(writer, i);
	for (i = 0; i < bursts; i++) {
		if (i % 8 == 7)
			write_block(writer, BLOCKS - 1 - draw(BLOCKS / 2));
		write_burst(writer, i);
	}
	return recording_finish(writer, 1000000000) ? 1 : 0;
}
