// SPDX-License-Identifier: GPL-2.0-only
/* ccsample lab: what disturbs a measurement on this machine, set and set back. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "ccsample.h"
#include "cmd/colour.h"
#include "cmd/commands.h"
#include "cmd/lab.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "host/lab.h"
#include "output/json.h"
#include "output/table.h"
#include "output/text.h"

#define USAGE		2
#define STATE_FILE	"/run/ccsample-lab.state"
#define CPU_MOST	1023
#define SECONDS_MOST	3600
#define GAP_LEAST_NS	50	/* below, the loop itself would be gaps */
#define GAP_MOST_NS	1000000000
#define GAP_NS		250	/* an interrupt takes longer; a cache miss does not */
#define VALUE_AT	11	/* columns */
#define WHY_AT		44

static const char help[] =
"usage: ccsample lab show   [-C CPU] [--json]\n"
"       ccsample lab tune   [-C CPU] [--state FILE] [KNOB[=VALUE]...]\n"
"       ccsample lab reset  [--state FILE]\n"
"       ccsample lab jitter [-C CPU] [-d SECONDS] [--json]\n"
"\n"
"show tells what on this machine disturbs measurements on a CPU, or changes what they find.\n"
"tune quiets that, after it has kept the former state; as root. Without names it sets\n"
"governor, turbo, watchdog, aslr, irq and sibling; prefetch, thp and hugepages change what\n"
"caches do, and are set where they are named. reset restores the former state.\n"
"jitter watches how often and how long a program is kept from running there, without\n"
"sampling and, where the module is loaded, with it, in turns.\n"
"\n"
"  -C, --cpu CPU       that is measured on [an isolated one, else the last]\n"
"      --state FILE    the former state [" STATE_FILE "]\n"
"      --root DIR      the machine's files are below DIR, not / (to try it out)\n"
"  -d, --duration S    seconds of jitter, each without and with sampling [5]\n"
"      --gap NS        least gap that counts as jitter [250]\n"
"  -c, --period N      jitter: one sample in N misses [1212]\n"
"      --burst N       jitter: misses in a row [1024]\n"
"      --json          for scripts\n"
"  -h, --help          this text\n"
"\n"
"In show: quiet is as tune would have it, noisy is not; the rest is only shown, or absent\n"
"here, or denied to this user, or odd: not understood, and left alone.\n";

enum {
	OPTION_STATE = 256,
	OPTION_ROOT,
	OPTION_GAP,
	OPTION_BURST,
	OPTION_JSON,
};

