// SPDX-License-Identifier: GPL-2.0-only
/* ccsample sim: references through simulated caches, every miss classified. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analysis/sim-results.h"
#include "analysis/simulation.h"
#include "analysis/traced.h"
#include "base/fail.h"
#include "base/progress.h"
#include "cache/words.h"
#include "cmd/colour.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "source/engine.h"
#include "source/machine-file.h"
#include "source/machine.h"
#include "source/trace.h"
#include "view/simulation.h"

#define TOP_DEFAULT	10
#define BATCH		4096

static const char help[] =
"usage: ccsample sim [options] -- PROGRAM [ARGUMENTS]\n"
"       ccsample sim [options] -i TRACE\n"
"\n"
"Runs a program, or a trace of memory references, through simulated caches: hits and misses of each level,\n"
"which misses are cold, capacity and conflict, and who drives whom out.\n"
"\n"
"  -i, --input TRACE          of Valgrind's lackey or Dinero's din, plain or zstd; - reads\n"
"                             standard input; or of ccsample trace, from a file\n"
"      --format NAME          lackey, din, auto [auto]\n"
"      --machine NAME|FILE    caches of a machine, see docs/simulation.md; list shows the\n"
"                             names [this machine's]\n"
"      --D1 SIZE,WAYS,LINE    the L1 data cache, as in 32K,8,64; likewise --L2 and --L3.\n"
"                             Without --machine only the levels given are simulated\n"
"      --policy NAME          of all levels: lru, plru (a binary tree), fifo\n"
"      --inclusion L2[,L3]    inclusive, exclusive or non-inclusive, of L2 and of L3\n"
"      --classify NAME        full: exactly (the default); fifo and reuse put another detector\n"
"                             beside it, Collins and Tullsen's or MACPO's\n"
"  -n, --top N                at most N instructions and pairs, 0 = all; default 10 in text,\n"
"                             all in JSON\n"
"      --json                 for scripts\n"
"  -h, --help                 this text\n"
"\n"
"A trace of a program: valgrind --tool=lackey --trace-mem=yes --log-file=trace PROGRAM\n";

struct arguments {
	const char *input;
	const char *format;
	const char *machine;
	const char *levels[CACHE_LEVELS];
	const char *policy;
	const char *inclusion;
	const char *pages;
	const char *output;
	char **argv;			/* the program and its arguments */
	enum detector detector;
	bool quiet;
	uint64_t top;
	bool top_given;
	bool json;
	bool help;
};

static int parse_classify(struct arguments *arguments, const char *text)
{
	static const char *const names[] = {
		[DETECTOR_NONE] = "full", [DETECTOR_SUSPECTS] = "fifo", [DETECTOR_REUSE] = "reuse",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(text, names[i]))
			continue;
		arguments->detector = i;
		return 0;
	}
	return fail("--classify takes full, fifo or reuse, not '%s'", text);
}

static int parse_option(struct arguments *arguments, int option, const char *word)
{
	switch (option) {
	case 'i':
		arguments->input = optarg;
		return 0;
	case 'f':
		arguments->format = optarg;
		return 0;
	case 'm':
		arguments->machine = optarg;
		return 0;
	case '1': case '2': case '3':
		arguments->levels[option - '1'] = optarg;
		return 0;
	case 'p':
		arguments->policy = optarg;
		return 0;
	case 'I':
		arguments->inclusion = optarg;
		return 0;
	case 'P':
		arguments->pages = optarg;
		return 0;
	case 'o':
		arguments->output = optarg;
		return 0;
	case 'q':
		arguments->quiet = true;
		return 0;
	case 'c':
		return parse_classify(arguments, optarg);
	case 'n':
		arguments->top_given = true;
		return parse_number("--top", optarg, 0, UINT32_MAX, &arguments->top);
	case 'j':
		arguments->json = true;
		return 0;
	case 'h':
		arguments->help = true;
		return 0;
	case ':':
		return fail("%s needs a value: see ccsample sim --help", word);
	default:
		return fail("sim does not know %s: see ccsample sim --help", word);
	}
}

static int check(const struct arguments *arguments)
{
	bool lists = arguments->machine && !strcmp(arguments->machine, "list");

	if (arguments->help || lists)
		return 0;
	if (!arguments->input == !arguments->argv[0])
		return fail("sim needs a program or a trace: ccsample sim -- PROGRAM, or ccsample sim "
			    "-i TRACE, see ccsample sim --help");
	if (arguments->input && (arguments->pages || arguments->output))
		return fail("--pages and --output belong to a program, not to a trace");
	return 0;
}

