// SPDX-License-Identifier: GPL-2.0-only
/* ccsample sim: references through simulated caches, every miss classified. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bursts/outcomes.h"
#include "simulate/bursts.h"
#include "simulate/synthetic.h"
#include "simulate/kept.h"
#include "simulate/live.h"
#include "format/pass.h"
#include "simulate/simulation.h"
#include "tracing/traced.h"
#include "base/fail.h"
#include "base/output-file.h"
#include "base/reserved.h"
#include "cmd/sim-options.h"
#include "host/machine-file.h"
#include "import/simulate.h"
#include "page/sim.h"
#include "program/guard.h"
#include "simulate/views.h"

#define TOP_DEFAULT	10

static int list_machines(void)
{
	const struct known_machine *machine;

	for (size_t place = 0; (machine = known_machine_at(place)); place++)
		printf("# --machine %s\n%s\n", machine->name, machine->text);
	return output_done();
}

/* ---- showing ---- */

static int write_page(const char *path, const struct sim_findings *findings,
		      const struct simulation_view *view)
{
	struct output_file file;

	if (output_file_open(&file, path))
		return -1;
	page_simulation(file.stream, findings, view);
	return output_file_finish(&file);
}

static int show(const struct sim_arguments *arguments, struct sim_findings *findings,
		struct simulation_view *view)
{
	int status = 0;

	view->top = show_top(&arguments->show, TOP_DEFAULT);
	view->colour = wants_colour();
	if (arguments->html)
		status = write_page(arguments->html, findings, view);
	else
		(arguments->show.json ? simulation_json : arguments->dot ? simulation_dot :
		 simulation_text)(stdout, findings, view);
	sim_findings_free(findings);
	return status ? status : output_done();
}

/* In a sandbox: what is read may be hostile. Return: as guard_run() does. */
static int run_guarded(const struct sim_arguments *arguments, int (*run)(void *), void *context)
{
	int status;

	if (arguments->html && reserve_result(arguments->html) < 0)
		return -1;
	status = guard_run(run, context, 0);
	return reserved_settle() < 0 ? -1 : status;
}

/* What is simulated beside caches. Return: 0, or -1 after one line. */
static int complete_plan(const struct sim_arguments *arguments, struct hierarchy_plan *plan)
{
	const char *error;

	plan->detector = arguments->detector;
	plan->prefetchers = arguments->prefetchers;
	plan->coherence = arguments->coherence;
	error = hierarchy_error(plan);
	return error ? fail("%s", error) : 0;
}

/* All that is simulated. Return: 0, or -1 after one line. */
static int make_plan(const struct sim_arguments *arguments, struct hierarchy_plan *plan)
{
	return caches_plan(plan, &arguments->caches) < 0 ? -1 : complete_plan(arguments, plan);
}

/* Where an input's pages lie, if it was asked for. Return: 0, or -1 after one line. */
static int choose_pages(const struct sim_arguments *arguments, struct page_plan *pages)
{
	const char *asked = arguments->caches.pages;

	return asked ? pages_of_input(pages, asked) : 0;
}

/* ---- a trace ---- */

static int simulate_trace(const struct sim_arguments *arguments)
{
	struct page_plan pages = { PAGES_IDENTITY, 0 };
	struct hierarchy_plan plan;
	struct simulation_view view;
	struct simulation *simulation;
	struct sim_findings *findings;
	int status;

	if (make_plan(arguments, &plan) < 0 || choose_pages(arguments, &pages) < 0)
		return 2;
	if (arguments->with[0] && plan.levels < CACHE_LEVELS) {
		fail("--with needs three levels: programs share L3");
		return 2;
	}
	if (arguments->with[0]) {
		findings = import_simulate_shared(arguments->input, arguments->with,
						  arguments->format, &plan, &view);
		return findings ? show(arguments, findings, &view) : -1;
	}
	simulation = import_simulate(arguments->input, arguments->format, &plan, &pages, &view);
	if (!simulation)
		return -1;
	status = show(arguments, simulation_findings(simulation), &view);
	simulation_free(simulation);
	return status;
}

/* ---- a program ---- */

struct shown {
	const struct sim_arguments *arguments;
	struct record_request request;
	struct sim_live live;
};

static int show_program(void *context)
{
	struct shown *shown = context;
	const struct sim_arguments *arguments = shown->arguments;
	struct simulation_view view = { .input = arguments->argv[0] };
	struct sim_results *results = sim_live_results(&shown->live);
	struct sim_findings *findings;

	if (!results)
		return 1;
	findings = sim_found(arguments, results, &shown->request.pages);
	if (arguments->function && !findings->references)
		warning("no code of a function %s was run, or its name is unknown: see ccsample "
			"sim --help", arguments->function);
	return show(arguments, findings, &view) ? 1 : 0;
}

