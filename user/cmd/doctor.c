// SPDX-License-Identifier: GPL-2.0-only
/* ccsample doctor: what works on this machine, and what to do about what does not. */
#include "base/fail.h"
#include "burst-source/memory-limits.h"
#include "cmd/commands.h"
#include "host/doctor.h"

struct arguments {
	struct show_options show;
	const char *program;		/* NULL = none */
};

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	arguments->program = operands[0];
	return operands[0] && operands[1] ?
	       fail("doctor takes one program, without arguments: see ccsample doctor --help") : 0;
}

static int run(void *options)
{
	const struct arguments *arguments = options;
	struct doctor doctor;
	bool runs;

	doctor_examine(&doctor, "");
	memory_limits_find(&doctor);
	runs = !arguments->program || doctor_program(&doctor, arguments->program);
	if (arguments->show.json)
		doctor_json(stdout, &doctor);
	else
		doctor_text(stdout, &doctor, wants_colour());
	doctor_free(&doctor);
	return output_done() < 0 || !runs;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "check what works on this machine",
	.usage = "doctor [options] [-- PROGRAM]",
	.about = "Checks what record and report can do here, and what a report can show of a "
		 "program; then what the optional kernel module would need: the processor and its "
		 "PEBS, permissions, other users of the counters. It changes nothing and needs no "
		 "privileges; with them it checks more.",
	.notes = "ok: works. limited: works with restrictions. no: does not work; > shows what to "
		 "do, where something can be done. unknown: this machine does not report it. "
		 "The exit status is 1 where PROGRAM cannot be run.",
	.groups = json_groups,
	.runs_program = true,
	.size = sizeof(struct arguments),
	.check = check,
	.run = run,
};
