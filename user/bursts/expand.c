// SPDX-License-Identifier: GPL-2.0-only
#include "bursts/expand.h"

#define STRING_MOST	(1u << 20)	/* turns of one repeated instruction */

void burst_expansion_begin(struct burst_expansion *to, uint64_t fs_base, uint64_t gs_base,
			   uint64_t most)
{
	to->segment[0] = 0;
	to->segment[BURST_FS] = fs_base;
	to->segment[BURST_GS] = gs_base;
	to->given = to->cut = 0;
	to->most = most;
	to->take = NULL;
	to->context = NULL;
	to->batched = 0;
}

void burst_expansion_end(struct burst_expansion *to)
{
	if (to->take && to->batched && !to->take(to->context, to->batch, to->batched))
		to->take = NULL;
	to->batched = 0;
}

static bool has_room(const struct burst_expansion *to)
{
	return to->given < to->most;
}

static void give(struct burst_expansion *to, const struct burst_ref *ref, uint64_t address,
		 uint32_t size)
{
	if (!has_room(to)) {
		to->cut++;
		return;
	}
	to->given++;
	to->batch[to->batched++] = (struct burst_reference){
		to->block->address + ref->at, address, size, ref->kind,
	};
	if (to->batched == EXPANSION_BATCH)
		burst_expansion_end(to);
}

static uint64_t with_segment(const struct burst_expansion *to, const struct burst_ref *ref,
			     uint64_t address)
{
	if (ref->flags & BURST_ADDRESS_32)
		address = (uint32_t)address;
	if (ref->flags & BURST_FS)
		address += to->segment[BURST_FS];
	if (ref->flags & BURST_GS)
		address += to->segment[BURST_GS];
	return address;
}

/* @second: of an instruction with two of them, whose turns make one reference of each; or NULL */
static void give_string(struct burst_expansion *to, const struct burst_ref *ref,
			const struct burst_ref *second)
{
	uint64_t at = to->words[ref->slot], after = to->words[ref->slot + 1];
	uint64_t other = second ? to->words[second->slot] : 0;
	bool down = (int64_t)(after - at) < 0;
	uint64_t turns = (down ? at - after : after - at) / ref->size;
	int64_t step = down ? -(int64_t)ref->size : ref->size;
	uint64_t left = turns;

	if (turns > STRING_MOST)
		turns = STRING_MOST;
	left -= turns;
	for (; turns && has_room(to); turns--, at += step, other += step) {
		give(to, ref, at, ref->size);
		if (second)
			give(to, second, other, second->size);
	}
	to->cut += (left + turns) * (second ? 2 : 1);
}

static void give_bit(struct burst_expansion *to, const struct burst_ref *ref, uint64_t address)
{
	int64_t bit = to->words[ref->slot + 1];

	if (ref->size == 4)
		bit = (int32_t)bit;
	else if (ref->size == 2)
		bit = (int16_t)bit;
	give(to, ref, address + (bit >> (ref->size == 8 ? 6 : ref->size == 4 ? 5 : 4)) * ref->size,
	     ref->size);
}

static uint64_t element_bits(const struct burst_ref *ref)
{
	return ref->count >= 64 ? ~0ull : (1ull << ref->count) - 1;
}

/* From the first element that is touched to the last. */
static void give_span(struct burst_expansion *to, const struct burst_ref *ref, uint64_t address,
		      uint64_t mask)
{
	unsigned int first, last;

	mask &= element_bits(ref);
	if (!mask)
		return;
	first = __builtin_ctzll(mask);
	last = 63 - __builtin_clzll(mask);
	give(to, ref, address + first * ref->size, (last - first + 1) * ref->size);
}

/* The top bits of @count elements of a vector. */
static uint64_t vector_mask(const struct burst_expansion *to, unsigned int slot, unsigned int size,
			    unsigned int count)
{
	uint64_t mask = 0;
	unsigned int i;

	for (i = 0; i < count && i * size < 32; i++) {
		uint64_t word = to->words[slot + i * size / 8];

		if (size == 4)
			word <<= i % 2 ? 0 : 32;
		mask |= (word >> 63) << i;
	}
	return mask;
}

