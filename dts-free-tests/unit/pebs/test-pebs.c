// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS records: byte-exact vectors of each format, laid out here by the numbers
 * of the documents (Intel SDM volume 3, tables of the PEBS record formats; Linux,
 * struct pebs_record_*, pebs_basic, pebs_meminfo, pebs_cntr_header, arch_pebs_*), not by the
 * decoder's; and records that are wrong in every way we know.
 */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "pebs/pebs.h"
#include "tap.h"

static uint64_t seed = 0x2545f4914f6cdd1d;

/* The latency of adaptive records is laid down, and read, in two parts. */
static bool split;

static uint64_t rnd(void)
{
	return random_next(&seed);
}

/* Little-endian by hand, as the processor writes. */
static void put(uint8_t *to, uint64_t value)
{
	int i;

	for (i = 0; i < 8; i++)
		to[i] = value >> 8 * i;
}

static bool same(const struct pebs_sample *a, const struct pebs_sample *b)
{
	return a->ip == b->ip && a->address == b->address && a->tsc == b->tsc &&
	       a->counters == b->counters && a->latency == b->latency && a->source == b->source &&
	       a->sp == b->sp && a->bp == b->bp && a->counted == b->counted;
}

/* What counter @i stood at in a record of ours. */
static uint64_t value_of(const struct pebs_sample *s, unsigned int i)
{
	return s->tsc * 3 + i;
}

/* Header, the values of general counters, then of fixed ones, then metrics. */
static size_t counters_group(uint8_t *to, bool metrics, const struct pebs_sample *s)
{
	size_t size = 16;
	unsigned int i;

	put(to, s->counted);
	put(to + 8, metrics ? 3 : 0);
	for (i = 0; i < 64; i++) {
		if (!(s->counted >> i & 1))
			continue;
		put(to + size, value_of(s, i));
		size += 8;
	}
	memset(to + size, 0xa5, 16);
	return size + (metrics ? 16 : 0);
}

/* One record of a fixed format, each byte that is not told a fixed pattern. */
static size_t fixed_record(uint8_t *to, int format, const struct pebs_sample *s)
{
	static const size_t size[] = { 0, 176, 192, 200 };

	memset(to, 0xa5, size[format]);
	put(to + 8, format == 1 ? s->ip : s->ip + 4);	/* the one after it, beside an eventing ip
							 */
	put(to + 64, s->bp);		/* behind flags, ip, ax, bx, cx, dx, si, di (ds.c) */
	put(to + 72, s->sp);
	put(to + 144, format == 3 ? s->counters : 0x5);
	put(to + 152, s->address);
	put(to + 160, s->source);
	put(to + 168, s->latency);
	if (format >= 2)
		put(to + 176, s->ip);
	if (format >= 3)
		put(to + 192, s->tsc);
	return size[format];
}

/* One of groups: GPRs 18 words, vectors 16 x 16 bytes, branches 3 words each. */
static size_t adaptive_record(uint8_t *to, int format, uint32_t groups, const struct pebs_sample *s)
{
	size_t size = 4 * 8;

	if (groups & 1)
		size += 4 * 8;
	if (groups & 2)
		size += 18 * 8;
	if (groups & 4)
		size += 16 * 16;
	if (groups & 8)
		size += 3 * 8 * ((groups >> 24 & 0xff) + 1);
	memset(to, 0xa5, size);
	/* Bits 47:32 are the retire latency of later parts. */
	put(to, groups | 0x1234ull << 32 | (uint64_t)size << 48);
	put(to + 8, s->ip);
	put(to + 16, s->counters);
	put(to + 24, s->tsc);
	if (groups & 1) {
		put(to + 32, s->address);
		put(to + 40, s->source);
		put(to + 48, split ? (uint64_t)s->latency << 32 | 0x77 : s->latency);
		put(to + 56, 0xa5a5);
	}
	if (format >= 6 && groups & 0x30)
		size += counters_group(to + size, groups & 0x20, s);
	put(to, groups | 0x1234ull << 32 | (uint64_t)size << 48);
	return size;
}

/* A fragment's header: its bytes, and the groups as bits 63:16 name them. */
static void put_header(uint8_t *to, uint64_t groups, size_t size)
{
	put(to, groups | size);
	put(to + 8, 0xa5a5a5a5a5a5a5a5);
}

#define ARCH_CONT	(1ull << 31)
#define ARCH_CNTR	(1ull << 36)
#define ARCH_LBR8	(1ull << 40)
#define ARCH_LBR_VAR	(3ull << 40)
#define ARCH_VECTORS	(1ull << 49 | 1ull << 50 | 1ull << 53 | 1ull << 54 | 1ull << 55)
#define ARCH_GPR	(1ull << 61)
#define ARCH_AUX	(1ull << 62)
#define ARCH_BASIC	(1ull << 63)

