// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <sys/mman.h>

#include "tracee/bursts/bursts.h"
#include "tracee/bursts/timed.h"
#include "tracee/preload/sys.h"

#define PAGE		4096ul
#define TIMED_MOST	(1u << 20)	/* instructions, as they are counted */
#define FIRST_TIMES	4u	/* as long is an image's first timed part: new code */
#define SETTLE_PART	2u	/* of as many instructions as are timed, the caches settle before */
#define LEFT_EARLY	2u	/* parts that ended early: now a burst without one */

static uint8_t *count;			/* TIMED_MOST bytes, a page without access */

static struct {
	bool settles;			/* time is not taken yet */
	uint64_t fault_ns;		/* CPU time after the first fault; 0 = there was none */
	uint64_t begun_ns;		/* when the program went on, or time began */
	uint64_t missing;		/* TSC spent on missing blocks, then */
} part;

static uint64_t fixed_ns = UINT64_MAX;	/* from a fault's handler to the next one's, at the least */

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

/* Where a count of so many begins. */
static uint64_t count_of(uint32_t instructions)
{
	uint32_t most = instructions < TIMED_MOST ? instructions : TIMED_MOST;

	return (uint64_t)count + TIMED_MOST - most;
}

uint64_t timed_begin(struct burst *slot)
{
	part.settles = true;
	part.fault_ns = 0;
	slot->timed_instructions = count_of(area->timed / SETTLE_PART);
	return slot->timed_instructions;
}

bool timed_fault_came(void)
{
	uint64_t ns = current_cpu_ns();

	if (!part.fault_ns)
		return false;
	if (ns - part.fault_ns < fixed_ns)
		fixed_ns = ns - part.fault_ns;
	return true;
}

void timed_fault_leave(void)
{
	part.fault_ns = current_cpu_ns();
}

uint64_t timed_fault_ns(void)
{
	return fixed_ns == UINT64_MAX ? 0 : fixed_ns;
}

void timed_clock(uint64_t missing)
{
	part.missing = missing;
	part.begun_ns = current_cpu_ns();
}

bool timed_settles(void)
{
	return part.settles;
}

uint64_t timed_next(struct burst *slot, uint64_t missing, bool first)
{
	uint64_t settled_from = part.begun_ns;

	part.settles = false;
	slot->timed_instructions = count_of(first ? FIRST_TIMES * area->timed : area->timed);
	timed_clock(missing);
	slot->settle_ns = part.begun_ns - settled_from;
	return slot->timed_instructions;
}

void timed_end(struct burst *slot, uint64_t missing, uint64_t instructions)
{
	uint64_t ns = current_cpu_ns() - part.begun_ns;

	slot->timed_ns = ns > timed_fault_ns() ? ns - timed_fault_ns() : 1;
	slot->timed_missing = missing - part.missing;
	slot->timed_instructions = part.settles ? 0 : instructions;
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
