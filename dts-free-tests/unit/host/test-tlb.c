// SPDX-License-Identifier: GPL-2.0-only
/*
 * TLBs from CPUID: words of processors as published (Sandy Bridge, Skylake: cpuid dumps; Zen: AMD's
 * Processor Programming References), and leaf 0x18 made from the SDM's fields. And --tlb.
 */
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "host/tlb.h"
#include "tap.h"

#define SEED	20261125u
#define SMALL	4096u
#define LARGE	(2u << 20)

static void check(const char *name, const struct tlb_leaves *leaves, uint32_t page, uint32_t entries,
		  uint32_t ways)
{
	struct cache_geometry tlb = { .ways = 0 };
	bool known = tlb_decode(leaves, page, &tlb);

	if (!entries)
		ok(!known, "%s says nothing of pages of %u", name, page);
	else
		ok(known && tlb.ways == ways && tlb.sets == entries / ways && tlb.line == page &&
		   1u << tlb.line_bits == page, "%s, pages of %u: %u entries, %u ways", name, page,
		   entries, ways);
}

static struct cpuid_leaf leaf18(uint32_t type, uint32_t level, uint32_t sizes, uint32_t ways,
				uint32_t sets)
{
	return (struct cpuid_leaf){ .b = sizes | ways << 16, .c = sets, .d = type | level << 5 };
}

static void test_processors(void)
{
	const struct tlb_leaves zen = { .amd = true, .amd5 = { 0xff40ff40, 0xff40ff40, 0, 0 } };
	const struct tlb_leaves zen5 = { .amd = true, .amd5 = { 0xff60ff40, 0xff60ff40, 0, 0 } };
	const struct tlb_leaves k8 = { .amd = true, .amd5 = { 0xff08ff08, 0xff20ff20, 0, 0 } };
	const struct tlb_leaves sandy = { .leaf2 = { 0x76035a01, 0x00f0b2ff, 0, 0x00ca0000 } };
	const struct tlb_leaves skylake = { .leaf2 = { 0x76036301, 0x00f0b5ff, 0, 0x00c30000 } };
	/* The lowest byte of eax is no descriptor; nor is a word with its highest bit set. */
	const struct tlb_leaves none = { .leaf2 = { 0x00ff0003, 0x80000003, 0, 0 } };
	struct tlb_leaves new = { .leaf2 = { 0x00feff01, 0xf0, 0, 0 }, .leaf18_count = 5 };
	const struct tlb_leaves silent = { .amd = true };

	check("Zen", &zen, SMALL, 64, 64);
	check("Zen 5", &zen5, SMALL, 96, 96);
	check("K8", &k8, SMALL, 32, 32);
	check("K8", &k8, LARGE, 8, 8);
	check("Sandy Bridge", &sandy, SMALL, 64, 4);
	check("Sandy Bridge", &sandy, LARGE, 32, 4);
	check("Skylake", &skylake, SMALL, 64, 4);
	check("Skylake", &skylake, LARGE, 32, 4);
	check("no descriptor", &none, SMALL, 0, 0);
	new.leaf18[0] = leaf18(2, 1, 1, 8, 16);		/* code */
	new.leaf18[1] = leaf18(1, 2, 1, 12, 128);	/* second level */
	new.leaf18[2] = leaf18(5, 1, 0xf, 16, 1);	/* stores alone */
	new.leaf18[3] = leaf18(4, 1, 1, 6, 16);
	new.leaf18[4] = leaf18(4, 1, 2, 4, 8);
	check("leaf 0x18", &new, SMALL, 96, 6);
	check("leaf 0x18", &new, LARGE, 32, 4);
	check("a guest without the leaf", &silent, SMALL, 0, 0);
}

static void test_random_leaves(void)
{
	uint64_t state = SEED;
	struct tlb_leaves leaves;
	uint32_t sane = 0, known = 0;

	for (uint32_t round = 0; round < 20000; round++) {
		struct cache_geometry tlb;
		unsigned char *bytes = (unsigned char *)&leaves;

		for (size_t i = 0; i < sizeof(leaves); i++)
			bytes[i] = random_next(&state);
		leaves.amd = round & 1;
		leaves.leaf18_count = round % (TLB_SUBLEAVES + 1);
		if (!tlb_decode(&leaves, round & 2 ? SMALL : LARGE, &tlb))
			continue;
		known++;
		sane += tlb.ways && tlb.sets && cache_lines(&tlb) <= 65536 &&
			tlb.line == (round & 2 ? SMALL : LARGE);
	}
	ok(known && sane == known, "20,000 random answers of CPUID, seed %u: %u of %u TLBs can be", SEED,
	   sane, known);
}

static void test_text(void)
{
	static const char *const bad[] = {
		"", "64", "64,4", "64,4,", "64,4,4K,", "64,4,4k ", " 64,4,4K", "-64,4,4K", "64,0,4K",
		"0,4,4K", "64,5,4K", "64,4,2K", "64,4,5000", "64,4,2G", "65540,4,4K", "64,4,x",
		"18446744073709551616,4,4K", "8192,8192,4K",
	};
	struct cache_geometry tlb;
	uint64_t state = SEED;
	bool refused = true, same = true;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!cache_tlb_parse(&tlb, bad[i])) {
			printf("# taken: %s\n", bad[i]);
			refused = false;
		}
	ok(refused, "what is no TLB is refused");
	ok(!cache_tlb_parse(&tlb, "64,4,4K") && tlb.sets == 16 && tlb.ways == 4 && tlb.line == 4096 &&
	   tlb.line_bits == 12, "64,4,4K");
	ok(!cache_tlb_parse(&tlb, "32,32,2m") && tlb.sets == 1 && tlb.line == LARGE &&
	   tlb.line_bits == 21, "32,32,2m");
	/* Text of the right characters: what is taken, sscanf() reads alike. */
	for (uint32_t round = 0; round < 200000; round++) {
		static const char letters[] = "0123456789,,,,KM-x ";
		unsigned long entries, ways, page;
		char text[12] = "", unit = 0;

		for (size_t i = 0; i < sizeof(text) - 1; i++)
			text[i] = random_below(&state, 5) ?
				  letters[random_below(&state, sizeof(letters) - 1)] : 0;
		if (cache_tlb_parse(&tlb, text))
			continue;
		if (sscanf(text, "%lu,%lu,%lu%c", &entries, &ways, &page, &unit) < 3)
			same = false;
		page <<= unit == 'K' ? 10 : unit == 'M' ? 20 : 0;
		same = same && tlb.sets * ways == entries && tlb.ways == ways && tlb.line == page;
	}
	ok(same, "200,000 random texts, seed %u", SEED);
}

int main(void)
{
	test_processors();
	test_random_leaves();
	test_text();
	return done();
}
