// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/hash.h"
#include "cachesim/reuse.h"

#define KEYS_FIRST 1024

static bool get_keys(struct reuse *reuse, uint64_t keys, const struct allocator *memory)
{
	reuse->shift = hash_shift(2 * keys);
	reuse->slots = memory->get(2 * keys * sizeof(*reuse->slots));
	reuse->lines = memory->get(keys * sizeof(*reuse->lines));
	reuse->times[REUSE_BY_SET] = memory->get(keys * sizeof(uint32_t));
	reuse->times[REUSE_OVER_ALL] = memory->get(keys * sizeof(uint32_t));
	reuse->users = memory->get(keys * sizeof(*reuse->users));
	return reuse->slots && reuse->lines && reuse->times[REUSE_BY_SET] &&
	       reuse->times[REUSE_OVER_ALL] && reuse->users;
}

static void put_keys(struct reuse *reuse, const struct allocator *memory)
{
	memory->put(reuse->slots);
	memory->put(reuse->lines);
	memory->put(reuse->times[REUSE_BY_SET]);
	memory->put(reuse->times[REUSE_OVER_ALL]);
	memory->put(reuse->users);
}

bool reuse_open(struct reuse *reuse, const struct cache_geometry *geometry,
		const struct allocator *memory)
{
	*reuse = (struct reuse){ .geometry = *geometry, .last = { CLASS_NONE, CLASS_NONE } };
	reuse->sets = memory->get(geometry->sets * sizeof(*reuse->sets));
	reuse->by_set = memory->get(geometry->sets * sizeof(*reuse->by_set));
	return get_keys(reuse, KEYS_FIRST, memory) && reuse->sets && reuse->by_set &&
	       pairs_open(&reuse->edges, memory);
}

void reuse_close(struct reuse *reuse, const struct allocator *memory)
{
	uint32_t set;

	for (set = 0; reuse->sets && set < reuse->geometry.sets; set++)
		distance_close(&reuse->sets[set], memory);
	distance_close(&reuse->all, memory);
	memory->put(reuse->sets);
	memory->put(reuse->by_set);
	put_keys(reuse, memory);
	pairs_close(&reuse->edges, memory);
}

/* The slot of a line, or the free one where it belongs. */
static uint32_t *find(const struct reuse *reuse, uint64_t line)
{
	uint64_t last = hash_slots(reuse->shift) - 1, at = hash_slot(line, reuse->shift);

	while (reuse->slots[at] && reuse->lines[reuse->slots[at] - 1] != line)
		at = (at + 1) & last;
	return &reuse->slots[at];
}

static bool enlarge(struct reuse *reuse, const struct allocator *memory)
{
	struct reuse old = *reuse;
	uint32_t key;

	if (!get_keys(reuse, hash_slots(old.shift), memory)) {
		put_keys(reuse, memory);
		*reuse = old;
		return false;
	}
	for (key = 0; key < old.used; key++) {
		reuse->lines[key] = old.lines[key];
		reuse->times[REUSE_BY_SET][key] = old.times[REUSE_BY_SET][key];
		reuse->times[REUSE_OVER_ALL][key] = old.times[REUSE_OVER_ALL][key];
		reuse->users[key] = old.users[key];
		*find(reuse, old.lines[key]) = key + 1;
	}
	put_keys(&old, memory);
	return true;
}

/* The key of a line, a new one at its first access. Return: false without memory. */
static bool key_of(struct reuse *reuse, uint64_t line, uint32_t *key,
		   const struct allocator *memory)
{
	uint32_t *slot = find(reuse, line);

	if (!*slot) {
		if (2 * (uint64_t)reuse->used == hash_slots(reuse->shift)) {
			if (!enlarge(reuse, memory))
				return false;
			slot = find(reuse, line);
		}
		reuse->lines[reuse->used] = line;
		*slot = ++reuse->used;
	}
	*key = *slot - 1;
	return true;
}

static enum miss_class class_of(const struct cache_geometry *geometry, uint32_t distance)
{
	if (distance == DISTANCE_NEW)
		return CLASS_COLD;
	if (distance <= geometry->ways)
		return CLASS_HIT;
	return distance < cache_lines(geometry) ? CLASS_CONFLICT : CLASS_CAPACITY;
}

bool reuse_access(struct reuse *reuse, uint32_t set, uint64_t line,
		  const struct allocator *memory)
{
	struct distance *stacks[] = { &reuse->sets[set], &reuse->all };
	int reading;

	if (!key_of(reuse, line, &reuse->key, memory))
		return false;
	for (reading = 0; reading < REUSE_READINGS; reading++) {
		if (!distance_use(stacks[reading], reuse->key, reuse->times[reading],
				  &reuse->distances[reading], memory))
			return false;
		reuse->last[reading] = class_of(&reuse->geometry, reuse->distances[reading]);
		reuse->outcomes[reading][reuse->last[reading]]++;
		reuse->by_set[set].outcomes[reading][reuse->last[reading]]++;
	}
	return true;
}

bool reuse_edge(struct reuse *reuse, uint32_t who, const struct allocator *memory)
{
	uint32_t former = reuse->users[reuse->key];
	struct pair *edge;

	reuse->users[reuse->key] = who + 1;
	if (!former)
		return true;
	edge = pairs_at(&reuse->edges, who, former - 1, memory);
	if (!edge)
		return false;
	edge->total++;
	edge->conflicts[REUSE_FAR] += reuse->last[REUSE_BY_SET] != CLASS_HIT;
	edge->conflicts[REUSE_SUM_SET] += reuse->distances[REUSE_BY_SET];
	edge->conflicts[REUSE_SUM_ALL] += reuse->distances[REUSE_OVER_ALL];
	return true;
}
