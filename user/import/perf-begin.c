// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "record/head.h"
#include "import/perf-inside.h"

#define PERIOD_MAX	(1ull << 48)

/* --- periods --- */

struct sums {
	const struct perf_attrs *attrs;
	uint64_t *periods, *samples;
	size_t count;
};

static void sum_begin(void *context, const struct perf_facts *facts,
		      const struct perf_attrs *attrs)
{
	struct sums *sums = context;

	sums->attrs = attrs;
	sums->count = attrs->count;
	sums->periods = xcalloc(attrs->count + 1, sizeof(*sums->periods));
	sums->samples = xcalloc(attrs->count + 1, sizeof(*sums->samples));
}

static void sum_sample(void *context, const struct perf_event *event,
		       const struct perf_sample *sample)
{
	struct sums *sums = context;
	size_t number = event - sums->attrs->events;

	if (number >= sums->count)
		return;
	sums->periods[number] += sample->period;
	sums->samples[number]++;
}

static void sum_side_event(void *context, const struct side_event *side)
{
}

static bool never(void *context, double position)
{
	return false;
}

static bool has_varied(const struct perf_attrs *attrs)
{
	size_t i;

	/* perf adds an event that never comes, for the sake of its maps. */
	for (i = 0; i < attrs->count; i++) {
		const struct perf_event_attr *attr = &attrs->events[i].attr;

		if (attr->freq && (attr->type != PERF_TYPE_SOFTWARE ||
				   attr->config != PERF_COUNT_SW_DUMMY))
			return true;
	}
	return false;
}

/* Only the head. Where that cannot be read the next look says why. */
static bool asks_for_sums(struct perf_input *input)
{
	struct perf_attrs attrs = { .count = 0 };
	bool varied = false;

	if (perf_input_again(input) && !perf_input_attrs(input, &attrs))
		varied = has_varied(&attrs);
	perf_attrs_drop(&attrs);
	return varied;
}

int perf_periods_find(struct perf_periods *periods, struct perf_input *input)
{
	struct sums sums = { .count = 0 };
	const struct perf_listener listener = { &sums, sum_begin, sum_sample, sum_side_event };
	struct perf_reader *reader;
	struct perf_input_end end;
	int status;
	size_t i;

	if (!asks_for_sums(input))
		return 0;
	reader = perf_reader_new(&listener);
	status = perf_input_read(input, reader, never, NULL, &end);
	for (i = 0; i < sums.count; i++)
		sums.periods[i] = sums.samples[i] ? sums.periods[i] / sums.samples[i] : 0;
	perf_reader_free(reader);
	free(sums.samples);
	*periods = (struct perf_periods){ sums.periods, sums.count };
	return status;
}

void perf_periods_drop(struct perf_periods *periods)
{
	free(periods->means);
}

/* --- what it begins with --- */

/* What follows "--" in perf's own command; all of it where that is not there. */
static char **command_of(char **command)
{
	size_t i;

	for (i = 0; command[i]; i++)
		if (!strcmp(command[i], "--") && command[i + 1])
			return command + i + 1;
	return command;
}

static void write_texts(struct recording_writer *writer, const struct perf_facts *facts,
			const char *path)
{
	beginning_text(writer, "version", CCSAMPLE_VERSION);
	beginning_text(writer, "source", "perf.data");
	beginning_text(writer, "clock", "ns");
	beginning_option(writer, "input", path);
	if (facts->processor)
		beginning_text(writer, "cpu", facts->processor);
	if (facts->kernel)
		beginning_text(writer, "kernel", facts->kernel);
	if (facts->command)
		beginning_command(writer, command_of(facts->command));
	if (facts->version)
		beginning_option(writer, "perf", facts->version);
	if (facts->host)
		beginning_option(writer, "host", facts->host);
}

/* This machine's caches stand for those of the same processor, where the file (a pipe) has none. */
static void fill_machine(struct machine *machine, const struct perf_facts *facts, const char *path,
			 bool quiet)
{
	struct machine here;
	size_t i;

	memset(machine, 0, sizeof(*machine));
	machine_read(&here);
	for (i = 0; i < facts->cache_count; i++) {
		const struct perf_cache *cache = &facts->caches[i];
		struct machine_cache *own = &machine->caches[machine->cache_count];

		own->level = cache->level;
		own->size = (uint64_t)cache->sets * cache->ways * cache->line;
		if (!cache_geometry_init(&own->geometry, own->size, cache->ways, cache->line))
			machine->cache_count++;
	}
	if (machine->cache_count || !facts->processor || strcmp(facts->processor, here.cpu))
		return;
	*machine = here;
	if (!quiet)
		note("%s does not hold its machine's caches: this machine's are taken, whose "
		     "processor is an %s too", path, here.cpu);
}

/* Its machine code could not be read. */
static int check_machine(const struct perf_facts *facts, const char *path)
{
	const char *arch = facts->arch;

	if (!arch || !strcmp(arch, "x86_64") || (*arch == 'i' && !strcmp(arch + 2, "86")))
		return 0;
	return fail("%s cannot be imported: it was recorded on %s, and ccsample knows x86-64 alone",
		    path, arch);
}

static uint64_t period_of(const struct perf_periods *periods, const struct perf_attrs *attrs,
			  uint32_t number)
{
	uint64_t period = attrs->events[number].attr.sample_period;

	if (attrs->events[number].attr.freq)
		period = number < periods->count ? periods->means[number] : 0;
	/* No counter has more bits; a larger one could not be multiplied. */
	return !period ? 1 : period < PERIOD_MAX ? period : PERIOD_MAX;
}

static void write_events(struct recording_writer *writer, const struct perf_attrs *attrs,
			 const struct perf_plan *plan, const struct perf_periods *periods)
{
	uint32_t i;

	for (i = 0; i < plan->count; i++) {
		const struct perf_output *output = &plan->outputs[i];
		const struct perf_event_attr *attr = &attrs->events[output->event].attr;
		struct request_event event = {
			.level = output->level,
			.raw = attr->type == PERF_TYPE_RAW ? attr->config : 0,
			.period = period_of(periods, attrs, output->event),
			.burst = 1,
		};

		event.spread = event.period * (output->spread - 1);
		event.period *= output->spread;
		strncpy(event.name, output->name, sizeof(event.name) - 1);
		beginning_event(writer, &event, i + 1);
	}
}

struct recording_writer *perf_beginning(const char *output, const struct perf_request *request,
					const struct perf_facts *facts,
					const struct perf_attrs *attrs,
					const struct perf_plan *plan,
					const struct perf_periods *periods, const char *path)
{
	struct hierarchy_plan caches = { .levels = 0 };
	struct recording_writer *writer;
	struct machine machine;

	if (check_machine(facts, path) < 0)
		return NULL;
	fill_machine(&machine, facts, path, request->quiet);
	if (request->caches(request->context, &machine, &caches) < 0)
		return NULL;
	writer = recording_create(output);
	if (!writer)
		return NULL;
	write_texts(writer, facts, path);
	beginning_caches(writer, &caches, false);
	write_events(writer, attrs, plan, periods);
	return writer;
}
