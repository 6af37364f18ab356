// SPDX-License-Identifier: GPL-2.0-only
/*
 * bomb KIND FILE N: a small recording that asks for much memory.
 *
 *	sets	a cache of 2^20 sets and N threads, each with a sample
 *	threads	N threads
 *	bursts	N threads, each with a burst of misses of a cache of 2048 sets of 16 ways
 *	forks	a process with 10,000 heap blocks and N children, all alive
 *	busy	likewise, and each child frees a block, maps a file and has a sample
 *	maps	a process that maps N files, some over others, and has a sample in each 100th
 *	space	100 GB of heap in N blocks, and a sample in each
 *	hours	10 hours: N bursts of 20,000 references of a column walk, evenly spread
 *	code	samples at N places of code, 16 bytes apart, in no file that can be read
 *	perf	a perf.data from a pipe with N samples, compressed, in which no round ends
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dts-free-tests/unit/perf-maker.h"
#include "dts-free-tests/unit/recording-maker.h"
#include "dts-free-tests/unit/reference-packer.h"

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

static void begin_process(struct recording_writer *writer)
{
	struct ccs_process process = { .pid = 1, .cause = CCS_PROCESS_START };

	make_header(&process.record, sizeof(process), CCS_PROCESS);
	process.pid = 1;
	recording_write(writer, &process.record);
	map_code(writer, 1, 0x400000);
}

static void begin(struct recording_writer *writer, uint32_t sets, uint32_t ways)
{
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = ways, .sets = sets });
	make_event(writer, (struct ccs_event){ .id = 1, .level = 1, .period = 1, .burst = 1,
					       .name = "l1-miss" });
	begin_process(writer);
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

static void maps(struct recording_writer *writer, uint32_t count)
{
	uint32_t i;

	begin(writer, 64, 8);
	for (i = 0; i < count; i++) {
		map_code(writer, 1, 0x10000000 + i % 1000003 * 0x80000ull);
		if (i % 100 == 0)
			sample(writer, 1, 1, i, CCS_BATCH_BURST);
	}
}

static void space(struct recording_writer *writer, uint32_t count)
{
	struct {
		struct ccs_samples head;
		struct ccs_sample sample;
	} s;
	uint64_t size = (100ull << 30) / count;
	struct ccs_alloc alloc;

	begin(writer, 64, 8);
	for (uint32_t i = 0; i < count; i++) {
		make_header(&alloc.record, sizeof(alloc), CCS_ALLOC);
		alloc.time = 2 * i;
		alloc.address = (1ull << 40) + i * size;
		alloc.size = size;
		alloc.kind = CCS_ALLOC_HEAP;
		recording_write(writer, &alloc.record);
		make_header(&s.head.record, sizeof(s), CCS_SAMPLES);
		s.head.event = s.head.pid = 1;
		s.head.events = s.head.count = s.head.fills = 1;
		s.head.sample_size = sizeof(s.sample);
		s.sample = (struct ccs_sample){ .time = 2 * i + 1, .physical = CCS_UNKNOWN, .ip = 0x400000,
						.address = alloc.address + size / 2 };
		recording_write(writer, &s.head.record);
	}
}

#define HOURS		(10 * 3600 * 1000000000ull)	/* ns */
#define REFERENCES	20000u

static void make_text(struct recording_writer *writer, const char *key, const char *value)
{
	struct {
		struct ccs_meta meta;
		char text[64];
	} r;
	size_t key_size = strlen(key), value_size = strlen(value);

	make_header(&r.meta.record, sizeof(r), CCS_META);
	r.meta.key_size = key_size;
	r.meta.value_size = value_size;
	memcpy(r.text, key, key_size);
	memcpy(r.text + key_size, value, value_size);
	r.meta.record.size = sizeof(r.meta) + (key_size + value_size + 7) / 8 * 8;
	recording_write(writer, &r.meta.record);
}

