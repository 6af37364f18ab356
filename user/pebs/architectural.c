// SPDX-License-Identifier: GPL-2.0-only
/*
 * Architectural PEBS: a record is one fragment or several, each a header and the groups that it
 * names (Linux 6.19, struct arch_pebs_*, setup_arch_pebs_sample_data()).
 */
#include "pebs/inside.h"

/* The header: 15:0 bytes of the fragment. */
#define SIZE_MASK		0xffff
#define NAMES			(~0ull << 16)	/* none: the fragment is empty, another follows */
#define CONTINUED		(1ull << 31)
#define HAS_COUNTERS		(0x1full << 35)
#define BRANCHES_SHIFT		40		/* two bits: in eights, or: */
#define BRANCHES_VARY		3		/* as many as their group says */
#define HAS_VECTORS		(0x73ull << 49)	/* XMM, YMMH, opmask, ZMMH, H16ZMM */
#define HAS_REGISTERS		(1ull << 61)
#define HAS_MEMORY		(1ull << 62)
#define HAS_BASIC		(1ull << 63)

/* Groups in their order. */
#define HEADER_SIZE		0x10
#define BASIC_IP		0x00
#define BASIC_COUNTERS		0x08
#define BASIC_TSC		0x10
#define BASIC_SIZE		0x30
#define MEMORY_ADDRESS		0x00
#define MEMORY_SOURCE		0x28
#define MEMORY_LATENCY		0x30
#define MEMORY_SIZE		0x40
#define REGISTERS_BP		0x38
#define REGISTERS_SP		0x30
#define REGISTERS_SIZE		0xa0
#define VECTORS_HEAD		0x10
#define BRANCHES_DEPTH		0x10
#define BRANCHES_HEAD		0x30
#define BRANCHES_MOST		0x10000		/* more do not fit a fragment */

static size_t vectors_size(uint64_t header)
{
	static const struct {
		uint64_t bit;
		size_t size;
	} sets[] = {
		{ 1ull << 49, REGISTER_SET },		/* XMM */
		{ 1ull << 50, REGISTER_SET },		/* upper halves of YMM */
		{ 1ull << 53, 64 },			/* opmasks */
		{ 1ull << 54, 2 * REGISTER_SET },	/* upper halves of ZMM 0 to 15 */
		{ 1ull << 55, 4 * REGISTER_SET },	/* ZMM 16 to 31 */
	};
	size_t size = header & HAS_VECTORS ? VECTORS_HEAD : 0, i;

	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		size += header & sets[i].bit ? sets[i].size : 0;
	return size;
}

/* @left: bytes from @at to the fragment's end. Return: more than is left where it has no room. */
static size_t branches_size(uint64_t header, const uint8_t *at, size_t left)
{
	uint64_t count = header >> BRANCHES_SHIFT & 3;

	if (!count)
		return 0;
	if (left < BRANCHES_HEAD)
		return left + 1;
	count = count == BRANCHES_VARY ? word(at, BRANCHES_DEPTH) : 8 * count;
	return count > BRANCHES_MOST ? left + 1 : BRANCHES_HEAD + count * BRANCH_SIZE;
}

static void take_basic(const uint8_t *group, struct pebs_sample *sample)
{
	sample->ip = word(group, BASIC_IP);
	sample->counters = word(group, BASIC_COUNTERS);
	sample->tsc = word(group, BASIC_TSC);
}

static void take_memory(const uint8_t *group, struct pebs_sample *sample)
{
	sample->groups |= PEBS_MEMORY;
	sample->address = word(group, MEMORY_ADDRESS);
	sample->source = word(group, MEMORY_SOURCE);
	sample->latency = word(group, MEMORY_LATENCY) >> SPLIT_LATENCY_SHIFT & LATENCY_MASK;
}

static void take_registers(const uint8_t *group, struct pebs_sample *sample)
{
	sample->groups |= PEBS_REGISTERS;
	sample->sp = word(group, REGISTERS_SP);
	sample->bp = word(group, REGISTERS_BP);
}

/* Return: false where its groups have no room. */
static bool take_fragment(const struct pebs_reader *reader, size_t at, size_t end,
			  struct pebs_sample *sample)
{
	static const struct {
		uint64_t bit;
		size_t size;
		void (*take)(const uint8_t *group, struct pebs_sample *sample);
	} groups[] = {
		{ HAS_BASIC, BASIC_SIZE, take_basic },
		{ HAS_MEMORY, MEMORY_SIZE, take_memory },
		{ HAS_REGISTERS, REGISTERS_SIZE, take_registers },
	};
	uint64_t header = word(reader->bytes, at);
	size_t i, size;

	at += HEADER_SIZE;
	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (!(header & groups[i].bit))
			continue;
		if (end - at < groups[i].size)
			return false;
		groups[i].take(reader->bytes + at, sample);
		at += groups[i].size;
	}
	size = vectors_size(header);
	if (end - at < size)
		return false;
	at += size;
	size = branches_size(header, reader->bytes + at, end - at);
	if (end - at < size)
		return false;
	return !(header & HAS_COUNTERS) || pebs_take_counters(reader, at + size, end, sample);
}

bool pebs_next_architectural(struct pebs_reader *reader, struct pebs_sample *sample)
{
	bool good = true, basic = false;

	*sample = (struct pebs_sample){ 0 };
	while (reader->at < reader->size) {
		size_t at = reader->at, left = reader->size - at, size;
		uint64_t header;

		if (left < HEADER_SIZE)
			return give_up(reader);
		header = word(reader->bytes, at);
		size = header & SIZE_MASK;
		if (size < HEADER_SIZE || size % 8 || size > left)
			return give_up(reader);
		reader->at += size;
		good &= take_fragment(reader, at, reader->at, sample);
		basic |= !!(header & HAS_BASIC);
		if (header & CONTINUED || !(header & NAMES)) {
			if (reader->at == reader->size)
				return give_up(reader);
			continue;
		}
		if (good && basic)
			return true;
		reader->damaged++;
		*sample = (struct pebs_sample){ 0 };
		good = true;
		basic = false;
	}
	return false;
}
