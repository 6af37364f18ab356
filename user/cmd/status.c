// SPDX-License-Identifier: GPL-2.0-only
/* ccsample status: the kernel module's sessions. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/colour.h"
#include "cmd/commands.h"
#include "host/kernel-status.h"
#include "kmod/reasons.h"
#include "output/json.h"
#include "output/table.h"

static const char help[] =
	"usage: ccsample status [--json]\n"
	"\n"
	"Shows the kernel module's sessions, one line for each CPU that is sampled.\n"
	"\n"
	"      --json         for scripts\n"
	"  -h, --help         this text\n"
	"\n"
	"per PMI: time in the module's own interrupt handler, mean and longest; what the kernel\n"
	"spends around it is not in it.\n";

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

#define COLUMNS ARRAY_SIZE(columns)

struct sessions {
	struct kernel_session *list;
	size_t count, room;
};

static int collect(enum ccsample_nl_command command, const struct kernel_session *session,
		   void *data)
{
	struct sessions *sessions = data;

	sessions->list = grow(sessions->list, sessions->count, &sessions->room,
			      sizeof(*session));
	sessions->list[sessions->count++] = *session;
	return 0;
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

	table_cell(table, xasprintf("%" PRIu32, session->cpu), TINT_NONE);
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

static void print_remarks(const struct kernel_session *session)
{
	if (session->state == CCSAMPLE_ENDED)
		printf("CPU %" PRIu32 " ended: %s\n", session->cpu,
		       ccsample_reason_text(session->reason));
	if (session->rearmed)
		printf("CPU %" PRIu32 ": a counter recorded nothing and was set again %" PRIu64
		       " times\n", session->cpu, session->rearmed);
}

static void print_table(const struct sessions *sessions)
{
	struct table *table;
	size_t i;

	if (!sessions->count) {
		puts("The kernel module is loaded; nobody samples.");
		return;
	}
	table = table_new(columns, COLUMNS);
	for (i = 0; i < sessions->count; i++)
		add_row(table, &sessions->list[i]);
	table_print(table, stdout, 0, wants_colour());
	table_free(table);
	for (i = 0; i < sessions->count; i++)
		print_remarks(&sessions->list[i]);
}

static void put_session(struct json *json, const struct kernel_session *session)
{
	json_open_flat(json, '{');
	json_put_count(json, "cpu", session->cpu);
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
	json_put_count(json, "handler_tsc", session->handler_tsc);
	json_put_count(json, "handler_tsc_max", session->handler_tsc_max);
	json_put_count(json, "tsc_khz", session->tsc_khz);
	json_close(json, '}');
}

static void print_json(const struct sessions *sessions)
{
	struct json json = { .out = stdout };
	size_t i;

	json_open(&json, '{');
	json_key(&json, "sessions");
	json_open(&json, '[');
	for (i = 0; i < sessions->count; i++)
		put_session(&json, &sessions->list[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}

int cmd_status(int argc, char **argv)
{
	bool json = argc == 2 && !strcmp(argv[1], "--json");
	struct sessions sessions = { };

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (argc > 1 && !json) {
		fail("status does not know %s: see ccsample status --help", argv[argc - 1]);
		return 2;
	}
	if (kernel_sessions(collect, &sessions))
		return 1;
	(json ? print_json : print_table)(&sessions);
	free(sessions.list);
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the result: %s", strerror(errno)) < 0;
	return 0;
}
