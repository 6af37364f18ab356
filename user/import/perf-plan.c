// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "import/perf-plan.h"
#include "output/prose.h"

#define OUTPUTS_MAX	16		/* as many as a report takes */

/* Is this name among those with commas between them? Commas inside of slashes are the name's. */
static bool is_named(const char *list, const char *name)
{
	size_t size = strlen(name);
	const char *at;

	for (at = strstr(list, name); at; at = strstr(at + 1, name))
		if ((at == list || at[-1] == ',') && (!at[size] || at[size] == ','))
			return true;
	return false;
}

static void add(struct perf_plan *plan, const struct perf_output *output, const char *name)
{
	plan->outputs = grow(plan->outputs, plan->count, &plan->room, sizeof(*plan->outputs));
	plan->outputs[plan->count] = *output;
	plan->outputs[plan->count++].name = xstrdup(name);
}

/* Misses counted out one by one can keep in step with a loop; loads among which to look cannot. */
static uint64_t spread_of(const struct perf_wanted *wanted, const struct perf_event *event)
{
	bool even = !event->attr.freq && event->attr.sample_period > 1;

	return wanted->spread ? wanted->spread : even ? PERF_SPREAD : 1;
}

/* One for each level asked for, L1 where none was asked for. */
static void add_sources(struct perf_plan *plan, const struct perf_wanted *wanted, uint32_t event,
			const char *name)
{
	uint32_t levels = wanted->levels ? wanted->levels : 1u << 1, level;
	char *text;

	for (level = 1; level <= PERF_LEVELS; level++) {
		if (!(levels >> level & 1))
			continue;
		text = xasprintf("l%u-miss of %s", level, name);
		add(plan, &(struct perf_output){
			.event = event, .level = level, .by_source = true,
			.spread = wanted->spread ? wanted->spread : 1,
		}, text);
		free(text);
	}
}

/* Of an unknown event the user must say what it counts. */
static int add_other(struct perf_plan *plan, const struct perf_wanted *wanted,
		     struct perf_output *output, const char *name)
{
	if (!wanted->levels || wanted->levels & (wanted->levels - 1))
		return fail("-e %s: which level's misses it counts is not known: say it with "
			    "--level 1, 2 or 3", name);
	output->level = __builtin_ctz(wanted->levels);
	add(plan, output, name);
	return 0;
}

static int consider(struct perf_plan *plan, const struct perf_wanted *wanted, uint32_t number,
		    const struct perf_facts *facts, const struct perf_event *event)
{
	char *name = perf_event_name(facts, event);
	bool named = wanted->events && is_named(wanted->events, name);
	struct perf_output output = { .event = number, .spread = spread_of(wanted, event) };
	enum perf_meaning meaning = perf_event_meaning(facts, event, &output.level);
	int status = 0;

	if (wanted->events && !named)
		meaning = PERF_MEANING_OTHER;
	if (named && meaning == PERF_MEANING_MISSES && wanted->levels &&
	    !(wanted->levels >> output.level & 1))
		status = fail("-e %s counts misses of L%u: leave --level out", name, output.level);
	else if (meaning == PERF_MEANING_SOURCES)
		add_sources(plan, wanted, number, name);
	else if (meaning == PERF_MEANING_MISSES &&
		 (!wanted->levels || wanted->levels >> output.level & 1))
		add(plan, &output, name);
	else if (named)
		status = add_other(plan, wanted, &output, name);
	free(name);
	return status;
}

static char *list_events(const struct perf_facts *facts, const struct perf_attrs *attrs)
{
	char *text = xstrdup("");

	for (size_t i = 0; i < attrs->count && i < 8; i++) {
		prose_append(&text, "%s", i ? ", " : "");
		prose_append_free(&text, perf_event_name(facts, &attrs->events[i]));
	}
	return text;
}

static int fail_nothing(const struct perf_wanted *wanted, const struct perf_facts *facts,
			const struct perf_attrs *attrs, const char *path)
{
	char *events = list_events(facts, attrs);

	if (wanted->events)
		fail("%s has no event -e %s; it has %s", path, wanted->events, events);
	else
		fail("%s has no event that is known to count load misses%s; it has %s: choose one "
		     "with -e NAME --level 1|2|3, or record as docs/howto/record-with-perf.md says",
		     path, wanted->levels ? " of that level" : "", events);
	free(events);
	return -1;
}

int perf_plan_make(struct perf_plan *plan, const struct perf_wanted *wanted,
		   const struct perf_facts *facts, const struct perf_attrs *attrs,
		   const char *path)
{
	uint32_t i;

	if (!attrs->count)
		return fail("%s describes no event: its head is missing", path);
	for (i = 0; i < attrs->count; i++)
		if (consider(plan, wanted, i, facts, &attrs->events[i]) < 0)
			return -1;
	if (!plan->count)
		return fail_nothing(wanted, facts, attrs, path);
	if (plan->count > OUTPUTS_MAX)
		return fail("%s has %zu events and levels to import, and a report takes %d: choose "
			    "with -e", path, plan->count, OUTPUTS_MAX);
	return 0;
}

void perf_plan_drop(struct perf_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->count; i++)
		free(plan->outputs[i].name);
	free(plan->outputs);
	*plan = (struct perf_plan){ .count = 0 };
}
