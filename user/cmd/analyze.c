// SPDX-License-Identifier: GPL-2.0-only
/* ccsample analyze: what caches make of a trace. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tracing/traced.h"
#include "base/fail.h"
#include "cachesim/policy-names.h"
#include "cmd/colour.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "cmd/plan.h"
#include "host/machine-file.h"
#include "tracing/views.h"

#define TOP_DEFAULT	12
#define MILLION		1000000ull
#define LIMIT_DEFAULT	20000	/* million references: some minutes */

static const char help[] =
"usage: ccsample analyze [options] [TRACE]\n"
"\n"
"Computes what caches make of a trace that ccsample trace wrote [ccsample.trace]: hits, cold,\n"
"capacity and conflict misses of each level, by loop, instruction and data object. Exactly, and\n"
"without expanding loops whose behaviour recurs.\n"
"\n"
"      --machine NAME|FILE    caches of a machine, as of ccsample sim [this machine's]\n"
"      --D1 SIZE,WAYS,LINE    the L1 data cache, as in 32K,8,64; likewise --L2 and --L3. Without\n"
"                             --machine only the levels given are analysed. Given again, one more\n"
"                             geometry is: all that the options combine to, 16 at most\n"
"      --policy NAME          of all levels: lru, plru (a binary tree), fifo\n"
"      --inclusion NAME       of L2 and L3: non-inclusive, inclusive, exclusive; two by a comma\n"
"                             [as the machine has it, else non-inclusive]\n"
"      --pages KIND           where pages lie, for L2 and L3: identity, random[:SEED] or\n"
"                             huge[:SEED] [identity]\n"
"      --pad OBJECT=BYTES[,ROW]  lay an object out anew, BYTES more to each of its rows, which are\n"
"                             ROW bytes or told by the strides over it\n"
"      --method NAME          exact, or compositional: the estimate of SMA-ML, to compare; for LRU\n"
"                             and non-inclusive levels, cold misses are in capacity [exact]\n"
"      --scale LOOP=N         let a loop of the trace run N times, by its number\n"
"      --dump                 the trace as text, instead\n"
"      --plain                simulate every reference: the same results, later\n"
"      --limit N              give up after simulating N million references, 0 = never [20000];\n"
"                             those that are skipped because behaviour recurs do not count\n"
"  -n, --top N                at most N loops and references, 0 = all; default 12 in text, all\n"
"                             in JSON\n"
"      --json                 for scripts\n"
"  -h, --help                 this text\n"
"\n"
"Each thread has caches of its own. Counts by loop, instruction and object are of the first\n"
"geometry. Ctrl-C ends the analysis and shows what it has.\n";

enum {
	OPTION_LEVEL = 256,		/* and the next two */
	OPTION_MACHINE = OPTION_LEVEL + CACHE_LEVELS,
	OPTION_POLICY,
	OPTION_INCLUSION,
	OPTION_PAGES,
	OPTION_LIMIT,
	OPTION_METHOD,
	OPTION_PAD,
	OPTION_SCALE,
	OPTION_DUMP,
	OPTION_PLAIN,
	OPTION_JSON,
};

struct arguments {
	struct traced_options traced;
	struct traced_view view;
	const char *machine, *policy, *inclusion;
	const char *levels[CACHE_LEVELS][TRACED_PLANS];
	size_t level_count[CACHE_LEVELS];
	bool top_given, json, dump;
};

/* --- what is changed --- */

/* NAME=NUMBER... Return: what follows the last "=", the name ended there; NULL after one line. */
static char *split(const char *option, char *text)
{
	char *equals = strrchr(text, '=');

	if (!equals || equals == text) {
		fail("%s %s: expected NAME=NUMBER", option, text);
		return NULL;
	}
	*equals = 0;
	return equals + 1;
}

static int parse_pad(struct arguments *a, char *text)
{
	struct traced_pad *pad = &a->traced.pads[a->traced.pad_count];
	char *number = split("--pad", text), *row;

	if (!number)
		return -1;
	if (a->traced.pad_count++ == TRACED_CHANGES)
		return fail("--pad: at most %u objects", TRACED_CHANGES);
	row = strchr(number, ',');
	if (row)
		*row++ = 0;
	pad->object = text;
	if (row && parse_number("--pad", row, 8, 1u << 30, &pad->row) < 0)
		return -1;
	return parse_number("--pad", number, 0, 1u << 30, &pad->bytes);
}

