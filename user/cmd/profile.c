// SPDX-License-Identifier: GPL-2.0-only
/* ccsample profile: stack distances of a program at the cache that it is to share. */
#include "base/fail.h"
#include "cmd/profile-options.h"
#include "import/simulate.h"
#include "sharing/profile-file.h"
#include "simulate/kept.h"
#include "tracing/traced.h"

static void take(void *results, const struct ccs_record *record)
{
	sim_results_take(results, record);
}

static void answer(void *results, const struct ccs_sim_ask *ask, struct ccs_sim_answer *answer)
{
	sim_results_answer(results, ask, answer);
}

static int profile_program(const struct profile_arguments *arguments,
			   const struct hierarchy_plan *plan)
{
	struct images_listener listener = { NULL, take, answer };
	struct sim_findings *findings;
	struct sim_results *results;
	struct record_request request;
	int status;

	if (sim_request(&arguments->sim, plan, &request))
		return 2;
	listener.context = results = sim_results_new(plan);
	sim_results_leave_names(results);
	status = sim_run(&arguments->sim, &request, &listener);
	findings = sim_found(&arguments->sim, results, &request.pages);
	if (status < 0 || profile_keep_findings(&arguments->profile, findings))
		status = 1;
	sim_findings_free(findings);
	return status;
}

/* @counted: the trace holds the number of instructions */
static int profile_simulated(const struct profile_arguments *arguments,
			     const struct hierarchy_plan *plan, bool counted)
{
	const char *input = arguments->sim.input;
	struct simulation_view view;
	struct simulation *simulation = import_simulate(input, arguments->sim.format, plan,
							&arguments->profile.pages, &view);
	int status;

	if (!simulation)
		return 1;
	if (simulation->references)
		status = profile_keep_simulation(&arguments->profile, simulation, view.format,
						 counted);
	else
		status = fail("%s has no references", input);
	simulation_free(simulation);
	return status < 0;
}

static int profile_input(const struct profile_arguments *arguments,
			 const struct hierarchy_plan *plan)
{
	bool ours;

	/* After one line. */
	if (sim_file_kind(arguments->sim.input, NULL) == SIM_FILE_BAD)
		return 1;
	ours = traced_is(arguments->sim.input);
	if (ours && profile_may_analyse(&arguments->profile, plan))
		return profile_analysed(&arguments->profile, plan);
	return profile_simulated(arguments, plan, !ours);
}

int profile_main(void *options)
{
	const struct profile_arguments *arguments = options;

	/* The program is not run for nothing. */
	if (!arguments->profile.threads && profile_may_replace(arguments->profile.output) < 0)
		return 1;
	if (arguments->sim.input)
		return profile_input(arguments, &arguments->plan);
	if (arguments->method == PROFILE_STRESSMARK)
		return profile_stressed(&arguments->profile, &arguments->plan);
	return profile_program(arguments, &arguments->plan);
}
