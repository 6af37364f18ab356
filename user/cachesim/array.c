// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/array.h"
#include "cachesim/plru.h"

const char *array_error(const struct cache_geometry *geometry, enum cache_policy policy,
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

bool array_open(struct array *array, const struct cache_geometry *geometry,
		enum cache_policy policy, const struct allocator *memory)
{
	uint64_t lines = cache_lines(geometry), i;

	*array = (struct array){
		.shape = shape_of(geometry, policy, NULL), .row_words = geometry->ways * WAY_WORDS,
	};
	array->tags = memory->get(lines * WAY_WORDS * sizeof(*array->tags));
	array->trees = memory->get(geometry->sets * sizeof(*array->trees));
	if (!array->tags || !array->trees)
		return false;
	for (i = 0; i < lines; i++)
		array->tags[i * WAY_WORDS] = TAG_EMPTY;
	return true;
}

void array_close(struct array *array, const struct allocator *memory)
{
	memory->put(array->tags);
	memory->put(array->trees);
}

uint32_t array_set_accesses(const struct array *array, uint64_t line)
{
	return cache_set_of(&array->shape.geometry, line);
}

/* The tag of a line, or NULL. */
static inline uint64_t *find(const struct array *array, uint32_t set, uint64_t line)
{
	uint64_t *tag = array_row(array, set);
	const uint64_t *end = tag + array->row_words;

	for (; tag < end; tag += WAY_WORDS)
		if (tag_holds(*tag, line))
			return tag;
	return NULL;
}

bool array_holds(const struct array *array, uint32_t set, uint64_t line)
{
	return find(array, set, line);
}

bool array_clean(struct array *array, uint32_t set, uint64_t line)
{
	uint64_t *tag = find(array, set, line);
	bool dirty = tag && *tag & TAG_DIRTY;

	if (dirty)
		*tag &= ~TAG_DIRTY;
	return dirty;
}

/* The way of a tag. */
static uint32_t way_of(const struct array *array, uint32_t set, const uint64_t *tag)
{
	return (tag - array_row(array, set)) / WAY_WORDS;
}

uint64_t *array_search(struct array *array, uint32_t set, uint64_t line, uint64_t dirty)
{
	uint64_t *row = array_row(array, set), *found;
	uint32_t ways = array->shape.geometry.ways;

	if (array->shape.policy == POLICY_LRU)
		return (ways == 8 ? array_renew((struct way *)row, 8, line, dirty) :
			array_renew((struct way *)row, ways, line, dirty)) ? row : NULL;
	found = find(array, set, line);
	if (!found)
		return NULL;
	*found |= dirty;
	if (array->shape.policy == POLICY_PLRU)
		plru_renew(&array->trees[set], ways, way_of(array, set, found));
	return found;
}

/* Where the next line of a set goes under PLRU. */
static uint64_t *place(const struct array *array, uint32_t set)
{
	uint64_t *row = array_row(array, set);
	uint32_t ways = array->shape.geometry.ways, way;

	for (way = 0; way < ways; way++)
		if (row[way * WAY_WORDS] == TAG_EMPTY)
			return row + way * WAY_WORDS;
	return row + plru_victim(array->trees[set], ways) * WAY_WORDS;
}

uint64_t array_fill(struct array *array, uint32_t set, uint64_t line, uint64_t dirty,
		    struct shadow_l1_node **node)
{
	uint64_t *row = array_row(array, set), *tag, evicted;
	struct shadow_l1_node *left;
	uint32_t ways = array->shape.geometry.ways;

	if (array->shape.policy != POLICY_PLRU)
		return ways == 8 ? array_push((struct way *)row, 8, line, dirty, node) :
		       array_push((struct way *)row, ways, line, dirty, node);
	tag = place(array, set);
	evicted = *tag;
	left = *tag_node(tag);
	plru_renew(&array->trees[set], ways, way_of(array, set, tag));
	*tag = line << 1 | dirty;
	*tag_node(tag) = *node;
	*node = left;
	return evicted;
}

uint64_t array_take(struct array *array, uint32_t set, uint64_t line, struct shadow_l1_node **node)
{
	uint64_t *row = array_row(array, set), *tag = find(array, set, line), taken;
	uint64_t *last = row + (array->shape.geometry.ways - 1) * WAY_WORDS;

	if (!tag)
		return TAG_EMPTY;
	taken = *tag & ~TAG_ORPHAN;
	*node = *tag_node(tag);
	for (; array->shape.policy != POLICY_PLRU && tag < last; tag += 2) {
		tag[0] = tag[2];
		tag[1] = tag[3];
	}
	*tag = TAG_EMPTY;
	return taken;
}
