// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "ccsample.h"
#include "host/event-list.h"
#include "host/event-names.h"
#include "kmod/models.h"
#include "output/json.h"

struct listing {
	const struct event_query *query;
	struct event_cpu cpu;
	struct json json;
	size_t count;
};

static bool is_wanted(const struct event_query *query, const struct event_name *event)
{
	char code[24];
	char **word;

	if (query->pebs && !event->precise)
		return false;
	snprintf(code, sizeof(code), "r%04" PRIx64, event->code);
	for (word = query->words; *word; word++)
		if (!strcasestr(event->name, *word) && !strcasestr(event->about, *word) &&
		    strcasecmp(code, *word))
			return false;
	return true;
}

/* The source that would sample it here: "pebs", "engine", or NULL. */
static const char *sampler(const struct listing *listing, const struct event_name *event,
			   bool ours)
{
	if (listing->cpu.here && !listing->query->absent && event->precise)
		return "pebs";
	return ours && (listing->query->absent || !listing->cpu.here) ? "engine" : NULL;
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

	if (!is_wanted(listing->query, event))
		return;
	if (!listing->count && !listing->query->json)
		puts("name                                       code       level pebs here    is");
	listing->count++;
	if (listing->query->json)
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
	static const struct ccsample_named_event any[] = {
		{ "l1-miss", .level = 1, .warning = "" }, { "l2-miss", .level = 2, .warning = "" },
		{ "l3-miss", .level = 3, .warning = "" },
	};
	const struct ccsample_model *row = listing->cpu.row < ccsample_models_nr ?
					   &ccsample_models[listing->cpu.row] : NULL;
	bool known = row && row->nr_events;

	for (unsigned int i = 0; i < (known ? row->nr_events : ARRAY_SIZE(any)); i++) {
		const struct ccsample_named_event *named = known ? &row->events[i] : &any[i];
		struct event_name event = {
			.name = named->name,
			.code = named->config,
			.level = named->level,
			.precise = known,
		};
		char *about = xasprintf("%s that missed L%u%s%s%s",
					named->stores ? "Stores" : "Loads", named->level,
					known && row->core ? ", on P-cores" : "",
					*named->warning ? "; " : "", named->warning);

		event.about = about;
		put(listing, &event, !named->stores);
		free(about);
	}
}

static void begin(struct listing *listing)
{
	struct json *json = &listing->json;

	if (listing->query->json) {
		json_begin(json, "events");
		json_put_string(json, "cpu", listing->cpu.name);
		json_put_string(json, "about", listing->cpu.about);
		json_put_bool(json, "here", listing->cpu.here);
		json_put_string(json, "proxy_for", listing->cpu.proxy_for);
		json_put_string(json, "source", listing->query->absent ? "engine" : "pebs");
		json_open_under(json, "events", '[');
		return;
	}
	printf("%s: %s, ", listing->cpu.name, listing->cpu.about);
	if (listing->cpu.proxy_for)
		printf("for this machine's %s, which libpfm4 does not know\n",
		       listing->cpu.proxy_for);
	else
		puts(listing->cpu.here ? "this machine's" : "another machine's");
	if (listing->query->absent)
		printf("no PEBS here (" CCSAMPLE_DEVICE ": %s): the engine samples l1-miss, "
		       "l2-miss, l3-miss; bursts need no event\n", listing->query->absent);
	if (listing->cpu.row < ccsample_models_nr && *ccsample_models[listing->cpu.row].name &&
	    ccsample_models[listing->cpu.row].warning)
		printf("%s: %s\n", ccsample_models[listing->cpu.row].name,
		       ccsample_models[listing->cpu.row].warning);
	putchar('\n');
}

static int end(struct listing *listing)
{
	if (listing->query->json) {
		json_close(&listing->json, ']');
		json_close(&listing->json, '}');
	}
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the result: %s", strerror(errno));
	if (!listing->count && !listing->query->json && listing->cpu.pmu < 0)
		return fail("no event matches all the words: this processor's own have no names "
			    "here (--cpu NAME lists another's)");
	if (!listing->count && !listing->query->json)
		return fail("no event of %s matches all the words", listing->cpu.name);
	return 0;
}

int event_list(const struct event_query *query)
{
	struct listing listing = { .query = query, .json = { .out = stdout } };

	if (event_cpu_find(query->cpu, &listing.cpu) < 0)
		return -1;
	if (listing.cpu.pmu < 0)
		note("libpfm4 does not know this machine's processor: its events go by raw codes "
		     "(r08d1); --cpu names another");
	begin(&listing);
	put_ours(&listing);
	event_names_each(&listing.cpu, take_event, &listing);
	return end(&listing);
}
