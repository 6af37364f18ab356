// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts a CPU before each instruction of some code while a command runs:
 * TIMES times outside of NMIs and in them, all but the first of them APART instructions
 * apart (the virtual core's VCORE_PROD). The interrupts are an event's of ours that counts the
 * kernel's instructions there and writes nothing.
 *
 *	prod CPU START BYTES TIMES APART COMMAND...
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/perf_event.h>

#define VCORE_PROD	0x56434d50
#define PERIOD		(1ULL << 40)	/* never reached by counting */

static void tell_core(uint64_t start, uint64_t bytes, uint64_t times, uint64_t apart)
{
	uint64_t a = VCORE_PROD, b = start, c = bytes, d = apart << 32 | times;

	asm volatile("cpuid" : "+a" (a), "+b" (b), "+c" (c), "+d" (d) : : "memory");
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = PERIOD,
		.exclude_user = 1,
	};
	int status;

	if (argc < 7)
		return 2;
	if (syscall(SYS_perf_event_open, &attr, -1, atoi(argv[1]), -1, PERF_FLAG_FD_CLOEXEC) < 0) {
		perror("perf_event_open");
		return 2;
	}
	tell_core(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0), atoi(argv[4]),
		  atoi(argv[5]));
	if (!fork()) {
		execvp(argv[6], argv + 6);
		perror(argv[6]);
		_exit(2);
	}
	wait(&status);
	return WEXITSTATUS(status);
}
