// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "format/pages-text.h"
#include "record/head.h"

void beginning_text(struct recording_writer *writer, const char *key, const char *text)
{
	recording_meta(writer, key, text, strlen(text));
}

void beginning_option(struct recording_writer *writer, const char *name, const char *value)
{
	char *key = xasprintf("option.%s", name);

	beginning_text(writer, key, value);
	free(key);
}

void beginning_command(struct recording_writer *writer, char **argv)
{
	size_t size = 0, used = 0, i;
	char *all;

	for (i = 0; argv[i]; i++)
		size += strlen(argv[i]) + 1;
	all = xmalloc(size);
	for (i = 0; argv[i]; i++) {
		strcpy(all + used, argv[i]);
		used += strlen(argv[i]) + 1;
	}
	recording_meta(writer, "command", all, size);
	free(all);
}

static void write_start(struct recording_writer *writer)
{
	time_t t = time(NULL);
	char text[32];
	struct tm utc;

	gmtime_r(&t, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	beginning_text(writer, "start", text);
}

static void write_seed(struct recording_writer *writer, uint64_t seed)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
	beginning_option(writer, "seed", text);
}

/* Where pages were taken to lie. */
static void write_pages(struct recording_writer *writer, const struct page_plan *pages)
{
	char *text = pages_text(pages);

	beginning_text(writer, "pages", text);
	free(text);
}

static void write_cache(struct recording_writer *writer, const struct level_plan *plan,
			uint32_t level, bool simulated)
{
	uint32_t slices = plan->hash ? plan->hash->slices : 1;
	struct ccs_cache cache = {
		.record = { .size = sizeof(cache), .type = CCS_CACHE },
		.level = level,
		.ways = plan->geometry.ways,
		.sets = plan->geometry.sets / slices,
		.line = plan->geometry.line,
		.slices = slices,
		.flags = (simulated ? CCS_CACHE_SIMULATED : 0) |
			 (level > 1 ? CCS_CACHE_PHYSICAL : 0),
	};
	char key[24];

	if (plan->hash) {
		snprintf(key, sizeof(key), "L%u.hash", level);
		beginning_text(writer, key, plan->hash->name);
	}
	recording_write(writer, &cache.record);
}

void beginning_caches(struct recording_writer *writer, const struct hierarchy_plan *plan,
		      bool simulated)
{
	uint32_t i;

	for (i = 0; i < plan->levels; i++)
		write_cache(writer, &plan->level[i], i + 1, simulated);
}

void beginning_event(struct recording_writer *writer, const struct request_event *wanted,
		     uint32_t id)
{
	struct ccs_event event = {
		.record = { .size = sizeof(event), .type = CCS_EVENT },
		.id = id,
		.level = wanted->level,
		.period = wanted->period,
		.spread = wanted->spread,
		.burst = wanted->burst,
		.raw = wanted->raw,
	};

	if (wanted->stores)
		event.flags |= CCS_EVENT_STORES;
	if (wanted->no_loads)
		event.flags |= CCS_EVENT_NO_LOADS;
	if (wanted->classes)
		event.flags |= CCS_EVENT_CLASSES;
	memcpy(event.name, wanted->name, sizeof(event.name) - 1);
	recording_write(writer, &event.record);
}

void beginning_write(struct recording_writer *writer, const struct record_request *request,
		     const struct machine *machine, const struct source_ops *source)
{
	uint32_t i;

	beginning_text(writer, "version", CCSAMPLE_VERSION);
	beginning_text(writer, "source", source->name);
	beginning_text(writer, "cpu", machine->cpu);
	beginning_text(writer, "kernel", machine->kernel);
	beginning_command(writer, request->argv);
	beginning_text(writer, "clock", source->clock);
	if (source->entries && !request->trace && !request->simulate)
		beginning_text(writer, "entries", "yes");
	write_start(writer);
	write_seed(writer, request->seed);
	if (request->classes)
		beginning_option(writer, "keep", "classes");
	if (request->simulated && (request->simulate || request->caches.levels > 1))
		write_pages(writer, &request->pages);
	beginning_caches(writer, &request->caches, request->simulated);
	for (i = 0; i < request->event_count; i++) {
		struct request_event event = request->events[i];

		event.stores |= source->stores;
		event.classes = source->classes;
		beginning_event(writer, &event, i + 1);
	}
}
