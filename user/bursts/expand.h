/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * References of basic blocks that ran, by the words that were logged. Believes nothing of these.
 * Pure: no I/O, no globals.
 */
#ifndef CCSAMPLE_BURSTS_EXPAND_H
#define CCSAMPLE_BURSTS_EXPAND_H

#include "bursts/basic-block.h"
#include "bursts/reference.h"

#define EXPANSION_BATCH	256u		/* references that are handed over at once */

struct burst_expansion {
	uint64_t segment[BURST_GS + 1];	/* bases, by flags of plain blocks' references */
	uint64_t given, most;		/* references, those in the batch included */
	uint64_t cut;			/* references that are not given */
	burst_references_fn *take;	/* NULL = they are counted, as once it has enough */
	void *context;
	/* the block that is not plain, or ends the log */
	const struct basic_block *block;
	const volatile uint64_t *words;
	uint32_t left;			/* words that are there */
	uint32_t batched;
	struct burst_reference batch[EXPANSION_BATCH];
};

/* Sets all but ->take and ->context, which are NULL. @most: references that are given */
void burst_expansion_begin(struct burst_expansion *to, uint64_t fs_base, uint64_t gs_base,
			   uint64_t most);

/**
 * burst_expansion_part() - the references of a block, or of what was run of it.
 * @words: @left of them are there, perhaps of the blocks that follow, too
 * @refs: so many of its references were made
 *
 * Return: false if words of theirs are missing; those before are given.
 */
bool burst_expansion_part(struct burst_expansion *to, const struct basic_block *block,
			  const volatile uint64_t *words, uint32_t left, uint32_t refs);

/*
 * ... of a block that is plain and may be given as a whole, so many times in a row. As in a log
 * the words of the next time lie behind a number.
 */
void burst_expansion_plain(struct burst_expansion *to, const struct basic_block *block,
			   const volatile uint64_t *words, uint64_t times);

/* May all of its references be given at once? All its words must be there. */
static inline bool burst_expansion_is_plain(const struct burst_expansion *to,
					    const struct basic_block *block)
{
	return block->plain && to->given + block->refs <= to->most;
}

/* Hands over what is left. */
void burst_expansion_end(struct burst_expansion *to);

#endif /* CCSAMPLE_BURSTS_EXPAND_H */
