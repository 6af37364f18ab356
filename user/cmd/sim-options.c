// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/fail.h"
#include "base/output-file.h"
#include "cachesim/alias.h"
#include "cmd/commands.h"
#include "cmd/sim-options.h"

static const char *const detector_names[] = {
	[DETECTOR_NONE] = "full", [DETECTOR_COLLINS_TULLSEN] = "fifo", [DETECTOR_REUSE] = "reuse",
	NULL
};

static const char *const protocol_names[] = { "none", "mesi", NULL };
const char *const trace_formats[] = { "lackey", "din", "auto", NULL };

const char *sim_detector_name(enum detector detector)
{
	return detector_names[detector];
}

int sim_phases(const struct option_row *row, const char *value, void *phases)
{
	return phases_parse(phases, value);
}

static int take_alias(const struct option_row *row, const char *value, void *target)
{
	*(uint64_t *)target = ALIAS_WINDOW;
	return value ? option_number(row, value, target) : 0;
}

static int take_prefetchers(const struct option_row *row, const char *value, void *target)
{
	return plan_prefetchers(target, value);
}

static int take_with(const struct option_row *row, const char *value, void *target)
{
	char **with = target;
	size_t count = 0;

	while (with[count])
		count++;
	if (count == SIM_WITH_MAX)
		return fail("at most %d programs --with", SIM_WITH_MAX);
	if (!strcmp(value, "-"))
		return fail("--with reads its trace again and again: it needs a file, not -");
	with[count] = (char *)value;
	return 0;
}

static int check_generate(const struct sim_arguments *arguments)
{
	if (arguments->input || arguments->argv[0] || arguments->caches.pages ||
	    arguments->phases.lengths[2] || arguments->phases.marked ||
	    arguments->function || arguments->alias || arguments->prefetchers ||
	    arguments->with[0] || arguments->coherence || arguments->blocks ||
	    arguments->detector != DETECTOR_NONE)
		return fail("--generate goes only with caches, --output, --top and --json");
	return arguments->output ? 0 : fail("--generate needs a file to write to: -o TRACE");
}

static const struct sim_arguments defaults = { .format = "auto", .turn = COHERENCE_TURN };

static int check(void *options, char **operands)
{
	struct sim_arguments *arguments = options;
	bool lists = arguments->caches.machine && !strcmp(arguments->caches.machine, "list");

	arguments->argv = operands;
	if (arguments->dot && arguments->show.json)
		return fail("--dot and --json exclude each other");
	if (arguments->html && (arguments->show.json || arguments->dot))
		return fail("--html writes a file of its own: it does not go with --json or --dot");
	if (lists)
		return 0;
	if (arguments->turn != COHERENCE_TURN && !arguments->coherence)
		return fail("--turn is of --coherence mesi: give that too");
	if (arguments->generate)
		return check_generate(arguments);
	if (!arguments->input == !arguments->argv[0])
		return fail("sim needs a program or a trace: ccsample sim -- PROGRAM, or ccsample "
			    "sim -i FILE, see ccsample sim --help");
	if (arguments->with[0] && (!arguments->input || arguments->detector != DETECTOR_NONE))
		return fail("--with goes with -i TRACE and --classify full: traces share L3");
	if (arguments->html && arguments->input && is_same_file(arguments->html, arguments->input))
		return fail("--html %s would overwrite the trace: name another file",
			    arguments->html);
	if (arguments->with[0] && arguments->caches.pages)
		return fail("--pages does not go with --with: programs that share L3 are "
			    "simulated with identity pages");
	if (arguments->input &&
	    (arguments->output || arguments->phases.lengths[2] || arguments->phases.marked ||
	     arguments->function || arguments->alias || arguments->coherence ||
	     arguments->blocks || arguments->repeatable))
		return fail("--phases, --function, --alias, --blocks, --coherence, --repeatable "
			    "and --output belong to a program, not to a trace");
	return 0;
}

static const struct option_row rows[] = {
	{ "input", 'i', "TRACE", "a trace of Valgrind's lackey or of Dinero's din, plain or zstd, "
	  "- for standard input; a file of ccsample trace; bursts of ccsample record (by "
	  "default the recording's caches); or a simulation that --output kept",
	  option_text, .target = offsetof(struct sim_arguments, input) },
	{ "format", 0, "NAME", "of the trace: lackey, din or auto [auto]", option_word,
	  .target = offsetof(struct sim_arguments, format), .choices = trace_formats },
	{ "with", 0, "TRACE", "another program's trace, which shares L3 with that of --input, by "
	  "turns of modelled time; may be repeated", take_with,
	  .target = offsetof(struct sim_arguments, with) },
	{ "output", 'o', "FILE", "keep a program's simulation for -i; with --generate the trace, - "
	  "for standard output", option_text, .target = offsetof(struct sim_arguments, output) },
	OPTION_TOP(struct sim_arguments, show, "10"),
	OPTION_JSON(struct sim_arguments, show.json),
	{ "dot", 0, NULL, "print which instructions and objects evict which, as a graph for "
	  "Graphviz's dot; with --classify reuse also which use lines again that which had used, "
	  "dashed", option_flag, .target = offsetof(struct sim_arguments, dot) },
	{ "html", 0, "FILE", "write a page to look at in a browser, with the source lines that it "
	  "shows, in place of text", option_text, .target = offsetof(struct sim_arguments, html) },
	{ "quiet", 'q', NULL, "no progress", option_flag,
	  .target = offsetof(struct sim_arguments, quiet) },
	{ }
};