/* What is read of the program is read in a sandbox. */
static int show_guarded(void *context)
{
	struct shown *shown = context;

	return run_guarded(shown->arguments, show_program, shown);
}

static int simulate_program(const struct sim_arguments *arguments,
			    const struct hierarchy_plan *plan)
{
	struct shown shown = { .arguments = arguments };
	struct images_listener listener = { &shown.live, sim_live_take, sim_live_answer };
	int status;

	if (sim_request(arguments, plan, &shown.request))
		return 2;
	if (sim_live_start(&shown.live, plan, show_guarded, &shown))
		return 1;
	status = sim_run(arguments, &shown.request, &listener);
	return sim_live_end(&shown.live, status >= 0) || status < 0 ? 1 : status;
}

/* ---- a recording ---- */

static int show_file(const struct sim_arguments *arguments, enum sim_file_kind kind)
{
	struct simulation_view view = { .input = NULL };
	char *program = NULL;
	struct sim_findings *findings;
	int status = -1;

	if (kind == SIM_FILE_KEPT &&
	    (caches_given(&arguments->caches) || arguments->caches.policy ||
	     arguments->caches.pages || arguments->caches.inclusion || arguments->prefetchers ||
	     arguments->detector))
		return fail("%s keeps a simulation, which has its own caches and pages: give the "
			    "trace, or simulate again", arguments->input);
	findings = sim_file_read(arguments->input, &program);
	if (findings) {
		view.input = program ? program : arguments->input;
		status = show(arguments, findings, &view);
	}
	free(program);
	return status;
}

/* @plan: the recording's caches, which are taken where no others were asked for */
static int simulate_bursts(const struct sim_arguments *arguments, struct hierarchy_plan *plan)
{
	const struct cache_options *asked = &arguments->caches;
	struct simulation_view view = { arguments->input, caches_given(asked) ?
		"bursts of ccsample record; caches as given" : plan->levels ?
		"bursts of ccsample record; the recording's caches" :
		"bursts of ccsample record; this machine's caches" };
	bool recorded = !caches_given(asked) && plan->levels;
	struct page_plan pages = burst_default_pages;
	struct sim_findings *findings;
	int status = recorded ? caches_change(plan, asked) : caches_plan(plan, asked);

	if (asked->levels[2]) {
		fail("--L3: no burst is long enough for an L3: simulate the program itself");
		return 2;
	}
	if (status < 0 || complete_plan(arguments, plan) < 0 ||
	    choose_pages(arguments, &pages) < 0)
		return 2;
	findings = sim_bursts(arguments->input, plan, &pages);
	return findings ? show(arguments, findings, &view) : -1;
}

/* All that is read may be hostile. */
static int read_input(void *context)
{
	const struct sim_arguments *arguments = context;
	struct hierarchy_plan recorded;
	enum sim_file_kind kind;

	if (!recording_is(arguments->input))
		return simulate_trace(arguments);
	kind = sim_file_kind(arguments->input, &recorded);
	if (kind == SIM_FILE_BAD)
		return -1;
	if (kind == SIM_FILE_OTHER && traced_is(arguments->input))
		return simulate_trace(arguments);
	if (arguments->with[0])
		return fail("%s is a recording: --with takes traces", arguments->input);
	return kind == SIM_FILE_BURSTS ? simulate_bursts(arguments, &recorded) :
					 show_file(arguments, kind);
}

/* ---- a synthetic trace ---- */

/* Standard output receives the trace only. */
static int generate_to(const struct sim_arguments *arguments, struct controlled *controlled,
		       struct output_file *file)
{
	struct simulation_view view = { .input = arguments->output, .format = "as it has to be" };
	bool only = file->stream == stdout;

	controlled_write(controlled, file->stream);
	if (output_file_finish(file) < 0)
		return -1;
	return only ? 0 : show(arguments, controlled_findings(controlled), &view);
}

static int generate(const struct sim_arguments *arguments, const struct hierarchy_plan *plan)
{
	struct controlled *controlled = controlled_new(arguments->generate, plan);
	struct output_file file;
	int status;

	if (!controlled)
		return 2;
	status = output_may_replace(arguments->output, "I  ", "trace of Valgrind's lackey");
	if (!status)
		status = output_file_open(&file, arguments->output);
	if (!status)
		status = generate_to(arguments, controlled, &file);
	controlled_free(controlled);
	return status < 0;
}

int sim_main(void *options)
{
	const struct sim_arguments *arguments = options;
	struct hierarchy_plan plan;

	if (arguments->caches.machine && !strcmp(arguments->caches.machine, "list"))
		return list_machines();
	if (arguments->input)
		return run_guarded(arguments, read_input, options);
	if (make_plan(arguments, &plan) < 0)
		return 2;
	if (arguments->generate)
		return generate(arguments, &plan);
	return simulate_program(arguments, &plan);
}
