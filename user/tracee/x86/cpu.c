// SPDX-License-Identifier: GPL-2.0-only
#include <cpuid.h>
#include <stddef.h>

#include "tracee/x86/cpu.h"

#define LEGACY	576	/* with the header */
#define MOST	16384
#define TILES	17	/* state components from there on: AMX (SDM volume 1, 13.1) */

/* What is known, in one word. */
#define BYTES		0xffffu		/* that XSAVE stores */
#define WIDE_MASKS	(1u << 16)	/* AVX-512BW */
#define XSAVE		(1u << 17)

static uint32_t own, *shared;

void cpu_share(uint32_t *known)
{
	shared = known;
}

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

static uint32_t about_cpu(void)
{
	uint32_t *at = shared ? shared : &own, known = __atomic_load_n(at, __ATOMIC_RELAXED);
	unsigned int a, b, c, d;

	if (known)
		return known;
	known = state_bytes();
	if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE)
		known |= XSAVE;
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX512BW)
		known |= WIDE_MASKS;
	__atomic_store_n(at, known, __ATOMIC_RELAXED);
	return known;
}

uint16_t cpu_xsave_bytes(void)
{
	return about_cpu() & BYTES;
}

bool cpu_xsave_enabled(void)
{
	return about_cpu() & XSAVE;
}

bool cpu_wide_masks(void)
{
	return about_cpu() & WIDE_MASKS;
}
