// SPDX-License-Identifier: GPL-2.0-only
#include <cpuid.h>

#include "tracee/bursts/xsave.h"

#define LEGACY	576	/* with the header */
#define MOST	16384
#define TILES	17	/* state components from there on: AMX (SDM volume 1, 13.1) */

uint16_t xsave_bytes(void)
{
	unsigned int enabled, size, offset, c, d, i;
	uint16_t end = LEGACY;

	if (!__get_cpuid_count(0xd, 0, &enabled, &offset, &c, &d))
		return end;
	for (i = 2; i < TILES; i++) {
		if (enabled & 1u << i && __get_cpuid_count(0xd, i, &size, &offset, &c, &d) &&
		    offset + size > end && offset + size < MOST)
			end = offset + size;
	}
	return end;
}
