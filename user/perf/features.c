// SPDX-License-Identifier: GPL-2.0-only
/* As tools/perf/util/header.c writes them. */
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/memory.h"
#include "perf/cursor.h"
#include "perf/features.h"

#define CACHE_VERSION	1
#define BUILD_ID_FIXED	36	/* header, pid, build-id with its size; the path follows */
#define BUILD_ID_OLD	20	/* bytes where no size is given */

/* u32 size, and as many bytes, with a zero among them or not. NULL where it is cut. */
static const char *text_at(struct perf_cursor *cursor, size_t *size)
{
	uint32_t room = perf_u32(cursor);
	const char *text = cursor->cut ? NULL : perf_bytes(cursor, room);

	*size = text ? strnlen(text, room) : 0;
	return text;
}

static char *copy_text(struct perf_cursor *cursor)
{
	size_t size;
	const char *text = text_at(cursor, &size);

	return text ? xstrndup(text, size) : NULL;
}

static bool same_text(struct perf_cursor *cursor, const char *wanted)
{
	size_t size;
	const char *text = text_at(cursor, &size);

	return text && size == strlen(wanted) && !memcmp(text, wanted, size);
}

static void take_command(struct perf_facts *facts, struct perf_cursor *cursor)
{
	uint32_t count = perf_u32(cursor), i;
	size_t room = 0;
	char *word;

	if (facts->command)
		return;
	facts->command = grow(NULL, 0, &room, sizeof(*facts->command));
	for (i = 0; i < count && (word = copy_text(cursor)); i++) {
		facts->command[i] = word;
		facts->command = grow(facts->command, i + 1, &room, sizeof(*facts->command));
	}
	facts->command[i] = NULL;
}

/* Sizes of attributes are the writer's; only names and ids are wanted. */
static void take_events(struct perf_attrs *attrs, struct perf_cursor *cursor)
{
	uint32_t count = perf_u32(cursor), attr = perf_u32(cursor), ids, i;
	const void *id_bytes;
	const char *name;
	uint64_t id;
	size_t size;

	for (i = 0; i < count && !cursor->cut; i++) {
		perf_bytes(cursor, attr);
		ids = perf_u32(cursor);
		name = text_at(cursor, &size);
		id_bytes = perf_bytes(cursor, 8ull * ids);
		if (!name || !id_bytes)
			return;
		if (ids) {
			memcpy(&id, id_bytes, 8);
			perf_attrs_name(attrs, id, name, size);
		} else if (i < attrs->count && count == attrs->count && !attrs->events[i].name) {
			attrs->events[i].name = xstrndup(name, size);
		}
	}
}

static void take_pmus(struct perf_facts *facts, struct perf_cursor *cursor)
{
	uint32_t count = perf_u32(cursor), type, i;
	char *name;

	for (i = 0; i < count; i++) {
		type = perf_u32(cursor);
		name = copy_text(cursor);
		if (!name)
			return;
		facts->pmus = grow(facts->pmus, facts->pmu_count, &facts->pmu_room,
				   sizeof(*facts->pmus));
		facts->pmus[facts->pmu_count++] = (struct perf_pmu){ type, name };
	}
}

/* Caches come by level, and of each level by CPU: the first of a level stands for it. */
static void add_cache(struct perf_facts *facts, const struct perf_cache *cache)
{
	size_t i;

	if (facts->cache_count == PERF_CACHES || !cache->ways || !cache->sets || !cache->line)
		return;
	for (i = 0; i < facts->cache_count; i++)
		if (facts->caches[i].level == cache->level)
			return;
	facts->caches[facts->cache_count++] = *cache;
}

static void take_caches(struct perf_facts *facts, struct perf_cursor *cursor)
{
	uint32_t version = perf_u32(cursor), count = perf_u32(cursor), i;
	struct perf_cache cache;
	size_t size;
	bool instructions;

	if (version != CACHE_VERSION) {
		cursor->cut = true;
		return;
	}
	for (i = 0; i < count && !cursor->cut; i++) {
		cache.level = perf_u32(cursor);
		cache.line = perf_u32(cursor);
		cache.sets = perf_u32(cursor);
		cache.ways = perf_u32(cursor);
		instructions = same_text(cursor, "Instruction");
		text_at(cursor, &size);
		text_at(cursor, &size);
		if (!cursor->cut && !instructions)
			add_cache(facts, &cache);
	}
}

