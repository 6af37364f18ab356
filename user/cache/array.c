// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cache/array.h"

const char *array_trouble(const struct cache_geometry *geometry, enum cache_policy policy,
			  const struct slice_hash *hash)
{
	if (policy == POLICY_PLRU && geometry->ways & (geometry->ways - 1))
		return "tree-PLRU needs ways that are a power of two";
	if (policy == POLICY_PLRU && geometry->ways > PLRU_WAYS_MAX)
		return "tree-PLRU is limited to 64 ways";
	if (hash && geometry->sets % hash->slices)
		return "the sets must be a multiple of the slices";
	if (hash && geometry->line != 64)
		return "slice hashes are published for lines of 64 bytes";
	return NULL;
}

static bool open_array(struct array *array, const struct cache_geometry *geometry,
		       enum cache_policy policy, const struct slice_hash *hash, bool with_nodes,
		       const struct cache_memory *memory)
{
	uint64_t lines = cache_lines(geometry), i;

	*array = (struct array){
		.hash = hash, .geometry = *geometry, .slice = *geometry, .policy = policy,
	};
	if (hash)
		array->slice.sets /= hash->slices;
	array->tags = memory->get((with_nodes ? 2 : 1) * lines * sizeof(*array->tags));
	if (with_nodes)
		array->nodes = (struct fully_node **)(array->tags + lines);
	array->trees = memory->get(geometry->sets * sizeof(*array->trees));
	if (!array->tags || !array->trees)
		return false;
	for (i = 0; i < lines; i++)
		array->tags[i] = TAG_EMPTY;
	return true;
}

bool array_open(struct array *array, const struct cache_geometry *geometry,
		enum cache_policy policy, const struct slice_hash *hash,
		const struct cache_memory *memory)
{
	return open_array(array, geometry, policy, hash, false, memory);
}

bool array_open_with_nodes(struct array *array, const struct cache_geometry *geometry,
			   enum cache_policy policy, const struct slice_hash *hash,
			   const struct cache_memory *memory)
{
	return open_array(array, geometry, policy, hash, true, memory);
}

void array_close(struct array *array, const struct cache_memory *memory)
{
	memory->put(array->tags);
	memory->put(array->trees);
}

/* The way of a line, or the number of ways. */
static uint32_t find(const struct array *array, uint32_t set, uint64_t line)
{
	const uint64_t *row = array_row(array, set);
	uint32_t way;

	for (way = 0; way < array->geometry.ways; way++)
		if (tag_holds(row[way], line))
			break;
	return way;
}

/* Makes every node above a way point to the other half. */
static void tree_renew(uint64_t *tree, uint32_t ways, uint32_t way)
{
	uint32_t node;

	for (node = ways + way; node > 1; node >>= 1) {
		uint64_t bit = (uint64_t)1 << (node >> 1);

		*tree = node & 1 ? *tree & ~bit : *tree | bit;
	}
}

static uint32_t tree_victim(uint64_t tree, uint32_t ways)
{
	uint32_t node = 1;

	while (node < ways)
		node = 2 * node + (tree >> node & 1);
	return node - ways;
}

/* The commonest case, all read before anything is written: a few vector moves. */
static inline void shift_8(uint64_t *row)
{
	uint64_t a = row[0], b = row[1], c = row[2], d = row[3], e = row[4], f = row[5], g = row[6];

	row[1] = a;
	row[2] = b;
	row[3] = c;
	row[4] = d;
	row[5] = e;
	row[6] = f;
	row[7] = g;
}

/* Moves the tags and nodes before a way back by one; the first place is free afterwards. */
static inline void make_room(uint64_t *row, struct fully_node **nodes, uint32_t way)
{
	uint32_t to;

	if (way == 7 && nodes) {
		shift_8(row);
		shift_8((uint64_t *)nodes);
		return;
	}
	for (to = way; to; to--)
		row[to] = row[to - 1];
	for (to = nodes ? way : 0; to; to--)
		nodes[to] = nodes[to - 1];
}

static struct fully_node **nodes_of(const struct array *array, uint32_t set)
{
	return array->nodes ? array_nodes(array, set) : NULL;
}

uint32_t array_search(struct array *array, uint32_t set, uint64_t line, uint64_t dirty)
{
	uint64_t *row = array_row(array, set), tag;
	struct fully_node **nodes = nodes_of(array, set), *node;
	uint32_t way = find(array, set, line);

	if (way == array->geometry.ways)
		return ARRAY_ABSENT;
	tag = row[way] |= dirty;
	if (array->policy == POLICY_PLRU)
		tree_renew(&array->trees[set], array->geometry.ways, way);
	if (array->policy != POLICY_LRU)
		return way;
	node = nodes ? nodes[way] : NULL;
	make_room(row, nodes, way);
	row[0] = tag;
	if (nodes)
		nodes[0] = node;
	return 0;
}

static uint32_t place(const struct array *array, uint32_t set)
{
	const uint64_t *row = array_row(array, set);
	uint32_t ways = array->geometry.ways, way;

	if (array->policy != POLICY_PLRU)
		return ways - 1;
	for (way = 0; way < ways; way++)
		if (row[way] == TAG_EMPTY)
			return way;
	return tree_victim(array->trees[set], ways);
}

uint64_t array_fill(struct array *array, uint32_t set, uint64_t line, uint64_t dirty,
		    struct fully_node **node)
{
	uint64_t *row = array_row(array, set);
	struct fully_node **nodes = nodes_of(array, set), *left;
	uint32_t way = place(array, set);
	uint64_t evicted = row[way];

	left = nodes ? nodes[way] : NULL;
	if (array->policy == POLICY_PLRU) {
		tree_renew(&array->trees[set], array->geometry.ways, way);
	} else {
		make_room(row, nodes, way);
		way = 0;
	}
	row[way] = line << 1 | dirty;
	if (nodes) {
		nodes[way] = *node;
		*node = left;
	}
	return evicted;
}

uint64_t array_take(struct array *array, uint32_t set, uint64_t line, struct fully_node **node)
{
	uint64_t *row = array_row(array, set), tag;
	struct fully_node **nodes = array_nodes(array, set);
	uint32_t ways = array->geometry.ways, way = find(array, set, line);

	if (way == ways)
		return TAG_EMPTY;
	tag = row[way] & ~TAG_ORPHAN;
	*node = nodes[way];
	for (; array->policy != POLICY_PLRU && way + 1 < ways; way++) {
		row[way] = row[way + 1];
		nodes[way] = nodes[way + 1];
	}
	row[way] = TAG_EMPTY;
	return tag;
}

bool array_soil(struct array *array, uint32_t set, uint64_t line)
{
	uint32_t way = find(array, set, line);

	if (way == array->geometry.ways)
		return false;
	array_row(array, set)[way] |= TAG_DIRTY;
	return true;
}
