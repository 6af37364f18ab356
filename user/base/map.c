// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

static struct map_entry *find(const struct map *map, uint64_t key)
{
	size_t slot = map_slot(map, key);

	while (map->entries[slot].value && map->entries[slot].key != key)
		slot = (slot + 1) & map->mask;
	return &map->entries[slot];
}

static void enlarge(struct map *map)
{
	struct map old = *map;
	size_t size = old.entries ? 2 * (old.mask + 1) : 16;
	size_t i;

	map->entries = xcalloc(size, sizeof(*map->entries));
	map->mask = size - 1;
	map->shift = 64 - __builtin_ctzll(size);
	for (i = 0; old.entries && i <= old.mask; i++)
		if (old.entries[i].value)
			*find(map, old.entries[i].key) = old.entries[i];
	free(old.entries);
}

uint64_t *map_at(struct map *map, uint64_t key)
{
	struct map_entry *entry;

	if (!map->entries || map->count * 2 > map->mask)
		enlarge(map);
	entry = find(map, key);
	/* One that was left 0 was counted. Unused ones have key 0. */
	if (!entry->value && (!key || entry->key != key)) {
		entry->key = key;
		map->count++;
	}
	return &entry->value;
}

uint64_t map_take(struct map *map, uint64_t key)
{
	uint64_t value = map_get(map, key);
	size_t hole, slot, home;

	if (!value)
		return 0;
	hole = find(map, key) - map->entries;
	/* What a search would not find behind the hole moves there (Knuth, TAOCP 3, 6.4, R). */
	for (slot = hole; map->entries[slot = (slot + 1) & map->mask].value; ) {
		home = map_slot(map, map->entries[slot].key);
		if (((slot - home) & map->mask) < ((slot - hole) & map->mask))
			continue;
		map->entries[hole] = map->entries[slot];
		hole = slot;
	}
	map->entries[hole] = (struct map_entry){ .value = 0 };
	map->count--;
	return value;
}

void map_clear(struct map *map)
{
	if (map->entries)
		memset(map->entries, 0, (map->mask + 1) * sizeof(*map->entries));
	map->count = 0;
}

void map_free(struct map *map)
{
	free(map->entries);
	memset(map, 0, sizeof(*map));
}

void map_free_values(struct map *map, void (*free_value)(void *value))
{
	for (size_t i = 0; map->entries && i <= map->mask; i++)
		if (map->entries[i].value)
			free_value((void *)(uintptr_t)map->entries[i].value);
	map_free(map);
}
