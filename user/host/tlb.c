// SPDX-License-Identifier: GPL-2.0-only
#include <cpuid.h>
#include <string.h>

#include "base/array.h"
#include "host/tlb.h"

#define PAGE_4K		4096u
#define FULLY		0xff		/* ways of AMD's: all entries */
#define AMD_CACHES	0x80000005u

/* AMD's Programmer's Manual 3, CPUID Fn8000_0005: 4 KiB pages in ebx, 2 MiB ones in eax. */
static bool decode_amd(const struct tlb_leaves *leaves, uint32_t page, struct cache_geometry *tlb)
{
	uint32_t word = page == PAGE_4K ? leaves->amd5.b : leaves->amd5.a;
	uint32_t ways = word >> 24, entries = word >> 16 & 0xff;

	return !cache_tlb_init(tlb, entries, ways == FULLY ? entries : ways, page);
}

/* SDM 2A, CPUID, leaf 18H: type and level in edx, sizes of pages and ways in ebx, sets in ecx. */
static bool decode_18(const struct tlb_leaves *leaves, uint32_t page, struct cache_geometry *tlb)
{
	enum { DATA = 1, UNIFIED = 3, LOADS = 4 };

	for (uint32_t i = 0; i < leaves->leaf18_count; i++) {
		const struct cpuid_leaf *leaf = &leaves->leaf18[i];
		uint32_t type = leaf->d & 0x1f, level = leaf->d >> 5 & 7, ways = leaf->b >> 16;
		uint32_t sizes = leaf->b & 0xf;

		if ((type == DATA || type == UNIFIED || type == LOADS) && level == 1 &&
		    sizes & (page == PAGE_4K ? 1 : 2) &&
		    !cache_tlb_init(tlb, (uint64_t)ways * leaf->c, ways, page))
			return true;
	}
	return false;
}

/* SDM 2A, CPUID, leaf 2, the table of descriptors: those of first-level TLBs for data. */
static const struct descriptor {
	uint8_t number;
	uint8_t ways;			/* 0 = fully associative */
	uint16_t entries;
	bool small, large;		/* 4 KiB, 2 MiB pages */
} descriptors[] = {
	{ 0x03, 4, 64, true, false }, { 0x04, 4, 8, false, true },
	{ 0x05, 4, 32, false, true }, { 0x4f, 0, 32, true, false },
	{ 0x56, 4, 16, false, true }, { 0x57, 4, 16, true, false },
	{ 0x59, 0, 16, true, false }, { 0x5a, 4, 32, false, true },
	{ 0x5b, 0, 64, true, false }, { 0x5c, 0, 128, true, false },
	{ 0x5d, 0, 256, true, false }, { 0x63, 4, 32, false, true },
	{ 0x64, 4, 512, true, false }, { 0x6a, 8, 64, true, false },
	{ 0xa0, 0, 32, true, false }, { 0xb3, 4, 128, true, false },
	{ 0xb4, 4, 256, true, false }, { 0xba, 4, 64, true, false },
	{ 0xc0, 4, 8, true, false }, { 0xc2, 4, 16, true, true },
	{ 0xc4, 4, 32, false, true },
};

static bool decode_descriptor(uint8_t number, uint32_t page, struct cache_geometry *tlb)
{
	for (size_t i = 0; i < ARRAY_SIZE(descriptors); i++) {
		const struct descriptor *row = &descriptors[i];

		if (number == row->number && (page == PAGE_4K ? row->small : row->large))
			return !cache_tlb_init(tlb, row->entries, row->ways ? row->ways :
					       row->entries, page);
	}
	return false;
}

/* Bytes of registers whose highest bit is clear, but for the lowest of eax. */
static bool decode_2(const struct tlb_leaves *leaves, uint32_t page, struct cache_geometry *tlb)
{
	const uint32_t words[] = {
		leaves->leaf2.a & ~0xffu, leaves->leaf2.b, leaves->leaf2.c, leaves->leaf2.d,
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		for (uint32_t shift = 0; shift < 32 && !(words[i] >> 31); shift += 8)
			if (decode_descriptor(words[i] >> shift, page, tlb))
				return true;
	return false;
}

bool tlb_decode(const struct tlb_leaves *leaves, uint32_t page, struct cache_geometry *tlb)
{
	if (leaves->amd)
		return decode_amd(leaves, page, tlb);
	return decode_18(leaves, page, tlb) || decode_2(leaves, page, tlb);
}

static void get(uint32_t leaf, uint32_t subleaf, struct cpuid_leaf *to)
{
	if (!__get_cpuid_count(leaf, subleaf, &to->a, &to->b, &to->c, &to->d))
		memset(to, 0, sizeof(*to));
}

bool tlb_read(struct cache_geometry *tlb)
{
	struct tlb_leaves leaves = { .amd = false };
	struct cpuid_leaf name;

	get(0, 0, &name);
	leaves.amd = name.b == signature_AMD_ebx || name.b == 0x6f677948;	/* "Hygo" */
	get(2, 0, &leaves.leaf2);
	get(AMD_CACHES, 0, &leaves.amd5);
	get(0x18, 0, &leaves.leaf18[0]);
	for (leaves.leaf18_count = 1; leaves.leaf18_count <= leaves.leaf18[0].a &&
	     leaves.leaf18_count < TLB_SUBLEAVES; leaves.leaf18_count++)
		get(0x18, leaves.leaf18_count, &leaves.leaf18[leaves.leaf18_count]);
	return tlb_decode(&leaves, PAGE_4K, tlb);
}
