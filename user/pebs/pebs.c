// SPDX-License-Identifier: GPL-2.0-only
#include "pebs/inside.h"

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

/* Values of counters: which general ones, which fixed ones (31:0, 63:32), then 2 if metrics. */
#define COUNTED_METRICS		0x08	/* 31:0: 3, where two words more follow */
#define COUNTED_SIZE		0x10
#define METRICS_PRESENT		3
#define METRICS_WORDS		2

size_t pebs_record_size(uint32_t format)
{
	static const uint8_t sizes[] = { 0, 176, 192, 200 };

	return format < PEBS_FORMAT_ADAPTIVE ? sizes[format] : 0;
}

void pebs_begin(struct pebs_reader *reader, uint32_t format, bool split_latency, const void *bytes,
		size_t size)
{
	*reader = (struct pebs_reader){
		.bytes = bytes,
		.size = size,
		.format = format,
		.split_latency = split_latency,
	};
}

bool pebs_take_counters(const struct pebs_reader *reader, size_t at, size_t end,
			struct pebs_sample *sample)
{
	size_t words;

	if (end - at < COUNTED_SIZE)
		return false;
	sample->counted = word(reader->bytes, at);
	sample->values = at + COUNTED_SIZE;
	words = __builtin_popcountll(sample->counted);
	if ((uint32_t)word(reader->bytes, at + COUNTED_METRICS) == METRICS_PRESENT)
		words += METRICS_WORDS;
	return (end - sample->values) / 8 >= words;
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
		size += REGISTER_SET;
	if (groups & PEBS_BRANCHES)
		size += ((groups >> 24) + 1) * BRANCH_SIZE;
	return size;
}

static uint32_t latency_of(const struct pebs_reader *reader, uint64_t field)
{
	return reader->split_latency ? field >> SPLIT_LATENCY_SHIFT & LATENCY_MASK : field;
}

/* Return: false where the groups have no room between @at and @end. */
static bool take_adaptive(const struct pebs_reader *reader, size_t at, size_t end,
			  struct pebs_sample *sample)
{
	const uint8_t *record = reader->bytes + at;
	uint32_t groups = word(record, BASIC_FORMAT);
	size_t counters = at + size_of_groups(groups);

	if (counters > end)
		return false;

	*sample = (struct pebs_sample){
		.ip = word(record, BASIC_IP),
		.counters = word(record, BASIC_COUNTERS),
		.tsc = word(record, BASIC_TSC),
		.groups = groups,
	};
	if (groups & PEBS_MEMORY) {
		sample->address = word(record, MEMORY_ADDRESS);
		sample->source = word(record, MEMORY_SOURCE);
		sample->latency = latency_of(reader, word(record, MEMORY_LATENCY));
	}
	if (reader->format < PEBS_FORMAT_COUNTERS || !(groups & (PEBS_COUNTERS | PEBS_METRICS)))
		return true;
	return pebs_take_counters(reader, counters, end, sample);
}

static bool next_adaptive(struct pebs_reader *reader, struct pebs_sample *sample)
{
	while (reader->at < reader->size) {
		size_t at = reader->at, left = reader->size - at, size;

		if (left < BASIC_SIZE)
			return give_up(reader);
		size = word(reader->bytes, at + BASIC_FORMAT) >> 48;
		if (size < BASIC_SIZE || size % 8 || size > left)
			return give_up(reader);
		reader->at += size;
		if (take_adaptive(reader, at, reader->at, sample))
			return true;
		reader->damaged++;
	}
	return false;
}

bool pebs_next(struct pebs_reader *reader, struct pebs_sample *sample)
{
	if (reader->at >= reader->size)
		return false;
	if (reader->format < PEBS_FORMAT_ADAPTIVE)
		return next_fixed(reader, sample);
	if (reader->format == PEBS_FORMAT_ARCHITECTURAL)
		return pebs_next_architectural(reader, sample);
	return next_adaptive(reader, sample);
}

bool pebs_counter(const struct pebs_reader *reader, const struct pebs_sample *sample,
		  unsigned int counter, uint64_t *value)
{
	uint64_t before;

	if (counter > 63 || !(sample->counted >> counter & 1))
		return false;
	before = sample->counted & ((1ull << counter) - 1);
	*value = word(reader->bytes, sample->values + 8 * __builtin_popcountll(before));
	return true;
}
