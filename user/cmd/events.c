// SPDX-License-Identifier: GPL-2.0-only
/* ccsample events: what record -e takes by name, here and on other processors. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/options.h"
#include "kmod/models.h"
#include "record/device.h"
#include "host/event-names.h"
#include "output/json.h"

static const char help[] =
"usage: ccsample events [options] [WORD...]\n"
"\n"
"Lists the events of this processor that have all the words in their name, code or\n"
"description: what record -e takes, and what can be sampled here.\n"
"\n"
"      --cpu NAME         of another processor, as libpfm4 calls it: skl, icx, ...; list = all\n"
"      --pebs             only those whose samples have an address on Intel (PEBS)\n"
"      --json             for scripts\n"
"  -h, --help             this text\n"
"\n"
"Names are libpfm4's (MEM_LOAD_RETIRED.L1_MISS), l1-miss and its like those of all sources. An\n"
"event without a name goes by its raw code, rNNN: event and unit mask, as perf has them.\n";

struct arguments {
	const char *cpu;
	bool pebs, json;
	char **words;			/* ended by NULL */
};

struct listing {
	const struct arguments *arguments;
	struct event_cpu cpu;
	const char *absent;		/* why there is no PEBS here, NULL = there is */
	struct json json;
	size_t count;
};

static int take_option(void *argument, int option)
{
	struct arguments *arguments = argument;

	switch (option) {
	case 'c':
		arguments->cpu = optarg;
		return 0;
	case 'p':
		arguments->pebs = true;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	}
	return 0;
}

/* --- what is listed --- */

static bool is_wanted(const struct arguments *arguments, const struct event_name *event)
{
	char code[24];
	char **word;

	if (arguments->pebs && !event->precise)
		return false;
	snprintf(code, sizeof(code), "r%04" PRIx64, event->code);
	for (word = arguments->words; *word; word++)
		if (!strcasestr(event->name, *word) && !strcasestr(event->about, *word) &&
		    strcasecmp(code, *word))
			return false;
	return true;
}

/* Who would sample it here: "pebs", "engine", or NULL. */
static const char *sampler(const struct listing *listing, const struct event_name *event,
			   bool ours)
{
	if (listing->cpu.here && !listing->absent && event->precise)
		return "pebs";
	return ours && (listing->absent || !listing->cpu.here) ? "engine" : NULL;
}

static void print_row(const struct event_name *event, const char *by)
{
	char level[16] = "-", code[24] = "-";

	if (event->level)
		snprintf(level, sizeof(level), "L%" PRIu32, event->level);
	if (event->code)
		snprintf(code, sizeof(code), "r%04" PRIx64, event->code);
	printf("%-42s %-10s %-5s %-4s %-6s  %s\n", event->name, code, level,
	       event->precise ? "yes" : "-", by ? by : "-", event->about);
}

static void json_row(struct json *json, const struct event_name *event, const char *by)
{
	json_open_flat(json, '{');
	json_put_string(json, "name", event->name);
	json_put_count(json, "code", event->code);
	json_put_count(json, "level", event->level);
	json_put_bool(json, "pebs", event->precise);
	json_put_string(json, "sampled", by);
	json_put_string(json, "about", event->about);
	json_close(json, '}');
}

static void put(struct listing *listing, const struct event_name *event, bool ours)
{
	const char *by = sampler(listing, event, ours);

	if (!is_wanted(listing->arguments, event))
		return;
	if (!listing->count && !listing->arguments->json)
		puts("name                                       code       level pebs here    is");
	listing->count++;
	if (listing->arguments->json)
		json_row(&listing->json, event, by);
	else
		print_row(event, by);
}

static void take_event(void *context, const struct event_name *event)
{
	put(context, event, false);
}

/* The names of all sources; where the module's table knows the processor, with their codes. */
static void put_ours(struct listing *listing)
{
	static const char *const names[] = { "l1-miss", "l2-miss", "l3-miss" };
	const struct ccsample_model *row = listing->cpu.row < ccsample_models_nr ?
					   &ccsample_models[listing->cpu.row] : NULL;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		struct event_name event = { .name = names[i], .level = i + 1 };
		char *about = xasprintf("Loads that missed L%u%s%s", i + 1,
					row && i < row->nr_events && *row->events[i].warning ?
					"; " : "", row && i < row->nr_events ?
					row->events[i].warning : "");

		event.about = about;
		if (row && i < row->nr_events) {
			event.code = row->events[i].config;
			event.precise = true;
		}
		put(listing, &event, true);
		free(about);
	}
}

static void begin(struct listing *listing)
{
	struct json *json = &listing->json;

	if (listing->arguments->json) {
		json_open(json, '{');
		json_put_string(json, "cpu", listing->cpu.name);
		json_put_string(json, "about", listing->cpu.about);
		json_put_bool(json, "here", listing->cpu.here);
		json_put_string(json, "proxy_for", listing->cpu.proxy_for);
		json_put_string(json, "source", listing->absent ? "engine" : "pebs");
		json_key(json, "events");
		json_open(json, '[');
		return;
	}
	printf("%s: %s, ", listing->cpu.name, listing->cpu.about);
	if (listing->cpu.proxy_for)
		printf("for this machine's %s, which libpfm4 does not know\n",
		       listing->cpu.proxy_for);
	else
		puts(listing->cpu.here ? "this machine's" : "another machine's");
	if (listing->absent)
		printf("no PEBS here (" CCSAMPLE_DEVICE ": %s): the engine samples l1-miss, l2-miss, "
		       "l3-miss\n", listing->absent);
	if (listing->cpu.row < ccsample_models_nr && *ccsample_models[listing->cpu.row].name &&
	    ccsample_models[listing->cpu.row].warning)
		printf("%s: %s\n", ccsample_models[listing->cpu.row].name,
		       ccsample_models[listing->cpu.row].warning);
	putchar('\n');
}

static int end(struct listing *listing)
{
	if (listing->arguments->json) {
		json_close(&listing->json, ']');
		json_close(&listing->json, '}');
	}
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the result: %s", strerror(errno));
	if (!listing->count && !listing->arguments->json)
		return fail("no event of %s is like that", listing->cpu.name);
	return 0;
}

static int list(const struct arguments *arguments)
{
	struct listing listing = {
		.arguments = arguments, .absent = device_absent(), .json = { .out = stdout },
	};

	if (event_cpu_find(arguments->cpu, &listing.cpu) < 0)
		return -1;
	if (listing.cpu.pmu < 0)
		note("libpfm4 does not know this machine's processor: its events go by raw codes "
		     "(r08d1); --cpu names another");
	begin(&listing);
	put_ours(&listing);
	event_names_each(&listing.cpu, take_event, &listing);
	return end(&listing);
}

int cmd_events(int argc, char **argv)
{
	static const struct option options[] = {
		{ "cpu", required_argument, NULL, 'c' },
		{ "pebs", no_argument, NULL, 'p' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static const struct option_plan plan = { "events", help, ":h", options, take_option };
	struct arguments arguments = { .cpu = NULL };
	int first = options_read(&plan, argc, argv, &arguments);
	char *names;

	if (first <= 0)
		return first < 0 ? 2 : 0;
	arguments.words = argv + first;
	if (!arguments.cpu || strcmp(arguments.cpu, "list"))
		return list(&arguments) < 0;
	names = event_cpu_names();
	puts(names);
	free(names);
	return 0;
}