/* Where a path is, or would be, among the hashes. @number: set to its build-id + 1, 0 = none */
static uint64_t find_path(const struct perf_facts *facts, const char *path, size_t size,
			  uint64_t *number)
{
	uint64_t hash = XXH3_64bits(path, size);

	for (; (*number = map_get(&facts->paths, hash)); hash++) {
		const char *known = facts->build_ids[*number - 1].path;

		if (strlen(known) == size && !memcmp(known, path, size))
			break;
	}
	return hash;
}

void perf_facts_build_id(struct perf_facts *facts, const uint8_t *record, size_t size)
{
	struct perf_build_id *found;
	uint32_t bytes = BUILD_ID_OLD;
	uint64_t hash, known;

	if (size <= BUILD_ID_FIXED) {
		facts->bad++;
		return;
	}
	if (perf_header_of(record).misc & PERF_BUILD_ID_SIZED)
		bytes = record[12 + PERF_BUILD_ID];
	if (!bytes || bytes > PERF_BUILD_ID)
		return;
	facts->build_ids = grow(facts->build_ids, facts->build_id_count, &facts->build_id_room,
				sizeof(*facts->build_ids));
	found = &facts->build_ids[facts->build_id_count++];
	found->size = bytes;
	memcpy(found->bytes, record + 12, bytes);
	found->path = xstrndup((const char *)record + BUILD_ID_FIXED, size - BUILD_ID_FIXED);
	hash = find_path(facts, found->path, strlen(found->path), &known);
	if (!known)
		*map_at(&facts->paths, hash) = facts->build_id_count;
}

static void take_build_ids(struct perf_facts *facts, struct perf_cursor *cursor)
{
	const uint8_t *record;
	uint16_t size;

	while (perf_left(cursor) >= PERF_RECORD_HEADER) {
		record = cursor->at;
		size = perf_header_of(record).size;
		if (size < PERF_RECORD_HEADER || !perf_bytes(cursor, size)) {
			cursor->cut = true;
			return;
		}
		perf_facts_build_id(facts, record, size);
	}
}

const struct perf_build_id *perf_facts_find(const struct perf_facts *facts, const char *path,
					    size_t size)
{
	uint64_t number;

	find_path(facts, path, size, &number);
	return number ? &facts->build_ids[number - 1] : NULL;
}

static void take_text(char **text, struct perf_cursor *cursor)
{
	if (!*text)
		*text = copy_text(cursor);
}

void perf_facts_take(struct perf_facts *facts, struct perf_attrs *attrs, uint32_t feature,
		     const void *data, size_t size)
{
	struct perf_cursor cursor = perf_cursor(data, size);

	switch (feature) {
	case PERF_FEATURE_HOSTNAME:
		take_text(&facts->host, &cursor);
		break;
	case PERF_FEATURE_OSRELEASE:
		take_text(&facts->kernel, &cursor);
		break;
	case PERF_FEATURE_VERSION:
		take_text(&facts->version, &cursor);
		break;
	case PERF_FEATURE_ARCH:
		take_text(&facts->arch, &cursor);
		break;
	case PERF_FEATURE_CPUDESC:
		take_text(&facts->processor, &cursor);
		break;
	case PERF_FEATURE_CPUID:
		take_text(&facts->cpuid, &cursor);
		break;
	case PERF_FEATURE_CMDLINE:
		take_command(facts, &cursor);
		break;
	case PERF_FEATURE_EVENT_DESC:
		take_events(attrs, &cursor);
		break;
	case PERF_FEATURE_PMU_MAPPINGS:
		take_pmus(facts, &cursor);
		break;
	case PERF_FEATURE_CACHE:
		take_caches(facts, &cursor);
		break;
	case PERF_FEATURE_BUILD_ID:
		take_build_ids(facts, &cursor);
		break;
	case PERF_FEATURE_DIR_FORMAT:
		facts->directory = true;
		break;
	}
	facts->bad += cursor.cut;
}

void perf_facts_drop(struct perf_facts *facts)
{
	size_t i;

	for (i = 0; facts->command && facts->command[i]; i++)
		free(facts->command[i]);
	for (i = 0; i < facts->build_id_count; i++)
		free(facts->build_ids[i].path);
	for (i = 0; i < facts->pmu_count; i++)
		free(facts->pmus[i].name);
	free(facts->command);
	free(facts->build_ids);
	map_free(&facts->paths);
	free(facts->pmus);
	free(facts->host);
	free(facts->kernel);
	free(facts->version);
	free(facts->arch);
	free(facts->processor);
	free(facts->cpuid);
	*facts = (struct perf_facts){ .host = NULL };
}
