// SPDX-License-Identifier: GPL-2.0-only
/*
 * dump FILE: a recording as text, a line a record, for tests:
 *
 *	TYPE image=N tid=N key=value...
 *
 * then "end whole", "end cut" or "end damaged". Exits 0 if it could be opened.
 */
#include <inttypes.h>
#include <stdio.h>

#include "format/record-types.h"
#include "format/recording.h"

static void print_meta(const struct ccs_meta *meta)
{
	const char *text = (const char *)(meta + 1);
	uint32_t i;

	printf(" key=%.*s value=", (int)meta->key_size, text);
	for (i = meta->key_size; i < meta->key_size + meta->value_size; i++)
		putchar(text[i] ? text[i] : ' ');
}

static void print_map(const struct ccs_map *map)
{
	uint32_t i;

	printf(" time=%" PRIu64 " start=%" PRIx64 " end=%" PRIx64 " offset=%" PRIx64
	       " protection=%u build_id=", map->time, map->start, map->end, map->offset,
	       map->protection);
	for (i = 0; i < map->build_id_size; i++)
		printf("%02x", map->build_id[i]);
	printf(" path=%.*s", (int)map->path_size, (const char *)(map + 1));
}

static void print_process(const struct ccs_process *process)
{
	static const char *const causes[] = { "start", "fork", "exec" };

	printf(" pid=%u ppid=%u parent=%u cause=%s path=%.*s", process->pid, process->ppid,
	       process->parent, process->cause < 3 ? causes[process->cause] : "?",
	       (int)process->path_size, (const char *)(process + 1));
}

static void print_samples(const struct ccs_samples *samples)
{
	printf(" pid=%u event=%u flags=%u gap=%" PRId64 " events=%" PRIu64 " fills=%" PRId64
	       " count=%u", samples->pid, samples->event, samples->flags, samples->gap,
	       samples->events, samples->fills, samples->count);
}

static void print_cache(const struct ccs_cache *cache)
{
	printf(" level=%u ways=%u sets=%u line=%u slices=%u flags=%u", cache->level, cache->ways,
	       cache->sets, cache->line, cache->slices, cache->flags);
}

static void print_event(const struct ccs_event *event)
{
	printf(" id=%u level=%u period=%" PRIu64 " spread=%" PRIu64 " burst=%u name=%s", event->id,
	       event->level, event->period, event->spread, event->burst, event->name);
}

static void print_counts(const struct ccs_counts *counts)
{
	printf(" instructions=%" PRIu64 " loads=%" PRIu64 " stores=%" PRIu64 " load_misses=%" PRIu64,
	       counts->instructions, counts->loads, counts->stores, counts->load_misses);
}

static void print_body(const struct ccs_record *record)
{
	const struct ccs_alloc *alloc = (const void *)record;
	const struct ccs_lost *lost = (const void *)record;
	const struct ccs_exit *ended = (const void *)record;
	const struct ccs_unsupported *unsupported = (const void *)record;
	const struct ccs_end *end = (const void *)record;

	switch (record->type) {
	case CCS_META:
		print_meta((const void *)record);
		break;
	case CCS_CACHE:
		print_cache((const void *)record);
		break;
	case CCS_EVENT:
		print_event((const void *)record);
		break;
	case CCS_PROCESS:
		print_process((const void *)record);
		break;
	case CCS_MAP:
		print_map((const void *)record);
		break;
	case CCS_ALLOC:
		printf(" address=%" PRIx64 " size=%" PRIu64, alloc->address, alloc->size);
		break;
	case CCS_FREE:
		printf(" address=%" PRIx64, ((const struct ccs_free *)record)->address);
		break;
	case CCS_SAMPLES:
		print_samples((const void *)record);
		break;
	case CCS_COUNTS:
		print_counts((const void *)record);
		break;
	case CCS_LOST:
		printf(" kind=%u count=%" PRIu64, lost->kind, lost->count);
		break;
	case CCS_UNSUPPORTED:
		printf(" ip=%" PRIx64, unsupported->ip);
		break;
	case CCS_EXIT:
		printf(" status=%d", (int)ended->status);
		break;
	case CCS_END:
		printf(" samples=%" PRIu64 " records=%" PRIu64, end->samples, end->records);
		break;
	}
}

int main(int argc, char **argv)
{
	static const char *const ends[] = { "whole", "cut", "damaged" };
	struct recording *recording = recording_open(argc > 1 ? argv[1] : "-");
	const struct ccs_record *record;

	if (!recording)
		return 1;
	while (recording_next(recording, &record)) {
		printf("%s image=%u tid=%u", record_type_find(record->type)->name, record->process,
		       record->tid);
		print_body(record);
		putchar('\n');
	}
	printf("end %s\n", ends[recording_end(recording)]);
	recording_close(recording);
	return 0;
}
