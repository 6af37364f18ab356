// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "format/check.h"
#include "format/record-types.h"

/* Bytes of the variable part; 64 bits hold the sum or product of any two 32-bit fields. */
static uint64_t variable_size(const struct ccs_record *record)
{
	switch (record->type) {
	case CCS_META: {
		const struct ccs_meta *meta = (const void *)record;

		return (uint64_t)meta->key_size + meta->value_size;
	}
	case CCS_PROCESS:
		return ((const struct ccs_process *)record)->path_size;
	case CCS_MAP:
		return ((const struct ccs_map *)record)->path_size;
	case CCS_REFERENCES:
		return ((const struct ccs_references *)record)->bytes_size;
	case CCS_MEMBERS: {
		const struct ccs_members *members = (const void *)record;

		return ((uint64_t)members->rank_runs + members->thread_runs) *
		       sizeof(struct ccs_run);
	}
	case CCS_BURST_PIECE:
		return ((const struct ccs_burst_piece *)record)->bytes;
	case CCS_STACK:
		return (uint64_t)((const struct ccs_stack *)record)->depth * sizeof(uint64_t);
	case CCS_SAMPLES: {
		const struct ccs_samples *samples = (const void *)record;

		return (uint64_t)samples->count * samples->sample_size;
	}
	case CCS_FRAMES:
		return ((const struct ccs_frames *)record)->count *
		       (uint64_t)sizeof(struct ccs_frame);
	case CCS_SAVED:
		return ((const struct ccs_saved *)record)->count *
		       (uint64_t)sizeof(struct ccs_saved_hits);
	case CCS_CLASS_COUNTS:
		return ((const struct ccs_class_counts *)record)->count *
		       (uint64_t)sizeof(struct ccs_class_count);
	case CCS_SIM_SETS:
		return ((const struct ccs_sim_sets *)record)->count *
		       (uint64_t)sizeof(struct ccs_sim_set);
	case CCS_SIM_SET_REUSE:
		return ((const struct ccs_sim_sets *)record)->count *
		       (uint64_t)sizeof(struct ccs_sim_set_reuse);
	case CCS_SIM_DEPTHS:
		return (((const struct ccs_sim_depths *)record)->ways + 1ull) * sizeof(uint64_t);
	default:
		return 0;
	}
}

static const char *check_text(const void *text, size_t size)
{
	return memchr(text, 0, size) ? "a zero byte inside a text" : NULL;
}

static const char *check_meta(const struct ccs_meta *meta)
{
	if (!meta->key_size)
		return "a META record without a key";
	return check_text(meta + 1, meta->key_size);
}

static const char *check_cache(const struct ccs_cache *cache)
{
	if (cache->level < 1 || cache->level > 3)
		return "a cache level other than 1, 2, 3";
	if (!cache->ways || !cache->sets || !cache->slices)
		return "a cache without ways, sets or slices";
	if (!cache->line || (cache->line & (cache->line - 1)))
		return "a cache line that is no power of two";
	return NULL;
}

static const char *check_event(const struct ccs_event *event)
{
	if (event->level > 3)
		return "an event of a cache level above 3";
	if (event->spread > event->period || !event->burst)
		return "an event with an impossible period, spread or burst";
	if (event->name[sizeof(event->name) - 1])
		return "an event name without an end";
	return NULL;
}

static const char *check_map(const struct ccs_map *map)
{
	if (map->start > map->end)
		return "a map that ends before it starts";
	if (map->build_id_size > CCS_BUILD_ID_MAX)
		return "a build-id that is too long";
	return check_text(map + 1, map->path_size);
}

static const char *check_samples(const struct ccs_samples *samples)
{
	if (samples->sample_size < sizeof(struct ccs_sample) || samples->sample_size % 8)
		return "a wrong size of samples";
	if (samples->events < samples->count)
		return "a batch with more samples than events";
	return NULL;
}

static const char *check_level_counts(const struct ccs_level_counts *counts)
{
	if (counts->level < 2 || counts->level > 3)
		return "counts of a level that is neither 2 nor 3";
	return NULL;
}

/* Numbers of runs are below @end, and not more than there may be. */
static bool runs_within(const struct ccs_run *runs, uint32_t count, uint64_t end)
{
	uint64_t members = 0;
	uint32_t i;

	for (i = 0; i < count; i++) {
		members += runs[i].count;
		if (!runs[i].count || runs[i].first + (uint64_t)runs[i].step *
				      (runs[i].count - 1ull) >= end)
			return false;
	}
	return members <= CCS_MEMBERS_MAX;
}

static const char *check_members(const struct ccs_members *members)
{
	const struct ccs_run *runs = (const void *)(members + 1);

	if (members->ranks > CCS_MEMBERS_MAX || !members->rank_runs ||
	    !runs_within(runs, members->rank_runs, members->ranks) ||
	    !runs_within(runs + members->rank_runs, members->thread_runs, CCS_MEMBERS_MAX + 1ull))
		return "a set of impossible ranks or threads";
	return NULL;
}

/* Level, sets and depths have it in the same place. */
static const char *check_sim_level(uint32_t level)
{
	bool known = level >= 1 && level <= CCS_SIM_LEVELS;

	return known ? NULL : "a result of a level other than 1, 2, 3";
}

static const char *check_values(const struct ccs_record *record)
{
	const struct ccs_process *process = (const void *)record;
	const struct ccs_unmap *unmap = (const void *)record;
	const struct ccs_alloc *alloc = (const void *)record;

	switch (record->type) {
	case CCS_META:
		return check_meta((const void *)record);
	case CCS_CACHE:
		return check_cache((const void *)record);
	case CCS_EVENT:
		return check_event((const void *)record);
	case CCS_PROCESS:
		return check_text(process + 1, process->path_size);
	case CCS_MAP:
		return check_map((const void *)record);
	case CCS_UNMAP:
		return unmap->start > unmap->end ? "an unmap that ends before it starts" : NULL;
	case CCS_ALLOC:
		return alloc->address + alloc->size < alloc->address ?
		       "a heap block past the end of memory" : NULL;
	case CCS_SAMPLES:
		return check_samples((const void *)record);
	case CCS_MEMBERS:
		return check_members((const void *)record);
	case CCS_LEVEL_COUNTS:
		return check_level_counts((const void *)record);
	case CCS_SIM_LEVEL:
	case CCS_SIM_SETS:
	case CCS_SIM_SET_REUSE:
	case CCS_SIM_DEPTHS:
		return check_sim_level(((const struct ccs_sim_sets *)record)->level);
	default:
		return NULL;
	}
}

const char *record_check(const struct ccs_record *record, size_t room)
{
	const struct record_type *type;

	if (room < sizeof(*record))
		return "a record header that is cut off";
	if (record->size < sizeof(*record) || record->size % 8 || record->size > CCS_RECORD_MAX)
		return "an impossible record size";
	if (record->size > room)
		return "a record that is cut off";
	type = record_type_find(record->type);
	if (!type)
		return NULL;
	if (record->size < type->size)
		return "a record too short for its type, as an earlier ccsample may have written "
			"it";
	if (variable_size(record) > record->size - type->size)
		return "a record too short for what it says to hold";
	return check_values(record);
}
