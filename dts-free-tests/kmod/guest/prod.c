// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts a CPU after every so many instructions of its kernel, while a
 * command runs. The event writes nothing anywhere and wakes nobody.
 *
 *	prod CPU PERIOD COMMAND...
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/perf_event.h>

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_user = 1,
	};
	int status;

	if (argc < 4)
		return 2;
	attr.sample_period = atoi(argv[2]);
	if (syscall(SYS_perf_event_open, &attr, -1, atoi(argv[1]), -1, PERF_FLAG_FD_CLOEXEC) < 0) {
		perror("perf_event_open");
		return 2;
	}
	if (!fork()) {
		execvp(argv[3], argv + 3);
		perror(argv[3]);
		_exit(2);
	}
	wait(&status);
	return WEXITSTATUS(status);
}
