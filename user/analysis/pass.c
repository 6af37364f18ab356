// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/pass.h"
#include "analysis/recordings.h"
#include "analysis/set-map.h"
#include "base/fail.h"
#include "base/memory.h"

struct pass *pass_new(void)
{
	struct pass *pass = xcalloc(1, sizeof(*pass));

	pass->symbols = symbols_new();
	pass->spaces = spaces_new(pass->symbols);
	pass->contexts = contexts_new();
	pass->evidence = evidence_new();
	pass->parts = parts_new();
	pass->map_context = SIZE_MAX;
	return pass;
}

static void free_values(struct map *map)
{
	size_t i;

	for (i = 0; map->entries && i <= map->mask; i++)
		free((void *)(uintptr_t)map->entries[i].value);
	map_free(map);
}

void pass_free(struct pass *pass)
{
	size_t i, j;

	set_map_free(&pass->map);
	free_values(&pass->counts);
	call_frames_free(&pass->frames);
	for (i = 0; i < TALLY_LEVELS; i++) {
		map_free(&pass->samples_on[i]);
		map_free(&pass->near_on[i]);
		map_free(&pass->again_on[i]);
		free_values(&pass->outer_counts[i]);
		free(pass->hashes[i]);
	}
	for (i = 0; i < pass->object_count; i++)
		for (j = 0; j < TALLY_LEVELS; j++)
			free(pass->objects[i].sets[j]);
	free(pass->objects);
	for (i = 0; i < TALLY_LEVELS; i++)
		if (pass->levels[i].rcd)
			rcd_free(pass->levels[i].rcd);
	for (i = 0; i < PASS_EVENTS; i++)
		map_free(&pass->streams[i]);
	for (i = 0; i < pass->files; i++)
		free(pass->labels[i]);
	free(pass->labels);
	free(pass->refused);
	for (i = 0; pass->command && pass->command[i]; i++)
		free(pass->command[i]);
	free(pass->command);
	free(pass->version);
	free(pass->source);
	free(pass->cpu);
	free(pass->kernel);
	free(pass->start);
	free(pass->clock);
	free(pass->pages);
	for (i = 0; i < pass->lab_count; i++) {
		free(pass->lab[i].name);
		free(pass->lab[i].value);
	}
	free(pass->lab);
	parts_free(pass->parts);
	evidence_free(pass->evidence);
	contexts_free(pass->contexts);
	spaces_free(pass->spaces);
	symbols_free(pass->symbols);
	free(pass);
}

static void take_cache(struct pass *pass, const struct ccs_cache *cache)
{
	struct cache_level level = {
		.level = cache->level, .slices = cache->slices,
		.physical = cache->flags & CCS_CACHE_PHYSICAL,
		.simulated = cache->flags & CCS_CACHE_SIMULATED,
	};
	uint64_t size = (uint64_t)cache->sets * cache->ways * cache->line;
	const char *wrong;

	if (!cache->level || cache->level >= TALLY_LEVELS || !cache->slices ||
	    (uint64_t)cache->sets * cache->slices > CACHE_SETS_MAX || cache->ways > CACHE_WAYS_MAX || cache->line > 4096) {
		warning("the recording has a cache that cannot be (level %u): ignored",
			cache->level);
		return;
	}
	wrong = cache_geometry_init(&level.geometry, size, cache->ways, cache->line);
	if (wrong) {
		warning("the recording's level %u cache cannot be (%s): ignored", cache->level,
			wrong);
		return;
	}
	if (pass->files > 1)
		recordings_cache(pass, &level);
	else if (pass->cache_count < TALLY_LEVELS)
		pass->caches[pass->cache_count++] = level;
}

static struct cache_level *find_cache(struct pass *pass, uint32_t number)
{
	size_t i;

	for (i = 0; i < pass->cache_count; i++)
		if (pass->caches[i].level == number)
			return &pass->caches[i];
	return NULL;
}

