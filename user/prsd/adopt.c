// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "prsd/adopt.h"

bool dictionary_open(struct trace_dictionary *dictionary)
{
	*dictionary = (struct trace_dictionary){ .blocks = { NULL } };
	if (!shapes_open(&dictionary->shapes, &libc_allocator))
		return false;
	dictionary->shapes.unlimited = true;
	return true;
}

void dictionary_close(struct trace_dictionary *dictionary)
{
	shapes_close(&dictionary->shapes);
	map_free(&dictionary->blocks);
}

static uint64_t hash_block(const struct trace_block *block)
{
	uint64_t hash = block->slot_count ^ block->slots[0].stack;
	uint32_t i;

	for (i = 0; i < block->slot_count; i++) {
		hash = (hash ^ block->slots[i].ip) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32 ^ block->slots[i].size << 1 ^ block->slots[i].store;
	}
	return hash;
}

static bool same_block(const struct trace_block *a, const struct trace_block *b)
{
	return a->slot_count == b->slot_count &&
	       !memcmp(a->slots, b->slots, a->slot_count * sizeof(*a->slots));
}

static uint32_t adopt_block(struct trace_dictionary *dictionary, const struct trace_block *block)
{
	struct trace_shapes *shapes = &dictionary->shapes;
	uint64_t hash = hash_block(block), *known = map_at(&dictionary->blocks, hash);
	uint32_t shape;

	while (*known && !same_block(&shapes->blocks[shape_number(*known - 1)], block))
		known = map_at(&dictionary->blocks, ++hash);
	if (*known)
		return *known - 1;
	shape = shapes_block(shapes, block->slots, block->slot_count);
	*known = shape == SHAPE_NONE ? 0 : shape + 1ull;
	return shape;
}

uint32_t dictionary_adopt(struct trace_dictionary *dictionary, const struct trace_shapes *from,
			  uint32_t shape)
{
	uint32_t number = shape_number(shape), *children, i, result = SHAPE_NONE;
	const struct trace_loop *loop;

	if (!shape_is_loop(shape))
		return adopt_block(dictionary, &from->blocks[number]);
	loop = &from->loops[number];
	children = malloc(loop->child_count * sizeof(*children));
	for (i = 0; children && i < loop->child_count; i++) {
		children[i] = dictionary_adopt(dictionary, from, loop->children[i]);
		if (children[i] == SHAPE_NONE)
			break;
	}
	if (children && i == loop->child_count)
		result = shapes_loop(&dictionary->shapes, loop->count, children, i, loop->strides);
	free(children);
	return result;
}
