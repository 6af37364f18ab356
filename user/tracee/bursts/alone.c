// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the tracer would have from other libraries, where it may be alone: with these no symbol of
 * it is bound by its name, whatever linker made it (attach/image.h).
 */
#include <fcntl.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "tracee/bursts/bursts.h"
#include "tracee/preload/marker.h"

/* --- of the side band's --- */

struct code_extent ccsample_sideband_asks;
int64_t ccsample_sideband_filters = -1;

void ccsample_sideband_marker(void)
{
}

void ccsample_sideband_tick(uint64_t time)
{
}

/* --- of a C library --- */

unsigned long getauxval(unsigned long type)
{
	long fd = sys4(openat, AT_FDCWD, "/proc/self/auxv", O_RDONLY | O_CLOEXEC, 0);
	unsigned long entry[2] = { 0, 0 }, value = 0;

	while (fd >= 0 && sys3(read, fd, entry, sizeof(entry)) == sizeof(entry))
		if (entry[0] == type)
			value = entry[1];
	if (fd >= 0)
		sys1(close, fd);
	return value;
}
