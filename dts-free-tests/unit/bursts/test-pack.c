// SPDX-License-Identifier: GPL-2.0-only
/* A burst's references, packed and unpacked: the same, and few bytes where they are regular. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bursts/strip.h"
#include "reference-packer.h"
#include "tap.h"

#define MOST	100000

static struct burst_reference given[MOST];
static struct burst_references got;
static size_t count;

static void add(uint64_t ip, uint64_t address, uint32_t size, uint32_t kind)
{
	given[count++] = (struct burst_reference){ ip, address, size, kind };
}

static const uint8_t *pack(struct reference_packer *packer, size_t *size)
{
	for (size_t i = 0; i < count; i++)
		reference_packer_add(packer, &given[i]);
	return reference_packer_end(packer, size);
}

/* Return: bytes; 0 if what came back is not what was given. */
static size_t round_trip(struct reference_packer *packer)
{
	const uint8_t *bytes;
	const char *wrong;
	size_t size;

	bytes = pack(packer, &size);
	wrong = burst_unpack(bytes, size, count, false, &got);
	if (wrong || got.count != count ||
	    (count && memcmp(given, got.all, count * sizeof(*given))))
		return 0;
	return size;
}

/* c[i][j] += a[i][k] * b[k][j], with rows of 1024 doubles */
static void matrix_product(void)
{
	uint64_t i = 7, j, k;

	for (count = 0, j = 0; count + 3 * 128 <= MOST; j++) {
		for (k = 0; k < 128; k++) {
			add(0x401000, 0x10000000 + 8 * (1024 * i + k), 8, 1);
			add(0x401006, 0x20000000 + 8 * (1024 * k + j), 8, 1);
			add(0x40100c, 0x30000000 + 8 * (1024 * i + j), 8, 3);
		}
	}
}

/* Look-ups at random in a table, between regular references. */
static void look_ups(uint64_t *random)
{
	for (count = 0; count + 4 <= MOST; ) {
		add(0x401000, 0x10000000 + 2 * count, 8, 1);
		add(0x401010, 0x20000000 + 64 * random_below(random, 1 << 20), 4, 1);
		add(0x401014, 0x7fff0000, 8, 2);
		add(0x401018, 0x7fff0008, 8, 1);
	}
}

/* Nothing of it is regular, few things twice, all values of all widths. */
static void anything(uint64_t *random, size_t references, uint64_t sites)
{
	for (count = 0; count < references; ) {
		uint64_t site = random_below(random, sites);

		add(random_of(site) >> random_of(site + 1) % 64,
		    random_next(random) >> random_below(random, 64),
		    1 + random_of(site + 2) % UINT16_MAX, 1 + random_of(site + 3) % 3);
	}
}

static void limits(void)
{
	struct reference_packer packer = reference_packer_begin();
	const uint8_t *bytes;
	size_t size, at;
	bool safe = true;

	count = 0;
	add(UINT64_MAX, UINT64_MAX, UINT16_MAX, 3);
	add(0, 0, 1, 1);
	add(UINT64_MAX, 1ull << 63, UINT16_MAX, 3);
	ok(round_trip(&packer), "the largest numbers");
	matrix_product();
	for (at = 0; at < 1000; at++)
		reference_packer_add(&packer, &given[at]);
	bytes = reference_packer_end(&packer, &size);
	ok(!burst_unpack(bytes, size, 999, false, &got) && got.count == 999,
	   "no more references are taken than may be");
	for (at = 0; at < size; at++) {
		burst_unpack(bytes, at, 1000, false, &got);
		safe &= got.count < 1000 && !memcmp(given, got.all, got.count * sizeof(*given));
	}
	ok(safe, "a part of the bytes gives a part of the references");
	reference_packer_free(&packer);
}

/* Unpacked and stripped, and what strip.h says of each. */
static void stripped(uint64_t *random)
{
	struct reference_packer packer = reference_packer_begin();
	struct burst_strip strip;
	const uint8_t *bytes;
	size_t size, left = 0;
	bool same = true;

	look_ups(random);
	bytes = pack(&packer, &size);
	ok(!burst_unpack(bytes, size, count, true, &got) && got.made == count,
	   "all references are made where most are left out");
	burst_strip_begin(&strip);
	for (size_t i = 0; i < count; i++)
		if (!burst_strip_hits(&strip, &given[i]))
			same &= left < got.count &&
				!memcmp(&given[i], &got.all[left++], sizeof(*given));
	ok(same && left == got.count && left < count / 2, "%zu of %zu are left, none else", left,
	   count);
	reference_packer_free(&packer);
}

int main(void)
{
	struct reference_packer packer = reference_packer_begin();
	uint64_t random = 7;
	bool same = true;
	size_t bytes;

	bytes = round_trip(&packer);
	ok(!bytes && !count && !got.count, "a burst of nothing");
	matrix_product();
	bytes = round_trip(&packer);
	ok(bytes && bytes < count / 10,
	   "a matrix product: %zu references in %zu bytes", count, bytes);
	look_ups(&random);
	bytes = round_trip(&packer);
	ok(bytes && bytes < 2 * count, "look-ups at random: %zu references in %zu bytes", count,
	   bytes);
	for (uint64_t sites = 1; sites < 100000; sites *= 3) {
		anything(&random, 20000, sites);
		same &= round_trip(&packer) > 0;
	}
	ok(same, "any references, of 1 to 60,000 instructions");
	reference_packer_free(&packer);
	limits();
	stripped(&random);
	return done();
}