static const struct option long_options[] = {
	{ "cpu", required_argument, NULL, 'C' },
	{ "state", required_argument, NULL, OPTION_STATE },
	{ "root", required_argument, NULL, OPTION_ROOT },
	{ "duration", required_argument, NULL, 'd' },
	{ "gap", required_argument, NULL, OPTION_GAP },
	{ "period", required_argument, NULL, 'c' },
	{ "burst", required_argument, NULL, OPTION_BURST },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static const enum tint tints[LAB_STATES] = {
	[LAB_QUIET] = TINT_GOOD, [LAB_NOISY] = TINT_CAUTION, [LAB_ODD] = TINT_BAD,
};

/* --- show --- */

static void put_line(const char *name, enum lab_state state, const char *value, const char *why,
		     bool colour)
{
	char *clean = text_clean(value), *fitted = text_fit(clean, WHY_AT - VALUE_AT - 8,
							    TEXT_FIT_MIDDLE);

	printf("%-*s%s%-7s%s%-*s ", VALUE_AT, name, tint_code(tints[state], colour),
	       lab_state_name(state), tint_code(TINT_NONE, colour), WHY_AT - VALUE_AT - 8, fitted);
	text_paragraph(stdout, why, WHY_AT);
	free(fitted);
	free(clean);
}

/* The worst of a knob's items, for the knobs that have several. */
static enum lab_state worst(const struct lab_item *items, size_t count)
{
	enum lab_state state = items[0].state;

	for (size_t i = 1; i < count; i++)
		if (items[i].state == LAB_NOISY || state == LAB_SHOWN || state == LAB_ABSENT)
			state = items[i].state;
	return state;
}

static void put_interrupts(const struct lab_item *items, size_t count, bool colour)
{
	size_t here = 0, i;
	char *text;

	for (i = 0; i < count; i++)
		here += items[i].state == LAB_NOISY;
	text = items[0].path ? xasprintf("%zu of %zu come here", here, count) : xstrdup("");
	put_line("irq", worst(items, count), text, items[0].knob->why, colour);
	free(text);
}

static void put_several(const struct lab_item *items, size_t count, bool colour)
{
	bool alike = true;
	size_t i;

	for (i = 1; i < count; i++)
		alike &= items[i].state == items[0].state;
	if (alike) {
		put_line(items[0].knob->name, items[0].state, items[0].value ? items[0].value :
			 items[0].advice ? items[0].advice : "", items[0].knob->why, colour);
		return;
	}
	for (i = 0; i < count; i++)
		put_line(strchr(items[i].name, '.') - strlen(items[i].knob->name), items[i].state,
			 items[i].value ? items[i].value : "", i ? items[i].name :
			 items[i].knob->why, colour);
}

static void show_text(const struct lab *lab)
{
	bool colour = wants_colour();
	size_t i, count;

	printf("CPU %u\n\n", lab->cpu);
	for (i = 0; i < lab->count; i += count) {
		for (count = 1; i + count < lab->count &&
		     lab->items[i + count].knob == lab->items[i].knob; count++)
			;
		if (lab->items[i].knob->look == lab_look_interrupts)
			put_interrupts(&lab->items[i], count, colour);
		else
			put_several(&lab->items[i], count, colour);
	}
}

static void show_json(const struct lab *lab)
{
	struct json json = { .out = stdout };

	json_open(&json, '{');
	json_put_string(&json, "ccsample", CCSAMPLE_VERSION);
	json_put_count(&json, "cpu", lab->cpu);
	json_key(&json, "knobs");
	json_open(&json, '[');
	for (size_t i = 0; i < lab->count; i++) {
		const struct lab_item *item = &lab->items[i];

		json_open_flat(&json, '{');
		json_put_string(&json, "name", item->name);
		json_put_string(&json, "state", lab_state_name(item->state));
		json_put_string(&json, "value", item->value);
		json_put_string(&json, "wanted", item->wanted);
		json_put_bool(&json, "usual", item->knob->usual);
		json_put_bool(&json, "settable", !item->knob->shown);
		json_put_string(&json, "why", item->knob->why);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}

static int lab_show(const struct lab_options *options)
{
	struct lab lab;

	if (options->word_count)
		return fail("lab show takes no '%s': see ccsample lab --help", options->words[0]),
		       USAGE;
	lab_look(&lab, options->root, options->cpu);
	(options->json ? show_json : show_text)(&lab);
	lab_free(&lab);
	return 0;
}

/* --- the command --- */

struct given {
	struct lab_options *options;
	const char *state, *root;
	bool cpu;
};

static int take_option(void *arguments, int option)
{
	struct given *given = arguments;
	struct lab_options *options = given->options;
	uint64_t number;

	switch (option) {
	case 'C':
		if (parse_number("-C", optarg, 0, CPU_MOST, &number) < 0)
			return -1;
		options->cpu = number;
		given->cpu = true;
		return 0;
	case 'd':
		return parse_number("-d", optarg, 1, SECONDS_MOST, &options->seconds);
	case 'c':
		return parse_number("-c", optarg, 1, UINT32_MAX, &options->period);
	case OPTION_BURST:
		return parse_number("--burst", optarg, 1, CCSAMPLE_BURST_MAX, &options->burst);
	case OPTION_GAP:
		return parse_number("--gap", optarg, GAP_LEAST_NS, GAP_MOST_NS, &options->gap_ns);
	case OPTION_STATE:
		given->state = optarg;
		return 0;
	case OPTION_ROOT:
		given->root = optarg;
		return 0;
	default:
		options->json = true;
		return 0;
	}
}

/* Return: as options_read(). */
static int parse(int argc, char **argv, struct lab_options *options)
{
	static const struct option_plan plan = {
		"lab", help, ":C:d:c:h", long_options, take_option
	};
	struct given given = { .options = options };
	int first = options_read(&plan, argc, argv, &given);

	if (first <= 0)
		return first;
	options->words = argv + first;
	options->word_count = argc - first;
	if (given.root)
		options->root = given.root;
	options->state = given.state ? xstrdup(given.state) :
			 xasprintf("%s" STATE_FILE, options->root);
	if (!given.cpu)
		options->cpu = lab_choose_cpu(options->root);
	return first;
}

static int run(struct lab_options *options)
{
	static const struct {
		const char *name;
		int (*run)(const struct lab_options *options);
	} verbs[] = {
		{ "show", lab_show }, { "tune", lab_tune }, { "reset", lab_reset },
		{ "jitter", lab_jitter },
	};
	const char *verb = "show";

	if (options->word_count) {
		verb = *options->words++;
		options->word_count--;
	}
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verb, verbs[i].name))
			return verbs[i].run(options);
	fail("lab does not know '%s': show, tune, reset or jitter", verb);
	return USAGE;
}

int cmd_lab(int argc, char **argv)
{
	struct lab_options options = {
		.root = "", .seconds = 5, .gap_ns = GAP_NS, .period = 1212, .burst = 1024,
	};
	int status = parse(argc, argv, &options);

	if (status <= 0)
		return status < 0 ? USAGE : 0;
	status = run(&options);
	free(options.state);
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the result: %s", strerror(errno)) < 0;
	return status;
}