/* The slices' hash, by its name. Return: false if there are slices and it is not known. */
static bool find_hash(struct pass *pass, struct cache_level *cache)
{
	const char *name = pass->hashes[cache->level];
	const struct slice_hash *hash = name ? slice_hash_named(name) : NULL;

	if (hash && hash->slices == cache->slices)
		cache->hash = hash;
	return cache->slices == 1 || cache->hash;
}

/* Readies a level for its misses, once its event and its geometry are known. */
static void open_level(struct pass *pass, uint32_t number)
{
	struct pass_level *level = &pass->levels[number];
	struct cache_level *cache = find_cache(pass, number);
	double shares[SLICES_MAX];
	uint32_t slices;

	if (!cache || level->rcd || !find_hash(pass, cache))
		return;
	level->cache = cache;
	slices = cache_level_shares(cache, shares);
	level->rcd = rcd_new_sliced(cache->geometry.sets, cache->geometry.ways, slices, shares);
	if (!level->rcd)
		exit(-fail("out of memory for %u sets", cache_level_sets(cache)));
	if (!pass->map.counts && (!pass->map_level || pass->map_level == number))
		set_map_init(&pass->map, number, cache_level_sets(cache));
}

static void take_event(struct pass *pass, const struct ccs_event *event)
{
	struct event_totals *totals = &pass->events[pass->event_count];

	if (pass->files > 1) {
		recordings_event(pass, event);
		return;
	}
	if (pass->event_count == PASS_EVENTS || event->level >= TALLY_LEVELS) {
		warning("the recording's event %u is not understood: ignored", event->id);
		return;
	}
	pass->event_here[pass->event_count++] = true;
	totals->id = event->id;
	totals->level = event->level;
	memcpy(totals->name, event->name, sizeof(event->name));
	totals->period = event->period;
	totals->spread = event->spread;
	totals->burst = event->burst;
	if (event->level)
		open_level(pass, event->level);
}

/* Keeps the last record of a process. */
static void keep_last(struct map *map, const struct ccs_record *record, size_t size)
{
	uint64_t *value = map_at(map, record->process);

	if (!*value)
		*value = (uintptr_t)xmalloc(size);
	memcpy((void *)(uintptr_t)*value, record, size);
}

static struct event_totals *find_event(struct pass *pass, uint32_t id)
{
	size_t i;

	for (i = 0; i < pass->event_count; i++)
		if (pass->events[i].id == id && pass->event_here[i])
			return &pass->events[i];
	return NULL;
}

static struct rcd_stream *find_stream(struct pass *pass, struct event_totals *event,
				      const struct ccs_samples *stretch)
{
	struct map *streams = &pass->streams[event - pass->events];
	uint64_t key = (uint64_t)stretch->record.process << 32 | stretch->record.tid;
	uint64_t *value = map_at(streams, key);
	struct rcd_stream *stream;

	if (*value)
		return (void *)(uintptr_t)*value;
	stream = rcd_stream_new(pass->levels[event->level].rcd);
	if (!stream)
		exit(-fail("out of memory for thread %u", stretch->record.tid));
	*value = (uintptr_t)stream;
	return stream;
}

/* Tells the stream what kind of stretch begins, and the event what it holds. */
static struct rcd_stream *begin_stretch(struct pass *pass, struct event_totals *event,
					const struct ccs_samples *stretch)
{
	bool burst = stretch->flags & CCS_STRETCH_BURST;
	bool edge = burst && !(stretch->flags & CCS_STRETCH_CONTINUES);
	struct rcd_stream *stream;

	event->samples += stretch->count;
	event->events += stretch->events;
	if (stretch->gap != CCS_UNKNOWN)
		event->events += stretch->gap;
	event->bursts += edge;
	if (burst) {
		event->burst_samples += stretch->count;
		event->burst_events += stretch->events;
	}
	if (!event->level || !pass->levels[event->level].rcd)
		return NULL;
	stream = find_stream(pass, event, stretch);
	if (edge)
		rcd_burst(stream, stretch->events, stretch->fills, stretch->count);
	else if (burst)
		rcd_continue(stream, stretch->events, stretch->fills, stretch->count);
	else
		rcd_spread(stream);
	return stream;
}

