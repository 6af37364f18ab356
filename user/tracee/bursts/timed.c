// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <sys/mman.h>

#include "tracee/bursts/bursts.h"
#include "tracee/bursts/timed.h"
#include "tracee/preload/sys.h"

#define PAGE		4096ul
#define LEFT_EARLY	2u	/* parts that ended early: now a burst without one */

static uint8_t *count;			/* TIMED_MOST bytes, a page without access */

/* Return: false if memory cannot be had. */
static bool init(void)
{
	uint64_t i;
	long at;

	if (count)
		return true;
	at = sys6(mmap, 0, TIMED_MOST + PAGE, PROT_READ,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed(at))
		return false;
	/* A huge page of zeros would take up the data cache. */
	sys3(madvise, at, TIMED_MOST, MADV_NOHUGEPAGE);
	if (sys3(mprotect, at + TIMED_MOST, PAGE, PROT_NONE)) {
		sys2(munmap, at, TIMED_MOST + PAGE);
		return false;
	}
	count = (uint8_t *)at;
	/* So that none is missing while time is taken. */
	if (!sys3(madvise, at, TIMED_MOST, POPULATE_READ))
		return true;
	for (i = 0; i < TIMED_MOST; i += PAGE)
		*(volatile uint8_t *)(count + i);
	return true;
}

bool timed_wanted(struct thread *thread, uint64_t bursts, uint64_t new_blocks)
{
	bool before = thread->left_early >= LEFT_EARLY;

	/* After a burst without one the next is tried once. */
	if (before)
		thread->left_early = LEFT_EARLY - 1;
	return area->timed && !before && (bursts || area->timed_first) &&
	       new_blocks < BURST_FEW_NEW && init();
}

/* A first burst was drawn: it is not to be lost for a time. */
void timed_left_early(struct thread *thread)
{
	thread->left_early = thread->first_us ? LEFT_EARLY : thread->left_early + 1;
}

uint64_t timed_first(uint32_t instructions)
{
	uint32_t most = instructions < TIMED_MOST ? instructions : TIMED_MOST;

	return (uint64_t)count + TIMED_MOST - most;
}

void timed_unmap(void)
{
	if (count)
		sys2(munmap, count, TIMED_MOST + PAGE);
	count = NULL;
}

bool timed_is_end(uint64_t address)
{
	return address - ((uint64_t)count + TIMED_MOST - sizeof(uint64_t)) <
	       PAGE + sizeof(uint64_t);
}
