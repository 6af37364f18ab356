// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "tracing/traced.h"
#include "base/fail.h"
#include "base/progress.h"
#include "import/simulate.h"
#include "import/trace.h"

#define BATCH		4096

/* ---- of other tools ---- */

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

static int read_trace(struct simulation *simulation, const char *input, const char *format,
		      struct simulation_view *view)
{
	struct trace *trace = trace_open(input, format);
	int status;

	if (!trace)
		return -1;
	status = run(simulation, trace);
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
	struct simulation *simulation = context;

	if (simulation->sites[simulation->site].address != ip || !simulation->site)
		simulation_fetch(simulation, ip);
	return simulation_refer(simulation, address, size, store);
}

/* Its references, not its loops: ccsample analyze is for those. */
static int expand(struct simulation *simulation, const char *input, const char *format,
		  struct simulation_view *view)
{
	view->format = "ccsample trace";
	return traced_expand(input, take_traced, simulation);
}

struct simulation *import_simulate(const char *input, const char *format,
				   const struct hierarchy_plan *plan, struct simulation_view *view)
{
	struct simulation *simulation = simulation_new(plan);

	*view = (struct simulation_view){
		.input = strcmp(input, "-") ? input : "standard input",
	};
	if (!(traced_is(input) ? expand : read_trace)(simulation, input, format, view))
		return simulation;
	simulation_free(simulation);
	return NULL;
}
