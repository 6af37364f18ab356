/* SPDX-License-Identifier: GPL-2.0-only */
/* The first-level data TLB of this processor, as CPUID has it. */
#ifndef CCSAMPLE_HOST_TLB_H
#define CCSAMPLE_HOST_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/geometry.h"

/* What CPUID says: eax, ebx, ecx, edx. */
struct cpuid_leaf {
	uint32_t a, b, c, d;
};

#define TLB_SUBLEAVES 16

struct tlb_leaves {
	bool amd;			/* or Hygon, who have the same leaves */
	struct cpuid_leaf leaf2, amd5;	/* 2, 0x80000005; zeros where there is none */
	struct cpuid_leaf leaf18[TLB_SUBLEAVES];	/* 0x18 by subleaf */
	uint32_t leaf18_count;
};

/**
 * tlb_decode() - the first-level TLB of data for pages of a size.
 * @page: 4 KiB or 2 MiB
 *
 * Loads' where loads and stores have one each. Intel's leaf 2 is asked only where leaf 0x18 has
 * nothing. Return: false if the processor does not say.
 */
bool tlb_decode(const struct tlb_leaves *leaves, uint32_t page, struct cache_geometry *tlb);

/* This processor's, for pages of 4 KiB. Return: false if it does not say. */
bool tlb_read(struct cache_geometry *tlb);

#endif /* CCSAMPLE_HOST_TLB_H */
