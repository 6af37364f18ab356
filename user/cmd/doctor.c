// SPDX-License-Identifier: GPL-2.0-only
/* ccsample doctor: what works on this machine, and what to do about what does not. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cmd/colour.h"
#include "cmd/commands.h"
#include "cmd/doctor-program.h"
#include "cmd/options.h"
#include "host/doctor.h"
#include "output/json.h"
#include "output/table.h"
#include "output/text.h"

#define USAGE		2
#define FOUND_AT	25	/* column */

static const char help[] =
	"usage: ccsample doctor [--json] [-- PROGRAM]\n"
	"\n"
	"Says what works on this machine, and what to do about what does not: the processor and\n"
	"its PEBS, the kernel module, rights, who else measures, the tools; and what a report can\n"
	"say of a program. It changes nothing and asks for no rights; with them it sees more.\n"
	"\n"
	"      --json         for scripts\n"
	"  -h, --help         this text\n"
	"\n"
	"ok: works. limited: works less well than it could. no: does not work, and > says what to\n"
	"do, where something can be done. unknown: this machine does not tell.\n";

static const enum tint tints[DOCTOR_STATES] = {
	[DOCTOR_OK] = TINT_GOOD,
	[DOCTOR_LIMITED] = TINT_CAUTION,
	[DOCTOR_NO] = TINT_BAD,
	[DOCTOR_UNKNOWN] = TINT_CAUTION,
};

/* What `record` does here; NULL = it cannot. */
static const char *source_of(const struct doctor *doctor)
{
	return doctor->pebs ? "pebs" : doctor->engine ? "engine" : NULL;
}

static const char *summary(const struct doctor *doctor)
{
	if (doctor->pebs)
		return "ccsample record samples on the hardware here (PEBS).";
	if (doctor->engine)
		return "ccsample record simulates the caches here (the engine); there is no PEBS, see below.";
	return "ccsample record does not work here yet: neither PEBS nor the engine is there, see below.";
}

static void print_finding(const struct doctor_finding *finding, bool colour)
{
	char *found = text_clean(finding->found);

	printf("%s%-9s%s%-*s", tint_code(tints[finding->state], colour),
	       doctor_state_name(finding->state), tint_code(TINT_NONE, colour), FOUND_AT - 9,
	       finding->topic);
	text_paragraph(stdout, found, FOUND_AT);
	if (finding->advice) {
		printf("%*s> ", FOUND_AT, "");
		text_paragraph(stdout, finding->advice, FOUND_AT + 2);
	}
	free(found);
}

static void print_text(const struct doctor *doctor)
{
	bool colour = wants_colour();
	size_t i;

	printf("%s\n\n", summary(doctor));
	for (i = 0; i < doctor->count; i++)
		print_finding(&doctor->findings[i], colour);
}

static void print_json(const struct doctor *doctor)
{
	struct json json = { .out = stdout };
	size_t i;

	json_open(&json, '{');
	json_put_string(&json, "ccsample", CCSAMPLE_VERSION);
	json_put_string(&json, "record", source_of(doctor));
	json_key(&json, "findings");
	json_open(&json, '[');
	for (i = 0; i < doctor->count; i++) {
		const struct doctor_finding *finding = &doctor->findings[i];

		json_open_flat(&json, '{');
		json_put_string(&json, "topic", finding->topic);
		json_put_string(&json, "state", doctor_state_name(finding->state));
		json_put_string(&json, "found", finding->found);
		json_put_string(&json, "advice", finding->advice);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}

static int take_option(void *argument, int option)
{
	*(bool *)argument = true;
	return 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(int argc, char **argv, bool *json, const char **program)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static const struct option_plan plan = { "doctor", help, "+:h", options, take_option };
	int first = options_read(&plan, argc, argv, json);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	*program = argv[first];
	return argc - first <= 1 ? 0 :
	       fail("doctor takes one program, without arguments: see ccsample doctor --help");
}

int cmd_doctor(int argc, char **argv)
{
	const char *program = NULL;
	struct doctor doctor;
	bool json = false;
	int result = parse(argc, argv, &json, &program);

	if (result)
		return result < 0 ? USAGE : 0;
	doctor_examine(&doctor, "");
	if (program)
		doctor_program(&doctor, program);
	(json ? print_json : print_text)(&doctor);
	doctor_free(&doctor);
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the result: %s", strerror(errno)) < 0;
	return 0;
}
