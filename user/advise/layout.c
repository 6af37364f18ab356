// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "advise/layout.h"
#include "base/divisor.h"
#include "base/memory.h"

#define PAGE		4096u
#define CHUNK		16u		/* glibc: blocks begin at multiples, behind 8 bytes */
#define HEADER		8u
#define MMAP_LEAST	(128u << 10)	/* chunks from here on are mapped by themselves */
#define MMAP_OFFSET	16u		/* in their first page */
#define ALIGNED		32u		/* gcc: arrays of that many bytes and more */
#define ARENA		(64ull << 20)	/* of a thread */
#define HUGE_LATER	64u		/* least stagger in huge pages: ccsample-cure(1) */
#define ELSEWHERE	(1ull << 62)	/* where no program has memory */

const char *change_kind_name(enum change_kind kind)
{
	static const char *const names[] = {
		[CHANGE_ROWS] = "rows", [CHANGE_STAGGER] = "stagger",
		[CHANGE_LENGTHEN] = "lengthen", [CHANGE_RESIZE] = "resize",
		[CHANGE_COLOUR] = "colour", [CHANGE_SPREAD] = "spread",
		[CHANGE_STACKS] = "stacks", [CHANGE_HUGE] = "huge",
	};

	return names[kind];
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* Of a block of malloc's. */
static uint64_t chunk(uint64_t bytes)
{
	return round_up(bytes + HEADER, CHUNK);
}

static const struct layout_change *change_of(const struct layout_change *changes, size_t count,
				      const struct object *object)
{
	for (size_t i = 0; i < count; i++)
		if (changes[i].object == object)
			return &changes[i];
	return NULL;
}

/* The program's own mappings stay where they are when they get huge pages. */
static uint64_t stagger_of(const struct layout_change *change, const struct keep_block *block)
{
	uint64_t later = (uint64_t)(change->first + block->rank) * change->step % STAGGER_MODULO;

	if (change->kind != CHANGE_HUGE)
		return later;
	return block->object->kind == OBJECT_MAPPING ? 0 : later ? later : HUGE_LATER;
}

static bool is_stagger(const struct layout_change *change)
{
	return change->kind == CHANGE_STAGGER || change->kind == CHANGE_HUGE;
}

static uint64_t bytes_of(const struct keep_block *block)
{
	return block->high - block->low;
}

/* Is it mapped by itself, by malloc or the program? */
static bool is_mapped(const struct keep_block *block)
{
	return block->object->kind == OBJECT_MAPPING || block->object->kind == OBJECT_STACK ||
	       (block->object->kind == OBJECT_HEAP && chunk(bytes_of(block)) >= MMAP_LEAST &&
		(block->low % PAGE == MMAP_OFFSET || !(block->low % PAGE)));
}

/* How many bytes more the block takes. */
static uint64_t growth_of(const struct layout_change *change, const struct keep_block *block)
{
	uint64_t bytes = bytes_of(block), tail;

	switch (change->kind) {
	case CHANGE_ROWS:
		tail = bytes % change->from;
		return remap_bytes(bytes, change->from, change->to) - bytes +
		       remap_bytes(tail, change->inner, change->inner_to) - tail;
	case CHANGE_STAGGER:
		/* As ccsample cure does: neighbours keep their distance modulo a page. */
		return is_mapped(block) ? stagger_of(change, block) : STAGGER_MODULO;
	case CHANGE_HUGE:
		return stagger_of(change, block);
	case CHANGE_LENGTHEN:
		return change->step;
	case CHANGE_COLOUR:
	case CHANGE_SPREAD:
	case CHANGE_STACKS:
		return 0;
	default:
		return change->to > bytes ? change->to - bytes : 0;
	}
}

/* Memory in which what grows moves what follows: variables, the heap, a thread's heap. */
static uint64_t area_of(const struct keep_block *block)
{
	if (block->object->kind == OBJECT_GLOBAL)
		return 1;
	return block->low < 0x700000000000 ? 0 : block->low / ARENA;
}

static bool same_area(const struct keep_block *a, const struct keep_block *b)
{
	return a->process == b->process && area_of(a) == area_of(b) &&
	       (a->object->kind == OBJECT_GLOBAL) == (b->object->kind == OBJECT_GLOBAL);
}

static uint64_t alignment_of(const struct keep_block *block)
{
	if (!(block->low % PAGE) && bytes_of(block) >= PAGE)
		return PAGE;
	return block->object->kind == OBJECT_GLOBAL && bytes_of(block) >= ALIGNED ? ALIGNED : CHUNK;
}

/* --- one after the other --- */

struct layout {
	const struct layout_change *changes;
	size_t count;
	struct remap *remaps;
	uint64_t period;		/* places that many bytes apart are alike */
	uint64_t next;			/* free memory elsewhere */
};

/* Memory for bytes that lie like @low. Return: how far they move. */
static uint64_t elsewhere(struct layout *layout, uint64_t low, uint64_t bytes)
{
	uint64_t at = round_up(layout->next, layout->period) + low % layout->period;

	layout->next = at + bytes;
	return at - low;
}

/* In the order of their addresses. */
static int by_address(const void *a, const void *b)
{
	const struct keep_block *x = *(const struct keep_block *const *)a;
	const struct keep_block *y = *(const struct keep_block *const *)b;
	bool global_x = x->object->kind == OBJECT_GLOBAL;
	bool global_y = y->object->kind == OBJECT_GLOBAL;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (global_x != global_y)
		return global_x - global_y;
	if (area_of(x) != area_of(y))
		return area_of(x) < area_of(y) ? -1 : 1;
	return x->low < y->low ? -1 : x->low > y->low ? 1 : (x > y) - (x < y);
}

static void set_rows(struct remap *map, const struct layout_change *change)
{
	if (!change || !change_has_rows(change))
		return;
	map->row = change->from;
	map->to = change->kind == CHANGE_ROWS ? change->to : change->from;
	map->inner = change->inner;
	map->inner_to = change->inner_to;
	map->turn = change->kind == CHANGE_ROWS ? 0 : change->step;
	map->hashed = change->kind == CHANGE_SPREAD;
}

/* A block of its own memory: what grows moves nothing. */
static void move_alone(struct layout *layout, const struct keep_block *block, struct remap *map,
		       const struct layout_change *change, uint64_t place)
{
	uint64_t later = is_stagger(change) ? stagger_of(change, block) : 0;
	uint64_t bytes = bytes_of(block) + growth_of(change, block);

	set_rows(map, change);
	map->huge = change->kind == CHANGE_HUGE;
	map->shift = elsewhere(layout, place, bytes) + place - block->low;
	/* Blocks that go to other places of pages get other pages. */
	map->away = place == block->low ? map->shift : 0;
	map->shift += later;
	/* Stacks grow downwards. */
	if (change->kind == CHANGE_STACKS)
		map->shift -= stagger_of(change, block);
}

/* Does the change make malloc map the block? */
static bool gets_mapped(const struct layout_change *change, const struct keep_block *block)
{
	uint64_t bytes = bytes_of(block);

	return block->object->kind == OBJECT_HEAP && chunk(bytes) < MMAP_LEAST &&
	       chunk(bytes + growth_of(change, block)) >= MMAP_LEAST;
}

/* Where it would begin in its page, or in its huge page, if it did not begin later. */
static uint64_t place_of(const struct layout_change *change, const struct keep_block *block)
{
	if (change->kind == CHANGE_HUGE && block->object->kind == OBJECT_HEAP)
		return 0;
	return is_mapped(block) ? block->low : MMAP_OFFSET;
}

/* Blocks of one area, the lowest first. */
static void lay_out(struct layout *layout, const struct keep_block *const *blocks, size_t count,
		    const struct keep_block *all)
{
	uint64_t moved = 0, away = 0, high = 0, growth;

	for (size_t i = 0; i < count; i++) {
		const struct keep_block *block = blocks[i];
		const struct layout_change *change = change_of(layout->changes, layout->count,
							block->object);
		struct remap *map = &layout->remaps[block - all];

		map->low = block->low;
		if (change && (is_mapped(block) || gets_mapped(change, block) ||
			       change->kind == CHANGE_RESIZE || change->kind == CHANGE_HUGE)) {
			move_alone(layout, block, map, change, place_of(change, block));
			continue;
		}
		if (is_mapped(block) || (!change && !moved))
			continue;
		growth = change ? growth_of(change, block) : 0;
		if (!away)
			away = elsewhere(layout, block->low, blocks[count - 1]->high - block->low);
		moved = round_up(moved, alignment_of(block));
		set_rows(map, change);
		map->shift = away + moved;
		map->away = away;
		if (change && change->kind == CHANGE_STAGGER)
			map->shift += stagger_of(change, block);
		/* Blocks that were there one after the other grow by the largest. */
		if (block->low >= high)
			moved += round_up(growth, CHUNK);
		if (block->high > high)
			high = block->high;
		layout->next += round_up(growth, CHUNK) + PAGE;
	}
}

/* The blocks of an object that are to come from malloc, one after the other. */
static void resize(struct layout *layout, const struct layout_change *change,
		   const struct keep_block *const *blocks, size_t count,
		   const struct keep_block *all)
{
	uint64_t at = round_up(layout->next, layout->period) + MMAP_OFFSET;

	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = bytes_of(blocks[i]);

		if (blocks[i]->object != change->object)
			continue;
		layout->remaps[blocks[i] - all].shift = at - blocks[i]->low;
		at += chunk(bytes > change->to ? bytes : change->to);
	}
	layout->next = at;
}

