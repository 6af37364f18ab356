// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "source/perf-plan.h"

#define OUTPUTS_MAX	64

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

static void add(struct perf_plan *plan, uint32_t event, uint32_t level, bool by_source,
		const char *name)
{
	if (plan->count == OUTPUTS_MAX)
		return;
	plan->outputs = grow(plan->outputs, plan->count, &plan->room, sizeof(*plan->outputs));
	plan->outputs[plan->count++] = (struct perf_output){ event, level, by_source,
							     xstrdup(name) };
}

/* One for each level asked for, L1 where nobody asked. */
static void add_sources(struct perf_plan *plan, const struct perf_wanted *wanted, uint32_t event,
			const char *name)
{
	uint32_t levels = wanted->levels ? wanted->levels : 1u << 1, level;
	char *text;

	for (level = 1; level <= PERF_LEVELS; level++) {
		if (!(levels >> level & 1))
			continue;
		text = xasprintf("l%u-miss of %s", level, name);
		add(plan, event, level, true, text);
		free(text);
	}
}

/* Of an event that nobody knows the user must say what it counts. */
static int add_other(struct perf_plan *plan, const struct perf_wanted *wanted, uint32_t event,
		     const char *name)
{
	if (!wanted->levels || wanted->levels & (wanted->levels - 1))
		return fail("-e %s: which level's misses it counts is not known: say it with "
			    "--level 1, 2 or 3", name);
	add(plan, event, __builtin_ctz(wanted->levels), false, name);
	return 0;
}

static int consider(struct perf_plan *plan, const struct perf_wanted *wanted, uint32_t number,
		    const struct perf_facts *facts, const struct perf_event *event)
{
	char *name = perf_event_name(facts, event);
	bool named = wanted->events && is_named(wanted->events, name);
	enum perf_meaning meaning;
	uint32_t level;
	int status = 0;

	meaning = perf_event_meaning(facts, event, &level);
	if (wanted->events && !named)
		meaning = PERF_MEANING_OTHER;
	if (meaning == PERF_MEANING_SOURCES)
		add_sources(plan, wanted, number, name);
	else if (meaning == PERF_MEANING_MISSES && (!wanted->levels || wanted->levels >> level & 1))
		add(plan, number, level, false, name);
	else if (named)
		status = add_other(plan, wanted, number, name);
	free(name);
	return status;
}

static char *list_events(const struct perf_facts *facts, const struct perf_attrs *attrs)
{
	char *text = xstrdup(""), *name, *longer;
	size_t i;

	for (i = 0; i < attrs->count && i < 8; i++) {
		name = perf_event_name(facts, &attrs->events[i]);
		longer = xasprintf("%s%s%s", text, i ? ", " : "", name);
		free(name);
		free(text);
		text = longer;
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
		     "with -e NAME --level 1|2|3, or record as docs/perf-data.md says", path,
		     wanted->levels ? " of that level" : "", events);
	free(events);
	return -1;
}

int perf_plan_make(struct perf_plan *plan, const struct perf_wanted *wanted,
		   const struct perf_facts *facts, const struct perf_attrs *attrs,
		   const char *path)
{
	uint32_t i;

	if (!attrs->count)
		return fail("%s tells of no event: its head is missing", path);
	for (i = 0; i < attrs->count; i++)
		if (consider(plan, wanted, i, facts, &attrs->events[i]) < 0)
			return -1;
	if (!plan->count)
		return fail_nothing(wanted, facts, attrs, path);
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
