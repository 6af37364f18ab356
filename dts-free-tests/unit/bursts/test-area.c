// SPDX-License-Identifier: GPL-2.0-only
/* A program whose process ran another one before (tracee/bursts/area.c): what that left taken is free. */
#include <sys/mman.h>

#include "tap.h"
#include "tracee/bursts/bursts.h"

#define OTHER	1u			/* process */

static void take(unsigned int i, uint32_t state, uint32_t pid)
{
	area->taken[i].state = state;
	area->taken[i].pid = pid;
}

int main(void)
{
	uint32_t self;

	area = mmap(NULL, BURSTS_FILE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED)
		return 1;
	self = area_process();
	take(0, BURST_WRITING, self);
	take(1, BURST_READY, self);
	take(2, BURST_WRITING, OTHER);
	if (!library_begin(false)) {
		skip("seccomp", "slots");
		return done();
	}
	ok(!area->taken[0].both, "a slot that a thread was in when another called exec is free");
	ok(area->taken[1].state == BURST_READY && area->taken[1].pid == self,
	   "... one that waits to be read is not");
	ok(area->taken[2].state == BURST_WRITING && area->taken[2].pid == OTHER,
	   "... nor one of another process");
	return done();
}
