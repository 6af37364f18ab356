// SPDX-License-Identifier: GPL-2.0-only
/* ccsample monitor: what becomes of the kernel module's sessions, as it happens. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "cmd/commands.h"
#include "host/kernel-status.h"
#include "kmod/reasons.h"

static const char help[] =
	"usage: ccsample monitor\n"
	"\n"
	"Prints a line whenever a session of the kernel module starts, stops (with the reason) loses\n"
	"records, or had to be restarted because a counter recorded nothing; until it is interrupted.\n"
	"\n"
	"  -h, --help         this text\n";

static void print_time(void)
{
	struct timespec now;
	char text[16];
	struct tm local;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	strftime(text, sizeof(text), "%H:%M:%S", &local);
	printf("%s.%03ld  ", text, now.tv_nsec / 1000000);
}

static void print_stop(const struct kernel_session *session)
{
	printf("%s: %s; %" PRIu64 " records in %" PRIu64 " bursts, %" PRIu64 " lost\n",
	       session->state == CCSAMPLE_ENDED ? "ended" : "stopped",
	       ccsample_reason_text(session->reason), session->records, session->bursts,
	       session->overrun_records);
}

static int print_line(enum ccsample_nl_command command, const struct kernel_session *session,
		      void *data)
{
	print_time();
	printf("CPU %" PRIu32 "  ", session->cpu);
	switch (command) {
	case CCSAMPLE_NL_STARTED:
		printf("started: event r%" PRIx64 ", bursts of %" PRIu32 " in %" PRIu64
		       ", for process %" PRIu32 "\n", session->config, session->burst,
		       session->period, session->owner);
		break;
	case CCSAMPLE_NL_STOPPED:
		print_stop(session);
		break;
	case CCSAMPLE_NL_OVERRUN:
		printf("the reader is late: %" PRIu64 " records lost so far\n",
		       session->overrun_records);
		break;
	case CCSAMPLE_NL_REARMED:
		printf("a counter recorded nothing and was set again: %" PRIu64
		       " times so far\n", session->rearmed);
		break;
	default:
		printf("a message that this version does not know\n");
		break;
	}
	return fflush(stdout) ? fail("cannot write") : 0;
}

int cmd_monitor(int argc, char **argv)
{
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (argc > 1) {
		fail("monitor does not know %s: see ccsample monitor --help", argv[1]);
		return 2;
	}
	return kernel_monitor(print_line, NULL) ? 1 : 0;
}
