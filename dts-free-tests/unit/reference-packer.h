/* SPDX-License-Identifier: GPL-2.0-only */
/* Bursts packed of references that are made up: each as a block of its own. */
#ifndef CCSAMPLE_REFERENCE_PACKER_H
#define CCSAMPLE_REFERENCE_PACKER_H

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "bursts/pack.h"

struct reference_packer {
	struct burst_packer *packer;
	struct map number;		/* of blocks, from 1: by instruction, size and kind */
	struct basic_block **block;
	size_t count, room;
};

static inline struct reference_packer reference_packer_begin(void)
{
	return (struct reference_packer){ .packer = burst_packer_new(false) };
}

static inline bool reference_is_of(const struct basic_block *block,
				   const struct burst_reference *reference)
{
	return block->address == reference->ip && block->ref[0].size == reference->size &&
	       block->ref[0].kind == reference->kind;
}

static inline struct basic_block *reference_block(struct reference_packer *to,
						  const struct burst_reference *reference)
{
	const struct burst_block of = { .address = reference->ip, .words = 1, .refs = 1 };
	const struct burst_ref ref = { .size = reference->size, .kind = reference->kind };
	uint64_t key = reference->ip ^ (uint64_t)reference->size << 50 ^
		       (uint64_t)reference->kind << 48;
	uint64_t *number = map_at(&to->number, key);

	while (*number && !reference_is_of(to->block[*number - 1], reference)) {
		key += 0x9e3779b97f4a7c15ull;
		number = map_at(&to->number, key);
	}
	if (*number)
		return to->block[*number - 1];
	to->block = grow(to->block, to->count, &to->room, sizeof(*to->block));
	*number = to->count + 1;
	return to->block[to->count++] = basic_block_new(&of, &ref);
}

static inline void reference_packer_add(struct reference_packer *to,
					const struct burst_reference *reference)
{
	burst_packer_add_block(to->packer, reference_block(to, reference), &reference->address, 1);
}

/* Return: the burst's bytes, valid until something is added. */
static inline const uint8_t *reference_packer_end(struct reference_packer *to, size_t *size)
{
	const uint8_t *bytes = burst_packer_end(to->packer, size);

	while (to->count)
		free(to->block[--to->count]);
	map_clear(&to->number);
	return bytes;
}

static inline void reference_packer_free(struct reference_packer *to)
{
	size_t size;

	reference_packer_end(to, &size);
	burst_packer_free(to->packer);
	map_free(&to->number);
	free(to->block);
}

#endif /* CCSAMPLE_REFERENCE_PACKER_H */
