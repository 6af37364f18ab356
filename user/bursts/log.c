// SPDX-License-Identifier: GPL-2.0-only
/* Logs of bursts: the blocks that ran, in their order. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "bursts/expand.h"
#include "bursts/log.h"
#include "bursts/pack.h"

#define KEPT_MOST	(128u << 20)	/* bytes of definitions, and as many before */
#define KEPT_EACH	16u		/* of one, beside it, for malloc() */
#define KEPT_RUN	(sizeof(struct burst_run) + 80)	/* with its place in the table */
#define KEPT_TIMES	82u		/* as long as its definition, at most */
#define WORDS_EACH	64u		/* of a reference, at most: a string's have 12 to spare */

static void forget(struct burst_log *log, struct burst_definitions *all)
{
	struct burst_run *run, *before;

	for (run = all->last; run; run = before) {
		for (unsigned int i = 0; i < BURST_LOG_RUN; i++)
			free(run->block[i]);
		before = run->before;
		free(run);
	}
	map_clear(&all->runs);
	log->freed += all->count > 0;
	all->last = NULL;
	all->count = 0;
	all->kept = 0;
}

void burst_log_forget(struct burst_log *log)
{
	forget(log, &log->known);
	forget(log, &log->before);
	memset(log->recent, 0, sizeof(log->recent));
}

/*
 * Those before the last time make room; the others stay until the next one, so that bursts that
 * have begun can be read. Writers define all again in later ones.
 */
static void forget_before(struct burst_log *log)
{
	struct burst_definitions gone = log->before;

	forget(log, &gone);
	log->before = log->known;
	log->known = gone;
	memset(log->recent, 0, sizeof(log->recent));
	__atomic_fetch_add(&log->area->forgotten, 1, __ATOMIC_RELEASE);
}

void burst_log_close(struct burst_log *log)
{
	forget(log, &log->known);
	forget(log, &log->before);
	map_free(&log->known.runs);
	map_free(&log->before.runs);
	log->area->reader = 0;
	munmap(log->area, BURSTS_FILE);
	log->area = NULL;
	close(log->fd);
	if (log->counter >= 0)
		close(log->counter);
}

/* --- definitions --- */

static uint64_t key_of(uint64_t image, uint32_t number)
{
	uint32_t run = number / BURST_LOG_RUN;

	return (image * 0x9e3779b97f4a7c15ull) ^ ((uint64_t)run << 32 | run);
}

/* Where the block is kept, NULL or not. */
static struct basic_block **place_of(struct burst_definitions *all, uint64_t image, uint32_t number)
{
	uint64_t *at = map_at(&all->runs, key_of(image, number));
	struct burst_run *run = (struct burst_run *)(uintptr_t)*at;

	if (!run) {
		run = xcalloc(1, sizeof(*run));
		run->before = all->last;
		all->last = run;
		all->kept += KEPT_RUN;
		*at = (uintptr_t)run;
	}
	return &run->block[number % BURST_LOG_RUN];
}

static bool sound(const struct burst_block *block, uint32_t room)
{
	const struct burst_ref *ref = (const struct burst_ref *)(block + 1);
	unsigned int i;

	if (room < sizeof(*block) || block->size > room || block->refs > BASIC_BLOCK_REFS ||
	    block->size != sizeof(*block) + block->refs * sizeof(*ref) || !block->number ||
	    block->words > BASIC_BLOCK_WORDS || block->words > WORDS_EACH * (block->refs + 1u))
		return false;
	for (i = 0; i < block->refs; i++) {
		if (!basic_block_ref_sound(&ref[i], block->words))
			return false;
	}
	return true;
}

static void keep_definition(struct burst_log *log, uint64_t image, const struct burst_block *block)
{
	const struct burst_ref *refs = (const struct burst_ref *)(block + 1);
	struct basic_block *own = basic_block_new(block, refs);
	struct burst_definitions *known = &log->known;
	struct basic_block **place = place_of(known, image, block->number), *old = *place;

	log->recent[block->number % BURST_LOG_RECENT] = (struct log_recent){ .number = 0 };
	known->kept += basic_block_size(own->refs, own->words);
	*place = own;
	if (!old) {
		known->kept += KEPT_EACH;
		known->count++;
		return;
	}
	known->kept -= basic_block_size(old->refs, old->words);
	log->freed++;
	free(old);
}

