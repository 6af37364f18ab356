// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/leb128.h"
#include "base/memory.h"
#include "bursts/expand.h"
#include "bursts/history.h"
#include "bursts/pack.h"
#include "bursts/strip.h"

#define WORDS_MOST	(4u << 20)	/* of all blocks of a burst */
#define KEPT_MOST	(4u << 20)	/* references of a long burst, about: memory */
#define NOTHING_MOST	(2 * BURSTS_LOG_WORDS)	/* words, and references that none was made of */
#define LONG_WORDS	8u	/* for each reference of a long burst, which has many logs */

struct unpacker {
	struct history history;
	struct basic_block **block;	/* by number - 1 */
	size_t room;
	const uint8_t *at, *end;
	uint64_t words;			/* of all blocks */
	uint64_t left;			/* references and words that are still looked at */
	struct burst_expansion to;
};

static const char *get(struct unpacker *u, uint64_t *number)
{
	return leb128_get(&u->at, u->end, number) ? NULL : "a number without an end";
}

static const char *get_below(struct unpacker *u, uint64_t *number, uint64_t limit)
{
	const char *wrong = get(u, number);

	return wrong ? wrong : *number < limit ? NULL : "a number that is too large";
}

/* The block's references, by its last words. What the last block has too many is cut. */
static const char *expand(struct unpacker *u, const struct basic_block *block)
{
	uint64_t words[BASIC_BLOCK_WORDS];

	if (u->left < (uint64_t)block->refs + block->words)
		return "more references than there may be";
	u->left -= block->refs + block->words;
	for (uint32_t i = 0; i < block->words; i++)
		words[i] = block->word[i].last;
	if (burst_expansion_is_plain(&u->to, block))
		burst_expansion_plain(&u->to, block, words, 1);
	else if (!burst_expansion_part(&u->to, block, words, block->words, block->refs))
		return "a block's words are missing";
	return NULL;
}

static bool has_all(const struct unpacker *u)
{
	return u->to.given == u->to.most;
}

static const char *run(struct unpacker *u, uint64_t count)
{
	const char *wrong = NULL;

	for (; count && !wrong && !has_all(u); count--) {
		struct basic_block *block = *u->history.next;

		if (!block)
			return "a block that nothing foretells";
		step_words(block);
		u->history.next = &block->next;
		wrong = expand(u, block);
	}
	return wrong;
}

static const char *get_ref(struct unpacker *u, struct burst_ref *ref, uint16_t before,
			   uint32_t words)
{
	uint64_t at, size, form, slot = 0, offset, count = 0;
	const char *wrong = get(u, &at);

	if (!wrong)
		wrong = get_below(u, &size, 1 << 18);
	if (!wrong)
		wrong = get_below(u, &form, 1 << 8);
	if (!wrong && form >> 4 != BURST_STATIC)
		wrong = get_below(u, &slot, 1 << 8);
	if (!wrong)
		wrong = get(u, &offset);
	if (!wrong && form >> 4 >= BURST_MASK)
		wrong = get_below(u, &count, 1 << 12);
	if (wrong)
		return wrong;
	*ref = (struct burst_ref){
		.at = before + unzigzag(at), .size = size >> 2, .kind = size & 3, .form = form >> 4,
		.flags = form & 0xf, .slot = slot, .offset = unzigzag(offset), .count = count >> 4,
		.scale = count & 0xf,
	};
	return basic_block_ref_sound(ref, words) ? NULL : "a reference that none can be";
}

/* Return: what is wrong. */
static const char *get_definition(struct unpacker *u, struct basic_block **block)
{
	struct burst_ref ref[BASIC_BLOCK_REFS];
	uint64_t address, words = 0, refs = 0, i;
	const char *wrong = get(u, &address);

	if (!wrong)
		wrong = get_below(u, &words, BASIC_BLOCK_WORDS + 1);
	if (!wrong)
		wrong = get_below(u, &refs, BASIC_BLOCK_REFS + 1);
	for (i = 0; !wrong && i < refs; i++)
		wrong = get_ref(u, &ref[i], i ? ref[i - 1].at : 0, words);
	if (wrong)
		return wrong;
	if (!refs || u->words + words > WORDS_MOST)
		return "a block that no log has";
	u->words += words;
	*block = basic_block_new(&(struct burst_block){
		.address = u->history.address + unzigzag(address), .words = words,
		.refs = refs }, ref);
	return NULL;
}

