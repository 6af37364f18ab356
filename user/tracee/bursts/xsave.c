// SPDX-License-Identifier: GPL-2.0-only
#include <cpuid.h>

#include "tracee/bursts/bursts.h"
#include "tracee/bursts/xsave.h"

#define LEGACY	576	/* with the header */
#define MOST	16384
#define TILES	17	/* state components from there on: AMX (SDM volume 1, 13.1) */
#define BYTES	0xffffu	/* of area->cpu */

static uint32_t state_bytes(void)
{
	unsigned int enabled, size, offset, c, d, i;
	uint32_t end = LEGACY;

	if (!__get_cpuid_count(0xd, 0, &enabled, &offset, &c, &d))
		return end;
	for (i = 2; i < TILES; i++) {
		if (enabled & 1u << i && __get_cpuid_count(0xd, i, &size, &offset, &c, &d) &&
		    offset + size > end && offset + size < MOST)
			end = offset + size;
	}
	return end;
}

/* Each CPUID is an exit of a virtual machine, some microseconds: the first process asks for all. */
static uint32_t about_cpu(void)
{
	uint32_t known = __atomic_load_n(&area->cpu, __ATOMIC_RELAXED);
	unsigned int a, b, c, d;

	if (known)
		return known;
	known = state_bytes();
	if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE)
		known |= BURSTS_CPU_XSAVE;
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX512BW)
		known |= BURSTS_CPU_WIDE_MASKS;
	__atomic_store_n(&area->cpu, known, __ATOMIC_RELAXED);
	return known;
}

uint16_t xsave_bytes(void)
{
	return about_cpu() & BYTES;
}

bool xsave_enabled(void)
{
	return about_cpu() & BURSTS_CPU_XSAVE;
}

bool cpu_wide_masks(void)
{
	return about_cpu() & BURSTS_CPU_WIDE_MASKS;
}
