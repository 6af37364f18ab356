// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/parts.h"
#include "base/map.h"
#include "base/memory.h"
#include "pads/plan.h"

#define LEAST_SHARE	0.01	/* of the loop's misses, of an object that is looked at */
#define RANKS		8	/* of objects: parts of the most misses on one */
#define LEAST_NODES	3u	/* blocks of an object that may be resized */
#define NODE_MOST	(64u << 10)	/* bytes of such */
#define PAGE		4096u

static int by_misses(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return object_order(x->object, y->object);
}

/* What differs by chance is not to order arrays in lockstep: their names do. */
static void sort_parts(struct part *parts, size_t count)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, parts[i].misses);
	for (size_t i = 0; i < count; i++)
		parts[i].rank = lround(RANKS * parts[i].misses / most);
	if (count)
		qsort(parts, count, sizeof(*parts), by_misses);
}

static void add_block(struct part *part, const struct keep_block *block, double misses)
{
	uint64_t bytes = block->high - block->low;

	if (!part->blocks || block->low < part->lowest)
		part->lowest = block->low;
	if (block->high > part->highest)
		part->highest = block->high;
	if (bytes > part->bytes)
		part->bytes = bytes;
	/* By majority: of a vector of vectors its own blocks are others than theirs. */
	part->votes += bytes == part->usual ? misses : -misses;
	if (part->votes < 0) {
		part->usual = bytes;
		part->votes = -part->votes;
	}
	part->object = block->object;
	part->misses += misses;
	part->blocks++;
	part->movable += bytes >= PADS_LEAST_BLOCK;
}

static bool are_nodes(const struct part *part)
{
	uint64_t each = part->bytes > PAGE ? part->bytes : PAGE;

	return part->object->kind == OBJECT_HEAP && part->blocks >= LEAST_NODES &&
	       part->bytes <= NODE_MOST && part->highest - part->lowest < 3 * each * part->blocks;
}

bool parts_find(struct search *search, struct parts *parts)
{
	const struct keep *keep = search->keep;
	struct map by_object = { .entries = NULL };
	struct part *found = NULL;
	size_t count = 0, capacity = 0;
	double all = 0;

	replay_blocks(keep, search->before, parts->context, search->misses, search->conflicts);
	for (size_t i = 0; i < keep->block_count; i++) {
		const struct keep_block *block = &keep->blocks[i];
		uint64_t *index;

		all += search->misses[i];
		if (!block->object || search->misses[i] <= 0)
			continue;
		if (block->object->kind == OBJECT_STACK) {
			parts->stack = block->object;
			parts->stacks++;
			continue;
		}
		index = map_at(&by_object, block->object->id);
		if (!*index) {
			found = grow(found, count, &capacity, sizeof(*found));
			memset(&found[count], 0, sizeof(*found));
			*index = ++count;
		}
		add_block(&found[*index - 1], block, search->misses[i]);
	}
	sort_parts(found, count);
	for (size_t i = 0; i < count && parts->count < CURE_CHANGES; i++) {
		if (found[i].misses < LEAST_SHARE * all)
			continue;
		parts->all[parts->count] = found[i];
		parts->all[parts->count++].nodes = are_nodes(&found[i]);
	}
	free(found);
	map_free(&by_object);
	return parts->count || parts->stacks > 1;
}
