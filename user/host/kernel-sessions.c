// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <time.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "host/kernel-sessions.h"
#include "kmod/reasons.h"
#include "output/json.h"
#include "output/table.h"

static const struct column columns[] = {
	{ .header = "CPU", .right = true },
	{ .header = "state" },
	{ .header = "owner", .right = true },
	{ .header = "event", .right = true },
	{ .header = "burst", .right = true },
	{ .header = "bursts", .right = true },
	{ .header = "records", .right = true },
	{ .header = "lost", .right = true },
	{ .header = "short gaps", .right = true },
	{ .header = "per PMI (longest)", .right = true },
};

static int collect(enum ccsample_nl_command command, const struct kernel_session *session,
		   void *data)
{
	struct kernel_sessions *sessions = data;

	sessions->list = grow(sessions->list, sessions->count, &sessions->room,
			      sizeof(*session));
	sessions->list[sessions->count++] = *session;
	return 0;
}

int kernel_sessions_collect(struct kernel_sessions *sessions)
{
	return kernel_sessions(collect, sessions);
}

static const char *state_text(uint32_t state)
{
	switch (state) {
	case CCSAMPLE_RUNNING:
		return "sampling";
	case CCSAMPLE_ENDED:
		return "ended";
	default:
		return "stopped";
	}
}

static char *time_text(const struct kernel_session *session)
{
	double mean = kernel_session_ns(session, session->handler_tsc);

	if (!session->interrupts || !session->tsc_khz)
		return xstrdup("-");
	return xasprintf("%.2f us (%.2f)", mean / session->interrupts / 1e3,
			 kernel_session_ns(session, session->handler_tsc_max) / 1e3);
}

static void add_row(struct table *table, const struct kernel_session *session)
{
	bool ended = session->state == CCSAMPLE_ENDED;

	table_cell(table, xasprintf("%s%s%" PRIu32, session->device, session->device[0] ? " " : "",
				    session->cpu), TINT_NONE);
	table_cell(table, xstrdup(state_text(session->state)), ended ? TINT_BAD : TINT_NONE);
	table_cell(table, xasprintf("%" PRIu32, session->owner), TINT_NONE);
	table_cell(table, xasprintf("r%" PRIx64, session->config), TINT_NONE);
	table_cell(table, xasprintf("%" PRIu32, session->burst), TINT_NONE);
	table_cell(table, text_count_short(session->bursts), TINT_NONE);
	table_cell(table, text_count_short(session->records), TINT_NONE);
	table_cell(table, text_count_short(session->overrun_records),
		   session->overrun_records ? TINT_BAD : TINT_NONE);
	table_cell(table, text_count_short(session->short_gaps),
		   session->short_gaps ? TINT_CAUTION : TINT_NONE);
	table_cell(table, time_text(session), TINT_NONE);
}

static void put_remarks(FILE *out, const struct kernel_session *session)
{
	if (session->state == CCSAMPLE_ENDED)
		fprintf(out, "CPU %" PRIu32 " ended: %s\n", session->cpu,
			ccsample_reason_text(session->reason));
	if (session->rearmed)
		fprintf(out, "CPU %" PRIu32 ": a counter recorded nothing and was restarted "
			"%" PRIu64 " times\n", session->cpu, session->rearmed);
	if (session->full_slots)
		fprintf(out, "CPU %" PRIu32 ": %" PRIu64 " bursts filled their buffer: at most %"
			PRIu64 " records lost\n", session->cpu, session->full_slots,
			session->full_records);
}

void kernel_sessions_text(FILE *out, const struct kernel_sessions *sessions, bool colour)
{
	struct table *table;
	size_t i;

	if (!sessions->count) {
		fputs("The kernel module is loaded; no session samples.\n", out);
		return;
	}
	table = table_new(columns, ARRAY_SIZE(columns));
	for (i = 0; i < sessions->count; i++)
		add_row(table, &sessions->list[i]);
	table_print_free(table, out, 0, colour);
	for (i = 0; i < sessions->count; i++)
		put_remarks(out, &sessions->list[i]);
}

static void put_session(struct json *json, const struct kernel_session *session)
{
	json_open_flat(json, '{');
	json_put_count(json, "cpu", session->cpu);
	json_put_string(json, "device", session->device[0] ? session->device : NULL);
	json_put_string(json, "state", state_text(session->state));
	json_put_string(json, "reason", session->state == CCSAMPLE_ENDED ?
			ccsample_reason_text(session->reason) : NULL);
	json_put_count(json, "owner", session->owner);
	json_put_count(json, "events", session->events);
	json_put_count(json, "config", session->config);
	json_put_count(json, "period", session->period);
	json_put_count(json, "burst", session->burst);
	json_put_count(json, "interrupts", session->interrupts);
	json_put_count(json, "bursts", session->bursts);
	json_put_count(json, "records", session->records);
	json_put_count(json, "overruns", session->overruns);
	json_put_count(json, "overrun_records", session->overrun_records);
	json_put_count(json, "short_gaps", session->short_gaps);
	json_put_count(json, "lost_marks", session->lost_marks);
	json_put_count(json, "rearmed", session->rearmed);
	json_put_count(json, "full_bursts", session->full_slots);
	json_put_count(json, "full_records", session->full_records);
	json_put_count(json, "handler_tsc", session->handler_tsc);
	json_put_count(json, "handler_tsc_max", session->handler_tsc_max);
	json_put_count(json, "tsc_khz", session->tsc_khz);
	json_close(json, '}');
}

void kernel_sessions_json(FILE *out, const struct kernel_sessions *sessions)
{
	struct json json = { .out = out };
	size_t i;

	json_begin(&json, "status");
	json_open_under(&json, "sessions", '[');
	for (i = 0; i < sessions->count; i++)
		put_session(&json, &sessions->list[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}

/* --- as they change --- */

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

int kernel_session_line(enum ccsample_nl_command command, const struct kernel_session *session,
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
		printf("the reader is late: %" PRIu64 " records lost\n",
		       session->overrun_records);
		break;
	case CCSAMPLE_NL_REARMED:
		printf("a counter recorded nothing and was restarted: %" PRIu64 " times\n",
		       session->rearmed);
		break;
	case CCSAMPLE_NL_FULL:
		printf("%" PRIu64 " bursts filled their buffer: at most %" PRIu64
		       " records lost\n", session->full_slots, session->full_records);
		break;
	default:
		printf("a message that this version does not support\n");
		break;
	}
	return fflush(stdout) ? fail("cannot write") : 0;
}
