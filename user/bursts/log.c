// SPDX-License-Identifier: GPL-2.0-only
/* Logs of bursts as references. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "bursts/log.h"

#define MOST_REFS	1024		/* of a block; a writer has at most 128 */
#define MOST_ELEMENT	64		/* bytes, of forms whose words say which are accessed */
#define STRING_MOST	(1u << 20)	/* turns of one repeated instruction */
#define KEPT_MOST	(256u << 20)	/* bytes of definitions */
#define KEPT_EACH	64u		/* of one, beside it: in the table, and for malloc() */
#define BATCH		256u		/* references that are handed over at once */
#define PLAIN_REFS	128u		/* of a block, at most, that is read in one step */

/* struct burst_ref, as it is kept. */
struct log_ref {
	uint16_t at, size;
	uint8_t kind, form, slot, flags, count, scale;
	uint32_t note;			/* burst_logged.note */
	int64_t offset;
};
_Static_assert(sizeof(struct log_ref) == sizeof(struct burst_ref), "reference");

struct log_block {
	uint64_t address;
	uint16_t instructions, words, refs;
	bool plain;			/* each address is a word of its, or none, and an offset */
	struct log_ref ref[];
};

void burst_log_forget(struct burst_log *log)
{
	size_t i;

	for (i = 0; i < log->count; i++)
		free(log->block[i]);
	map_clear(&log->blocks);
	memset(log->recent, 0, sizeof(log->recent));
	log->count = 0;
	log->kept = 0;
}

void burst_log_close(struct burst_log *log)
{
	burst_log_forget(log);
	free(log->block);
	map_free(&log->blocks);
	munmap(log->area, BURSTS_FILE);
	log->area = NULL;
	close(log->fd);
}

/* --- slots --- */

static const uint64_t *log_of(const struct burst *burst)
{
	return (const uint64_t *)((const uint8_t *)burst + BURSTS_PAGE);
}

static const uint8_t *definitions_of(const struct burst *burst)
{
	return (const uint8_t *)burst + 2 * BURSTS_PAGE + BURSTS_LOG;
}

/* --- definitions --- */

static uint64_t key_of(uint64_t image, uint32_t number)
{
	return (image * 0x9e3779b97f4a7c15ull) ^ ((uint64_t)number << 32 | number);
}

static bool sound(const struct burst_block *block, uint32_t room)
{
	const struct burst_ref *ref = (const struct burst_ref *)(block + 1);
	unsigned int i;

	if (room < sizeof(*block) || block->size > room || block->refs > MOST_REFS ||
	    block->size != sizeof(*block) + block->refs * sizeof(*ref) || !block->number)
		return false;
	for (i = 0; i < block->refs; i++) {
		if (!ref[i].kind || ref[i].kind > BURST_LOAD_STORE || !ref[i].size ||
		    ref[i].form > BURST_GATHER_VECTOR ||
		    (ref[i].form >= BURST_STRING && ref[i].size > MOST_ELEMENT) ||
		    (ref[i].form == BURST_BIT && ref[i].size > 8))
			return false;
	}
	return true;
}

static size_t kept_size(uint32_t refs)
{
	return sizeof(struct log_block) + refs * sizeof(struct log_ref);
}

/* Is each of its references read in one step? */
static bool is_plain(const struct burst_block *block, const struct burst_ref *ref)
{
	unsigned int i;

	for (i = 0; i < block->refs; i++) {
		bool is_static = ref[i].form == BURST_STATIC;

		if (ref[i].flags > BURST_GS || (!is_static && ref[i].form != BURST_PLAIN) ||
		    (!is_static && ref[i].slot >= block->words))
			return false;
	}
	return block->refs <= PLAIN_REFS;
}

static struct log_block *as_read(const struct burst_block *block)
{
	const struct burst_ref *ref = (const struct burst_ref *)(block + 1);
	struct log_block *own = xmalloc(kept_size(block->refs));
	unsigned int i;

	*own = (struct log_block){
		.address = block->address, .instructions = block->instructions,
		.words = block->words, .refs = block->refs, .plain = is_plain(block, ref),
	};
	for (i = 0; i < block->refs; i++)
		own->ref[i] = (struct log_ref){
			.at = ref[i].at, .size = ref[i].size, .kind = ref[i].kind,
			.form = ref[i].form, .flags = ref[i].flags, .count = ref[i].count,
			.slot = ref[i].form == BURST_STATIC ? 0 : ref[i].slot,
			.scale = ref[i].scale, .offset = ref[i].offset,
		};
	return own;
}

