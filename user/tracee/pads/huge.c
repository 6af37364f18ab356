// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks in huge pages: addresses are physical in the caches behind L1, and the frames of small
 * pages lie at random there, so that some sets get more lines than others.
 *
 * MADV_COLLAPSE (Linux 6.1) makes a huge page at once, whatever is set in
 * /sys/kernel/mm/transparent_hugepage/enabled, of a part of which a page is there
 * (mm/khugepaged.c: a part without any page is left alone). Where it fails, MADV_HUGEPAGE leaves it
 * to the first touch and to khugepaged.
 */
#include <sys/mman.h>

#include "tracee/pads/pads.h"
#include "tracee/preload/sys.h"

#define COLLAPSE	25	/* MADV_COLLAPSE, which headers of 2022 do not have */

static bool advise(uintptr_t start, uintptr_t end, int advice)
{
	return !sys3(madvise, start, end - start, advice);
}

/* The page is there afterwards, and holds what it held. */
static void touch(uintptr_t address)
{
	volatile char *byte = (char *)address;

	*byte = *byte;
}

void huge_pages(void *start, size_t size, bool writable)
{
	uintptr_t at = ((uintptr_t)start + PADS_HUGE - 1) & -(uintptr_t)PADS_HUGE;
	uintptr_t end = ((uintptr_t)start + size) & -(uintptr_t)PADS_HUGE;
	uint32_t made = 0;

	for (; writable && at < end; at += PADS_HUGE, made++) {
		touch(at);
		if (!advise(at, at + PADS_HUGE, COLLAPSE))
			break;
	}
	sites_count_huge(made, at < end && advise(at, end, MADV_HUGEPAGE) ?
			 (end - at) / PADS_HUGE : 0);
}
