// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/leb128.h"
#include "base/memory.h"
#include "bursts/history.h"
#include "bursts/pack.h"
#include "format/format.h"

#define SMALL_BYTES	((1 + MASK_WORDS) * LEB128_MOST)	/* of so many words, at most */
#define REF_BYTES	40u		/* of a reference of a new block, at most */

struct burst_packer {
	struct history history;
	uint32_t burst;			/* odd numbers; a second packer's are even */
	uint64_t run;
	uint8_t *bytes;
	size_t used, room;
	struct basic_block **cut;	/* blocks of its own, of this burst */
	size_t cuts, cuts_room;
};

struct burst_packer *burst_packer_new(bool second)
{
	struct burst_packer *packer = xcalloc(1, sizeof(*packer));

	packer->burst = second ? 2 : 1;
	history_begin(&packer->history);
	return packer;
}

static void free_cuts(struct burst_packer *packer)
{
	while (packer->cuts)
		free(packer->cut[--packer->cuts]);
}

void burst_packer_free(struct burst_packer *packer)
{
	free_cuts(packer);
	free(packer->cut);
	free(packer->bytes);
	free(packer);
}

size_t burst_packer_size(const struct burst_packer *packer)
{
	return packer->used;
}

/* Return: where so many bytes may go. */
static uint8_t *make_room(struct burst_packer *packer, size_t bytes)
{
	if (packer->room - packer->used < bytes) {
		packer->room = 2 * packer->room + bytes;
		packer->bytes = xrealloc(packer->bytes, packer->room);
	}
	return packer->bytes + packer->used;
}

void burst_packer_begin(struct burst_packer *packer, uint64_t fs_base, uint64_t gs_base)
{
	uint8_t *at = make_room(packer, 2 * LEB128_MOST);

	packer->used = leb128_put(leb128_put(at, fs_base), gs_base) - packer->bytes;
}

/* Room for the block's token, too. */
static uint8_t *put_token(struct burst_packer *packer, unsigned int what, size_t bytes)
{
	uint64_t run = packer->run;

	if (!packer->used)
		burst_packer_begin(packer, 0, 0);
	packer->run = 0;
	return leb128_put(make_room(packer, bytes + LEB128_MOST), run << TOKEN_BITS | what);
}

static uint8_t *put_ref(uint8_t *at, const struct burst_ref *ref, uint64_t before)
{
	at = leb128_put(at, zigzag(ref->at - before));
	at = leb128_put(at, (uint64_t)ref->size << 2 | ref->kind);
	at = leb128_put(at, (uint64_t)ref->form << 4 | ref->flags);
	if (ref->form != BURST_STATIC)
		at = leb128_put(at, ref->slot);
	at = leb128_put(at, zigzag(ref->offset));
	if (ref->form >= BURST_MASK)
		at = leb128_put(at, (uint64_t)ref->count << 4 | ref->scale);
	return at;
}

static uint8_t *put_definition(uint8_t *at, const struct basic_block *block, uint64_t before)
{
	uint64_t last = 0;

	at = leb128_put(at, zigzag(block->address - before));
	at = leb128_put(at, block->words);
	at = leb128_put(at, block->refs);
	for (uint32_t i = 0; i < block->refs; i++) {
		at = put_ref(at, &block->ref[i], last);
		last = block->ref[i].at;
	}
	return at;
}

static void add_new(struct burst_packer *packer, struct basic_block *block,
		    const volatile uint64_t *words, uint32_t left)
{
	struct history *h = &packer->history;
	size_t bytes = 4 * LEB128_MOST + block->refs * REF_BYTES + block->words * LEB128_MOST;
	uint8_t *at = leb128_put(put_token(packer, TOKEN_BLOCK, bytes), 0);
	uint64_t last = h->word;

	at = put_definition(at, block, h->address);
	for (uint32_t i = 0; i < block->words; i++) {
		uint64_t word = i < left ? words[i] : last;

		at = leb128_put(at, zigzag(word - last));
		block->word[i] = (struct basic_block_word){ .last = word };
		last = word;
	}
	packer->used = at - packer->bytes;
	history_add(h, block, packer->burst);
	history_follow(h, block);
}

/* Which words, of up to 32, are not as foretold; sets all their steps. */
static inline uint32_t compare(const struct basic_block_word *word, const volatile uint64_t *words,
			       uint32_t count, uint64_t *step)
{
	uint32_t mask = 0;

	for (uint32_t i = 0; i < count; i++) {
		step[i] = words[i] - word[i].last;
		mask |= (uint32_t)(step[i] != word[i].stride) << i;
	}
	return mask;
}

/* Some words of a block that are not all as foretold: their mask, and the steps of those. */
static inline uint8_t *put_steps(uint8_t *at, struct basic_block_word *word, uint32_t mask,
				 const uint64_t *step, uint32_t count)
{
	for (; mask; mask &= mask - 1)
		at = leb128_put(at, zigzag(step[__builtin_ctz(mask)]));
	for (uint32_t i = 0; i < count; i++)
		step_word(&word[i], step[i]);
	return at;
}

/* All of a block is as foretold. */
static void add_foretold(struct burst_packer *packer, struct basic_block *block)
{
	packer->run++;
	step_words(block);
}

