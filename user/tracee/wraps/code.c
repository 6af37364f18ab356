// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of where code is, and of who may write it: no burst goes on with what was translated
 * before, once the program may act upon the change. What the C library does by itself for its
 * linker the side band's library sees (dlclose()).
 */
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>

#include "tracee/bursts/bursts.h"
#include "tracee/bursts/text.h"
#include "tracee/preload/marker.h"

EXPORT void ccsample_bursts_remapped(uintptr_t start, size_t size)
{
	if (!timer_signal || !text_concerns(start, size))
		return;
	text_forget();
	/* One that is longer waits for a fault, which the caller may be to serve (userfaultfd). */
	if (burst_hold_within(BURST_LONG_NS))
		burst_release();
}

static int refuse(void)
{
	errno = ENOSYS;
	return -1;
}

EXPORT int mprotect(void *start, size_t size, int protection)
{
	static int (*next)(void *, size_t, int);
	int result;

	if (!next)
		next = dlsym(RTLD_NEXT, "mprotect");
	if (!next)
		return refuse();
	result = next(start, size, protection);
	ccsample_bursts_remapped((uintptr_t)start, size);
	return result;
}

/* glibc has it from 2.27 on. */
EXPORT int pkey_mprotect(void *start, size_t size, int protection, int key)
{
	static int (*next)(void *, size_t, int, int);
	int result;

	if (!next)
		next = dlsym(RTLD_NEXT, "pkey_mprotect");
	if (!next)
		return refuse();
	result = next(start, size, protection, key);
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