static const struct option_row model_rows[] = {
	{ "prefetch", 0, "LIST", "prefetchers, with commas between: of L1 next-line and stride "
	  "(of an instruction's loads), of L2 adjacent (pairs of lines) and stream [none]",
	  take_prefetchers, .target = offsetof(struct sim_arguments, prefetchers) },
	{ "coherence", 0, "NAME", "none; mesi: a store takes other threads' copies of the line out "
	  "of their L1 and L2; what misses by that is true or false sharing [none]", option_choice,
	  .target = offsetof(struct sim_arguments, coherence), .choices = protocol_names },
	{ "turn", 0, "N", "basic blocks that a thread runs before the next one does, with "
	  "--coherence [1000]", option_number,
	  .target = offsetof(struct sim_arguments, turn), 1, COHERENCE_TURN_MOST },
	{ }
};

static const struct option_row pages_rows[] = {
	OPTION_PAGES("random:1; of a trace identity"), { }
};

static const struct option_row count_rows[] = {
	{ "classify", 0, "NAME", "full: exact classes; fifo and reuse also run another detector, "
	  "Collins and Tullsen's or MACPO's [full]", option_choice,
	  .target = offsetof(struct sim_arguments, detector), .choices = detector_names },
	{ "phases", 0, "S,W,E", PHASES_HELP, sim_phases,
	  .target = offsetof(struct sim_arguments, phases) },
	{ "alias", 0, "[=N]", "count loads at the page offset of one of the last N stores to "
	  "another page: 4K aliasing, which depends on no cache [56]", take_alias,
	  .target = offsetof(struct sim_arguments, alias), 1, ALIAS_PAGE },
	{ "blocks", 0, "N", "the first N heap blocks of each place are objects of their own, "
	  "as rows[#3]: conflicts within and between blocks, and accesses by object", option_number,
	  .target = offsetof(struct sim_arguments, blocks), 1, CCS_SIM_BLOCKS_MOST },
	{ "repeatable", 0, NULL, "the stack lies where record puts it, whatever the size of the "
	  "environment", option_flag, .target = offsetof(struct sim_arguments, repeatable) },
	{ "function", 0, "NAME", "only the references of this function, with what is inlined into "
	  "it and without what it calls", option_text,
	  .target = offsetof(struct sim_arguments, function) },
	{ }
};

static const struct option_row synthetic_rows[] = {
	{ "generate", 0, "WALKS", "write a synthetic trace whose misses follow from arithmetic, "
	  "and show them: column:LINESxROUNDS (lines of one set) and row:LINESxROUNDS "
	  "(neighbours), as in column:12x100,row:600x5", option_text,
	  .target = offsetof(struct sim_arguments, generate) },
	{ }
};

static const struct option_group groups[] = {
	{ .rows = rows },
	{ LEVELS_HEADING, machine_rows, offsetof(struct sim_arguments, caches) },
	{ NULL, level_rows, offsetof(struct sim_arguments, caches) },
	{ NULL, policy_rows, offsetof(struct sim_arguments, caches) },
	{ NULL, pages_rows, offsetof(struct sim_arguments, caches) },
	{ .rows = model_rows },
	{ "What is counted of a program", .rows = count_rows },
	{ "Synthetic traces", .rows = synthetic_rows },
	{ }
};

const struct command command_sim = {
	.name = "sim",
	.summary = "simulate the caches under a program or a trace: every miss classified",
	.usage = "sim [options] -- PROGRAM [ARGUMENTS]\n"
		 "sim [options] -i TRACE|FILE\n"
		 "sim [caches] --generate WALKS -o TRACE",
	.about = "Counts hits and misses of each level, classifies misses as cold, capacity or "
		 "conflict, and shows which code and data evict which.",
	.notes = "A program's children are simulated too, each process with its own caches, and "
		 "the counts are added up; each of its threads has its own L1 and L2, and all "
		 "share the L3. The exit status is the program's. With --json or --dot what the "
		 "program prints goes to standard error.",
	.examples = "  ccsample sim -- ./app\n"
		    "  ccsample sim --machine skl --json -- ./app\n"
		    "  ccsample sim --html sim.html -- ./app\n"
		    "  valgrind --tool=lackey --trace-mem=yes --log-file=trace ./app\n"
		    "  ccsample sim --D1 32K,8,64 -i trace",
	.groups = groups,
	.runs_program = true,
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.run = sim_main,
};
