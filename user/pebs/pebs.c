// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "pebs/pebs.h"

/* Fixed formats: flags, ip, sixteen registers, then these. */
#define FIXED_IP		0x08
#define FIXED_BP		0x40
#define FIXED_SP		0x48
#define FIXED_STATUS		0x90	/* of format 3: applicable counters */
#define FIXED_ADDRESS		0x98
#define FIXED_SOURCE		0xa0
#define FIXED_LATENCY		0xa8
#define FIXED_EVENTING_IP	0xb0	/* from format 2 */
#define FIXED_TSC		0xc0	/* format 3 */

/* Adaptive formats: the basic group, then the memory group. */
#define BASIC_FORMAT		0x00	/* 31:0 groups, 63:48 bytes of the record */
#define BASIC_IP		0x08
#define BASIC_COUNTERS		0x10
#define BASIC_TSC		0x18
#define BASIC_SIZE		0x20
#define MEMORY_ADDRESS		(BASIC_SIZE + 0x00)
#define MEMORY_SOURCE		(BASIC_SIZE + 0x08)
#define MEMORY_LATENCY		(BASIC_SIZE + 0x10)
#define MEMORY_SIZE		0x20
#define REGISTERS_SIZE		0x90
#define VECTORS_SIZE		0x100
#define BRANCH_SIZE		0x18

/* Format 5 splits the field: 15:0 the instruction's latency, 47:32 the cache's. */
#define SPLIT_LATENCY_SHIFT	32
#define LATENCY_MASK		0xffff

size_t pebs_record_size(uint32_t format)
{
	static const uint8_t sizes[] = { 0, 176, 192, 200 };

	return format < PEBS_FORMAT_ADAPTIVE ? sizes[format] : 0;
}

void pebs_begin(struct pebs_reader *reader, uint32_t format, const void *bytes, size_t size)
{
	*reader = (struct pebs_reader){ .bytes = bytes, .size = size, .format = format };
}

static uint64_t word(const uint8_t *record, size_t offset)
{
	uint64_t value;

	memcpy(&value, record + offset, sizeof(value));
	return value;
}

/* Bytes that are no record: nothing behind them can be found. */
static bool give_up(struct pebs_reader *reader)
{
	reader->at = reader->size;
	reader->damaged++;
	return false;
}

static bool next_fixed(struct pebs_reader *reader, struct pebs_sample *sample)
{
	const uint8_t *record = reader->bytes + reader->at;
	size_t size = pebs_record_size(reader->format);

	if (!size || reader->size - reader->at < size)
		return give_up(reader);
	reader->at += size;
	*sample = (struct pebs_sample){
		.ip = word(record, reader->format > 1 ? FIXED_EVENTING_IP : FIXED_IP),
		.address = word(record, FIXED_ADDRESS),
		.source = word(record, FIXED_SOURCE),
		.latency = word(record, FIXED_LATENCY),
		.sp = word(record, FIXED_SP),
		.bp = word(record, FIXED_BP),
	};
	if (reader->format < 3)
		return true;
	sample->tsc = word(record, FIXED_TSC);
	sample->counters = word(record, FIXED_STATUS);
	return true;
}

/* Bytes that a record with these groups has at least. */
static size_t size_of_groups(uint32_t groups)
{
	size_t size = BASIC_SIZE;

	if (groups & PEBS_MEMORY)
		size += MEMORY_SIZE;
	if (groups & PEBS_REGISTERS)
		size += REGISTERS_SIZE;
	if (groups & PEBS_VECTORS)
		size += VECTORS_SIZE;
	if (groups & PEBS_BRANCHES)
		size += ((groups >> 24) + 1) * BRANCH_SIZE;
	return size;
}

static void take_adaptive(const struct pebs_reader *reader, const uint8_t *record,
			  uint32_t groups, struct pebs_sample *sample)
{
	uint64_t latency;

	*sample = (struct pebs_sample){
		.ip = word(record, BASIC_IP),
		.counters = word(record, BASIC_COUNTERS),
		.tsc = word(record, BASIC_TSC),
		.groups = groups,
	};
	if (!(groups & PEBS_MEMORY))
		return;
	sample->address = word(record, MEMORY_ADDRESS);
	sample->source = word(record, MEMORY_SOURCE);
	latency = word(record, MEMORY_LATENCY);
	if (reader->format >= 5)
		latency = latency >> SPLIT_LATENCY_SHIFT & LATENCY_MASK;
	sample->latency = latency;
}

static bool next_adaptive(struct pebs_reader *reader, struct pebs_sample *sample)
{
	while (reader->at < reader->size) {
		const uint8_t *record = reader->bytes + reader->at;
		size_t left = reader->size - reader->at, size;
		uint64_t format;

		if (left < BASIC_SIZE)
			return give_up(reader);
		format = word(record, BASIC_FORMAT);
		size = format >> 48;
		if (size < BASIC_SIZE || size % 8 || size > left)
			return give_up(reader);
		reader->at += size;
		if (size < size_of_groups(format)) {
			reader->damaged++;
			continue;
		}
		take_adaptive(reader, record, format, sample);
		return true;
	}
	return false;
}

bool pebs_next(struct pebs_reader *reader, struct pebs_sample *sample)
{
	if (reader->at >= reader->size)
		return false;
	if (reader->format < PEBS_FORMAT_ADAPTIVE)
		return next_fixed(reader, sample);
	return next_adaptive(reader, sample);
}
