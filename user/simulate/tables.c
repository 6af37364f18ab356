// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include <xxhash.h>

#include "simulate/tables.h"
#include "base/memory.h"

static bool same_pair(const struct sim_pair *a, const struct sim_pair *b)
{
	return a->victim == b->victim && a->evictor == b->evictor &&
	       a->victim_object == b->victim_object &&
	       a->evictor_object == b->evictor_object;
}

struct sim_pair *sim_tables_pair(struct sim_pairs *pairs, const struct sim_pair *wanted)
{
	const uint64_t key[] = {
		wanted->victim, wanted->evictor, (uintptr_t)wanted->victim_object,
		(uintptr_t)wanted->evictor_object,
	};
	uint64_t hash = XXH3_64bits(key, sizeof(key)), *value;

	for (;; hash++) {
		value = map_at(&pairs->by_key, hash);
		if (!*value)
			break;
		if (same_pair(&pairs->all[*value - 1], wanted))
			return &pairs->all[*value - 1];
	}
	pairs->all = grow(pairs->all, pairs->count, &pairs->room, sizeof(*pairs->all));
	pairs->all[pairs->count] = *wanted;
	*value = ++pairs->count;
	return &pairs->all[*value - 1];
}

struct sim_part *sim_tables_part(struct sim_tables *tables, size_t context,
				 const struct object *object)
{
	uint64_t *value = map_at(&tables->by_part, (uint64_t)context << 32 | object->id);

	if (!*value) {
		tables->parts = grow(tables->parts, tables->part_count, &tables->part_room,
				     sizeof(*tables->parts));
		tables->parts[tables->part_count] = (struct sim_part){
			.loop = context, .object = object,
		};
		*value = ++tables->part_count;
	}
	return &tables->parts[*value - 1];
}

struct sim_thing *sim_tables_thing(struct sim_tables *tables, const struct object *object)
{
	uint64_t *value = map_at(&tables->by_thing, object->id);

	if (!*value) {
		tables->things = grow(tables->things, tables->thing_count, &tables->thing_room,
				      sizeof(*tables->things));
		tables->things[tables->thing_count] = (struct sim_thing){ .object = object };
		*value = ++tables->thing_count;
	}
	return &tables->things[*value - 1];
}

struct sim_thread_level *sim_tables_thread(struct sim_tables *tables, uint32_t process,
					   uint32_t tid, uint32_t level)
{
	const uint64_t key[] = { (uint64_t)process << 32 | tid, level };
	uint64_t hash = XXH3_64bits(key, sizeof(key)), *value;
	struct sim_thread_level *thread;

	for (;; hash++) {
		value = map_at(&tables->by_thread, hash);
		if (!*value)
			break;
		thread = &tables->threads[*value - 1];
		if (thread->process == process && thread->tid == tid && thread->level == level)
			return thread;
	}
	tables->threads = grow(tables->threads, tables->thread_count, &tables->thread_room,
			       sizeof(*tables->threads));
	tables->threads[tables->thread_count] = (struct sim_thread_level){
		.process = process, .tid = tid, .level = level,
	};
	*value = ++tables->thread_count;
	return &tables->threads[*value - 1];
}

static struct sim_pair *move_pairs(struct sim_pairs *pairs, size_t *count)
{
	struct sim_pair *all = pairs->all;

	*count = pairs->count;
	pairs->all = NULL;
	return all;
}

void sim_tables_move(struct sim_tables *tables, struct sim_findings *findings,
		     const size_t *places)
{
	findings->pairs = move_pairs(&tables->conflicts, &findings->pair_count);
	findings->aliases = move_pairs(&tables->aliases, &findings->alias_count);
	findings->sharings = move_pairs(&tables->sharings, &findings->sharing_count);
	findings->reuses = move_pairs(&tables->reuses, &findings->reuse_count);
	sim_findings_renumber(findings, places);
	findings->parts = tables->parts;
	findings->part_count = tables->part_count;
	findings->things = tables->things;
	findings->thing_count = tables->thing_count;
	findings->threads = tables->threads;
	findings->thread_count = tables->thread_count;
	tables->parts = NULL;
	tables->things = NULL;
	tables->threads = NULL;
	tables->thread_count = 0;
}

void sim_tables_free(struct sim_tables *tables)
{
	map_free(&tables->conflicts.by_key);
	map_free(&tables->aliases.by_key);
	map_free(&tables->sharings.by_key);
	map_free(&tables->reuses.by_key);
	map_free(&tables->by_part);
	map_free(&tables->by_thing);
	map_free(&tables->by_thread);
	free(tables->conflicts.all);
	free(tables->aliases.all);
	free(tables->sharings.all);
	free(tables->reuses.all);
	free(tables->parts);
	free(tables->things);
	for (size_t i = 0; i < tables->thread_count; i++)
		free(tables->threads[i].depths);
	free(tables->threads);
}
