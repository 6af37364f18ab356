/* SPDX-License-Identifier: GPL-2.0-only */
/* A hash table from 64-bit keys to 64-bit values: open addressing, linear probing. */
#ifndef CCSAMPLE_BASE_MAP_H
#define CCSAMPLE_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map_entry {
	uint64_t key;
	uint64_t value;		/* 0 = free */
};

struct map {
	struct map_entry *entries;
	size_t mask;		/* entries - 1 */
	unsigned int shift;	/* 64 - log2(entries) */
	size_t count;
};

/* 2^64 / golden ratio; the product's top bits depend on all of the key's. */
static inline size_t map_slot(const struct map *map, uint64_t key)
{
	return key * 0x9e3779b97f4a7c15u >> map->shift;
}

/* The value of a key, 0 if it has none. */
static inline uint64_t map_get(const struct map *map, uint64_t key)
{
	size_t slot;

	if (!map->entries)
		return 0;
	for (slot = map_slot(map, key); map->entries[slot].value; slot = (slot + 1) & map->mask)
		if (map->entries[slot].key == key)
			return map->entries[slot].value;
	return 0;
}

/**
 * map_at() - where the value of a key is kept, made 0 if it was not there.
 *
 * One that is left 0 is not there. It must not be set back to 0: other keys may not be found then;
 * map_take() is for that. Valid until the next call.
 */
uint64_t *map_at(struct map *map, uint64_t key);

/* The value of a key, 0 if it has none; the table has it no longer. */
uint64_t map_take(struct map *map, uint64_t key);

/* Forgets all keys; keeps the memory. */
void map_clear(struct map *map);

void map_free(struct map *map);

/* map_free() of a map whose values are pointers, each freed by a function: that is not given 0. */
void map_free_values(struct map *map, void (*free_value)(void *value));

#endif /* CCSAMPLE_BASE_MAP_H */