/* Columns of a matrix with rows of 1,024 bytes, each burst of other ones. */
static void hours(struct recording_writer *writer, uint32_t count)
{
	static uint64_t record[8192];
	struct ccs_burst_piece *piece = (void *)record;
	struct reference_packer packer = reference_packer_begin();
	struct ccs_burst burst;
	const uint8_t *bytes;
	size_t size;

	make_text(writer, "source", "bursts");
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = 64 });
	begin_process(writer);
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t n = 0; n < REFERENCES; n++)
			reference_packer_add(&packer, &(struct burst_reference){
				0x400000, 0x10000000 + n % 128 * 1024 + (n / 128 + i) % 128 * 8, 8, 1 });
		bytes = reference_packer_end(&packer, &size);
		make_header(&burst.record, sizeof(burst), CCS_BURST);
		burst.time = HOURS / count * i;
		burst.end = burst.time + 1000000;
		burst.interval_ns = HOURS / count;
		burst.references = REFERENCES;
		burst.bytes = size;
		recording_write(writer, &burst.record);
		make_header(&piece->record, sizeof(*piece), CCS_BURST_PIECE);
		piece->record.size = sizeof(*piece) + (size + 7) / 8 * 8;
		piece->bytes = size;
		piece->packing = BURST_PACKING;
		memcpy(piece + 1, bytes, size);
		recording_write(writer, &piece->record);
	}
	reference_packer_free(&packer);
}

static void code(struct recording_writer *writer, uint32_t count)
{
	struct {
		struct ccs_samples head;
		struct ccs_sample sample;
	} s = { .head = { .event = 1, .pid = 1, .events = 1, .count = 1, .fills = 1 } };
	uint32_t i;

	begin(writer, 64, 8);
	for (i = 0; i < count; i++) {
		make_header(&s.head.record, sizeof(s.head.record), CCS_SAMPLES);
		s.head.record.size = sizeof(s);
		s.head.sample_size = sizeof(s.sample);
		s.sample = (struct ccs_sample){ .time = i, .physical = CCS_UNKNOWN,
						.ip = 0x400000 + 16ull * i,
						.address = 0x10000000 + 64ull * i };
		recording_write(writer, &s.head.record);
	}
}

/* Samples of one place, a nanosecond apart, as many as a compressed record may hold and more. */
static void put_packed(struct bytes *pipe, ZSTD_CStream *stream, const struct bytes *records)
{
	static uint8_t out[60000];
	ZSTD_inBuffer in = { records->data, records->size, 0 };
	ZSTD_outBuffer to = { out, sizeof(out), 0 };
	size_t from = pipe->size;

	ZSTD_compressStream(stream, &to, &in);
	ZSTD_flushStream(stream, &to);
	begin_record(pipe, 81, 0);
	put(pipe, out, to.pos);
	end_record(pipe, from);
}

static int perf(const char *path, uint32_t count)
{
	struct maker_event event = { .ids = { 5 }, .id_count = 1 };
	struct truth truth = { .ip = 0x401000, .pid = 1, .tid = 1, .address = 0x1000 };
	const struct bytes none = { NULL };
	ZSTD_CStream *stream = ZSTD_createCStream();
	FILE *file = fopen(path, "w");
	struct bytes pipe, records = { NULL };
	uint32_t i;

	if (!file)
		return 1;
	ZSTD_initCStream(stream, 1);
	event.attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				 PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR;
	pipe = make_pipe(&event, 1, 128, &none, NULL, 0);
	for (i = 1; i <= count; i++) {
		truth.time = 1 + i / 10000;
		truth.record = (struct bytes){ NULL };
		put_sample(&truth, &event);
		put(&records, truth.record.data, truth.record.size);
		free(truth.record.data);
		if (i % 10000 && i < count)
			continue;
		put_packed(&pipe, stream, &records);
		records.size = 0;
	}
	ZSTD_freeCStream(stream);
	i = fwrite(pipe.data, pipe.size, 1, file);
	free(pipe.data);
	free(records.data);
	return fclose(file) || i != 1;
}

int main(int argc, char **argv)
{
	uint32_t count = argc == 4 ? atoi(argv[3]) : 0;
	struct recording_writer *writer;

	if (count && !strcmp(argv[1], "perf"))
		return perf(argv[2], count);
	writer = argc == 4 ? recording_create(argv[2]) : NULL;
	if (!writer)
		return 2;
	if (!strcmp(argv[1], "sets"))
		threads(writer, count, 1 << 20, 8, 0);
	else if (!strcmp(argv[1], "threads"))
		threads(writer, count, 64, 8, 0);
	else if (!strcmp(argv[1], "bursts"))
		threads(writer, count, 2048, 16, CCS_BATCH_BURST);
	else if (!strcmp(argv[1], "maps"))
		maps(writer, count);
	else if (!strcmp(argv[1], "space"))
		space(writer, count);
	else if (!strcmp(argv[1], "hours"))
		hours(writer, count);
	else if (!strcmp(argv[1], "code"))
		code(writer, count);
	else
		forks(writer, count, !strcmp(argv[1], "busy"));
	return recording_finish(writer, 1000000) ? 1 : 0;
}