static const char *take_definitions(struct burst_log *log, const struct burst *burst,
				    const struct burst *from)
{
	uint32_t left = burst->definitions;
	uint8_t *copy, *at;

	if (left > BURSTS_DEFINITIONS)
		return "more definitions than there is room for";
	if (log->known.kept + (uint64_t)KEPT_TIMES * left > KEPT_MOST)
		forget_before(log);
	copy = at = xmalloc(left + sizeof(struct burst_block));
	memcpy(copy, bursts_slot_definitions(from), left);
	while (left) {
		const struct burst_block *block = (const struct burst_block *)at;

		if (!sound(block, left)) {
			free(copy);
			return "a definition is not sound";
		}
		keep_definition(log, burst->image, block);
		at += block->size;
		left -= block->size;
	}
	free(copy);
	return NULL;
}

/* --- blocks that ran --- */

static struct basic_block *find(const struct burst_definitions *all, uint64_t key, uint32_t number)
{
	const struct burst_run *run = (struct burst_run *)(uintptr_t)map_get(&all->runs, key);

	return run ? run->block[number % BURST_LOG_RUN] : NULL;
}

static struct basic_block *find_block(const struct burst_log *log, uint64_t image, uint64_t number)
{
	struct basic_block *block;
	uint64_t key;

	if (number > UINT32_MAX)
		return NULL;
	key = key_of(image, number);
	block = find(&log->known, key, number);
	return block ? block : find(&log->before, key, number);
}

/* Return: the block's place among recent ones; NULL, or one that is free: it was not defined. */
static struct log_recent *recent_after(struct burst_log *log, struct log_recent *before,
				       uint64_t image, uint64_t number)
{
	struct log_recent *recent = before->next;
	struct basic_block *block;

	if (recent->number == number)
		return recent;
	recent = before->next = &log->recent[number % BURST_LOG_RECENT];
	if (recent->number == number)
		return recent;
	block = find_block(log, image, number);
	if (!block)
		return NULL;
	*recent = (struct log_recent){ number, block, recent };
	return recent;
}

/* What becomes of a log's blocks. */
struct reading {
	struct burst_packer *packer;	/* NULL = they are not packed */
	uint64_t packed_most;		/* references that are */
	uint32_t last_refs;		/* of the last block that were made */
	bool goes_on;			/* what is packed does, behind this */
	struct burst_expansion expansion;
};

static bool take_block(struct reading *r, struct basic_block *block, const volatile uint64_t *words,
		       uint32_t left)
{
	uint32_t refs = block->refs;

	if (left <= block->words && r->last_refs < refs)
		refs = r->last_refs;
	if (r->packer && refs < block->refs && r->goes_on)
		burst_packer_add_cut(r->packer, block, words, left, refs);
	else if (r->packer && r->expansion.given < r->packed_most)
		burst_packer_add_block(r->packer, block, words, left);
	if (left > block->words && burst_expansion_is_plain(&r->expansion, block)) {
		burst_expansion_plain(&r->expansion, block, words, 1);
		return true;
	}
	return burst_expansion_part(&r->expansion, block, words, left, refs);
}

/* How often a plain block may go on as a whole: the last time may be cut. */
static uint64_t repeats_most(const struct reading *r, const struct basic_block *block, size_t left)
{
	const struct burst_expansion *to = &r->expansion;
	uint64_t room = !r->packer || to->most < r->packed_most ? to->most : r->packed_most;
	uint64_t by_words = (left - 1) / (block->words + 1);
	uint64_t by_refs = to->given < room ? (room - to->given) / block->refs : 0;

	return by_words < by_refs ? by_words : by_refs;
}

static uint64_t count_repeats(uint64_t number, const volatile uint64_t *at, uint32_t step,
			      uint64_t most)
{
	uint64_t count = 0;

	while (count < most && at[count * step] == number)
		count++;
	return count;
}

static void add_run(struct burst_log *log, const struct basic_block *block, uint64_t times)
{
	log->instructions += times * block->instructions;
	log->counted += times * block->counted;
	log->both += times * block->both;
}

/* The inner loop that a block is, if it is packed as far as it is as foretold. Return: its end. */
static const volatile uint64_t *take_repeats(struct burst_log *log, struct reading *r,
					     const struct log_recent *recent,
					     const volatile uint64_t *word, size_t left)
{
	struct basic_block *block = recent->block;
	uint64_t count;

	if (!block->refs || !block->plain)
		return word;
	count = repeats_most(r, block, left);
	count = r->packer ?
		burst_packer_add_repeats(r->packer, block, recent->number, word, count) :
		count_repeats(recent->number, word, block->words + 1, count);
	burst_expansion_plain(&r->expansion, block, word + 1, count);
	add_run(log, block, count);
	return word + count * (block->words + 1);
}