static int parse(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "format", required_argument, NULL, 'f' },
		{ "machine", required_argument, NULL, 'm' },
		{ "D1", required_argument, NULL, '1' },
		{ "L2", required_argument, NULL, '2' },
		{ "L3", required_argument, NULL, '3' },
		{ "policy", required_argument, NULL, 'p' },
		{ "inclusion", required_argument, NULL, 'I' },
		{ "pages", required_argument, NULL, 'P' },
		{ "output", required_argument, NULL, 'o' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "classify", required_argument, NULL, 'c' },
		{ "top", required_argument, NULL, 'n' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:i:n:o:qh", options, NULL)) != -1)
		if (parse_option(arguments, option, argv[optind - 1]) < 0)
			return -1;
	arguments->argv = argv + optind;
	return check(arguments);
}

static void list_machines(void)
{
	const struct known_machine *machine;

	for (size_t place = 0; (machine = known_machine_at(place)); place++)
		printf("# --machine %s\n%s\n", machine->name, machine->text);
}

/* ---- the caches ---- */

static int plan_this_machine(struct hierarchy_plan *plan)
{
	struct machine machine;

	machine_read(&machine);
	for (uint32_t i = 0; i < machine.cache_count; i++)
		if (machine.caches[i].level == plan->levels + 1)
			plan->level[plan->levels++].geometry = machine.caches[i].geometry;
	if (!plan->levels)
		return fail("this machine does not tell its caches: give --machine or --D1");
	return 0;
}

static int plan_levels(struct hierarchy_plan *plan, const struct arguments *arguments)
{
	static const char *const names[] = { "D1", "L2", "L3" };
	const char *trouble;

	for (uint32_t n = 0; n < CACHE_LEVELS; n++) {
		if (!arguments->levels[n])
			continue;
		if (n > plan->levels)
			return fail("--%s needs --%s", names[n], names[n - 1]);
		if (n == plan->levels)
			plan->levels++;
		trouble = cache_geometry_parse(&plan->level[n].geometry, arguments->levels[n]);
		if (trouble)
			return fail("--%s %s: %s", names[n], arguments->levels[n], trouble);
		plan->level[n].hash = NULL;
	}
	return 0;
}

static int plan_inclusion(struct hierarchy_plan *plan, const char *text)
{
	char words[64], *rest = words, *word = NULL;

	snprintf(words, sizeof(words), "%s", text);
	for (uint32_t n = 1; n < CACHE_LEVELS; n++) {
		if (rest)
			word = strsep(&rest, ",");
		if (!inclusion_named(word, &plan->level[n].inclusion))
			return fail("--inclusion takes inclusive, exclusive or non-inclusive, for L2 "
				    "and L3, not '%s'", text);
	}
	return rest ? fail("--inclusion takes two words at most, not '%s'", text) : 0;
}

static int plan_policy(struct hierarchy_plan *plan, const char *text)
{
	for (uint32_t n = 0; n < CACHE_LEVELS; n++)
		if (!policy_named(text, &plan->level[n].policy))
			return fail("--policy takes lru, plru or fifo, not '%s'", text);
	return 0;
}

static int make_plan(struct hierarchy_plan *plan, const struct arguments *arguments)
{
	bool given = arguments->levels[0] || arguments->levels[1] || arguments->levels[2];
	const char *trouble;

	memset(plan, 0, sizeof(*plan));
	if (arguments->machine && machine_plan(arguments->machine, plan) < 0)
		return -1;
	if (!arguments->machine && !given && plan_this_machine(plan) < 0)
		return -1;
	if (plan_levels(plan, arguments) < 0)
		return -1;
	if (arguments->policy && plan_policy(plan, arguments->policy) < 0)
		return -1;
	if (arguments->inclusion && plan_inclusion(plan, arguments->inclusion) < 0)
		return -1;
	plan->detector = arguments->detector;
	trouble = hierarchy_trouble(plan);
	return trouble ? fail("these caches cannot be simulated: %s", trouble) : 0;
}

/* ---- the run ---- */

static int take(struct simulation *simulation, const struct reference *reference)
{
	switch (reference->kind) {
	case REFERENCE_FETCH:
		simulation_fetch(simulation, reference->address);
		return 0;
	case REFERENCE_LOAD:
		return simulation_refer(simulation, reference->address, reference->size, false);
	case REFERENCE_STORE:
		return simulation_refer(simulation, reference->address, reference->size, true);
	case REFERENCE_MODIFY:
		if (simulation_refer(simulation, reference->address, reference->size, false) < 0)
			return -1;
		return simulation_refer(simulation, reference->address, reference->size, true);
	}
	return 0;
}

static int run(struct simulation *simulation, struct trace *trace)
{
	static struct reference batch[BATCH];
	long count, i;

	progress_start();
	while ((count = trace_read(trace, batch, BATCH)) > 0) {
		for (i = 0; i < count; i++)
			if (take(simulation, &batch[i]) < 0)
				return -1;
		if (progress_due())
			progress("%.0f million references", simulation->references / 1e6);
	}
	progress_clear();
	return count;
}

