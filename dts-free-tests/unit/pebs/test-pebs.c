// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS records: byte-exact vectors of each format, laid out here by the numbers
 * of the documents (Intel SDM volume 3, tables of the PEBS record formats; Linux,
 * struct pebs_record_*, pebs_basic, pebs_meminfo), not by the decoder's; and
 * records that are wrong in every way we know.
 */
#include <stdlib.h>
#include <string.h>

#include "pebs/pebs.h"
#include "tap.h"

static uint64_t seed = 0x2545f4914f6cdd1d;

static uint64_t rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
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
	       a->sp == b->sp && a->bp == b->bp;
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
		put(to + 48, format == 5 ? (uint64_t)s->latency << 32 | 0x77 : s->latency);
		put(to + 56, 0xa5a5);
	}
	return size;
}

static struct pebs_sample any_sample(int format, uint32_t groups)
{
	struct pebs_sample s = {
		.ip = rnd() & 0x7fffffffffff,
		.address = rnd(),
		.tsc = rnd(),
		.counters = 1u << rnd() % 8,
		.latency = rnd() & 0xffff,
		.source = rnd(),
	};

	if (format < 3)
		s.tsc = s.counters = 0;
	if (format <= 3) {
		s.sp = rnd();
		s.bp = rnd();
	}
	if (format >= 4 && !(groups & 1))
		s.address = s.latency = s.source = 0;
	return s;
}

/* Many records in a row come back as they were laid down. */
static void round_trip(int format)
{
	static uint8_t bytes[64 * 8192];
	struct pebs_sample in[64], out;
	struct pebs_reader reader;
	size_t used = 0, ends[64], n, wrong = 0;

	for (n = 0; n < 64; n++) {
		uint32_t groups = (rnd() & 15) | (rnd() % 32) << 24;

		in[n] = any_sample(format, groups);
		used += format < 4 ? fixed_record(bytes + used, format, &in[n]) :
			adaptive_record(bytes + used, format, groups, &in[n]);
		ends[n] = used;
	}
	pebs_begin(&reader, format, bytes, used);
	for (n = 0; n < 64 && pebs_next(&reader, &out); n++)
		wrong += !same(&in[n], &out) || reader.at != ends[n];
	ok(n == 64 && !wrong && !pebs_next(&reader, &out) && !reader.damaged,
	   "format %d: 64 records, %zu read, %zu wrong", format, n, wrong);
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
	struct pebs_reader reader;
	struct pebs_sample sample;

	pebs_begin(&reader, 4, format4, sizeof(format4));
	ok(pebs_next(&reader, &sample) && same(&sample, &expected) &&
	   sample.groups == PEBS_MEMORY &&
	   !pebs_next(&reader, &sample) && !reader.damaged, "a record of one cache line");
	ok(pebs_record_size(1) == 176 && pebs_record_size(2) == 192 && pebs_record_size(3) == 200 &&
	   !pebs_record_size(0) && !pebs_record_size(4) && !pebs_record_size(5) &&
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
	pebs_begin(&reader, format, copy, size);
	while (pebs_next(&reader, &sample))
		count++;
	*damaged = reader.damaged;
	free(copy);
	return count;
}

static void truncated(int format)
{
	struct pebs_sample s = any_sample(format, 1);
	uint8_t bytes[512];
	uint64_t damaged;
	size_t one, two, cut, wrong = 0;

	one = format < 4 ? fixed_record(bytes, format, &s) :
	      adaptive_record(bytes, format, 1, &s);
	two = one + (format < 4 ? fixed_record(bytes + one, format, &s) :
		     adaptive_record(bytes + one, format, 1, &s));
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

/* Random bytes, with and without believable sizes: always an end, never a step past it. */
static void noise(void)
{
	size_t round, i, most = 0;
	uint8_t bytes[1024];
	uint64_t damaged;

	for (round = 0; round < 20000; round++) {
		size_t size = rnd() % sizeof(bytes);
		int format = rnd() % 7, count;

		for (i = 0; i < size; i++)
			bytes[i] = rnd();
		for (i = 0; i + 8 <= size; i += 8 * (1 + rnd() % 16))
			put(bytes + i, (rnd() & 15) | (8 * (rnd() % 40)) << 48);
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
		round_trip(format);
		truncated(format);
	}
	hostile(4);
	hostile(5);
	noise();
	return done();
}
