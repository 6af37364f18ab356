// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of where code is, and of who may write it: no burst goes on with what was translated
 * before, once the program may act upon the change. What the C library does by itself for its
 * linker the side band's library sees (dlclose()).
 */
#include <errno.h>
#include <sys/mman.h>

#include "tracee/bursts/text.h"
#include "tracee/preload/marker.h"
#include "tracee/wraps/wraps.h"

EXPORT void ccsample_bursts_remapped(uintptr_t start, size_t size)
{
	if (!timer_signal || !text_concerns(start, size))
		return;
	text_forget();
	/* One that is longer waits for a fault, which the caller may be to serve (userfaultfd). */
	if (burst_hold_within(BURST_LONG_NS))
		burst_release();
}

EXPORT int mprotect(void *start, size_t size, int protection)
{
	int result;

	if (!real_found())
		return -1;
	result = real.mprotect(start, size, protection);
	ccsample_bursts_remapped((uintptr_t)start, size);
	return result;
}

EXPORT int pkey_mprotect(void *start, size_t size, int protection, int key)
{
	int result;

	if (!real_found())
		return -1;
	if (!real.pkey_mprotect) {
		errno = ENOSYS;
		return -1;
	}
	result = real.pkey_mprotect(start, size, protection, key);
	ccsample_bursts_remapped((uintptr_t)start, size);
	return result;
}

/* From syscall.S: as syscall() has its arguments. */
long syscall_remaps(long number, long start, long size, long c, long d, long e, long f)
{
	long result = sys(number, start, size, c, d, e, f);

	/* A part may have changed before what failed. */
	ccsample_bursts_remapped(start, size);
	if (sys_failed(result)) {
		errno = -result;
		return -1;
	}
	if (number == SYS_mmap)
		ccsample_bursts_remapped(result, size);
	if (number == SYS_mremap)
		ccsample_bursts_remapped(result, c);
	return result;
}