static struct object_tally *object_tally(struct pass *pass, uint32_t id)
{
	size_t count = pass->object_count;

	if (id >= count) {
		count = 2 * (size_t)id + 64;
		pass->objects = xrealloc(pass->objects, count * sizeof(*pass->objects));
		memset(pass->objects + pass->object_count, 0,
		       (count - pass->object_count) * sizeof(*pass->objects));
		pass->object_count = count;
	}
	return &pass->objects[id];
}

/* Where an address lives. Return: false if nobody knows. */
static bool set_of(const struct cache_level *cache, uint64_t address, uint32_t *set)
{
	uint32_t slice = 0;

	if (address == CCS_UNKNOWN)
		return false;
	*set = cache_set_of(&cache->geometry, cache_line_of(&cache->geometry, address));
	if (cache->hash)
		slice = slice_of(cache->hash, address);
	if (slice == SLICE_UNKNOWN)
		return false;
	*set += slice * cache->geometry.sets;
	return true;
}

/* A miss is its context's own, and one of all contexts around it. */
static void count_miss(struct pass *pass, struct rcd_stream *stream, uint32_t level, size_t context,
		       uint32_t set, uint64_t line)
{
	struct tally *tally = contexts_tally(pass->contexts, context);
	struct rcd *rcd = pass->levels[level].rcd;
	bool done;

	if (!tally->rcd[level])
		tally->rcd[level] = rcd_context_new(rcd);
	done = tally->rcd[level] && !rcd_add(stream, tally->rcd[level], set, line);
	for (; done && context != SIZE_MAX; context = tally->parent) {
		tally = contexts_tally(pass->contexts, context);
		if (tally->leaf)
			continue;
		if (!tally->around[level])
			tally->around[level] = rcd_context_new(rcd);
		done = tally->around[level] && !rcd_add_around(stream, tally->around[level], set);
	}
	if (!done)
		exit(-fail("out of memory for the misses of %s", tally->function));
}

static void mark_set(struct object_tally *object, uint32_t level, uint32_t set, uint32_t sets)
{
	if (!object->sets[level])
		object->sets[level] = xcalloc(sets / 8 + 1, 1);
	object->sets[level][set / 8] |= 1u << set % 8;
}

/* What one sample says of sets: RCD, set map, the object's sets. Return: false if nothing. */
static bool take_index(struct pass *pass, struct rcd_stream *stream, uint32_t level_number,
		       const struct ccs_sample *sample, size_t spot, uint32_t object)
{
	size_t context = contexts_spot(pass->contexts, spot)->context;
	struct pass_level *level = &pass->levels[level_number];
	uint64_t address = level->cache->physical ? sample->physical : sample->address;
	uint64_t line = cache_line_of(&level->cache->geometry, address);
	uint32_t set;

	if (!set_of(level->cache, address, &set))
		return false;
	count_miss(pass, stream, level_number, context, set, line);
	if (rcd_was_near(stream))
		++*map_at(&pass->near_on[level_number], spot_object(spot, object));
	if (evidence_place(pass->evidence, level_number, set, line))
		++*map_at(&pass->again_on[level_number], spot_object(spot, object));
	if (pass->map.level == level_number &&
	    (pass->map_context == SIZE_MAX || pass->map_context == context))
		set_map_add(&pass->map, set, recordings_time(pass, sample->time));
	mark_set(&pass->objects[object], level_number, set, cache_level_sets(level->cache));
	return true;
}

/* The data that a sample fell on. @frame: whose it may be, NULL = unknown */
static const struct object *object_of(struct space *space, const struct ccs_frame *frame,
				      uint64_t address, uint64_t *base)
{
	const struct object *object = NULL;

	if (frame)
		object = space_frame_object(space, frame, address, base);
	return object ? object : space_object_base(space, address, base);
}

