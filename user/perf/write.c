// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "perf/write.h"

#define IDS_PER_EVENT	1
#define TEXT_ALIGN	64		/* of texts in features, as perf has them */
#define CACHE_VERSION	1

static void put(struct perf_bytes *bytes, const void *data, size_t size)
{
	if (bytes->size + size > bytes->room) {
		bytes->room = 2 * (bytes->size + size);
		bytes->data = xrealloc(bytes->data, bytes->room);
	}
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static void put_u64(struct perf_bytes *bytes, uint64_t value)
{
	put(bytes, &value, sizeof(value));
}

static void put_u32(struct perf_bytes *bytes, uint32_t value)
{
	put(bytes, &value, sizeof(value));
}

static void put_zeros(struct perf_bytes *bytes, size_t count)
{
	static const uint8_t zeros[TEXT_ALIGN];

	put(bytes, zeros, count);
}

/* Ended by a zero byte, padded to 8 bytes. The size of a record has 16 bits. */
static void put_name(struct perf_bytes *bytes, const char *name, size_t size)
{
	size = size < PATH_MAX ? size : PATH_MAX;
	put(bytes, name, size);
	put_zeros(bytes, 8 - size % 8);
}

static size_t begin_record(struct perf_bytes *bytes, uint32_t type, uint16_t misc)
{
	const struct perf_event_header header = { .type = type, .misc = misc };
	size_t from = bytes->size;

	put(bytes, &header, sizeof(header));
	return from;
}

static void end_record(struct perf_bytes *bytes, size_t from)
{
	uint16_t size = bytes->size - from;

	memcpy(bytes->data + from + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

/* --- events --- */

bool perf_write_event(struct perf_written *written, const char *name, uint64_t config,
		      uint64_t period)
{
	struct perf_written_event *event = &written->events[written->count];

	if (written->count == PERF_EVENTS_WRITTEN)
		return false;
	/* What has no code of hardware is known by its name alone. */
	*event = (struct perf_written_event){
		.attr = {
			.type = PERF_TYPE_RAW,
			.size = sizeof(event->attr),
			.config = config,
			.sample_period = period,
			.sample_type = PERF_WRITTEN_FIELDS,
			.mmap = 1, .mmap2 = 1, .mmap_data = 1,
			.comm = 1, .comm_exec = 1, .task = 1, .sample_id_all = 1,
			.exclude_kernel = 1, .exclude_hv = 1,
		},
		.id = ++written->count,
		.name = name,
	};
	return true;
}

/* --- features --- */

static void put_text(struct perf_bytes *bytes, const char *text)
{
	size_t size = strlen(text) + 1, padded = (size + TEXT_ALIGN - 1) / TEXT_ALIGN * TEXT_ALIGN;

	put_u32(bytes, padded);
	put(bytes, text, size);
	put_zeros(bytes, padded - size);
}

static void put_command(struct perf_bytes *bytes, char **command)
{
	uint32_t count = 0, i;

	while (command[count])
		count++;
	put_u32(bytes, count);
	for (i = 0; i < count; i++)
		put_text(bytes, command[i]);
}

static void put_events(struct perf_bytes *bytes, const struct perf_written *written)
{
	size_t i;

	put_u32(bytes, written->count);
	put_u32(bytes, sizeof(struct perf_event_attr));
	for (i = 0; i < written->count; i++) {
		put(bytes, &written->events[i].attr, sizeof(written->events[i].attr));
		put_u32(bytes, IDS_PER_EVENT);
		put_text(bytes, written->events[i].name);
		put_u64(bytes, written->events[i].id);
	}
}

static void put_caches(struct perf_bytes *bytes, const struct perf_written *written)
{
	char size[24];
	size_t i;

	put_u32(bytes, CACHE_VERSION);
	put_u32(bytes, written->cache_count);
	for (i = 0; i < written->cache_count; i++) {
		const struct perf_cache *cache = &written->caches[i];

		snprintf(size, sizeof(size), "%lluK",
			 (unsigned long long)cache->sets * cache->ways * cache->line >> 10);
		put_u32(bytes, cache->level);
		put_u32(bytes, cache->line);
		put_u32(bytes, cache->sets);
		put_u32(bytes, cache->ways);
		put_text(bytes, cache->level == 1 ? "Data" : "Unified");
		put_text(bytes, size);
		put_text(bytes, "0");
	}
}

/* Return: false where nothing is known of it. */
static bool put_feature(struct perf_bytes *bytes, const struct perf_written *written,
			uint32_t feature)
{
	const char *text = NULL;

	switch (feature) {
	case PERF_FEATURE_OSRELEASE:
		text = written->kernel;
		break;
	case PERF_FEATURE_VERSION:
		text = written->version;
		break;
	case PERF_FEATURE_ARCH:
		text = "x86_64";
		break;
	case PERF_FEATURE_CPUDESC:
		text = written->processor;
		break;
	case PERF_FEATURE_CMDLINE:
		if (written->command)
			put_command(bytes, written->command);
		return written->command;
	case PERF_FEATURE_EVENT_DESC:
		put_events(bytes, written);
		return true;
	case PERF_FEATURE_CACHE:
		if (written->cache_count)
			put_caches(bytes, written);
		return written->cache_count;
	}
	if (text)
		put_text(bytes, text);
	return text;
}

/* --- head and foot --- */

static uint64_t records_begin(const struct perf_written *written)
{
	return PERF_FILE_HEADER +
	       written->count * (sizeof(struct perf_event_attr) + 16 + 8 * IDS_PER_EVENT);
}

static void put_section(struct perf_bytes *bytes, uint64_t offset, uint64_t size)
{
	put_u64(bytes, offset);
	put_u64(bytes, size);
}

void perf_write_head(struct perf_bytes *bytes, const struct perf_written *written,
		     uint64_t records)
{
	uint64_t bits[PERF_FEATURES / 64] = { 0 }, each = sizeof(struct perf_event_attr) + 16;
	struct perf_bytes unused = { .data = NULL };
	uint32_t feature;

	for (feature = 0; feature < PERF_FEATURES; feature++)
		if (put_feature(&unused, written, feature))
			bits[feature / 64] |= 1ull << feature % 64;
	free(unused.data);
	put_u64(bytes, PERF_MAGIC);
	put_u64(bytes, PERF_FILE_HEADER);
	put_u64(bytes, each);
	put_section(bytes, PERF_FILE_HEADER, written->count * each);
	put_section(bytes, records_begin(written), records);
	put_section(bytes, 0, 0);
	put(bytes, bits, sizeof(bits));
}

static void begin_file(struct perf_bytes *bytes, const struct perf_written *written)
{
	uint64_t ids = PERF_FILE_HEADER + written->count * (sizeof(struct perf_event_attr) + 16);
	size_t i;

	perf_write_head(bytes, written, 0);
	for (i = 0; i < written->count; i++) {
		put(bytes, &written->events[i].attr, sizeof(written->events[i].attr));
		put_section(bytes, ids + 8 * IDS_PER_EVENT * i, 8 * IDS_PER_EVENT);
	}
	for (i = 0; i < written->count; i++)
		put_u64(bytes, written->events[i].id);
}

static void put_declaration(struct perf_bytes *bytes, const struct perf_written_event *event)
{
	size_t from = begin_record(bytes, PERF_OWN_ATTR, 0);

	put(bytes, &event->attr, sizeof(event->attr));
	put_u64(bytes, event->id);
	end_record(bytes, from);
	from = begin_record(bytes, PERF_OWN_EVENT_UPDATE, 0);
	put_u64(bytes, PERF_UPDATE_NAME);
	put_u64(bytes, event->id);
	put_name(bytes, event->name, strlen(event->name));
	end_record(bytes, from);
}

static void begin_pipe(struct perf_bytes *bytes, const struct perf_written *written)
{
	uint32_t feature;
	size_t from, i;

	put_u64(bytes, PERF_MAGIC);
	put_u64(bytes, PERF_PIPE_HEADER);
	for (i = 0; i < written->count; i++)
		put_declaration(bytes, &written->events[i]);
	for (feature = 0; feature < PERF_FEATURES; feature++) {
		from = begin_record(bytes, PERF_OWN_FEATURE, 0);
		put_u64(bytes, feature);
		if (put_feature(bytes, written, feature) && bytes->size - from <= UINT16_MAX)
			end_record(bytes, from);
		else
			bytes->size = from;
	}
}

void perf_write_begin(struct perf_bytes *bytes, const struct perf_written *written,
		      enum perf_kind kind)
{
	(kind == PERF_KIND_FILE ? begin_file : begin_pipe)(bytes, written);
}

void perf_write_end(struct perf_bytes *bytes, const struct perf_written *written, uint64_t from,
		    uint64_t records)
{
	struct perf_bytes all = { .data = NULL }, one;
	uint64_t at = from + records;
	uint32_t feature;

	for (feature = 0; feature < PERF_FEATURES; feature++)
		if (put_feature(&all, written, feature))
			at += 16;
	all.size = 0;
	for (feature = 0; feature < PERF_FEATURES; feature++) {
		one = (struct perf_bytes){ .data = NULL };
		if (put_feature(&one, written, feature)) {
			put_section(bytes, at, one.size);
			put(&all, one.data, one.size);
			at += one.size;
		}
		free(one.data);
	}
	put(bytes, all.data, all.size);
	free(all.data);
}

/* --- records --- */

void perf_write_sample(struct perf_bytes *bytes, const struct perf_written *written, size_t event,
		       const struct perf_sample *sample)
{
	size_t from = begin_record(bytes, PERF_RECORD_SAMPLE,
				   sample->misc | PERF_RECORD_MISC_EXACT_IP);

	put_u64(bytes, written->events[event].id);
	put_u64(bytes, sample->ip);
	put_u32(bytes, sample->pid);
	put_u32(bytes, sample->tid);
	put_u64(bytes, sample->time);
	put_u64(bytes, sample->address);
	put_u32(bytes, sample->cpu);
	put_u32(bytes, 0);
	put_u64(bytes, sample->period);
	put_u64(bytes, sample->weight);
	put_u64(bytes, sample->data_source);
	put_u64(bytes, sample->physical);
	end_record(bytes, from);
}

static void put_map(struct perf_bytes *bytes, const struct side_event *side)
{
	uint8_t file[24] = { side->build_id_size };

	put_u32(bytes, side->pid);
	put_u32(bytes, side->tid);
	put_u64(bytes, side->start);
	put_u64(bytes, side->length);
	put_u64(bytes, side->offset);
	memcpy(file + 4, side->build_id, side->build_id_size);
	put(bytes, file, sizeof(file));
	put_u32(bytes, side->protection);
	put_u32(bytes, MAP_PRIVATE);
	put_name(bytes, side->name, side->name_size);
}

static void put_task(struct perf_bytes *bytes, const struct side_event *side)
{
	put_u32(bytes, side->pid);
	put_u32(bytes, side->parent);
	put_u32(bytes, side->tid);
	put_u32(bytes, side->parent_thread);
	put_u64(bytes, side->time);
}

static uint32_t type_of(enum side_event_kind kind)
{
	static const uint32_t types[] = {
		[SIDE_EVENT_MAP] = PERF_RECORD_MMAP2,
		[SIDE_EVENT_NAME] = PERF_RECORD_COMM,
		[SIDE_EVENT_EXEC] = PERF_RECORD_COMM,
		[SIDE_EVENT_FORK] = PERF_RECORD_FORK,
		[SIDE_EVENT_EXIT] = PERF_RECORD_EXIT,
		[SIDE_EVENT_LOST] = PERF_RECORD_LOST,
		[SIDE_EVENT_LOST_SAMPLES] = PERF_RECORD_LOST_SAMPLES,
		[SIDE_EVENT_THROTTLED] = PERF_RECORD_THROTTLE,
	};

	return types[kind];
}

static uint16_t misc_of(const struct side_event *side)
{
	uint16_t misc = PERF_RECORD_MISC_USER;

	if (side->kind == SIDE_EVENT_EXEC)
		return misc | PERF_RECORD_MISC_COMM_EXEC;
	if (side->kind == SIDE_EVENT_FORK)
		return side->found ? PERF_RECORD_MISC_FORK_EXEC : 0;
	if (side->kind != SIDE_EVENT_MAP)
		return 0;
	return misc | (side->build_id_size ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0) |
	       (side->protection & PROT_EXEC ? 0 : PERF_RECORD_MISC_MMAP_DATA);
}

void perf_write_side_event(struct perf_bytes *bytes, const struct perf_written *written,
		     const struct side_event *side)
{
	size_t from = begin_record(bytes, type_of(side->kind), misc_of(side));

	switch (side->kind) {
	case SIDE_EVENT_MAP:
		put_map(bytes, side);
		break;
	case SIDE_EVENT_NAME:
	case SIDE_EVENT_EXEC:
		put_u32(bytes, side->pid);
		put_u32(bytes, side->tid);
		put_name(bytes, side->name, side->name_size);
		break;
	case SIDE_EVENT_FORK:
	case SIDE_EVENT_EXIT:
		put_task(bytes, side);
		break;
	case SIDE_EVENT_LOST:
	case SIDE_EVENT_LOST_SAMPLES:
		if (side->kind == SIDE_EVENT_LOST)
			put_u64(bytes, written->events[0].id);
		put_u64(bytes, side->count);
		break;
	case SIDE_EVENT_THROTTLED:
		put_u64(bytes, side->time);
		put_section(bytes, written->events[0].id, written->events[0].id);
		break;
	}
	/* As in sample ids: TID, TIME, CPU, IDENTIFIER. */
	put_u32(bytes, side->pid);
	put_u32(bytes, side->tid);
	put_u64(bytes, side->time);
	put_u64(bytes, 0);
	put_u64(bytes, written->events[0].id);
	end_record(bytes, from);
}
