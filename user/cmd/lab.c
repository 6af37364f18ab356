// SPDX-License-Identifier: GPL-2.0-only
/* ccsample lab: what disturbs a measurement on this machine, set and restored. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "ccsample.h"
#include "cmd/commands.h"
#include "cmd/lab.h"
#include "host/lab.h"

#define USAGE		2
#define STATE_FILE	"/run/ccsample-lab.state"
#define CPU_MOST	1023
#define GAP_LEAST_NS	50	/* below, the loop itself would be gaps */
#define GAP_MOST_NS	1000000000
#define GAP_NS		250	/* an interrupt takes longer; a cache miss does not */

static const struct lab_options defaults = {
	.lab.root = "", .seconds = 5, .gap_ns = GAP_NS, .period = 1212, .burst = 1024,
};

static int show(const struct lab_options *options)
{
	struct lab lab;

	if (options->lab.word_count)
		return fail("lab show takes no '%s': see ccsample lab --help",
			    options->lab.words[0]), USAGE;
	lab_look(&lab, options->lab.root, options->lab.cpu);
	if (options->json)
		lab_json(stdout, &lab);
	else
		lab_text(stdout, &lab, wants_colour());
	lab_free(&lab);
	return 0;
}

static int tune(const struct lab_options *options)
{
	return lab_tune(&options->lab);
}

static int reset(const struct lab_options *options)
{
	return lab_reset(&options->lab);
}

static int run_verb(struct lab_options *options)
{
	static const struct {
		const char *name;
		int (*run)(const struct lab_options *options);
	} verbs[] = {
		{ "show", show }, { "tune", tune }, { "reset", reset }, { "jitter", lab_jitter },
	};
	const char *verb = "show";

	if (options->lab.word_count) {
		verb = *options->lab.words++;
		options->lab.word_count--;
	}
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verb, verbs[i].name))
			return verbs[i].run(options);
	fail("lab does not know '%s': show, tune, reset or jitter", verb);
	return USAGE;
}

static int check(void *target, char **operands)
{
	struct lab_request *lab = &((struct lab_options *)target)->lab;

	lab->words = operands;
	while (operands[lab->word_count])
		lab->word_count++;
	return 0;
}

static int run(void *target)
{
	struct lab_options *options = target;
	struct lab_request *lab = &options->lab;
	char *state;
	int status;

	state = lab->state ? xstrdup(lab->state) : xasprintf("%s" STATE_FILE, lab->root);
	lab->state = state;
	if (!options->cpu_given)
		lab->cpu = lab_choose_cpu(lab->root);
	status = run_verb(options);
	free(state);
	return output_done() < 0 ? 1 : status;
}

static int take_cpu(const struct option_row *row, const char *value, void *target)
{
	struct lab_options *options = target;

	options->cpu_given = true;
	return option_number32(row, value, &options->lab.cpu);
}

static const struct option_row rows[] = {
	{ "cpu", 'C', "CPU", "the CPU of the measurement [an isolated one, else the last]",
	  take_cpu, .low = 0, CPU_MOST },
	{ "state", 0, "FILE", "the file of the former state [" STATE_FILE "]", option_text,
	  .target = offsetof(struct lab_options, lab.state) },
	{ "root", 0, "DIR", "the machine's files are below DIR instead of /, to try a change out",
	  option_text, .target = offsetof(struct lab_options, lab.root) },
	OPTION_JSON(struct lab_options, json),
	{ }
};

static const struct option_row jitter_rows[] = {
	{ "duration", 'd', "S", "seconds, or 500ms, 2m, each without and with sampling [5]",
	  option_seconds, .target = offsetof(struct lab_options, seconds) },
	{ "gap", 0, "NS", "the least gap that counts [250]", option_number,
	  .target = offsetof(struct lab_options, gap_ns), GAP_LEAST_NS, GAP_MOST_NS },
	{ "period", 'c', "N", "one sample in N misses [1212]", option_number,
	  .target = offsetof(struct lab_options, period), 1, UINT32_MAX },
	{ "burst", 0, "N", "misses in a row [1024]", option_number,
	  .target = offsetof(struct lab_options, burst), 1, CCSAMPLE_BURST_MAX },
	{ }
};

static const struct option_group groups[] = {
	{ .rows = rows }, { "Of jitter", .rows = jitter_rows }, { }
};

const struct command command_lab = {
	.name = "lab",
	.summary = "show, quiet and restore what disturbs measurements; measure jitter",
	.usage = "lab show   [-C CPU] [--json]\n"
		 "lab tune   [-C CPU] [--state FILE] [KNOB[=VALUE]...]\n"
		 "lab reset  [--state FILE]\n"
		 "lab jitter [-C CPU] [-d SECONDS] [--json]",
	.about = "show lists what disturbs measurements on a CPU, or changes their results.\n"
		 "tune saves the former state and quiets the machine; it needs root. Without names "
		 "it sets governor, turbo, watchdog, aslr, irq and sibling. prefetch, thp and "
		 "hugepages change what caches do and are set only where they are named.\n"
		 "reset restores the former state.\n"
		 "jitter measures how often and how long a program is interrupted on the CPU, "
		 "alternating between without sampling and, where the module is loaded, with it.",
	.notes = "In show: quiet is as tune would set it, noisy is not; the rest is shown (no "
		 "better value is known), absent, denied to this user, or odd: not understood and "
		 "left unchanged.",
	.examples = "  sudo ccsample lab tune -C 3\n"
		    "  sudo ccsample record -C 3 -- taskset -c 3 ./app\n"
		    "  sudo ccsample lab reset",
	.groups = groups,
	.verbs = "show tune reset jitter",
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.run = run,
};