static void take_sample(struct pass *pass, struct event_totals *event, struct rcd_stream *stream,
			uint32_t process, const struct ccs_sample *sample,
			const struct ccs_frame *frame)
{
	struct space *space = spaces_get(pass->spaces, process);
	size_t spot = contexts_find(pass->contexts, process, space, sample->ip);
	size_t context = contexts_spot(pass->contexts, spot)->context;
	struct tally *tally = contexts_tally(pass->contexts, context);
	uint64_t base;
	const struct object *object = object_of(space, frame, sample->address, &base);

	tally->samples[event->level]++;
	event->unnamed += !tally->named;
	object_tally(pass, object->id)->samples[event->level]++;
	evidence_sample(pass->evidence, context, spot, object->id, sample->address);
	++*map_at(&pass->samples_on[event->level], spot_object(spot, object->id));
	if (object->layout && base)
		parts_add(pass->parts, event->level, context, object, sample->address - base);
	if (!stream || !take_index(pass, stream, event->level, sample, spot, object->id))
		event->unresolved++;
}

static void take_samples(struct pass *pass, const struct ccs_samples *stretch)
{
	struct event_totals *event = find_event(pass, stretch->event);
	const uint8_t *at = (const uint8_t *)(stretch + 1);
	struct rcd_stream *stream;
	uint32_t i;

	call_frames_stretch(&pass->frames, stretch);
	if (!event) {
		pass->strays += stretch->count;
		return;
	}
	stream = begin_stretch(pass, event, stretch);
	evidence_stretch(pass->evidence, event - pass->events, stretch,
			 pass->levels[event->level].cache);
	pass->samples += stretch->count;
	for (i = 0; i < stretch->count; i++, at += stretch->sample_size)
		take_sample(pass, event, stream, stretch->record.process, (const void *)at,
			    call_frames_of(&pass->frames, i));
}

/* Ranks run side by side: the longest counts, and the work of all. */
static void take_times(struct pass *pass, const struct ccs_times *times)
{
	struct run_times *sum = times->runs ? &pass->alone : &pass->recorded;

	if (!sum->known || times->runs < sum->runs)
		sum->runs = times->runs;
	sum->known = true;
	if (times->wall_ns > sum->wall_ns)
		sum->wall_ns = times->wall_ns;
	sum->user_ns += times->user_ns;
	sum->system_ns += times->system_ns;
}

static void take_lost(struct pass *pass, const struct ccs_lost *lost)
{
	if (lost->kind < PASS_LOST_KINDS)
		pass->lost[lost->kind] += lost->count;
}

static void take_unsupported(struct pass *pass, const struct ccs_unsupported *unsupported)
{
	pass->unsupported++;
	pass->unsupported_ip = unsupported->ip;
}

static void take_end(struct pass *pass, const struct ccs_end *end)
{
	if (end->duration_ns > pass->duration_ns)
		pass->duration_ns = end->duration_ns;
}

void pass_take(struct pass *pass, const struct ccs_record *record)
{
	switch (record->type) {
	case CCS_SAMPLES:
		take_samples(pass, (const void *)record);
		break;
	case CCS_FRAMES:
		call_frames_take(&pass->frames, (const void *)record);
		break;
	case CCS_META:
		if (pass->files <= 1)
			pass_meta(pass, (const void *)record);
		recordings_meta(pass, (const void *)record);
		break;
	case CCS_CACHE:
		take_cache(pass, (const void *)record);
		break;
	case CCS_EVENT:
		take_event(pass, (const void *)record);
		break;
	case CCS_COUNTS:
		keep_last(&pass->counts, record, sizeof(struct ccs_counts));
		break;
	case CCS_LEVEL_COUNTS:
		keep_last(&pass->outer_counts[((const struct ccs_level_counts *)record)->level],
			  record, sizeof(struct ccs_level_counts));
		break;
	case CCS_LOST:
		take_lost(pass, (const void *)record);
		break;
	case CCS_UNSUPPORTED:
		take_unsupported(pass, (const void *)record);
		break;
	case CCS_TIMES:
		take_times(pass, (const void *)record);
		break;
	case CCS_END:
		take_end(pass, (const void *)record);
		break;
	default:
		pass->processes += record->type == CCS_PROCESS;
		spaces_replay(pass->spaces, record);
	}
}