static uint64_t common_multiple(uint64_t a, uint64_t b)
{
	return a / common_divisor(a, b) * b;
}

/* Pages of a set of the TLB are that far apart. */
static uint64_t tlb_way(const struct cache_geometry *tlb)
{
	return tlb->ways && tlb->sets > 1 ? (uint64_t)tlb->sets << tlb->line_bits : PAGE;
}

void layout_remaps(const struct keep *keep, const struct layout_change *changes, size_t count,
		   struct remap *remaps)
{
	uint64_t way = (uint64_t)keep->geometry.sets * keep->geometry.line;
	const struct keep_block **order = xcalloc(keep->block_count, sizeof(*order));
	struct layout layout = {
		.changes = changes, .count = count, .remaps = remaps, .next = ELSEWHERE,
		.period = common_multiple(common_multiple(way, PAGE), tlb_way(&keep->tlb)),
	};
	size_t blocks = keep->block_count - 1, first = 0, i;

	memset(remaps, 0, keep->block_count * sizeof(*remaps));
	for (i = 0; i < count; i++)
		if (changes[i].kind == CHANGE_HUGE)
			layout.period = common_multiple(layout.period, 1u << HUGE_BITS);
	for (i = 0; i < blocks; i++)
		order[i] = &keep->blocks[i + 1];
	qsort(order, blocks, sizeof(const struct keep_block *), by_address);
	for (i = 1; i <= blocks; i++) {
		if (i < blocks && same_area(order[i], order[first]))
			continue;
		lay_out(&layout, order + first, i - first, keep->blocks);
		first = i;
	}
	for (i = 0; i < count; i++)
		if (changes[i].kind == CHANGE_RESIZE)
			resize(&layout, &changes[i], order, blocks, keep->blocks);
	free(order);
}

uint64_t layout_cost(const struct keep *keep, const struct layout_change *changes, size_t count)
{
	uint64_t cost = 0;

	for (size_t i = 1; i < keep->block_count; i++) {
		const struct keep_block *block = &keep->blocks[i];
		const struct layout_change *change = change_of(changes, count, block->object);

		if (change)
			cost += growth_of(change, block);
	}
	return cost;
}