static void keep_definition(struct burst_log *log, uint64_t image, const struct burst_block *block)
{
	struct log_block *own = as_read(block);
	uint64_t *index = map_at(&log->blocks, key_of(image, block->number));

	log->kept += kept_size(own->refs);
	if (*index) {
		memset(log->recent, 0, sizeof(log->recent));
		log->kept -= kept_size(log->block[*index - 1]->refs);
		free(log->block[*index - 1]);
		log->block[*index - 1] = own;
		return;
	}
	log->kept += KEPT_EACH;
	log->block = grow(log->block, log->count, &log->capacity, sizeof(*log->block));
	log->block[log->count++] = own;
	*index = log->count;
}

static const char *take_definitions(struct burst_log *log, const struct burst *burst,
				    const struct burst *from)
{
	uint32_t left = burst->definitions;
	uint8_t *copy, *at;

	if (left > BURSTS_DEFINITIONS)
		return "more definitions than there is room for";
	/* Bursts that have begun by then are lost; writers define all again in later ones. */
	if (log->kept + 2 * left > KEPT_MOST) {
		burst_log_forget(log);
		__atomic_fetch_add(&log->area->forgotten, 1, __ATOMIC_RELEASE);
	}
	copy = at = xmalloc(left + sizeof(struct burst_block));
	memcpy(copy, definitions_of(from), left);
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

/* --- references --- */

struct reading {
	const struct burst *burst;
	uint64_t segment[BURST_GS + 1];	/* bases, by flags of plain blocks' references */
	const struct log_block *block;	/* that is not plain, or the last */
	const volatile uint64_t *words;	/* its words, the number excluded */
	uint32_t left;			/* how many there are */
	uint64_t given, most;		/* references, those in the batch included */
	uint64_t cut;			/* references that are not given */
	burst_references_fn *take;
	void *context;
	uint32_t batched;
	struct burst_logged batch[BATCH];
};

static void hand_over(struct reading *r)
{
	if (r->take && r->batched)
		r->take(r->context, r->batch, r->batched);
	r->given += r->batched;
	r->batched = 0;
}

static inline struct burst_logged logged(const struct log_block *block, struct log_ref *ref,
					 uint64_t address, uint32_t size)
{
	return (struct burst_logged){
		{ block->address + ref->at, address, size, ref->kind }, &ref->note,
	};
}

static bool has_room(const struct reading *r)
{
	return r->given + r->batched < r->most;
}

static inline void give(struct reading *r, struct log_ref *ref, uint64_t address, uint32_t size)
{
	if (!has_room(r)) {
		r->cut++;
		return;
	}
	r->batch[r->batched++] = logged(r->block, ref, address, size);
	if (r->batched == BATCH)
		hand_over(r);
}

static uint64_t with_segment(const struct reading *r, const struct log_ref *ref, uint64_t address)
{
	if (ref->flags & BURST_ADDRESS_32)
		address = (uint32_t)address;
	if (ref->flags & BURST_FS)
		address += r->burst->fs_base;
	if (ref->flags & BURST_GS)
		address += r->burst->gs_base;
	return address;
}

/* @second: of an instruction with two of them, whose turns make one reference of each; or NULL */
static void give_string(struct reading *r, struct log_ref *ref, struct log_ref *second)
{
	uint64_t at = r->words[ref->slot], after = r->words[ref->slot + 1];
	uint64_t other = second ? r->words[second->slot] : 0;
	bool down = (int64_t)(after - at) < 0;
	uint64_t turns = (down ? at - after : after - at) / ref->size;
	int64_t step = down ? -(int64_t)ref->size : ref->size;

	uint64_t left = turns;

	if (turns > STRING_MOST)
		turns = STRING_MOST;
	left -= turns;
	for (; turns && has_room(r); turns--, at += step, other += step) {
		give(r, ref, at, ref->size);
		if (second)
			give(r, second, other, second->size);
	}
	r->cut += (left + turns) * (second ? 2 : 1);
}

static void give_bit(struct reading *r, struct log_ref *ref, uint64_t address)
{
	int64_t bit = r->words[ref->slot + 1];

	if (ref->size == 4)
		bit = (int32_t)bit;
	else if (ref->size == 2)
		bit = (int16_t)bit;
	give(r, ref, address + (bit >> (ref->size == 8 ? 6 : ref->size == 4 ? 5 : 4)) * ref->size,
	     ref->size);
}

static uint64_t element_bits(const struct log_ref *ref)
{
	return ref->count >= 64 ? ~0ull : (1ull << ref->count) - 1;
}

/* From the first element that is touched to the last. */
static void give_span(struct reading *r, struct log_ref *ref, uint64_t address,
		      uint64_t mask)
{
	unsigned int first, last;

	mask &= element_bits(ref);
	if (!mask)
		return;
	first = __builtin_ctzll(mask);
	last = 63 - __builtin_clzll(mask);
	give(r, ref, address + first * ref->size, (last - first + 1) * ref->size);
}

/* The top bits of @count elements of a vector. */
static uint64_t vector_mask(const struct reading *r, unsigned int slot, unsigned int size,
			    unsigned int count)
{
	uint64_t mask = 0;
	unsigned int i;

	for (i = 0; i < count && i * size < 32; i++) {
		uint64_t word = r->words[slot + i * size / 8];

		if (size == 4)
			word <<= i % 2 ? 0 : 32;
		mask |= (word >> 63) << i;
	}
	return mask;
}

static void give_gather(struct reading *r, struct log_ref *ref, uint64_t base)
{
	bool wide = ref->flags & BURST_INDEX_64, vector = ref->form == BURST_GATHER_VECTOR;
	uint64_t mask = vector ? vector_mask(r, ref->slot + 1, ref->size, ref->count) :
			r->words[ref->slot + 1];
	unsigned int indices = ref->slot + (vector ? 5 : 2), i;

	for (i = 0; i < ref->count && i < 16; i++) {
		uint64_t word = r->words[indices + (wide ? i : i / 2)];
		int64_t index = wide ? (int64_t)word : (int32_t)(word >> (i % 2 ? 32 : 0));

		if (mask >> i & 1)
			give(r, ref, with_segment(r, ref, base + (uint64_t)index * ref->scale),
			     ref->size);
	}
}

/* Words of a gather's indices: where the log is full, no more of them are written. */
static unsigned int words_of_indices(const struct log_ref *ref)
{
	return ref->flags & BURST_INDEX_64 ? ref->count : (ref->count + 1) / 2;
}

/* How many words a reference looks at. */
static unsigned int words_of(const struct log_ref *ref)
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

static bool give_reference(struct reading *r, struct log_ref *ref)
{
	uint64_t address;

	if (ref->slot + words_of(ref) > r->left)
		return false;
	address = ref->form == BURST_STATIC ? (uint64_t)ref->offset :
					      r->words[ref->slot] + ref->offset;
	if (ref->form != BURST_GATHER && ref->form != BURST_GATHER_VECTOR)
		address = with_segment(r, ref, address);
	switch (ref->form) {
	case BURST_STRING:
		give_string(r, ref, NULL);
		break;
	case BURST_BIT:
		give_bit(r, ref, address);
		break;
	case BURST_MASK:
		give_span(r, ref, address, r->words[ref->slot + 1]);
		break;
	case BURST_MASK_ANY:
		if (r->words[ref->slot + 1] & element_bits(ref))
			give(r, ref, address, ref->size);
		break;
	case BURST_MASK_PACKED: {
		unsigned int bits = __builtin_popcountll(r->words[ref->slot + 1] &
							 element_bits(ref));

		if (bits)
			give(r, ref, address, bits * ref->size);
		break;
	}
	case BURST_MASK_VECTOR:
		give_span(r, ref, address,
			  vector_mask(r, ref->slot + 1, ref->size, ref->count));
		break;
	case BURST_GATHER:
	case BURST_GATHER_VECTOR:
		give_gather(r, ref, address);
		break;
	default:
		give(r, ref, address, ref->size);
	}
	return true;
}

/* Return: the block's place among recent ones; NULL, or one that is free: it was not defined. */
static struct log_recent *recent_after(struct burst_log *log, struct log_recent *before,
				       uint64_t image, uint64_t number)
{
	struct log_recent *recent = before->next;
	uint64_t index;

	if (recent->number == number)
		return recent;
	recent = before->next = &log->recent[number % BURST_LOG_RECENT];
	if (recent->number == number)
		return recent;
	index = number > UINT32_MAX ? 0 : map_get(&log->blocks, key_of(image, number));
	if (!index)
		return NULL;
	*recent = (struct log_recent){ number, log->block[index - 1], recent };
	return recent;
}

/* A whole one, and not the last, whose references may be fewer. */
static void give_plain(struct reading *r, struct log_block *block, const volatile uint64_t *words)
{
	struct log_ref *ref = block->ref, *end = ref + block->refs;
	struct burst_logged *to;

	if (!has_room(r)) {
		r->cut += block->refs;
		return;
	}
	if (r->batched + block->refs >= BATCH)
		hand_over(r);
	to = r->batch + r->batched;
	r->batched += block->refs;
	for (; ref < end; ref++) {
		uint64_t word = ref->form == BURST_STATIC ? 0 : words[ref->slot];

		*to++ = logged(block, ref, word + ref->offset + r->segment[ref->flags], ref->size);
	}
}

/* The first of two of one repeated string instruction, whose words are all there? */
static bool are_strings(const struct reading *r, const struct log_ref *ref)
{
	return ref[0].form == BURST_STRING && ref[1].form == BURST_STRING &&
	       ref[0].at == ref[1].at && ref[0].size == ref[1].size &&
	       ref[0].slot + words_of(ref) <= r->left && ref[1].slot + words_of(ref) <= r->left;
}

static bool give_block(struct reading *r, struct log_block *block, const volatile uint64_t *words,
		       uint32_t left)
{
	uint32_t refs = block->refs, i;
	bool both;

	r->block = block;
	r->words = words;
	r->left = left;
	if (r->left <= block->words && r->burst->last_refs < refs)
		refs = r->burst->last_refs;
	for (i = 0; i < refs; i += both ? 2 : 1) {
		both = i + 1 < refs && are_strings(r, &block->ref[i]);
		if (both)
			give_string(r, &block->ref[i], &block->ref[i + 1]);
		else if (!give_reference(r, &block->ref[i]))
			return false;
	}
	return true;
}

static const char *read_blocks(struct burst_log *log, struct reading *r,
			       const volatile uint64_t *word, const volatile uint64_t *end)
{
	struct log_recent first = { .next = &first }, *recent = &first;
	struct log_block *block;

	while (word < end) {
		recent = recent_after(log, recent, r->burst->image, *word++);
		if (!recent || !recent->block)
			return "a block was not defined";
		block = recent->block;
		log->instructions += has_room(r) ? block->instructions : 0;
		if (block->plain && end - word > block->words)
			give_plain(r, block, word);
		else if (!give_block(r, block, word, end - word))
			return "a block's words are missing";
		word += block->words;
	}
	return NULL;
}

static const char *read_log(struct burst_log *log, const struct burst *burst,
			    const struct burst *from, burst_references_fn *take, void *context)
{
	struct reading r = {
		.burst = burst, .segment = { 0, burst->fs_base, burst->gs_base },
		.most = burst->part || burst->more ? BURST_LOG_MOST : log->most,
		.take = take, .context = context,
	};
	const char *wrong;

	if (burst->log_begin > burst->log_end || burst->log_end > BURSTS_LOG_WORDS)
		return "its log does not lie in its slot";
	if (log->recent_image != burst->image)
		memset(log->recent, 0, sizeof(log->recent));
	log->recent_image = burst->image;
	wrong = read_blocks(log, &r, log_of(from) + burst->log_begin,
			    log_of(from) + burst->log_end);
	hand_over(&r);
	log->references += r.given;
	log->cut += r.cut;
	return wrong;
}

bool burst_log_next(struct burst_log *log, struct burst *burst, burst_references_fn *take,
		    void *context)
{
	struct burst *next = NULL;
	unsigned int i;

	for (i = 0; i < BURSTS_SLOTS; i++) {
		struct burst *s = burst_log_slot(log, i);

		if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == BURST_READY &&
		    (!next || s->start < next->start))
			next = s;
	}
	if (!next)
		return false;
	*burst = *next;
	log->bursts += burst->number > 0;
	log->why = take_definitions(log, burst, next);
	if (!log->why && burst->number)
		log->why = read_log(log, burst, next, take, context);
	log->bad += !!log->why;
	__atomic_store_n(&next->state, BURST_FREE, __ATOMIC_RELEASE);
	return true;
}