static const char *read_blocks(struct burst_log *log, uint64_t image, struct reading *r,
			       const volatile uint64_t *word, const volatile uint64_t *end)
{
	struct log_recent first = { .next = &first }, *recent = &first;
	struct basic_block *block;

	while (word < end) {
		recent = recent_after(log, recent, image, *word++);
		if (!recent || !recent->block)
			return "a block was not defined";
		block = recent->block;
		if (r->expansion.given < r->expansion.most)
			add_run(log, block, 1);
		if (!take_block(r, block, word, end - word))
			return "a block's words are missing";
		word += block->words;
		if (recent->next == recent && word < end)
			word = take_repeats(log, r, recent, word, end - word);
	}
	return NULL;
}

/* Return: what is wrong. */
static const char *begin_packing(struct burst_log *log, const struct burst *burst,
				 struct burst_packer *packer)
{
	if (burst->part > 1)
		return log->freed == log->freed_before ? NULL : "blocks of parts before are gone";
	if (burst->part)
		log->freed_before = log->freed;
	burst_packer_begin(packer, burst->fs_base, burst->gs_base);
	return NULL;
}

static const char *read_log(struct burst_log *log, const struct burst *burst,
			    const struct burst *from, struct burst_packer *packer,
			    burst_references_fn *take, void *context)
{
	uint64_t most = burst->part || burst->more ? BURST_LOG_MOST : log->most;
	struct reading r = {
		.packer = packer, .packed_most = burst->part ? most : log->most,
		.last_refs = burst->last_refs, .goes_on = burst->part && burst->more,
	};
	const char *wrong;

	if (burst->log_begin > burst->log_end || burst->log_end > BURSTS_LOG_WORDS)
		return "its log does not lie in its slot";
	if (log->recent_image != burst->image)
		memset(log->recent, 0, sizeof(log->recent));
	log->recent_image = burst->image;
	burst_expansion_begin(&r.expansion, burst->fs_base, burst->gs_base, most);
	r.expansion.take = take;
	r.expansion.context = context;
	wrong = packer ? begin_packing(log, burst, packer) : NULL;
	if (wrong)
		return wrong;
	wrong = read_blocks(log, burst->image, &r, bursts_slot_log(from) + burst->log_begin,
			    bursts_slot_log(from) + burst->log_end);
	burst_expansion_end(&r.expansion);
	log->references += r.expansion.given;
	log->cut += r.expansion.cut;
	return wrong;
}

/* Return: the slot, NULL if it has no burst that is ready. */
static struct burst *ready_slot(const struct burst_log *log, unsigned int i)
{
	uint32_t state = __atomic_load_n(&log->area->taken[i].state, __ATOMIC_ACQUIRE);

	return state == BURST_READY ? bursts_slot(log->area, i) : NULL;
}

/*
 * Of an image the first one by number, which is the order of the definitions: a thread may enter
 * its timer's handler before another's burst, and begin behind it. A burst that is ready was
 * published behind all of its image before it, so they are found by now, wherever the first look
 * was.
 */
static struct burst *first_of_image(const struct burst_log *log, struct burst *first)
{
	for (unsigned int i = 0; i < BURSTS_SLOTS; i++) {
		struct burst *s = ready_slot(log, i);

		if (s && s->image == first->image && s->number < first->number)
			first = s;
	}
	return first;
}

static struct burst *first_by_time(const struct burst_log *log)
{
	struct burst *first = NULL;

	for (unsigned int i = 0; i < BURSTS_SLOTS; i++) {
		struct burst *s = ready_slot(log, i);

		if (s && (!first || s->start < first->start))
			first = s;
	}
	return first;
}

/* The second look sees all that was published before what the first one found. */
bool burst_log_next(struct burst_log *log, struct burst *burst)
{
	log->next = first_by_time(log);
	if (!log->next)
		return false;
	log->next = first_of_image(log, first_by_time(log));
	*burst = *log->next;
	return true;
}

void burst_log_read(struct burst_log *log, const struct burst *burst, struct burst_packer *packer,
		    burst_references_fn *take, void *context)
{
	log->bursts += burst->number > 0;
	log->why = take_definitions(log, burst, log->next);
	if (!log->why && burst->number)
		log->why = read_log(log, burst, log->next, packer, take, context);
	log->bad += !!log->why;
	__atomic_store_n(&bursts_taken(log->area, log->next)->both, 0, __ATOMIC_RELEASE);
	log->next = NULL;
}
