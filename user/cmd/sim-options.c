// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "cachesim/alias.h"
#include "cmd/number.h"
#include "cmd/options.h"
#include "cmd/sim-options.h"

static const char help[] =
"usage: ccsample sim [options] -- PROGRAM [ARGUMENTS]\n"
"       ccsample sim [options] -i TRACE|FILE\n"
"       ccsample sim [caches] --generate WALKS -o TRACE\n"
"\n"
"Runs a program, or a trace of memory references, through simulated caches: hits and misses of\n"
"each level, which misses are cold, capacity and conflict, and who drives whom out.\n"
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
"      --pages MODEL          of a program, where its pages lie in physical memory, by which L2\n"
"                             and L3 are indexed: random[:SEED], huge[:SEED] (2 MiB pages),\n"
"                             identity, real (needs root) [random:1]\n"
"      --phases S,W,E         of a program, simulate a part: skip S instructions, warm the caches\n"
"                             with W, count E, and again; auto is 4600K,200K,200K with less\n"
"                             warming where L2 has been filled anew before; marked: all warms\n"
"                             the caches, and what the program marks is counted\n"
"                             (ccsample-marks.h) [all is simulated]\n"
"      --alias[=N]            of a program, count loads that find the same place of another page\n"
"                             among the last N stores: 4K aliasing, no matter of caches [56]\n"
"      --function NAME        of a program, simulate the references of this function alone, with\n"
"                             what is inlined into it, without what it calls\n"
"      --generate WALKS       write a trace whose misses follow from arithmetic, and show them:\n"
"                             column:LINESxROUNDS (lines of one set), row:LINESxROUNDS\n"
"                             (neighbours), by commas, as in column:12x100,row:600x5\n"
"  -n, --top N                at most N rows of each table, 0 = all; default 10 in text,\n"
"                             all in JSON\n"
"      --json                 for scripts\n"
"  -h, --help                 this text\n"
"  -o, --output FILE          keep a program's simulation, -i FILE shows it again; or the trace\n"
"                             to generate, - for standard output\n"
"  -q, --quiet                no progress\n"
"\n"
"A program's children are simulated too, each process with caches of its own, and the counts\n"
"added up; its threads have an L1 and L2 each and share the L3. The exit status is the program's.\n"
"A trace of a program: valgrind --tool=lackey --trace-mem=yes --log-file=trace PROGRAM\n";

static const char *const detector_names[] = {
	[DETECTOR_NONE] = "full", [DETECTOR_COLLINS_TULLSEN] = "fifo", [DETECTOR_REUSE] = "reuse",
};

const char *sim_detector_name(enum detector detector)
{
	return detector_names[detector];
}

static int parse_classify(struct sim_arguments *arguments, const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(detector_names); i++) {
		if (strcmp(text, detector_names[i]))
			continue;
		arguments->detector = i;
		return 0;
	}
	return fail("--classify takes full, fifo or reuse, not '%s'", text);
}

/* A twenty-fifth is counted. Changes of phase cost little: many short ones are the best sample. */
int sim_parse_phases(struct sim_arguments *arguments, const char *text)
{
	static const uint64_t defaults[] = { 4600000, 200000, 200000 };
	uint64_t *phases = arguments->phases;
	char unit[3] = { 0 }, end;
	int i, got;

	if (!strcmp(text, "auto")) {
		memcpy(phases, defaults, sizeof(defaults));
		arguments->refill = true;
		return 0;
	}
	arguments->marked = !strcmp(text, "marked");
	if (arguments->marked)
		return 0;
	for (i = 0; i < 3; i++) {
		got = sscanf(text, "%15" SCNu64 "%n", &phases[i], &got) == 1 ? got : 0;
		if (!got || *text == '-' || *text == '+')
			break;
		text += got;
		unit[i] = strchr("KkMmGg", *text) && *text ? *text++ : 0;
		end = i < 2 ? ',' : 0;
		if (*text != end)
			break;
		text++;
		phases[i] *= unit[i] == 0 ? 1 : unit[i] == 'K' || unit[i] == 'k' ? 1000 :
			     unit[i] == 'M' || unit[i] == 'm' ? 1000000 : 1000000000;
	}
	if (i < 3 || !phases[2])
		return fail("--phases takes auto, marked, or instructions to skip, to warm up and "
			    "to evaluate as in 90M,5M,5M, the last not 0");
	return 0;
}

static int take_option(void *argument, int option)
{
	struct sim_arguments *arguments = argument;

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
	case 'F':
		return sim_parse_phases(arguments, optarg);
	case 'g':
		arguments->generate = optarg;
		return 0;
	case 'a':
		arguments->alias = ALIAS_WINDOW;
		return optarg ? parse_number("--alias", optarg, 1, ALIAS_PAGE, &arguments->alias) : 0;
	case 'u':
		arguments->function = optarg;
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
	}
	return 0;
}

static int check_generate(const struct sim_arguments *arguments)
{
	if (arguments->input || arguments->argv[0] || arguments->pages || arguments->phases[2] ||
	    arguments->marked || arguments->function || arguments->alias ||
	    arguments->detector != DETECTOR_NONE)
		return fail("--generate goes with caches, --output, --top and --json alone");
	return arguments->output ? 0 : fail("--generate needs a file to write to: -o TRACE");
}

static int check(const struct sim_arguments *arguments)
{
	bool lists = arguments->machine && !strcmp(arguments->machine, "list");

	if (lists)
		return 0;
	if (arguments->generate)
		return check_generate(arguments);
	if (!arguments->input == !arguments->argv[0])
		return fail("sim needs a program or a trace: ccsample sim -- PROGRAM, or ccsample "
			    "sim -i TRACE, see ccsample sim --help");
	if (arguments->input && (arguments->pages || arguments->output || arguments->phases[2] ||
				 arguments->marked || arguments->function || arguments->alias))
		return fail("--pages, --phases, --function, --alias and --output belong to a "
			    "program, not to a trace");
	return 0;
}

int sim_parse(int argc, char **argv, struct sim_arguments *arguments)
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
		{ "phases", required_argument, NULL, 'F' },
		{ "generate", required_argument, NULL, 'g' },
		{ "function", required_argument, NULL, 'u' },
		{ "alias", optional_argument, NULL, 'a' },
		{ "output", required_argument, NULL, 'o' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "classify", required_argument, NULL, 'c' },
		{ "top", required_argument, NULL, 'n' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = {
		"sim", help, "+:i:n:o:qh", options, take_option,
	};
	int first = options_read(&plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	arguments->argv = argv + first;
	return check(arguments);
}
