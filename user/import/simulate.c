// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "tracing/traced.h"
#include "base/allocator.h"
#include "base/fail.h"
#include "base/progress.h"
#include "base/text.h"
#include "format/pass.h"
#include "import/neighbours.h"
#include "import/simulate.h"
#include "import/take.h"
#include "import/trace.h"

#define BATCH		4096

struct run {
	struct simulation *simulation;
	bool loaded;			/* the latest reference of a ccsample trace is a load */
	struct neighbours *neighbours;	/* NULL = none */
};

static int follow(const struct run *run)
{
	return run->neighbours ?
	       neighbours_follow(run->neighbours, simulation_cycles(run->simulation)) : 0;
}

/* ---- of other tools ---- */

static int take_batches(struct run *run, struct trace *trace)
{
	static struct reference batch[BATCH];
	long count, i;

	progress_start();
	while ((count = trace_read(trace, batch, BATCH)) > 0) {
		for (i = 0; i < count; i++)
			if (import_take(run->simulation, &batch[i]) < 0 || follow(run))
				return -1;
		if (progress_due())
			progress("%.0f million references", run->simulation->references / 1e6);
	}
	progress_clear();
	return count;
}

static int read_trace(struct run *run, const char *input, const char *format,
		      struct simulation_view *view)
{
	struct trace *trace = trace_open(input, format);
	int status;

	if (!trace)
		return -1;
	status = take_batches(run, trace);
	view->format = trace_format_name(trace);
	view->bad_lines = trace_bad_lines(trace);
	view->first_bad = trace_first_bad(trace);
	if (!status && view->bad_lines)
		warning("%llu of %llu lines are no references, the first is line %llu",
			(unsigned long long)view->bad_lines, (unsigned long long)trace_lines(trace),
			(unsigned long long)view->first_bad);
	trace_close(trace);
	return status;
}

/* ---- of ccsample's own ---- */

static int take_traced(void *context, uint64_t thread, uint64_t ip, uint64_t address, uint32_t size,
		       bool store)
{
	struct run *run = context;
	struct simulation *simulation = run->simulation;

	/* Each process has lines of its own. */
	simulation->space = thread >> 32;
	/* Of one instruction only a store after a load is the same execution. */
	if (simulation->sites[simulation->site].address != ip || !store || !run->loaded)
		simulation_fetch(simulation, ip);
	run->loaded = !store;
	return simulation_refer(simulation, address, size, store) < 0 ? -1 : follow(run);
}

/* Its references, not its loops: ccsample analyze is for those. */
static int expand(struct run *run, const char *input, const char *format,
		  struct simulation_view *view)
{
	view->format = "ccsample trace";
	return traced_expand(input, take_traced, run);
}

static int simulate(struct run *run, const char *input, const char *format,
		    struct simulation_view *view)
{
	*view = (struct simulation_view){ .input = shown_input(input) };
	return (recording_is(input) ? expand : read_trace)(run, input, format, view);
}

struct simulation *import_simulate(const char *input, const char *format,
				   const struct hierarchy_plan *plan,
				   const struct page_plan *pages, struct simulation_view *view)
{
	struct run run = { .simulation = simulation_new(plan, NULL) };

	simulation_place(run.simulation, pages);
	if (!simulate(&run, input, format, view))
		return run.simulation;
	simulation_free(run.simulation);
	return NULL;
}

struct sim_findings *import_simulate_shared(const char *input, char *const *others,
					    const char *format, const struct hierarchy_plan *plan,
					    struct simulation_view *view)
{
	struct sim_findings *findings = NULL;
	struct outer_level outer;
	struct run run;

	if (!outer_level_open(&outer, plan, &libc_allocator)) {
		fail("out of memory for the cache that programs share");
		return NULL;
	}
	run.simulation = simulation_new(plan, &outer);
	run.neighbours = neighbours_new(others, format, plan, &outer);
	if (run.neighbours && !simulate(&run, input, format, view)) {
		findings = simulation_findings(run.simulation);
		neighbours_put(run.neighbours, findings);
	}
	if (run.neighbours)
		neighbours_free(run.neighbours);
	simulation_free(run.simulation);
	outer_level_close(&outer, &libc_allocator);
	return findings;
}