static int show(const struct arguments *arguments, struct sim_findings *findings,
		struct simulation_view *view)
{
	view->top = arguments->top;
	view->colour = wants_colour();
	if (!arguments->top_given && !arguments->json)
		view->top = TOP_DEFAULT;
	(arguments->json ? simulation_json : simulation_text)(stdout, findings, view);
	sim_findings_free(findings);
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the result: %s", strerror(errno));
	return 0;
}

/* @trace: NULL = ccsample's own */
static int show_trace(const struct arguments *arguments, const struct simulation *simulation,
		      const struct trace *trace)
{
	struct simulation_view view = {
		.input = strcmp(arguments->input, "-") ? arguments->input : "standard input",
		.format = trace ? trace_format_name(trace) : "ccsample trace",
		.bad_lines = trace ? trace_bad_lines(trace) : 0,
		.first_bad = trace ? trace_first_bad(trace) : 0,
	};

	if (view.bad_lines)
		warning("%llu of %llu lines are no references, the first is line %llu",
			(unsigned long long)view.bad_lines, (unsigned long long)trace_lines(trace),
			(unsigned long long)view.first_bad);
	return show(arguments, simulation_findings(simulation), &view);
}

static int simulate_trace(const struct arguments *arguments, const struct hierarchy_plan *plan)
{
	struct trace *trace = trace_open(arguments->input, arguments->format);
	struct simulation *simulation;
	int status;

	if (!trace)
		return -1;
	simulation = simulation_new(plan);
	status = run(simulation, trace);
	if (!status)
		status = show_trace(arguments, simulation, trace);
	simulation_free(simulation);
	trace_close(trace);
	return status;
}

/* ---- a trace of ccsample's own ---- */

static int take_traced(void *context, uint64_t ip, uint64_t address, uint32_t size, bool store)
{
	struct simulation *simulation = context;

	if (simulation->sites[simulation->site].address != ip || !simulation->site)
		simulation_fetch(simulation, ip);
	if (progress_due())
		progress("%.0f million references", simulation->references / 1e6);
	return simulation_refer(simulation, address, size, store);
}

/* Its references, not its loops: ccsample analyze is for those. */
static int simulate_compressed(const struct arguments *arguments, const struct hierarchy_plan *plan)
{
	struct simulation *simulation = simulation_new(plan);
	int status;

	progress_start();
	status = traced_expand(arguments->input, take_traced, simulation);
	progress_clear();
	if (!status)
		status = show_trace(arguments, simulation, NULL);
	simulation_free(simulation);
	return status;
}

/* ---- a program ---- */

static void take_record(void *context, const struct ccs_record *record)
{
	sim_results_take(context, record);
}

static void answer(void *context, const struct ccs_sim_ask *ask, struct ccs_sim_answer *result)
{
	sim_results_answer(context, ask, result);
}

static int show_program(const struct arguments *arguments, struct sim_results *results,
			const struct page_plan *pages)
{
	struct simulation_view view = { .input = arguments->argv[0] };
	char *text = request_pages_text(pages);
	int status = show(arguments, sim_results_findings(results, text), &view);

	free(text);
	return status;
}

static int simulate_program(const struct arguments *arguments, const struct hierarchy_plan *plan)
{
	struct sim_results *results = sim_results_new(plan);
	const struct request_listener listener = { results, take_record, answer };
	struct record_request request = {
		.caches = *plan, .pages = { PAGES_RANDOM, 1 }, .seed = 1, .simulate = true,
		.listener = &listener, .argv = arguments->argv, .quiet = arguments->quiet,
	};
	const char *wrong = arguments->pages ? page_plan_parse(&request.pages, arguments->pages) :
			    NULL;
	struct engine_result result;
	struct engine *engine;
	int failed;

	if (wrong)
		return -2 * fail("--pages %s: %s", arguments->pages, wrong);
	engine = engine_open(&request);
	if (!engine)
		return 1;
	failed = engine_run(engine, NULL, &result);
	engine_close(engine);
	if (failed || show_program(arguments, results, &request.pages))
		return 1;
	return WIFSIGNALED(result.status) ? 128 + WTERMSIG(result.status) :
	       WEXITSTATUS(result.status);
}

int cmd_sim(int argc, char **argv)
{
	struct arguments arguments = { .format = "auto" };
	struct hierarchy_plan plan;

	if (parse(argc, argv, &arguments) < 0)
		return 2;
	if (arguments.help) {
		fputs(help, stdout);
		return 0;
	}
	if (arguments.machine && !strcmp(arguments.machine, "list")) {
		list_machines();
		return 0;
	}
	if (make_plan(&plan, &arguments) < 0)
		return 2;
	if (arguments.input && traced_is(arguments.input))
		return simulate_compressed(&arguments, &plan) < 0;
	if (arguments.input)
		return simulate_trace(&arguments, &plan) < 0;
	return simulate_program(&arguments, &plan);
}
