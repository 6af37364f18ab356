// SPDX-License-Identifier: GPL-2.0-only
/* ccsample analyze: the misses of caches on a trace. */
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fail.h"
#include "options/caches.h"
#include "base/output-file.h"
#include "base/reserved.h"
#include "cmd/commands.h"
#include "cmd/inputs.h"
#include "format/pass.h"
#include "host/machine-file.h"
#include "tracing/merge.h"
#include "tracing/traced.h"
#include "tracing/views.h"
#include "tracing/what-if-text.h"

#define TOP_DEFAULT	12
#define MILLION		1000000ull
#define LIMIT_DEFAULT	20000	/* million references: some minutes */

enum method { METHOD_EXACT, METHOD_COMPOSITIONAL };

struct arguments {
	struct inputs inputs;
	const char *merge;		/* a file */
	struct traced_options traced;
	struct traced_view view;
	struct what_if_caches what_if;
	struct cache_options caches;
	struct show_options show;
	enum method method;
	uint64_t limit;			/* million references */
	bool dump;
};

static const struct arguments defaults = { .limit = LIMIT_DEFAULT };

static int take_pad(const struct option_row *row, const char *value, void *traced)
{
	return what_if_pad(traced, (char *)value);
}

static int take_scale(const struct option_row *row, const char *value, void *traced)
{
	return what_if_scale(traced, (char *)value);
}

static int take_pages(const struct option_row *row, const char *value, void *target)
{
	return pages_of_input(target, value);
}

/* @row->low: the level */
static int take_geometry(const struct option_row *row, const char *value, void *target)
{
	struct what_if_caches *caches = target;
	size_t *count = &caches->count[row->low];

	if (*count == TRACED_PLANS)
		return fail("at most %u geometries", TRACED_PLANS);
	caches->levels[row->low][(*count)++] = value;
	return 0;
}

/* The levels that the geometries are laid over: the machine's where any is asked for. */
static int plan_base(const struct arguments *a, struct hierarchy_plan *base)
{
	const size_t *count = a->what_if.count;

	if (a->caches.machine)
		return machine_plan(a->caches.machine, base);
	return count[0] || count[1] || count[2] ? 0 : plan_this_machine(base);
}

static int check_merge(const struct arguments *a)
{
	if (a->inputs.count < 2)
		return fail("--merge takes two traces or more");
	for (size_t i = 0; i < a->inputs.count; i++)
		if (is_same_file(a->merge, a->inputs.paths[i]))
			return fail("--merge %s would overwrite one of the traces: name another "
				    "file", a->merge);
	return 0;
}

static int check(void *options, char **operands)
{
	struct hierarchy_plan base = { .levels = 0 };
	struct arguments *a = options;

	inputs_operands(&a->inputs, operands, "ccsample.trace");
	if (a->merge && check_merge(a) < 0)
		return -1;
	if (a->dump && (a->show.json || a->traced.pad_count || a->traced.scale_count))
		return fail("--dump prints the trace as text, as it is: it does not go with "
			    "--json, --pad or --scale");
	if (a->merge && (a->dump || a->show.json || a->traced.pad_count || a->traced.scale_count))
		return fail("--merge writes the traces as they are: it does not go with --dump, "
			    "--json, --pad or --scale");
	a->traced.limit = a->limit * MILLION;
	a->traced.dump = a->dump ? stdout : NULL;
	a->traced.compositional = a->method == METHOD_COMPOSITIONAL;
	a->what_if.policy = a->caches.policy;
	a->what_if.inclusion = a->caches.inclusion;
	if (plan_base(a, &base) < 0 || what_if_plans(&a->traced, &a->what_if, &base) < 0)
		return -1;
	return what_if_check(&a->traced);
}

/* --- the run --- */

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	interrupted = 1;
}

static bool was_interrupted(void)
{
	return interrupted;
}

static int merge(const struct arguments *a)
{
	struct traces_merged merged;

	if (traces_merge((const char *const *)a->inputs.paths, a->inputs.count, a->merge, &merged))
		return -1;
	note("%zu traces of %llu references (%.3f MB), written to %s (%.3f MB)", a->inputs.count,
	     (unsigned long long)merged.references, merged.read / 1e6, a->merge,
	     merged.written / 1e6);
	return 0;
}

static int reserve(void *options)
{
	const struct arguments *a = options;

	if (a->merge && recording_may_replace(a->merge) < 0)
		return -1;
	if (a->merge)
		reserve_descriptor(a->merge, RECORDING_MODE);
	return 0;
}

static void drop(void *options)
{
	inputs_drop(&((struct arguments *)options)->inputs);
}

