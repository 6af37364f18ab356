/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces that are made up, node by node. */
#ifndef CCSAMPLE_TRACE_MAKER_H
#define CCSAMPLE_TRACE_MAKER_H

#include <stdlib.h>
#include <string.h>

#include "base/allocator.h"
#include "format/recording.h"
#include "prsd/encode.h"
#include "recording-maker.h"

struct maker {
	struct recording_writer *writer;
	struct trace_shapes shapes;
	struct trace_encoder encoder;
	uint32_t process, tid;		/* whose nodes come */
	uint64_t blocks;
};

static int maker_piece(void *context, const uint8_t *bytes, uint32_t size, uint64_t references)
{
	static uint64_t buffer[TRACE_PIECE_MAX / 8 + 8];
	struct ccs_references *r = (struct ccs_references *)buffer;
	struct maker *maker = context;

	make_header(&r->record, sizeof(*r), CCS_REFERENCES);
	r->record.size = (sizeof(*r) + size + 7) & ~7u;
	r->record.process = maker->process;
	r->record.tid = maker->tid;
	r->references = references;
	r->bytes_size = size;
	memset((uint8_t *)r + r->record.size - 8, 0, 8);
	memcpy(r + 1, bytes, size);
	return recording_write(maker->writer, &r->record);
}

/* What follows is a row of operations of its own. */
__attribute__((unused))
static void maker_thread(struct maker *maker, uint32_t process, uint32_t tid)
{
	if (maker->encoder.bytes) {
		encoder_flush(&maker->encoder);
		encoder_close(&maker->encoder);
		shapes_close(&maker->shapes);
	}
	maker->process = process;
	maker->tid = tid;
	shapes_open(&maker->shapes, &libc_allocator);
	encoder_open(&maker->encoder, maker_piece, maker, &libc_allocator);
}

static void maker_open(struct maker *maker, const char *path)
{
	*maker = (struct maker){ .writer = recording_create(path) };
	if (!maker->writer)
		exit(1);
}

__attribute__((unused))
static void maker_flush(struct maker *maker)
{
	encoder_flush(&maker->encoder);
}

static void maker_close(struct maker *maker)
{
	if (maker->encoder.bytes) {
		encoder_flush(&maker->encoder);
		encoder_close(&maker->encoder);
		shapes_close(&maker->shapes);
	}
	if (recording_finish(maker->writer, 0))
		exit(1);
}

/* A block of loads of 8 bytes, by instructions of its own. */
__attribute__((unused))
static uint32_t maker_block(struct maker *maker, uint32_t slots)
{
	struct trace_slot made[TRACE_SLOTS_MAX];
	uint32_t i;

	for (i = 0; i < slots; i++)
		made[i] = (struct trace_slot){ .ip = ++maker->blocks, .size = 8 };
	return shapes_block(&maker->shapes, made, slots);
}

__attribute__((unused))
static void maker_node(struct maker *maker, uint32_t shape, const uint64_t *addresses)
{
	struct trace_sink sink = encoder_sink(&maker->encoder);

	if (sink.node(sink.context, &maker->shapes, shape, addresses))
		exit(1);
}

/* What follows is of one run each of ranks and threads. */
__attribute__((unused))
static void maker_members(struct maker *maker, uint32_t ranks, struct ccs_run rank,
			  struct ccs_run thread)
{
	struct {
		struct ccs_members members;
		struct ccs_run runs[2];
	} record;

	make_header(&record.members.record, sizeof(record), CCS_MEMBERS);
	record.members.ranks = ranks;
	record.members.rank_runs = record.members.thread_runs = 1;
	record.runs[0] = rank;
	record.runs[1] = thread;
	recording_write(maker->writer, &record.members.record);
}

__attribute__((unused))
static void maker_heap(struct maker *maker, uint64_t address, uint64_t size)
{
	struct ccs_alloc alloc;

	make_header(&alloc.record, sizeof(alloc), CCS_ALLOC);
	alloc.address = address;
	alloc.size = size;
	recording_write(maker->writer, &alloc.record);
}

#endif /* CCSAMPLE_TRACE_MAKER_H */
