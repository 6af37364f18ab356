// SPDX-License-Identifier: GPL-2.0-only
/* A program through the engine that simulates. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/results.h"
#include "cachesim/policy-names.h"
#include "cmd/sim-options.h"
#include "format/pages-text.h"
#include "record/head.h"
#include "record/run.h"
#include "host/machine.h"

/* What sim_file_read() needs to know the caches by. */
static void write_beginning(struct recording_writer *writer, const struct record_request *request,
			    const struct sim_arguments *arguments)
{
	const struct level_plan *level = request->caches.level;
	struct machine machine;
	char text[64];

	machine_read(&machine);
	beginning_write(writer, request, &machine, source_find("engine"));
	beginning_option(writer, "simulate", "yes");
	snprintf(text, sizeof(text), "%s,%s,%s", policy_name(level[0].policy),
		 policy_name(level[1].policy), policy_name(level[2].policy));
	beginning_option(writer, "policies", text);
	snprintf(text, sizeof(text), "%s,%s", inclusion_name(level[1].inclusion),
		 inclusion_name(level[2].inclusion));
	beginning_option(writer, "inclusions", text);
	beginning_option(writer, "detector", sim_detector_name(arguments->detector));
	plan_prefetchers_text(request->caches.prefetchers, text, sizeof(text));
	if (*text)
		beginning_option(writer, "prefetch", text);
	if (request->caches.coherence) {
		snprintf(text, sizeof(text), "%" PRIu32, request->turn);
		beginning_option(writer, "coherence", "mesi");
		beginning_option(writer, "turn", text);
	}
	if (arguments->function)
		beginning_option(writer, "function", arguments->function);
	snprintf(text, sizeof(text), "%" PRIu64, arguments->alias);
	if (arguments->alias)
		beginning_option(writer, "alias", text);
	snprintf(text, sizeof(text), "%" PRIu64, arguments->blocks);
	if (arguments->blocks)
		beginning_option(writer, "blocks", text);
}

int sim_request(const struct sim_arguments *arguments, const struct hierarchy_plan *plan,
		struct record_request *request)
{
	*request = (struct record_request){
		.caches = *plan, .pages = { PAGES_RANDOM, 1 }, .seed = 1, .simulated = true,
		.simulate = true, .function = arguments->function, .alias = arguments->alias,
		.turn = arguments->turn, .blocks = arguments->blocks,
		.marked = arguments->phases.marked, .argv = arguments->argv,
		.placed = arguments->repeatable,
		.quiet = arguments->quiet,
		/* What the program prints is no part of the JSON, nor of the graph. */
		.output_taken = arguments->show.json || arguments->dot,
	};
	memcpy(request->phases, arguments->phases.lengths, sizeof(request->phases));
	/* Depths are of the last level, which is not full by then. */
	request->refill = arguments->phases.refill && !detector_has_depths(plan->detector);
	return arguments->caches.pages ?
	       pages_given(&request->pages, arguments->caches.pages, plan->levels) : 0;
}

int sim_run(const struct sim_arguments *arguments, struct record_request *request,
	    const struct images_listener *listener)
{
	struct recording_writer *writer;
	struct record_result result;
	struct recorder *recorder;
	int failed;

	request->listener = listener;
	recorder = recorder_open(source_find("engine"), request, arguments->output, &writer);
	if (!recorder)
		return -1;
	if (writer)
		write_beginning(writer, request, arguments);
	failed = recorder_run(recorder, &result);
	if (writer && failed)
		recording_discard(writer);
	else if (writer)
		failed = recording_finish(writer, result.duration_ns);
	return failed ? -1 : result.status;
}

struct sim_findings *sim_found(const struct sim_arguments *arguments, struct sim_results *results,
			       const struct page_plan *pages)
{
	char *text = pages_text(pages);
	struct sim_findings *findings = sim_results_findings(results, text, arguments->function);

	free(text);
	findings->alias_window = arguments->alias;
	findings->turn = arguments->turn;
	findings->blocks = arguments->blocks;
	return findings;
}
