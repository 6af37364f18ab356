// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "base/random.h"
#include "cachesim/hash.h"
#include "cachesim/pages.h"

#define SLOTS_FIRST	1024
#define SMALL_BITS	12
#define HUGE_BITS	21

static const char *const names[] = {
	[PAGES_IDENTITY] = "identity", [PAGES_RANDOM] = "random", [PAGES_HUGE] = "huge",
	[PAGES_REAL] = "real",
};

const char *page_kind_name(enum page_kind kind)
{
	return names[kind];
}

/* What follows a name at the text's beginning, or NULL. */
static const char *after(const char *text, const char *name)
{
	while (*name)
		if (*text++ != *name++)
			return NULL;
	return text;
}

static bool parse_seed(const char *text, uint64_t *seed)
{
	*seed = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || *seed > UINT64_MAX / 10 - 1)
			return false;
		*seed = *seed * 10 + (*text - '0');
	}
	return true;
}

const char *page_plan_parse(struct page_plan *plan, const char *text)
{
	static const char error[] = "expected identity, random[:SEED], huge[:SEED] or real";
	struct page_plan parsed = { .seed = 1 };
	const char *rest = NULL;
	int kind;

	for (kind = PAGES_IDENTITY; kind <= PAGES_REAL; kind++) {
		rest = after(text, names[kind]);
		if (rest && (!*rest || *rest == ':'))
			break;
	}
	if (kind > PAGES_REAL)
		return error;
	parsed.kind = kind;
	if (*rest && (kind == PAGES_IDENTITY || kind == PAGES_REAL ||
		      !parse_seed(rest + 1, &parsed.seed)))
		return error;
	*plan = parsed;
	return NULL;
}

bool pages_open(struct pages *pages, const struct page_plan *plan,
		const struct allocator *memory)
{
	*pages = (struct pages){
		.plan = *plan, .bits = plan->kind == PAGES_HUGE ? HUGE_BITS : SMALL_BITS,
		.shift = hash_shift(SLOTS_FIRST), .memory = memory,
	};
	pages->slots = memory->get(SLOTS_FIRST * sizeof(*pages->slots));
	return pages->slots;
}

void pages_close(struct pages *pages)
{
	pages->memory->put(pages->slots);
}

static struct page_slot *find(const struct pages *pages, uint64_t page)
{
	uint64_t last = hash_slots(pages->shift) - 1, at = hash_slot(page, pages->shift);

	while (pages->slots[at].page && pages->slots[at].page != page + 1)
		at = (at + 1) & last;
	return &pages->slots[at];
}

static bool enlarge(struct pages *pages)
{
	struct pages old = *pages;
	uint64_t slots = hash_slots(old.shift), at;

	pages->slots = pages->memory->get(2 * slots * sizeof(*pages->slots));
	if (!pages->slots) {
		pages->slots = old.slots;
		return false;
	}
	pages->shift--;
	for (at = 0; at < slots; at++)
		if (old.slots[at].page)
			*find(pages, old.slots[at].page - 1) = old.slots[at];
	pages->memory->put(old.slots);
	return true;
}

/*
 * Frame number n: its place in a permutation of all frames. Adding, multiplying
 * by an odd number and xor with the upper half shifted down can each be undone,
 * modulo a power of two, so no two n share a frame.
 */
static uint64_t frame_of(const struct pages *pages, uint64_t n)
{
	uint32_t bits = PAGES_BITS - pages->bits, round;
	uint64_t mask = ((uint64_t)1 << bits) - 1, key = pages->plan.seed;

	for (round = 0; round < 4; round++) {
		key = random_of(key);
		n = (n + key) & mask;
		n = n * (key >> 32 | 1) & mask;
		n ^= n >> (bits + 1) / 2;
	}
	return n;
}

bool pages_translate(struct pages *pages, uint64_t address, uint64_t *physical)
{
	uint64_t page = address >> pages->bits, offset = address - (page << pages->bits);
	struct page_slot *slot;

	if (pages->plan.kind == PAGES_IDENTITY) {
		*physical = address;
		return true;
	}
	slot = find(pages, page);
	if (!slot->page) {
		if (2 * (pages->used + 1) > hash_slots(pages->shift)) {
			if (!enlarge(pages))
				return false;
			slot = find(pages, page);
		}
		slot->page = page + 1;
		pages->used++;
	}
	if (!slot->frame)
		slot->frame = frame_of(pages, pages->given++) + 1;
	*physical = (slot->frame - 1) << pages->bits | offset;
	return true;
}

void pages_forget(struct pages *pages, uint64_t start, uint64_t end)
{
	uint64_t slots = hash_slots(pages->shift), page = start >> pages->bits, last, at;

	if (pages->plan.kind == PAGES_IDENTITY || start >= end)
		return;
	last = (end - 1) >> pages->bits;
	if (last - page < slots) {
		for (; page <= last; page++)
			find(pages, page)->frame = 0;	/* a free slot's is 0 anyway */
		return;
	}
	for (at = 0; at < slots; at++)
		if (pages->slots[at].page > page && pages->slots[at].page <= last + 1)
			pages->slots[at].frame = 0;
}
