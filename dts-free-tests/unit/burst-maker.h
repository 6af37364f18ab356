/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings of bursts of references that are made up. */
#ifndef CCSAMPLE_BURST_MAKER_H
#define CCSAMPLE_BURST_MAKER_H

#include "recording-maker.h"
#include "reference-packer.h"
#include "tracee/burst-log/log.h"

#define BURST_PIECE_MOST 60000u

struct burst_maker {
	struct recording_writer *writer;
	struct reference_packer packer;
	uint64_t references;		/* of the burst that is being made */
	uint64_t number;
	/* CPU time that the next one stands for, and its timed part: of a million instructions,
	 * one of which is a reference; 0 = a millisecond, none
	 */
	uint64_t interval_ns, timed_ns;
	/* Where the timer met the thread before the next one, and where that begins. */
	uint64_t met[BURST_MET];
	size_t met_count;
};

static void make_meta(struct recording_writer *writer, const char *key, const char *value)
{
	static union {
		struct ccs_meta meta;
		char bytes[sizeof(struct ccs_meta) + 64];
	} record;
	size_t size = strlen(key) + strlen(value);

	memset(&record, 0, sizeof(record));
	record.meta.record = (struct ccs_record){
		.size = sizeof(struct ccs_meta) + (size + 7) / 8 * 8, .type = CCS_META,
	};
	record.meta.key_size = strlen(key);
	record.meta.value_size = strlen(value);
	memcpy(record.bytes + sizeof(struct ccs_meta), key, strlen(key));
	memcpy(record.bytes + sizeof(struct ccs_meta) + strlen(key), value, strlen(value));
	recording_write(writer, &record.meta.record);
}

/* @l1: its ways and sets */
static struct burst_maker burst_maker_begin(const char *path, struct ccs_cache l1)
{
	struct burst_maker maker = { recording_create(path), reference_packer_begin() };

	if (!maker.writer || !maker.packer.packer)
		exit(1);
	make_meta(maker.writer, "source", "bursts");
	make_meta(maker.writer, "clock", "tsc");
	l1.level = 1;
	make_cache(maker.writer, l1);
	return maker;
}

static void burst_maker_add(struct burst_maker *maker, const struct burst_reference *reference)
{
	reference_packer_add(&maker->packer, reference);
	maker->references++;
}

static void make_burst(struct burst_maker *maker, struct ccs_burst *burst)
{
	burst->time = ++maker->number * 1000000;
	burst->end = burst->time + 500000;
	burst->interval_ns = maker->interval_ns ? maker->interval_ns : 1000000;
	burst->cpu_ns = burst->interval_ns;
	burst->references = maker->references;
	if (maker->timed_ns) {
		burst->timed_ns = maker->timed_ns;
		burst->timed_instructions = 1000000;
		burst->instructions = maker->references;
	}
	maker->references = 0;
}

/* @bytes: of a burst, in as many pieces as they need */
static void make_pieces(struct recording_writer *writer, const uint8_t *bytes, size_t size)
{
	static union {
		struct ccs_burst_piece piece;
		uint8_t bytes[sizeof(struct ccs_burst_piece) + BURST_PIECE_MOST + 8];
	} record;
	size_t at, part;

	for (at = 0; at < size; at += part) {
		part = size - at;
		part = part < BURST_PIECE_MOST ? part : BURST_PIECE_MOST;
		make_header(&record.piece.record,
			    sizeof(struct ccs_burst_piece) + (part + 7) / 8 * 8,
			    CCS_BURST_PIECE);
		record.piece.bytes = part;
		record.piece.packing = BURST_PACKING;
		memcpy(&record.piece + 1, bytes + at, part);
		recording_write(writer, &record.piece.record);
	}
}

/* Writes the burst, with @lacking bytes fewer than it says. */
static inline void burst_maker_end(struct burst_maker *maker, size_t lacking)
{
	struct {
		struct ccs_burst burst;
		uint64_t met[BURST_MET];
	} record;
	size_t size, met = maker->met_count * sizeof(*maker->met);
	const uint8_t *bytes;

	bytes = reference_packer_end(&maker->packer, &size);
	make_header(&record.burst.record, sizeof(record.burst) + met, CCS_BURST);
	make_burst(maker, &record.burst);
	record.burst.bytes = size;
	memcpy(record.met, maker->met, met);
	recording_write(maker->writer, &record.burst.record);
	make_pieces(maker->writer, bytes, size - lacking);
}

/* ... as a long one, of @made references. */
static inline void burst_maker_end_long(struct burst_maker *maker, uint64_t made)
{
	struct ccs_long_burst burst;
	const uint8_t *bytes;
	size_t size;

	bytes = reference_packer_end(&maker->packer, &size);
	make_header(&burst.burst.record, sizeof(burst), CCS_LONG_BURST);
	make_burst(maker, &burst.burst);
	burst.burst.instructions = made;
	burst.burst.bytes = size;
	burst.made = made;
	recording_write(maker->writer, &burst.burst.record);
	make_pieces(maker->writer, bytes, size);
}

static void burst_maker_finish(struct burst_maker *maker)
{
	reference_packer_free(&maker->packer);
	if (recording_finish(maker->writer, 1))
		exit(1);
}

#endif /* CCSAMPLE_BURST_MAKER_H */
