// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/perf-about.h"

static char *copy_text(const char *text, size_t size)
{
	return xstrndup(text, size);
}

/* "6.1.0-13-amd64 #1 SMP ..": only the release. */
static char *copy_word(const char *text, size_t size)
{
	const char *blank = memchr(text, ' ', size);

	return copy_text(text, blank ? blank - text : size);
}

static void take_meta(struct perf_about *about, const struct ccs_meta *meta)
{
	const char *value = (const char *)(meta + 1) + meta->key_size;
	size_t size = meta->value_size;

	if (meta_is(meta, "cpu") && !about->processor)
		about->processor = copy_text(value, size);
	else if (meta_is(meta, "kernel") && !about->kernel)
		about->kernel = copy_word(value, size);
	else if (meta_is(meta, "version") && !about->version)
		about->version = copy_text(value, size);
	else if (meta_is(meta, "command") && !about->command)
		about->command = meta_command(meta);
	else if (meta_is(meta, "clock"))
		about->own_clocks = size == 12 && !memcmp(value, "instructions", 12);
}

static void take_cache(struct perf_about *about, const struct ccs_cache *cache)
{
	struct perf_written *written = &about->written;

	if (written->cache_count < PERF_CACHES && cache->sets <= UINT32_MAX / cache->slices)
		written->caches[written->cache_count++] = (struct perf_cache){
			.level = cache->level, .ways = cache->ways,
			.sets = cache->sets * cache->slices, .line = cache->line,
		};
}

static void take_event(struct perf_about *about, const struct ccs_event *event)
{
	size_t number = about->written.count;
	char *name = copy_text((const char *)event->name, sizeof(event->name));

	if (!perf_write_event(&about->written, name, event->raw,
			      event->period ? event->period : 1)) {
		free(name);
		return;
	}
	about->names[number] = name;
	about->levels[number] = event->level;
	about->ids[number] = event->id;
}

bool perf_about_take(struct perf_about *about, const struct ccs_record *record)
{
	switch (record->type) {
	case CCS_META:
		take_meta(about, (const void *)record);
		break;
	case CCS_CACHE:
		take_cache(about, (const void *)record);
		break;
	case CCS_EVENT:
		take_event(about, (const void *)record);
		break;
	default:
		return false;
	}
	about->written.kernel = about->kernel;
	about->written.processor = about->processor;
	about->written.version = about->version;
	about->written.command = about->command;
	return true;
}

void perf_about_drop(struct perf_about *about)
{
	size_t i;

	for (i = 0; i < about->written.count; i++)
		free(about->names[i]);
	for (i = 0; about->command && about->command[i]; i++)
		free(about->command[i]);
	free(about->command);
	free(about->kernel);
	free(about->processor);
	free(about->version);
}