/* Groups in their order: basic 6 words, aux 8, GPRs 20, vectors, branches, counters. */
static size_t fragment(uint8_t *to, uint64_t groups, const struct pebs_sample *s)
{
	size_t size = 16;

	memset(to, 0xa5, 4096);
	if (groups & ARCH_BASIC) {
		put(to + size, s->ip);
		put(to + size + 8, s->counters);
		put(to + size + 16, s->tsc);
		size += 6 * 8;
	}
	if (groups & ARCH_AUX) {
		put(to + size, s->address);
		put(to + size + 5 * 8, s->source);
		put(to + size + 6 * 8, (uint64_t)s->latency << 32 | 0x77);
		size += 8 * 8;
	}
	if (groups & ARCH_GPR) {
		put(to + size + 6 * 8, s->sp);	/* flags, ip, ax, cx, dx, bx, sp, bp */
		put(to + size + 7 * 8, s->bp);
		size += 20 * 8;
	}
	if (groups & ARCH_VECTORS)
		size += 16 + 256 + 256 + 64 + 512 + 1024;
	if (groups & ARCH_LBR_VAR) {
		put(to + size + 16, 5);		/* reserved, control, depth, three of the last event */
		size += 48 + 24 * ((groups & ARCH_LBR_VAR) == ARCH_LBR_VAR ? 5 : 8);
	}
	if (groups & ARCH_CNTR)
		size += counters_group(to + size, s->tsc & 1, s);
	put_header(to, groups, size);
	return size;
}

/* In one fragment, or in three of which the second is empty. */
static size_t architectural_record(uint8_t *to, const struct pebs_sample *s)
{
	uint64_t rest = ARCH_AUX | ARCH_GPR | ARCH_LBR_VAR | ARCH_CNTR;
	size_t size;

	if (s->ip & 1)
		return fragment(to, ARCH_BASIC | rest | ARCH_VECTORS, s);
	size = fragment(to, ARCH_BASIC | ARCH_LBR8 | ARCH_CONT, s);
	put_header(to + size, 0, 16);
	return size + 16 + fragment(to + size + 16, rest, s);
}

static size_t any_record(uint8_t *to, int format, uint32_t groups, const struct pebs_sample *s)
{
	if (format == PEBS_FORMAT_ARCHITECTURAL)
		return architectural_record(to, s);
	return format < 4 ? fixed_record(to, format, s) : adaptive_record(to, format, groups, s);
}

static struct pebs_sample any_sample(int format, uint32_t groups)
{
	struct pebs_sample s = {
		.ip = rnd() & 0x7fffffffffff,
		.address = rnd(),
		.tsc = rnd(),
		.counters = 1u << rnd() % 8,
		.latency = rnd() & (split || format == PEBS_FORMAT_ARCHITECTURAL ? 0xffff : ~0u),
		.source = rnd(),
	};

	if (format < 3)
		s.tsc = s.counters = 0;
	if (format <= 3 || format == PEBS_FORMAT_ARCHITECTURAL) {
		s.sp = rnd();
		s.bp = rnd();
	}
	if (format >= 4 && format != PEBS_FORMAT_ARCHITECTURAL && !(groups & 1))
		s.address = s.latency = s.source = 0;
	if (format == PEBS_FORMAT_ARCHITECTURAL || (format == 6 && groups & 0x30))
		s.counted = rnd() & 0xf000000ff;
	return s;
}

/* Each counter that the record holds, and no other. */
static bool same_values(const struct pebs_reader *reader, const struct pebs_sample *in,
			const struct pebs_sample *out)
{
	uint64_t value;
	unsigned int i;

	for (i = 0; i < 70; i++)
		if (pebs_counter(reader, out, i, &value) != (i < 64 && in->counted >> i & 1) ||
		    (i < 64 && in->counted >> i & 1 && value != value_of(in, i)))
			return false;
	return true;
}

/* Many records in a row come back as they were laid down. */
static void round_trip(int format)
{
	static uint8_t bytes[65 * 8192];
	struct pebs_sample in[64], out;
	struct pebs_reader reader;
	size_t used = 0, ends[64], n, wrong = 0;

	for (n = 0; n < 64; n++) {
		uint32_t groups = (rnd() & (format == 6 ? 63 : 15)) | (rnd() % 32) << 24;

		in[n] = any_sample(format, groups);
		used += any_record(bytes + used, format, groups, &in[n]);
		ends[n] = used;
	}
	pebs_begin(&reader, format, split, bytes, used);
	for (n = 0; n < 64 && pebs_next(&reader, &out); n++)
		wrong += !same(&in[n], &out) || reader.at != ends[n] ||
			 !same_values(&reader, &in[n], &out);
	ok(n == 64 && !wrong && !pebs_next(&reader, &out) && !reader.damaged,
	   "format %d, latency%s split: 64 records, %zu read, %zu wrong", format,
	   split ? "" : " not", n, wrong);
}

