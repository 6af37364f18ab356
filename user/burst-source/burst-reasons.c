// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "bursts/log.h"
#include "burst-source/burst-reasons.h"
#include "record/head.h"

#define OFTEN	8	/* bursts: in fewer of them the code cache may be emptied */
#define FEW	3
#define UNTRACED_NS	200000000u	/* CPU time: less of it is not told */

static void write_number(struct recording_writer *writer, const char *key, uint64_t number)
{
	char value[24];

	snprintf(value, sizeof(value), "%" PRIu64, number);
	beginning_text(writer, key, value);
}

void burst_reasons_write(struct recording_writer *writer, const struct bursts_area *area)
{
	unsigned int i;

	for (i = 0; writer && i < BURST_REASONS; i++) {
		uint64_t count = area->reasons[i];
		char key[64];

		snprintf(key, sizeof(key), "bursts.%s", burst_reason_name(i));
		if (count)
			write_number(writer, key, count);
	}
}

/* The ends of processes that are killed are not seen, nor what is before the timers begin. */
static bool say_untraced(uint64_t seen_ns, uint64_t cpu_ns)
{
	uint64_t untraced = cpu_ns > seen_ns ? cpu_ns - seen_ns : 0;
	bool much = untraced > UNTRACED_NS && untraced > cpu_ns / 2;

	if (much)
		warning("%.1f of %.1f s of CPU time were in processes that are not traced "
			"(static, of another user, in a container, or begun without LD_PRELOAD: "
			"record them by -p PID), or in processes and threads that end after "
			"milliseconds",
			untraced * 1e-9, cpu_ns * 1e-9);
	return much;
}

static void say(const struct bursts_area *area, enum burst_reason reason, const char *why,
		const struct images *images)
{
	uint64_t count = area->reasons[reason];
	const char *plural = count == 1 ? "" : "s";
	uint32_t pid = area->first[reason];
	const char *program = images_program(images, pid);
	char *first = pid ? xasprintf(" (%sprocess %" PRIu32 "%s%s)", count == 1 ? "" : "first ",
				      pid, *program ? ", " : "", program) : xstrdup("");

	warning("no bursts in %" PRIu64 " process%s or thread%s%s: %s", count,
		count == 1 ? "" : "es", plural, first, why);
	free(first);
}

bool burst_reasons_say(const struct bursts_area *area, const struct images *images,
		       uint64_t unattributed, const char *nobody, uint64_t cpu_ns)
{
	static const char *const why[BURST_REASONS] = {
		[BURST_SHADOW_STACK] = "its shadow stack is on (glibc.cpu.x86_shstk): --source "
				       "engine records it",
		[BURST_SECCOMP] = "seccomp restricts its system calls, or may "
				  "(PR_SET_NO_NEW_PRIVS): --source engine records it",
		[BURST_TIMER] = "the kernel gave no timer: raise ulimit -i (LimitSIGPENDING of a "
				"service), of which each thread takes one",
		[BURST_MEMORY] = "the kernel gave no memory: raise ulimit -v or -d, or -l where "
				 "it locks all that it maps (130 MiB of addresses)",
		[BURST_SIGNAL_TAKEN] = "it uses the timer's signal, or all real-time ones, itself: "
				       "--source engine records it",
		[BURST_SMALL_STACK] = "its alternate stack (sigaltstack) has no room for the "
				      "timer's signal: --source engine records it",
		[BURST_BLOCKED] = "it blocks the timer's signal by system calls of its own: "
				  "--source engine records it",
		[BURST_NO_PROC] = "it cannot read /proc (in a chroot it must be mounted)",
		[BURST_IGNORED] = "it has threads and ignores SIGSEGV or SIGBUS, as its children "
				  "are to: --source engine records it",
		[BURST_SANITIZED] = "ThreadSanitizer is in the program itself: link its library "
				    "(clang -shared-libsan; gcc without -static-libtsan)",
	};
	bool said = false;
	unsigned int i;

	for (i = 0; i < BURST_REASONS; i++) {
		if (!why[i] || !area->reasons[i])
			continue;
		said = true;
		say(area, i, why[i], images);
	}
	if (nobody && !area->images && !said) {
		said = true;
		warning("%s", nobody);
	} else if (!said) {
		said = say_untraced(area->seen_ns, cpu_ns);
	}
	if (unattributed)
		warning("%" PRIu64 " bursts are left out: of processes that did not report, as "
			"when no more files may be opened (ulimit -Hn), or that close ours",
			unattributed);
	if (area->flushes >= FEW && area->flushes > area->bursts / OFTEN)
		warning("the code cache was emptied %" PRIu64 " times in %" PRIu64 " bursts: the "
			"program runs more code than it holds, or changes it; its bursts cost "
			"more and are rarer", area->flushes, area->bursts);
	return said;
}