static void give_gather(struct burst_expansion *to, const struct burst_ref *ref, uint64_t base)
{
	bool wide = ref->flags & BURST_INDEX_64, vector = ref->form == BURST_GATHER_VECTOR;
	uint64_t mask = vector ? vector_mask(to, ref->slot + 1, ref->size, ref->count) :
			to->words[ref->slot + 1];
	unsigned int indices = ref->slot + (vector ? 5 : 2), i;

	for (i = 0; i < ref->count && i < 16; i++) {
		uint64_t word = to->words[indices + (wide ? i : i / 2)];
		int64_t index = wide ? (int64_t)word : (int32_t)(word >> (i % 2 ? 32 : 0));

		if (mask >> i & 1)
			give(to, ref, with_segment(to, ref, base + (uint64_t)index * ref->scale),
			     ref->size);
	}
}

static bool give_reference(struct burst_expansion *to, const struct burst_ref *ref)
{
	uint64_t address;

	if (ref->slot + basic_block_ref_words(ref) > to->left)
		return false;
	address = ref->form == BURST_STATIC ? (uint64_t)ref->offset :
					      to->words[ref->slot] + ref->offset;
	if (ref->form != BURST_GATHER && ref->form != BURST_GATHER_VECTOR)
		address = with_segment(to, ref, address);
	switch (ref->form) {
	case BURST_STRING:
		give_string(to, ref, NULL);
		break;
	case BURST_BIT:
		give_bit(to, ref, address);
		break;
	case BURST_MASK:
		give_span(to, ref, address, to->words[ref->slot + 1]);
		break;
	case BURST_MASK_ANY:
		if (to->words[ref->slot + 1] & element_bits(ref))
			give(to, ref, address, ref->size);
		break;
	case BURST_MASK_PACKED: {
		unsigned int bits = __builtin_popcountll(to->words[ref->slot + 1] &
							 element_bits(ref));

		if (bits)
			give(to, ref, address, bits * ref->size);
		break;
	}
	case BURST_MASK_VECTOR:
		give_span(to, ref, address,
			  vector_mask(to, ref->slot + 1, ref->size, ref->count));
		break;
	case BURST_GATHER:
	case BURST_GATHER_VECTOR:
		give_gather(to, ref, address);
		break;
	default:
		give(to, ref, address, ref->size);
	}
	return true;
}

static inline void put_plain(const struct burst_expansion *to, const struct basic_block *block,
			     const volatile uint64_t *words, struct burst_reference *at)
{
	const struct burst_ref *ref = block->ref, *end = ref + block->refs;

	for (; ref < end; ref++) {
		uint64_t word = ref->form == BURST_STATIC ? 0 : words[ref->slot];

		*at++ = (struct burst_reference){
			block->address + ref->at, word + ref->offset + to->segment[ref->flags],
			ref->size, ref->kind,
		};
	}
}

void burst_expansion_plain(struct burst_expansion *to, const struct basic_block *block,
			   const volatile uint64_t *words, uint64_t times)
{
	uint32_t refs = block->refs;

	to->given += times * refs;
	if (!to->take)
		return;
	for (; times; times--, words += block->words + 1) {
		if (to->batched + refs >= EXPANSION_BATCH)
			burst_expansion_end(to);
		put_plain(to, block, words, to->batch + to->batched);
		to->batched += refs;
	}
}

/* The first of two of one repeated string instruction, whose words are all there? */
static bool are_strings(const struct burst_expansion *to, const struct burst_ref *ref)
{
	return ref[0].form == BURST_STRING && ref[1].form == BURST_STRING &&
	       ref[0].at == ref[1].at && ref[0].size == ref[1].size &&
	       ref[0].slot + basic_block_ref_words(ref) <= to->left &&
	       ref[1].slot + basic_block_ref_words(ref) <= to->left;
}

bool burst_expansion_part(struct burst_expansion *to, const struct basic_block *block,
			  const volatile uint64_t *words, uint32_t left, uint32_t refs)
{
	uint32_t i;
	bool both;

	to->block = block;
	to->words = words;
	to->left = left;
	for (i = 0; i < refs; i += both ? 2 : 1) {
		both = i + 1 < refs && are_strings(to, &block->ref[i]);
		if (both)
			give_string(to, &block->ref[i], &block->ref[i + 1]);
		else if (!give_reference(to, &block->ref[i]))
			return false;
	}
	return true;
}
