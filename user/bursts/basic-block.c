// SPDX-License-Identifier: GPL-2.0-only
#include "base/memory.h"
#include "bursts/basic-block.h"

#define MOST_ELEMENT	64		/* bytes, of forms whose words say which are accessed */
#define FLAGS_MOST	(2 * BURST_INDEX_64 - 1)
#define SCALE_MOST	8
#define PLAIN_REFS	128u		/* of a block, at most, that is read in one step */

/* Words of a gather's indices: where the log is full, no more of them are written. */
static unsigned int words_of_indices(const struct burst_ref *ref)
{
	return ref->flags & BURST_INDEX_64 ? ref->count : (ref->count + 1) / 2;
}

unsigned int basic_block_ref_words(const struct burst_ref *ref)
{
	switch (ref->form) {
	case BURST_STATIC:
		return 0;
	case BURST_PLAIN:
		return 1;
	case BURST_MASK_VECTOR:
		return 5;
	case BURST_GATHER:
		return 2 + words_of_indices(ref);
	case BURST_GATHER_VECTOR:
		return 5 + words_of_indices(ref);
	default:
		return 2;
	}
}

bool basic_block_ref_sound(const struct burst_ref *ref, uint32_t words)
{
	if (!ref->kind || ref->kind > BURST_LOAD_STORE || !ref->size ||
	    ref->form > BURST_GATHER_VECTOR || ref->flags > FLAGS_MOST || ref->scale > SCALE_MOST)
		return false;
	if (ref->form == BURST_BIT && ref->size > 8)
		return false;
	if (ref->form != BURST_STATIC && ref->slot + basic_block_ref_words(ref) > words)
		return false;
	return ref->form < BURST_STRING || ref->size <= MOST_ELEMENT;
}

/* Is each of its references read in one step? */
static bool is_plain(const struct basic_block *block)
{
	unsigned int i;

	for (i = 0; i < block->refs; i++) {
		const struct burst_ref *ref = &block->ref[i];

		if (ref->flags > BURST_GS || ref->form > BURST_STATIC)
			return false;
	}
	return block->refs <= PLAIN_REFS;
}

struct basic_block *basic_block_new(const struct burst_block *of, const struct burst_ref *ref)
{
	struct basic_block *block = xmalloc(basic_block_size(of->refs, of->words));
	unsigned int i;

	*block = (struct basic_block){
		.address = of->address, .instructions = of->instructions, .counted = of->counted,
		.words = of->words, .refs = of->refs,
		.word = (struct basic_block_word *)(block->ref + of->refs),
	};
	for (i = 0; i < of->refs; i++) {
		block->ref[i] = ref[i];
		block->both += ref[i].kind == BURST_LOAD_STORE;
		if (ref[i].form == BURST_STATIC)
			block->ref[i].slot = 0;
	}
	block->plain = is_plain(block);
	return block;
}
