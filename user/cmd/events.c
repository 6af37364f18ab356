// SPDX-License-Identifier: GPL-2.0-only
/* ccsample events: what record -e takes by name, here and on other processors. */
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "host/event-list.h"
#include "host/event-names.h"
#include "device/device.h"

static int check(void *options, char **operands)
{
	struct event_query *query = options;

	query->words = operands;
	return 0;
}

static int run(void *options)
{
	struct event_query *query = options;
	char *names;

	query->absent = device_absent();
	if (!query->cpu || strcmp(query->cpu, "list"))
		return event_list(query);
	names = event_cpu_names();
	puts(names);
	free(names);
	return output_done();
}

static const struct option_row rows[] = {
	{ "cpu", 0, "NAME", "of another processor, by its name in libpfm4: skl, icx, ...; list "
	  "shows all", option_text, .target = offsetof(struct event_query, cpu) },
	{ "pebs", 0, NULL, "only events whose samples have an address on Intel (PEBS)", option_flag,
	  .target = offsetof(struct event_query, pebs) },
	OPTION_JSON(struct event_query, json),
	{ }
};

const struct command command_events = {
	.name = "events",
	.summary = "list the events that record -e takes, of this or another processor",
	.usage = "events [options] [WORD...]",
	.about = "Lists the events of this processor that have all the words in their name, code "
		 "or description, and whether they can be sampled here.",
	.notes = "Names are libpfm4's (MEM_LOAD_RETIRED.L1_MISS); l1-miss, l2-miss and l3-miss "
		 "work with every source. An event without a name goes by its raw code, rNNN: "
		 "event and unit mask, as in perf.",
	.examples = "  ccsample events --pebs miss",
	.groups = (const struct option_group[]){ { .rows = rows }, { } },
	.size = sizeof(struct event_query),
	.check = check,
	.run = run,
};