static int run(void *options)
{
	struct arguments *a = options;
	struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESETHAND };
	uint64_t begun = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	struct traced *traced;
	char *input;
	int status = 0;

	if (a->merge)
		return merge(a);
	sigaction(SIGINT, &action, NULL);
	a->traced.interrupted = was_interrupted;
	traced = traced_run((const char *const *)a->inputs.paths, a->inputs.count, &a->traced);
	if (!traced)
		return -1;
	a->view.input = input = inputs_name(&a->inputs);
	a->view.seconds = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun) * 1e-9;
	a->view.plain = a->traced.plain;
	a->view.compositional = a->traced.compositional;
	a->view.pages = &a->traced.pages;
	a->view.colour = wants_colour();
	a->view.top = show_top(&a->show, TOP_DEFAULT);
	if (!a->traced.dump)
		(a->show.json ? traced_json : traced_text)(stdout, traced, &a->view);
	if (traced->error)
		status = fail("the analysis of %s ended early: %s", a->view.input, traced->error);
	if (output_done() < 0)
		status = -1;
	free(input);
	traced_free(traced);
	return status;
}

#define OF(member)	offsetof(struct arguments, member)

static const char *const methods[] = {
	[METHOD_EXACT] = "exact", [METHOD_COMPOSITIONAL] = "compositional", NULL
};

static const struct option_row rows[] = {
	{ "dump", 0, NULL, "print the trace as text instead", option_flag, .target = OF(dump) },
	{ "merge", 0, "FILE", "write the traces of several ranks into FILE, as one, instead: what "
	  "they have in common is kept once", option_text, .target = OF(merge) },
	{ "plain", 0, NULL, "simulate every reference: the same results, later", option_flag,
	  .target = OF(traced.plain) },
	{ "limit", 0, "N", "stop after N million simulated references, 0 = never; those that are "
	  "skipped because behaviour recurs do not count [20000]", option_number,
	  .target = OF(limit), 0, UINT64_MAX / MILLION },
	{ "method", 0, "NAME", "exact; or compositional, the estimate of SMA-ML, for comparison: "
	  "for LRU and non-inclusive levels, with cold misses counted as capacity [exact]",
	  option_choice, .target = OF(method), .choices = methods },
	OPTION_TOP(struct arguments, show, "12"),
	OPTION_JSON(struct arguments, show.json),
	OPTION_MEMORY,
	{ }
};

static const struct option_row geometry_rows[] = {
	{ "D1", 0, "SIZE,WAYS,LINE", "the L1 data cache, as in 32K,8,64; given again, one more "
	  "geometry: all combinations of the levels are analysed, 16 at most", take_geometry,
	  .target = OF(what_if), 0 },
	{ "L2", 0, "SIZE,WAYS,LINE", "the L2 cache", take_geometry, .target = OF(what_if), 1 },
	{ "L3", 0, "SIZE,WAYS,LINE", "the L3 cache; only the levels given are analysed, except "
	  "with --machine", take_geometry, .target = OF(what_if), 2 },
	{ }
};

static const struct option_row pages_rows[] = {
	{ "pages", 0, "MODEL", "where pages lie in physical memory, which indexes L2 and L3: "
	  "identity, random[:SEED] or huge[:SEED] [identity]", take_pages,
	  .target = OF(traced.pages) },
	{ }
};

static const struct option_row change_rows[] = {
	{ "pad", 0, "OBJECT=BYTES[,ROW]", "change an object's layout: BYTES more in each of its "
	  "rows, which have ROW bytes, or as many as its debug type or the strides over it show",
	  take_pad,
	  .target = OF(traced) },
	{ "scale", 0, "LOOP=N", "let a loop of the trace run N times, by its number", take_scale,
	  .target = OF(traced) },
	{ }
};

static const struct option_group groups[] = {
	{ .rows = rows },
	{ "Caches", machine_rows, OF(caches) },
	{ .rows = geometry_rows },
	{ NULL, policy_rows, OF(caches) },
	{ .rows = pages_rows },
	{ "Changes to the trace", .rows = change_rows },
	{ }
};

const struct command command_analyze = {
	.name = "analyze",
	.summary = "compute the misses of caches on a trace, without expanding it",
	.usage = "analyze [options] [TRACE...]",
	.about = "Computes hits and cold, capacity and conflict misses of each level on a trace of "
		 "ccsample trace [ccsample.trace], by loop, instruction and data object. The "
		 "result is exact, and loops whose behaviour recurs are not expanded. Traces of "
		 "several ranks are added up.",
	.notes = "Each thread has its own caches. Counts by loop, instruction and object are of "
		 "the first geometry. Ctrl-C ends the analysis and shows the results until then.",
	.examples = "  ccsample analyze app.trace --D1 32K,8,64 --D1 48K,12,64\n"
		    "  ccsample analyze app.trace --pad matrix=64\n"
		    "  ccsample analyze 'run.*.trace' --merge run.trace",
	.groups = groups,
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.reads_programs = true,
	.reserve = reserve,
	.run = run,
	.drop = drop,
};