/* One record of each format, its bytes written out in full. */
static void vectors(void)
{
	static const uint8_t format4[64] = {
		0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40, 0x00,		/* memory; 64 bytes */
		0x56, 0x11, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00,		/* ip */
		0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,		/* counter 1 */
		0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,		/* TSC */
		0x40, 0xe0, 0xff, 0xff, 0xff, 0x7f, 0x00, 0x00,		/* address */
		0x0d, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,		/* source */
		0x2c, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,		/* latency 300 */
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,		/* TSX */
	};
	static const struct pebs_sample expected = {
		.ip = 0x401156, .address = 0x7fffffffe040, .tsc = 0x1122334455667788,
		.counters = 2, .latency = 300, .source = 0xd,
	};
	uint8_t golden_cove[sizeof(format4)];
	struct pebs_reader reader;
	struct pebs_sample sample;

	pebs_begin(&reader, 4, false, format4, sizeof(format4));
	ok(pebs_next(&reader, &sample) && same(&sample, &expected) &&
	   sample.groups == PEBS_MEMORY &&
	   !pebs_next(&reader, &sample) && !reader.damaged, "a record of one cache line");
	memcpy(golden_cove, format4, sizeof(golden_cove));
	golden_cove[6 * 8 + 4] = 0x41;
	pebs_begin(&reader, 4, true, golden_cove, sizeof(golden_cove));
	ok(pebs_next(&reader, &sample) && sample.latency == 0x41 && !reader.damaged,
	   "the same of a model that splits the latency: the cache's part of it");
	pebs_begin(&reader, 4, false, golden_cove, sizeof(golden_cove));
	ok(pebs_next(&reader, &sample) && sample.latency == 300,
	   "... and of one that does not");
	ok(pebs_record_size(1) == 176 && pebs_record_size(2) == 192 && pebs_record_size(3) == 200 &&
	   !pebs_record_size(0) && !pebs_record_size(4) && !pebs_record_size(5) &&
	   !pebs_record_size(6) && !pebs_record_size(PEBS_FORMAT_ARCHITECTURAL) &&
	   !pebs_record_size(99), "sizes of records");
}

/* Reads all; the number of samples. */
static int read_all(int format, const uint8_t *bytes, size_t size, uint64_t *damaged)
{
	/* A copy of just this size: valgrind and sanitizers see a step beyond it. */
	uint8_t *copy = malloc(size ? size : 1);
	struct pebs_reader reader;
	struct pebs_sample sample;
	int count = 0;

	memcpy(copy, bytes, size);
	pebs_begin(&reader, format, split, copy, size);
	while (pebs_next(&reader, &sample))
		count++;
	*damaged = reader.damaged;
	free(copy);
	return count;
}

static void truncated(int format)
{
	struct pebs_sample s = any_sample(format, 1);
	static uint8_t bytes[3 * 4096];
	uint64_t damaged;
	size_t one, two, cut, wrong = 0;

	one = any_record(bytes, format, 1, &s);
	two = one + any_record(bytes + one, format, 1, &s);
	for (cut = 0; cut <= two; cut++) {
		int whole = cut / one;

		if (read_all(format, bytes, cut, &damaged) != whole || damaged != (cut % one != 0))
			wrong++;
	}
	ok(!wrong, "format %d: cut at each byte, %zu wrong", format, wrong);
}

static void hostile(int format)
{
	struct pebs_sample s = any_sample(format, 1);
	uint8_t bytes[3 * 64 + 8];
	uint64_t damaged;
	size_t i;
	static const uint16_t impossible[] = { 0, 1, 8, 24, 31, 33, 63, 65, 200, 0xfff8, 0xffff };

	for (i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++) {
		adaptive_record(bytes, format, 1, &s);
		adaptive_record(bytes + 64, format, 1, &s);
		adaptive_record(bytes + 128, format, 1, &s);
		bytes[64 + 6] = impossible[i];
		bytes[64 + 7] = impossible[i] >> 8;
		ok(read_all(format, bytes, 192, &damaged) == 1 && damaged == 1,
		   "format %d: a record of %u bytes ends the reading", format, impossible[i]);
	}
	adaptive_record(bytes + 64, format, 1, &s);
	bytes[64] = 3;	/* registers, in a record without room for them */
	ok(read_all(format, bytes, 192, &damaged) == 2 && damaged == 1,
	   "format %d: groups that the size has no room for are passed over", format);
	bytes[64] = 9;
	bytes[64 + 3] = 255;
	ok(read_all(format, bytes, 192, &damaged) == 2 && damaged == 1,
	   "format %d: 256 branches likewise", format);
	bytes[64] = 0;
	bytes[64 + 3] = 0;
	ok(read_all(format, bytes, 192, &damaged) == 3 && !damaged,
	   "format %d: a record longer than its groups is stepped over by its size", format);
	ok(!read_all(format, bytes, 0, &damaged) && !damaged, "format %d: nothing", format);
}

