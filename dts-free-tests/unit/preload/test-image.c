// SPDX-License-Identifier: GPL-2.0-only
/* A process image whose recording ends during an exec that fails (tracee/preload/image.c). */
#include <unistd.h>

#include "tap.h"
#include "tracee/preload/marker.h"
#include "tracee/preload/native.h"

static struct ring ring;

int main(void)
{
	live->pid = getpid();
	live->ring = &ring;
	ok(image_exec() && ring.exec_time, "an exec begins: that is noted");
	image_exec_failed();
	ok(!ring.exec_time, "... it failed: it is no longer");
	/* As another thread does that restricts its system calls, or exits. */
	image_exec();
	ccsample_sideband_stop();
	image_exec_failed();
	ok(!live->ring, "the recording ends before it fails: nothing is noted");
	return done();
}
