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

#include "format/pass.h"

static void print_meta(void *context, const struct ccs_record *record)
{
	const struct ccs_meta *meta = (const void *)record;
	const char *text = (const char *)(meta + 1);
	uint32_t i;

	printf(" key=%.*s value=", (int)meta->key_size, text);
	for (i = meta->key_size; i < meta->key_size + meta->value_size; i++)
		putchar(text[i] ? text[i] : ' ');
}

static void print_map(void *context, const struct ccs_record *record)
{
	const struct ccs_map *map = (const void *)record;
	uint32_t i;

	printf(" time=%" PRIu64 " start=%" PRIx64 " end=%" PRIx64 " offset=%" PRIx64
	       " protection=%u build_id=", map->time, map->start, map->end, map->offset,
	       map->protection);
	for (i = 0; i < map->build_id_size; i++)
		printf("%02x", map->build_id[i]);
	printf(" path=%.*s", (int)map->path_size, (const char *)(map + 1));
}

static void print_process(void *context, const struct ccs_record *record)
{
	const struct ccs_process *process = (const void *)record;
	static const char *const causes[] = { "start", "fork", "exec" };

	printf(" pid=%u ppid=%u parent=%u cause=%s path=%.*s", process->pid, process->ppid,
	       process->parent, process->cause < 3 ? causes[process->cause] : "?",
	       (int)process->path_size, (const char *)(process + 1));
}

static void print_samples(void *context, const struct ccs_record *record)
{
	const struct ccs_samples *samples = (const void *)record;

	printf(" pid=%u event=%u flags=%u gap=%" PRId64 " events=%" PRIu64 " fills=%" PRId64
	       " count=%u", samples->pid, samples->event, samples->flags, samples->gap,
	       samples->events, samples->fills, samples->count);
}

static void print_cache(void *context, const struct ccs_record *record)
{
	const struct ccs_cache *cache = (const void *)record;

	printf(" level=%u ways=%u sets=%u line=%u slices=%u flags=%u", cache->level, cache->ways,
	       cache->sets, cache->line, cache->slices, cache->flags);
}

static void print_event(void *context, const struct ccs_record *record)
{
	const struct ccs_event *event = (const void *)record;

	printf(" id=%u level=%u period=%" PRIu64 " spread=%" PRIu64 " burst=%u name=%s", event->id,
	       event->level, event->period, event->spread, event->burst, event->name);
}

static void print_accesses(void *context, const struct ccs_record *record)
{
	const struct ccs_accesses_period *accesses = (const void *)record;

	printf(" lines=%" PRId64, accesses->accesses.lines);
	if (record->size >= sizeof(*accesses))
		printf(" period=%" PRIu64, accesses->period);
}

static void print_counts(void *context, const struct ccs_record *record)
{
	const struct ccs_counts *counts = (const void *)record;

	printf(" instructions=%" PRIu64 " loads=%" PRIu64 " stores=%" PRIu64
	       " load_misses=%" PRIu64 " store_misses=%" PRIu64, counts->instructions,
	       counts->loads, counts->stores, counts->load_misses, counts->store_misses);
}

static void print_unmap(void *context, const struct ccs_record *record)
{
	const struct ccs_unmap *r = (const void *)record;

	printf(" start=%" PRIx64 " end=%" PRIx64, r->start, r->end);
}

static void print_alloc(void *context, const struct ccs_record *record)
{
	const struct ccs_alloc *alloc = (const void *)record;

	printf(" address=%" PRIx64 " size=%" PRIu64, alloc->address, alloc->size);
}

static void print_free(void *context, const struct ccs_record *record)
{
	printf(" address=%" PRIx64, ((const struct ccs_free *)record)->address);
}

static void print_burst(void *context, const struct ccs_record *record)
{
	const struct ccs_burst *burst = (const void *)record;

	printf(" time=%" PRIu64 " end=%" PRIu64 " interval=%" PRIu64 " spent=%" PRIu64
	       " instructions=%" PRIu64
	       " references=%" PRIu64 " bytes=%u reason=%u timed=%" PRIu64 " in=%" PRIu64
	       " missing=%" PRIu64, burst->time, burst->end, burst->interval_ns, burst->spent_ns,
	       burst->instructions, burst->references, burst->bytes, burst->reason,
	       burst->timed_instructions, burst->timed_ns, burst->missing_ns);
}

static void print_short_burst(void *context, const struct ccs_record *record)
{
	const uint64_t *ip = (const uint64_t *)((const struct ccs_burst *)record + 1);
	size_t met = (record->size - sizeof(struct ccs_burst)) / sizeof(*ip), calls = 0;

	for (size_t i = 0; i < met; i++)
		calls += !ip[i];
	print_burst(context, record);
	printf(" met=%zu calls=%zu", met, calls);
}

static void print_long_burst(void *context, const struct ccs_record *record)
{
	print_burst(context, record);
	printf(" made=%" PRIu64, ((const struct ccs_long_burst *)record)->made);
}

static void print_lost(void *context, const struct ccs_record *record)
{
	const struct ccs_lost *lost = (const void *)record;

	printf(" kind=%u count=%" PRIu64, lost->kind, lost->count);
}

static void print_unsupported(void *context, const struct ccs_record *record)
{
	printf(" ip=%" PRIx64, ((const struct ccs_unsupported *)record)->ip);
}

static void print_exit(void *context, const struct ccs_record *record)
{
	printf(" status=%d", (int)((const struct ccs_exit *)record)->status);
}

static void print_end(void *context, const struct ccs_record *record)
{
	const struct ccs_end *end = (const void *)record;

	printf(" samples=%" PRIu64 " records=%" PRIu64, end->samples, end->records);
}

/* Of other types only what all records have. */
static const struct record_consumer bodies = {
	.take = {
		[CCS_META] = print_meta, [CCS_CACHE] = print_cache, [CCS_EVENT] = print_event,
		[CCS_PROCESS] = print_process, [CCS_MAP] = print_map, [CCS_UNMAP] = print_unmap,
		[CCS_ALLOC] = print_alloc,
		[CCS_FREE] = print_free, [CCS_SAMPLES] = print_samples,
		[CCS_COUNTS] = print_counts, [CCS_ACCESSES] = print_accesses, [CCS_LOST] = print_lost,
		[CCS_BURST] = print_short_burst, [CCS_LONG_BURST] = print_long_burst,
		[CCS_UNSUPPORTED] = print_unsupported,
		[CCS_EXIT] = print_exit,
		[CCS_END] = print_end,
	},
};

static void print(void *context, const struct ccs_record *record)
{
	printf("%s image=%u tid=%u", record_type_find(record->type)->name, record->process,
	       record->tid);
	record_take(&bodies, NULL, record);
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const char *const ends[] = { "whole", "cut", "damaged" };
	static const struct record_consumer all = { .other = print };
	struct recording *recording = recording_open(argc > 1 ? argv[1] : "-");

	if (!recording)
		return 1;
	recording_pass(recording, &all, NULL);
	printf("end %s\n", ends[recording_end(recording)]);
	recording_close(recording);
	return 0;
}
