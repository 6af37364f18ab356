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

#define AUXV_MOST	64			/* the kernel gives about 25 */

/* --- of the side band's --- */

struct extent ccsample_sideband_asks;
int64_t ccsample_sideband_filters = -1;

void ccsample_sideband_marker(void)
{
}

void ccsample_sideband_tick(uint64_t time)
{
}

/* --- of a C library --- */

/* Read once: each system call is two stops of the thread that is attached to. */
unsigned long getauxval(unsigned long type)
{
	static unsigned long vector[2 * AUXV_MOST + 1];
	unsigned int i;
	long fd;

	if (!vector[0]) {
		fd = sys4(openat, AT_FDCWD, "/proc/self/auxv", O_RDONLY | O_CLOEXEC, 0);
		sys3(read, fd, vector, sizeof(vector) - sizeof(*vector));
		sys1(close, fd);
	}
	for (i = 0; vector[i]; i += 2)
		if (vector[i] == type)
			return vector[i + 1];
	return 0;
}