/* A block of which something is not; @words: which ones follow, in so many @bytes. */
static uint8_t *put_block(struct burst_packer *packer, const struct basic_block *block,
			  bool foretold, bool words, size_t bytes)
{
	uint8_t *at = put_token(packer, (foretold ? 0 : TOKEN_BLOCK) | (words ? TOKEN_WORDS : 0),
				LEB128_MOST + bytes);

	return foretold ? at : leb128_put(at, block->number);
}

/* A block that was seen before, and has at most 32 words, @count, all of which are there. */
static inline void add_small(struct burst_packer *packer, struct basic_block *block,
			     const volatile uint64_t *words, uint32_t count)
{
	bool foretold = *packer->history.next == block;
	uint64_t step[MASK_WORDS];
	uint32_t mask = compare(block->word, words, count, step);
	uint8_t *at;

	history_follow(&packer->history, block);
	if (foretold && !mask) {
		add_foretold(packer, block);
		return;
	}
	at = put_block(packer, block, foretold, mask, SMALL_BYTES);
	if (mask && count > 1)
		at = leb128_put(at, mask);
	if (mask)
		at = put_steps(at, block->word, mask, step, count);
	else
		step_words(block);
	packer->used = at - packer->bytes;
}

/* ... or more, or the last ones are made up as foretold. */
static void add_large(struct burst_packer *packer, struct basic_block *block,
		      const volatile uint64_t *words, uint32_t left)
{
	bool foretold = *packer->history.next == block, masked = block->words > 1;
	uint64_t step[MASK_WORDS];
	uint8_t *at;

	history_follow(&packer->history, block);
	if (foretold && !masked) {
		add_foretold(packer, block);
		return;
	}
	at = put_block(packer, block, foretold, masked,
		       (block->words / MASK_WORDS + 1) * SMALL_BYTES);
	for (uint32_t i = 0; i < block->words; i += MASK_WORDS) {
		struct basic_block_word *word = block->word + i;
		uint32_t count = block->words - i < MASK_WORDS ? block->words - i : MASK_WORDS;
		uint32_t there = left <= i ? 0 : left - i < count ? left - i : count;
		uint32_t mask = compare(word, words + i, there, step);

		for (uint32_t j = there; j < count; j++)
			step[j] = word[j].stride;
		if (masked)
			at = leb128_put(at, mask);
		at = put_steps(at, word, mask, step, count);
	}
	packer->used = at - packer->bytes;
}

void burst_packer_add_block(struct burst_packer *packer, struct basic_block *block,
			    const volatile uint64_t *words, uint32_t left)
{
	if (!block->refs || packer->used > CCS_BURST_MAX)
		return;
	if (block->burst != packer->burst)
		add_new(packer, block, words, left);
	else if (block->words <= left && block->words <= MASK_WORDS)
		add_small(packer, block, words, block->words);
	else
		add_large(packer, block, words, left);
}

/* Runs of a block whose words all go on as foretold, each behind its number. */
static uint64_t count_foretold(const struct basic_block *block, uint64_t number,
			      const volatile uint64_t *at, uint64_t most)
{
	const struct basic_block_word *word = block->word;
	uint64_t count;

	for (count = 0; count < most; count++, at += block->words + 1) {
		uint64_t other = at[0] ^ number;

		for (uint32_t i = 0; i < block->words; i++)
			other |= (at[i + 1] - word[i].last) ^ (count + 1) * word[i].stride;
		if (other)
			break;
	}
	return count;
}

uint64_t burst_packer_add_repeats(struct burst_packer *packer, struct basic_block *block,
				  uint64_t number, const volatile uint64_t *at, uint64_t most)
{
	struct basic_block_word *word, *end = block->word + block->words;
	uint64_t count;

	/* Where the last time was not as foretold, the next one hardly is. */
	if (!packer->run || packer->history.next != &block->next || block->next != block ||
	    packer->used > CCS_BURST_MAX)
		return 0;
	count = count_foretold(block, number, at, most);
	packer->run += count;
	for (word = block->word; count && word < end; word++) {
		word->step = word->stride;
		word->last += count * word->stride;
	}
	return count;
}

/* What is cut at the end of a burst is a shorter block where the burst goes on. */
void burst_packer_add_cut(struct burst_packer *packer, const struct basic_block *block,
			  const volatile uint64_t *words, uint32_t left, uint32_t refs)
{
	const struct burst_block of = {
		.address = block->address, .refs = refs,
		.words = left < block->words ? left : block->words,
	};
	struct basic_block *cut;

	if (!refs)
		return;
	packer->cut = grow(packer->cut, packer->cuts, &packer->cuts_room, sizeof(*packer->cut));
	cut = packer->cut[packer->cuts++] = basic_block_new(&of, block->ref);
	burst_packer_add_block(packer, cut, words, left);
}

const uint8_t *burst_packer_end(struct burst_packer *packer, size_t *bytes)
{
	if (packer->run)
		packer->used = put_token(packer, 0, 0) - packer->bytes;
	*bytes = packer->used;
	packer->used = 0;
	packer->burst += 2;
	free_cuts(packer);
	history_begin(&packer->history);
	return packer->bytes;
}