static int parse_scale(struct arguments *a, char *text)
{
	struct traced_scale *scale = &a->traced.scales[a->traced.scale_count];
	char *number = split("--scale", text);
	uint64_t loop;

	if (!number)
		return -1;
	if (a->traced.scale_count++ == TRACED_CHANGES)
		return fail("--scale: at most %u loops", TRACED_CHANGES);
	if (parse_number("--scale", text, 1, UINT32_MAX, &loop) < 0)
		return -1;
	scale->loop = loop;
	return parse_number("--scale", number, 2, 1ull << 48, &scale->count);
}

/* --- options --- */

static int parse_pages(struct arguments *a, const char *text)
{
	const char *wrong = page_plan_parse(&a->traced.pages, text);

	if (wrong)
		return fail("--pages %s: %s", text, wrong);
	if (a->traced.pages.kind == PAGES_REAL)
		return fail("--pages real: a trace does not tell where its pages lay: take "
			    "identity, random or huge");
	return 0;
}

static int parse_method(struct arguments *a, const char *text)
{
	a->traced.compositional = !strcmp(text, "compositional");
	if (!a->traced.compositional && strcmp(text, "exact"))
		return fail("--method takes exact or compositional, not '%s'", text);
	return 0;
}

/* What the estimate knows nothing of is not to look as if it did. */
static int check_method(const struct arguments *a)
{
	uint32_t n;
	size_t i;

	if (!a->traced.compositional)
		return 0;
	if (a->traced.pages.kind != PAGES_IDENTITY)
		return fail("--method compositional knows no pages: leave --pages out");
	for (i = 0; i < a->traced.plan_count; i++)
		for (n = 0; n < a->traced.plans[i].levels; n++)
			if (a->traced.plans[i].level[n].policy != POLICY_LRU ||
			    a->traced.plans[i].level[n].inclusion != NON_INCLUSIVE ||
			    a->traced.plans[i].level[n].hash)
				return fail("--method compositional is for LRU, non-inclusive "
					    "levels without slices: give --D1, --L2 and --L3");
	return 0;
}

static int parse_limit(struct arguments *a, const char *text)
{
	uint64_t millions;

	if (parse_number("--limit", text, 0, UINT64_MAX / MILLION, &millions) < 0)
		return -1;
	a->traced.limit = millions * MILLION;
	return 0;
}

static int parse_level(struct arguments *a, uint32_t n, const char *text)
{
	if (a->level_count[n] == TRACED_PLANS)
		return fail("at most %u geometries", TRACED_PLANS);
	a->levels[n][a->level_count[n]++] = text;
	return 0;
}

