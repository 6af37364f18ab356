// SPDX-License-Identifier: GPL-2.0-only
/* ccsample cure: runs a program with its heap blocks staggered. */
#include "base/fail.h"
#include "cmd/commands.h"
#include "cure/cure.h"

struct arguments {
	struct cure cure;
	uint32_t runs;			/* 0 = run it once */
	bool json;
};

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	arguments->cure.argv = operands;
	if (!operands[0])
		return fail("cure needs a program: ccsample cure -- ./app arguments");
	if (arguments->json && !arguments->runs)
		return fail("--json shows what --verify measured: give that too");
	return 0;
}

static int verify(const struct arguments *arguments)
{
	struct cure_trial trial;

	if (cure_measure(&arguments->cure, arguments->runs, arguments->json, &trial))
		return 1;
	if (trial.fixed_layout && !arguments->cure.quiet)
		note("addresses are not random here (randomize_va_space, or setarch -R): the "
		     "result may hold for this layout alone");
	(arguments->json ? cure_json : cure_text)(stdout, &arguments->cure, &trial);
	cure_trial_free(&trial);
	return output_done() < 0 ? 1 : 0;
}

static int run_once(const struct arguments *arguments)
{
	int status = cure_run(&arguments->cure);

	if (status >= 0 && !arguments->cure.quiet)
		cure_say(&arguments->cure);
	return status < 0 ? 1 : status;
}

static int run(void *options)
{
	struct arguments *arguments = options;
	int status = 1;

	if (!cure_open(&arguments->cure))
		status = arguments->runs ? verify(arguments) : run_once(arguments);
	cure_close(&arguments->cure);
	return status;
}

static const struct option_row rows[] = {
	{ "plan", 'p', "FILE", "stagger the blocks that this plan names [all of at least 128 KiB]",
	  option_text, .target = offsetof(struct arguments, cure.plan_path) },
	{ "verify", 0, "N", "run it N times without and N times with the cure, in turns, and "
	  "compare times and memory", option_number32, .target = offsetof(struct arguments, runs),
	  CURE_RUNS_LEAST, CURE_RUNS_MOST },
	OPTION_JSON(struct arguments, json),
	{ "quiet", 'q', NULL, "do not say what was staggered", option_flag,
	  .target = offsetof(struct arguments, cure.quiet) },
	{ }
};

const struct command command_cure = {
	.name = "cure",
	.summary = "run a program with its heap blocks moved apart, and see if that helps",
	.usage = "cure [options] -- PROGRAM [ARGUMENTS]",
	.about = "Lets large heap blocks begin at different lines of a page, so that arrays used "
		 "together use different sets of L1. The program needs no change; it must be "
		 "dynamically linked.",
	.notes = "With --verify the program's output is that of the first run, on standard error "
		 "with --json; the others have none. "
		 "Standard input, where it is a file, is read from its beginning by each run; else "
		 "there is none. The verdict is on CPU time.",
	.examples = "  ccsample cure --verify 10 -- ./app\n"
		    "  ccsample cure --plan app.pads -- ./app",
	.groups = (const struct option_group[]){ { .rows = rows }, { } },
	.runs_program = true,
	.size = sizeof(struct arguments),
	.check = check,
	.run = run,
};
