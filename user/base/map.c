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
	/* One that was set back to 0 was counted, and has its place. Unused ones have key 0. */
	if (!entry->value && (!key || entry->key != key)) {
		entry->key = key;
		map->count++;
	}
	return &entry->value;
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