/* A record of architectural PEBS, its bytes by hand; and what cannot be one. */
static void architectural(void)
{
	static const struct pebs_sample expected = {
		.ip = 0x401156, .address = 0x7fffffffe040, .tsc = 0x1122334455667788,
		.counters = 2, .latency = 300, .source = 0xd, .counted = 1ull << 32 | 4,
	};
	static uint8_t bytes[3 * 4096];
	uint64_t header = 1ull << 63 | 1ull << 62 | 3ull << 36, damaged, value;
	struct pebs_reader reader;
	struct pebs_sample sample;

	put_header(bytes, header, 160);
	put(bytes + 16, expected.ip);
	put(bytes + 24, 2);
	put(bytes + 32, expected.tsc);
	put(bytes + 64, expected.address);
	put(bytes + 104, 0xd);
	put(bytes + 112, 300ull << 32);
	put(bytes + 128, 4 | 1ull << 32);	/* PMC2, fixed counter 0 */
	put(bytes + 136, 0);
	put(bytes + 144, 1000);
	put(bytes + 152, 2000);
	pebs_begin(&reader, PEBS_FORMAT_ARCHITECTURAL, false, bytes, 160);
	ok(pebs_next(&reader, &sample) && same(&sample, &expected) &&
	   pebs_counter(&reader, &sample, 2, &value) && value == 1000 &&
	   pebs_counter(&reader, &sample, 32, &value) && value == 2000 &&
	   !pebs_next(&reader, &sample) && !reader.damaged, "architectural: a record and its counters");
	put_header(bytes, header, 152);
	ok(!read_all(PEBS_FORMAT_ARCHITECTURAL, bytes, 152, &damaged) && damaged == 1,
	   "architectural: counters that the size has no room for");
	put_header(bytes, header & ~(1ull << 63), 160);
	ok(!read_all(PEBS_FORMAT_ARCHITECTURAL, bytes, 160, &damaged) && damaged == 1,
	   "architectural: a record without its basic group");
	put_header(bytes, header | ARCH_CONT, 160);
	ok(!read_all(PEBS_FORMAT_ARCHITECTURAL, bytes, 160, &damaged) && damaged == 1,
	   "architectural: a record whose last fragment is not there");
	put_header(bytes, header | ARCH_LBR_VAR, 160);
	put(bytes + 128 + 16, ~0ull);
	ok(!read_all(PEBS_FORMAT_ARCHITECTURAL, bytes, 160, &damaged) && damaged == 1,
	   "architectural: more branches than can be");
	put_header(bytes, header, 0);
	ok(!read_all(PEBS_FORMAT_ARCHITECTURAL, bytes, 160, &damaged) && damaged == 1,
	   "architectural: no size");
}

/* Random bytes, with and without believable sizes: always an end, never a step past it. */
static void noise(void)
{
	size_t round, i, most = 0;
	uint8_t bytes[1024];
	uint64_t damaged;

	for (round = 0; round < 20000; round++) {
		size_t size = rnd() % sizeof(bytes);
		int format = rnd() % 8, count;

		for (i = 0; i < size; i++)
			bytes[i] = rnd();
		for (i = 0; i + 8 <= size; i += 8 * (1 + rnd() % 16))
			put(bytes + i, format == PEBS_FORMAT_ARCHITECTURAL ?
			    (rnd() & ~0xffffull) | 8 * (rnd() % 40) :
			    (rnd() & 63) | (8 * (rnd() % 40)) << 48);
		count = read_all(format, bytes, size, &damaged);
		most = count > (int)most ? count : most;
	}
	ok(most > 4 && most <= sizeof(bytes) / 32, "20000 pieces of noise, at most %zu records",
						   most);
}

int main(void)
{
	int format;

	vectors();
	for (format = PEBS_FORMAT_OLDEST; format <= PEBS_FORMAT_NEWEST; format++) {
		split = false;
		round_trip(format);
		split = true;
		round_trip(format);
		truncated(format);
	}
	hostile(4);
	hostile(5);
	hostile(6);
	architectural();
	noise();
	return done();
}
