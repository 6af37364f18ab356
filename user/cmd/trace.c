// SPDX-License-Identifier: GPL-2.0-only
/* ccsample trace: runs a program and writes all its references, compressed. */
#include <stdint.h>
#include <string.h>

#include "base/fail.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "options/output-name.h"
#include "format/recording.h"
#include "record/head.h"
#include "record/run.h"

struct options {
	struct record_request request;
	const char *output;
};

static const struct options defaults = {
	.request = { .seed = 1, .trace = true },
	.output = "ccsample.trace",
};

static int check(void *target, char **operands)
{
	struct options *options = target;

	options->request.argv = operands;
	options->request.output_taken = !strcmp(options->output, "-");
	return *operands ? 0 : fail("no program to trace (see ccsample trace --help)");
}

static void say_result(const struct options *options, const struct record_result *result,
		       uint64_t size)
{
	const struct images_totals *totals = &result->totals;

	note("%llu references, written to %s (%.*f MB, %.3g bytes a reference)",
	     (unsigned long long)totals->references,
	     shown_output(options->output),
	     size < 100000 ? 3 : 1, size / 1e6,
	     totals->references ? (double)size / totals->references : 0);
	if (options->request.function && !totals->references)
		warning("no code of a function %s was run, or its name is unknown: see ccsample "
			"trace --help", options->request.function);
	if (totals->lost[CCS_LOST_KILLED])
		note("lost: %llu processes were killed before they could send their last "
		     "references", (unsigned long long)totals->lost[CCS_LOST_KILLED]);
	if (totals->lost[CCS_LOST_UNRECORDED])
		note("lost: %llu processes could not be traced, or not to their end",
		     (unsigned long long)totals->lost[CCS_LOST_UNRECORDED]);
}

static void write_options(const struct options *options, struct recording_writer *writer)
{
	if (options->request.function)
		beginning_option(writer, "function", options->request.function);
	if (output_rank())
		beginning_text(writer, "rank", output_rank());
}

static int run(void *target)
{
	struct options *options = target;
	const struct source_ops *engine = source_find("engine");
	struct recording_writer *writer;
	struct recorder *recorder = recorder_open(engine, &options->request, options->output,
						  &writer);
	struct record_result result;
	struct machine machine;
	uint64_t size;

	if (!recorder)
		return 1;
	machine_read(&machine);
	beginning_write(writer, &options->request, &machine, engine);
	write_options(options, writer);
	if (recorder_run(recorder, &result)) {
		recording_discard(writer);
		return 1;
	}
	recording_flush(writer);
	size = recording_written(writer);
	if (recording_finish(writer, result.duration_ns))
		return 1;
	if (!options->request.quiet)
		say_result(options, &result, size);
	return result.status;
}

static const struct option_row rows[] = {
	{ "output", 'o', "FILE", "the trace, - for standard output; %p in the name is the process "
	  "id, %h the host, %r the rank under mpirun or srun [ccsample.trace]", output_option,
	  .target = offsetof(struct options, output) },
	{ "function", 0, "NAME", "only the references of this function, with what is inlined into "
	  "it and without what it calls", option_text,
	  .target = offsetof(struct options, request.function) },
	{ "stacks", 0, NULL, "keep an instruction's references apart by call stack (its signature)",
	  option_flag, .target = offsetof(struct options, request.stacks) },
	{ "quiet", 'q', NULL, "only errors and warnings", option_flag,
	  .target = offsetof(struct options, request.quiet) },
	{ }
};

const struct command command_trace = {
	.name = "trace",
	.summary = "run a program and write all its memory references, compressed",
	.usage = "trace [options] -- PROGRAM [ARGUMENTS]",
	.about = "Runs a program in the engine and writes its memory references as a trace of "
		 "loops, from which ccsample analyze computes the misses of any cache.",
	.notes = "Children are traced too, and each thread by itself. The exit status is the "
		 "program's (128 + the signal's number if one killed it), 1 if it could not be "
		 "traced, 2 for wrong usage.",
	.examples = "  ccsample trace -o app.trace -- ./app\n"
		    "  ccsample analyze app.trace --machine skl\n"
		    "  mpirun -n 4 ccsample trace -o run.%r.trace -- ./app",
	.groups = (const struct option_group[]){ { .rows = rows }, { } },
	.runs_program = true,
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.run = run,
};
