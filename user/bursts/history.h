/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a burst is packed (pack.c, unpack.c), and what both sides foretell its blocks by.
 *
 * The bytes are a row of numbers in LEB128, signed ones zigzag. First the bases of fs and gs, then
 *
 *	run << 2 | what		so many blocks as foretold, then one of which is written:
 *	  what & TOKEN_BLOCK: number of its block; a new one is 0 and has
 *		its address less that of the block before (signed), words, references; of each:
 *		offset of its instruction from the last one's, size << 2 | kind, form << 4 | flags,
 *		slot (not of BURST_STATIC), offset (signed), count << 4 | scale (from BURST_MASK on)
 *		then its words, each less the last one that was written in full (signed)
 *	  what & TOKEN_WORDS (not of a new one): for each 32 of its words a mask of those that
 *		are not as foretold, unless it has but one; then these, each less the last one in
 *		its place (signed)
 *
 * The last token may have what = 0: nothing follows its run. Blocks are numbered from 1 in the
 * order in which they come. A stride holds once it was seen twice in a row.
 */
#ifndef CCSAMPLE_BURSTS_HISTORY_H
#define CCSAMPLE_BURSTS_HISTORY_H

#include "bursts/basic-block.h"

#define TOKEN_BLOCK	1u
#define TOKEN_WORDS	2u
#define TOKEN_BITS	2		/* bits */
#define MASK_WORDS	32u		/* words of a mask */

/* What both sides know of a burst, beside its blocks. */
struct history {
	struct basic_block *first;	/* that ran; NULL = none yet */
	struct basic_block **next;	/* where the one is kept that is foretold */
	uint32_t count;			/* of blocks, the first of which is 1 */
	uint64_t address;		/* of the last block that was new */
	uint64_t word;			/* ... its last word */
};

static inline void history_begin(struct history *h)
{
	*h = (struct history){ .next = &h->first };
}

/* A block runs for the first time; it has its words already. */
static inline void history_add(struct history *h, struct basic_block *block, uint32_t burst)
{
	block->burst = burst;
	block->number = ++h->count;
	block->next = NULL;
	h->address = block->address;
	if (block->words)
		h->word = block->word[block->words - 1].last;
}

/* This block runs. */
static inline void history_follow(struct history *h, struct basic_block *block)
{
	*h->next = block;
	h->next = &block->next;
}

/* A word is so far from the last one in its place. */
static inline void step_word(struct basic_block_word *word, uint64_t step)
{
	word->stride = step == word->step ? step : word->stride;
	word->step = step;
	word->last += step;
}

/* ... all of a block's are as foretold. */
static inline void step_words(struct basic_block *block)
{
	struct basic_block_word *word = block->word, *end = word + block->words;

	for (; word < end; word++) {
		word->step = word->stride;
		word->last += word->stride;
	}
}

#endif /* CCSAMPLE_BURSTS_HISTORY_H */