static const char *new_block(struct unpacker *u)
{
	struct history *h = &u->history;
	struct basic_block *block;
	const char *wrong = get_definition(u, &block);
	uint64_t word, last = h->word;

	if (wrong)
		return wrong;
	u->block = grow(u->block, h->count, &u->room, sizeof(*u->block));
	for (uint32_t i = 0; i < block->words && !wrong; i++) {
		wrong = get(u, &word);
		last += unzigzag(word);
		block->word[i] = (struct basic_block_word){ .last = last };
	}
	if (wrong) {
		free(block);
		return wrong;
	}
	u->block[h->count] = block;
	history_add(h, block, 0);
	history_follow(h, block);
	return expand(u, block);
}

static const char *get_words(struct unpacker *u, struct basic_block *block)
{
	const char *wrong = NULL;
	uint64_t mask = 1, step;

	for (uint32_t i = 0; i < block->words && !wrong; i++) {
		struct basic_block_word *word = &block->word[i];

		if (i % MASK_WORDS == 0 && block->words > 1)
			wrong = get(u, &mask);
		step = word->stride;
		if (!wrong && mask >> i % MASK_WORDS & 1) {
			wrong = get(u, &step);
			step = unzigzag(step);
		}
		step_word(word, step);
	}
	return wrong;
}

static const char *known_block(struct unpacker *u, struct basic_block *block, bool words)
{
	const char *wrong = NULL;

	if (words)
		wrong = get_words(u, block);
	else
		step_words(block);
	if (wrong)
		return wrong;
	history_follow(&u->history, block);
	return expand(u, block);
}

static const char *token(struct unpacker *u)
{
	struct basic_block *block;
	uint64_t head, number;
	const char *wrong = get(u, &head);

	if (!wrong)
		wrong = run(u, head >> TOKEN_BITS);
	if (wrong || !(head & (TOKEN_BLOCK | TOKEN_WORDS)) || has_all(u))
		return wrong;
	block = *u->history.next;
	if (head & TOKEN_BLOCK) {
		wrong = get_below(u, &number, (uint64_t)u->history.count + 1);
		if (wrong)
			return wrong;
		if (!number)
			return new_block(u);
		block = u->block[number - 1];
	}
	return block ? known_block(u, block, head & TOKEN_WORDS) : "a block that nothing foretells";
}

/* Return: where so many more go. */
static struct burst_reference *make_room(struct burst_references *to, size_t count)
{
	while (to->room < to->count + count) {
		to->room = 2 * to->room + EXPANSION_BATCH;
		to->all = xrealloc(to->all, to->room * sizeof(*to->all));
	}
	to->made += count;
	return to->all + to->count;
}

static bool keep(void *context, const struct burst_reference *all, size_t count)
{
	struct burst_references *to = context;

	memcpy(make_room(to, count), all, count * sizeof(*all));
	to->count += count;
	return true;
}

struct stripped {
	struct burst_references *to;
	struct burst_strip strip;
};

static bool keep_stripped(void *context, const struct burst_reference *all, size_t count)
{
	struct stripped *stripped = context;
	struct burst_reference *at;

	if (stripped->to->count > KEPT_MOST)
		return false;
	at = make_room(stripped->to, count);
	for (size_t i = 0; i < count; i++) {
		*at = all[i];
		at += !burst_strip_hits(&stripped->strip, &all[i]);
	}
	stripped->to->count = at - stripped->to->all;
	return true;
}

const char *burst_unpack(const uint8_t *bytes, size_t size, uint64_t most, bool strip,
			 struct burst_references *to)
{
	struct stripped stripped = { .to = to };
	struct unpacker u = {
		.at = bytes, .end = size ? bytes + size : bytes,
		.left = (strip ? LONG_WORDS : 2) * most + NOTHING_MOST,
	};
	uint64_t fs_base = 0, gs_base = 0;
	const char *wrong = NULL;

	to->count = to->made = 0;
	if (!size)
		return NULL;
	burst_strip_begin(&stripped.strip);
	history_begin(&u.history);
	wrong = get(&u, &fs_base);
	if (!wrong)
		wrong = get(&u, &gs_base);
	burst_expansion_begin(&u.to, fs_base, gs_base, most);
	u.to.take = strip ? keep_stripped : keep;
	u.to.context = strip ? (void *)&stripped : to;
	while (u.at < u.end && !wrong && !has_all(&u))
		wrong = token(&u);
	burst_expansion_end(&u.to);
	while (u.history.count)
		free(u.block[--u.history.count]);
	free(u.block);
	return wrong;
}
