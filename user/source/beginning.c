// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "source/beginning.h"

static void write_text(struct recording_writer *writer, const char *key, const char *text)
{
	recording_meta(writer, key, text, strlen(text));
}

void beginning_option(struct recording_writer *writer, const char *name, const char *value)
{
	char *key = xasprintf("option.%s", name);

	write_text(writer, key, value);
	free(key);
}

static void write_command(struct recording_writer *writer, char **argv)
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
	write_text(writer, "start", text);
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
	char *text = request_pages_text(pages);

	write_text(writer, "pages", text);
	free(text);
}

static void write_cache(struct recording_writer *writer, const struct level_plan *plan,
			uint32_t level)
{
	uint32_t slices = plan->hash ? plan->hash->slices : 1;
	struct ccs_cache cache = {
		.record = { .size = sizeof(cache), .type = CCS_CACHE },
		.level = level,
		.ways = plan->geometry.ways,
		.sets = plan->geometry.sets / slices,
		.line = plan->geometry.line,
		.slices = slices,
		.flags = CCS_CACHE_SIMULATED | (level > 1 ? CCS_CACHE_PHYSICAL : 0),
	};
	char key[16];

	if (plan->hash) {
		snprintf(key, sizeof(key), "L%u.hash", level);
		write_text(writer, key, plan->hash->name);
	}
	recording_write(writer, &cache.record);
}

static void write_event(struct recording_writer *writer, const struct request_event *wanted,
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

	memcpy(event.name, wanted->name, sizeof(event.name) - 1);
	recording_write(writer, &event.record);
}

void beginning_write(struct recording_writer *writer, const struct record_request *request,
		     const struct machine *machine, const char *source, const char *clock)
{
	uint32_t i;

	write_text(writer, "version", CCSAMPLE_VERSION);
	write_text(writer, "source", source);
	write_text(writer, "cpu", machine->cpu);
	write_text(writer, "kernel", machine->kernel);
	write_command(writer, request->argv);
	write_text(writer, "clock", clock);
	write_start(writer);
	write_seed(writer, request->seed);
	if (request->caches.levels > 1)
		write_pages(writer, &request->pages);
	for (i = 0; i < request->caches.levels; i++)
		write_cache(writer, &request->caches.level[i], i + 1);
	for (i = 0; i < request->event_count; i++)
		write_event(writer, &request->events[i], i + 1);
}
