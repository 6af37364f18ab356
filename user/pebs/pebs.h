/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PEBS records as the processor writes them, to samples: formats 1 to 6 and architectural PEBS
 * (Intel SDM volume 3, "Processor Event Based Sampling"; Linux 6.19, struct pebs_* and arch_pebs_*
 * in asm/perf_event.h, arch/x86/events/intel/ds.c).
 *
 *	format	processors		record
 *	1	Nehalem .. Ivy Bridge	176 bytes
 *	2	Haswell, Broadwell	192
 *	3	Skylake .. Cascade Lake	200
 *	4, 5	Ice Lake and later	groups; each record holds its size
 *	6	Arrow Lake, Lunar Lake	groups, values of counters among them
 *	architectural	Panther Lake,	fragments of groups, each with a header
 *		Clearwater Forest
 *
 * The module samples formats 1 to 6; architectural PEBS has only been decoded from records laid out
 * by hand.
 *
 * Pure: bytes in, samples out. The bytes come from memory that the processor
 * goes on writing to, so nothing in them is trusted.
 */
#ifndef CCSAMPLE_PEBS_PEBS_H
#define CCSAMPLE_PEBS_PEBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PEBS_FORMAT_OLDEST	1
#define PEBS_FORMAT_COUNTER	3	/* the first whose records name their counter */
#define PEBS_FORMAT_ADAPTIVE	4	/* the first of groups */
#define PEBS_FORMAT_COUNTERS	6	/* the first that may hold values of counters */
#define PEBS_FORMAT_ARCHITECTURAL 7	/* no number of the processor's: CPUID leaf 0x23 says it */
#define PEBS_FORMAT_NEWEST	PEBS_FORMAT_ARCHITECTURAL

struct pebs_sample {
	uint64_t ip;		/* of the instruction sampled; in format 1 of the one after it */
	uint64_t address;	/* of its data, 0 = none */
	uint64_t tsc;		/* 0 before format 3 */
	uint64_t counters;	/* bit i: counter i made it, 32 + i: fixed counter i; 0 = unknown,
				 * as always before format 3, where the field cannot be trusted
				 */
	uint32_t latency;	/* the cache's, of a latency event, in cycles; else no meaning */
	uint32_t groups;	/* adaptive formats: enum pebs_group */
	uint64_t source;	/* data source, encoded as the event and the model do */
	uint64_t sp, bp;	/* registers behind the instruction; 0 = unknown, as in adaptive
				 * formats, where they would make records larger
				 */
	uint64_t counted;	/* as in counters: of these the record holds the value */
	size_t values;		/* where the first of them stands in the reader's bytes */
};

/* Parts of an adaptive record, in their order behind the basic one. */
enum pebs_group {
	PEBS_MEMORY = 1 << 0,
	PEBS_REGISTERS = 1 << 1,
	PEBS_VECTORS = 1 << 2,
	PEBS_BRANCHES = 1 << 3,		/* as many as bits 31:24 say, plus one */
	PEBS_COUNTERS = 1 << 4,		/* format 6: how many the group says itself */
	PEBS_METRICS = 1 << 5,		/* ... the same group has two words more */
};

/* Of MEM_UOPS_RETIRED.ALL_STORES, MEM_INST_RETIRED.ALL_STORES: the store hit L1. */
#define PEBS_STORE_HIT	(1u << 0)	/* of pebs_sample.source */

struct pebs_reader {
	const uint8_t *bytes;
	size_t size;
	size_t at;		/* where the next record begins */
	uint32_t format;
	bool split_latency;
	uint64_t damaged;	/* records passed over, and 1 for bytes that are no record */
};

/* Bytes of a record of a fixed format; 0 for an adaptive one, or none. */
size_t pebs_record_size(uint32_t format);

/**
 * pebs_begin() - read records one after the other.
 * @format: PEBS_FORMAT_OLDEST .. PEBS_FORMAT_NEWEST
 * @split_latency: adaptive records' latency has two parts (CCSAMPLE_SPLIT_LATENCY), which the
 *	format does not say: Ice Lake and Sapphire Rapids both report 4
 */
void pebs_begin(struct pebs_reader *reader, uint32_t format, bool split_latency, const void *bytes,
		size_t size);

/**
 * pebs_next() - the next record's sample.
 *
 * A record whose groups need more than its size is passed over. One whose size
 * cannot be (less than its basic group, no multiple of 8, past the end) ends the
 * reading: where the next would begin is not known. Both count in
 * reader->damaged.
 *
 * Return: false at the end. Before that, reader->at is where the record after it
 * begins.
 */
bool pebs_next(struct pebs_reader *reader, struct pebs_sample *sample);

/**
 * pebs_counter() - what a counter stood at when the record was made.
 * @sample: the last one that pebs_next() gave
 * @counter: its bit in @sample->counted
 *
 * Return: false where the record does not hold it.
 */
bool pebs_counter(const struct pebs_reader *reader, const struct pebs_sample *sample,
		  unsigned int counter, uint64_t *value);

#endif /* CCSAMPLE_PEBS_PEBS_H */