static int take_option(void *argument, int option)
{
	struct arguments *a = argument;
	uint64_t number;

	switch (option) {
	case OPTION_LEVEL:
	case OPTION_LEVEL + 1:
	case OPTION_LEVEL + 2:
		return parse_level(a, option - OPTION_LEVEL, optarg);
	case OPTION_MACHINE:
		a->machine = optarg;
		return 0;
	case OPTION_POLICY:
		a->policy = optarg;
		return 0;
	case OPTION_INCLUSION:
		a->inclusion = optarg;
		return 0;
	case OPTION_PAGES:
		return parse_pages(a, optarg);
	case OPTION_LIMIT:
		return parse_limit(a, optarg);
	case OPTION_METHOD:
		return parse_method(a, optarg);
	case OPTION_PAD:
		return parse_pad(a, optarg);
	case OPTION_SCALE:
		return parse_scale(a, optarg);
	case OPTION_DUMP:
		a->traced.dump = stdout;
		return 0;
	case OPTION_PLAIN:
		a->traced.plain = true;
		return 0;
	case 'n':
		a->top_given = true;
		if (parse_number("--top", optarg, 0, UINT32_MAX, &number) < 0)
			return -1;
		a->view.top = number;
		return 0;
	case OPTION_JSON:
		a->json = true;
		return 0;
	}
	return 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(struct arguments *a, int argc, char **argv)
{
	static const struct option options[] = {
		{ "D1", required_argument, NULL, OPTION_LEVEL },
		{ "L2", required_argument, NULL, OPTION_LEVEL + 1 },
		{ "L3", required_argument, NULL, OPTION_LEVEL + 2 },
		{ "machine", required_argument, NULL, OPTION_MACHINE },
		{ "policy", required_argument, NULL, OPTION_POLICY },
		{ "inclusion", required_argument, NULL, OPTION_INCLUSION },
		{ "pages", required_argument, NULL, OPTION_PAGES },
		{ "limit", required_argument, NULL, OPTION_LIMIT },
		{ "method", required_argument, NULL, OPTION_METHOD },
		{ "pad", required_argument, NULL, OPTION_PAD },
		{ "scale", required_argument, NULL, OPTION_SCALE },
		{ "dump", no_argument, NULL, OPTION_DUMP },
		{ "plain", no_argument, NULL, OPTION_PLAIN },
		{ "top", required_argument, NULL, 'n' },
		{ "json", no_argument, NULL, OPTION_JSON },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static const struct option_plan plan = {
		"analyze", help, ":n:h", options, take_option,
	};
	int first = options_read(&plan, argc, argv, a);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	if (first + 1 < argc)
		return fail("analyze takes one trace, not %s as well", argv[first + 1]);
	a->view.input = first < argc ? argv[first] : "ccsample.trace";
	return 0;
}

/* --- geometries --- */

/* The levels' geometries number @choice of those that the options combine to. */
static int plan_choice(struct arguments *a, struct hierarchy_plan *plan, size_t choice)
{
	uint32_t n;

	for (n = 0; n < CACHE_LEVELS; n++) {
		if (!a->level_count[n])
			continue;
		if (plan_level(plan, n, a->levels[n][choice % a->level_count[n]]) < 0)
			return -1;
		choice /= a->level_count[n];
	}
	if (a->policy && plan_policy(plan, a->policy) < 0)
		return -1;
	return a->inclusion ? plan_inclusion(plan, a->inclusion) : 0;
}

static int make_plans(struct arguments *a)
{
	struct hierarchy_plan base = { 0 };
	size_t choices = 1, i;
	const char *error;
	bool given = false;

	for (i = 0; i < CACHE_LEVELS; i++) {
		given |= a->level_count[i] > 0;
		choices *= a->level_count[i] ? a->level_count[i] : 1;
	}
	if (choices > TRACED_PLANS)
		return fail("the options combine to %zu geometries; at most %u are analysed",
			    choices, TRACED_PLANS);
	if (a->machine && machine_plan(a->machine, &base) < 0)
		return -1;
	if (!a->machine && !given && plan_this_machine(&base) < 0)
		return -1;
	for (i = 0; i < choices; i++) {
		a->traced.plans[i] = base;
		if (plan_choice(a, &a->traced.plans[i], i) < 0)
			return -1;
		error = hierarchy_error(&a->traced.plans[i]);
		if (error)
			return fail("these caches cannot be analysed: %s", error);
	}
	a->traced.plan_count = choices;
	return 0;
}

/* --- the run --- */

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	interrupted = 1;
}

static bool was_interrupted(void)
{
	return interrupted;
}

static int analyze(struct arguments *a)
{
	struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESETHAND };
	double begun = cpu_seconds();
	struct traced *traced;
	int status = 0;

	sigaction(SIGINT, &action, NULL);
	a->traced.interrupted = was_interrupted;
	traced = traced_run(a->view.input, &a->traced);
	if (!traced)
		return -1;
	a->view.seconds = cpu_seconds() - begun;
	a->view.plain = a->traced.plain;
	a->view.compositional = a->traced.compositional;
	a->view.pages = &a->traced.pages;
	a->view.colour = wants_colour();
	if (!a->top_given && !a->json)
		a->view.top = TOP_DEFAULT;
	if (!a->traced.dump)
		(a->json ? traced_json : traced_text)(stdout, traced, &a->view);
	if (traced->error)
		status = fail("the analysis of %s ended early: %s", a->view.input, traced->error);
	if (fflush(stdout) || ferror(stdout))
		status = fail("cannot write the result: %s", strerror(errno));
	traced_free(traced);
	return status;
}

int cmd_analyze(int argc, char **argv)
{
	struct arguments *a = calloc(1, sizeof(*a));
	int result;

	if (!a)
		return -fail("out of memory");
	a->traced.limit = LIMIT_DEFAULT * MILLION;
	result = parse(a, argc, argv);
	if (!result && (make_plans(a) < 0 || check_method(a) < 0))
		result = -1;
	if (result)
		result = result < 0 ? 2 : 0;
	else
		result = analyze(a) < 0;
	free(a);
	return result;
}
