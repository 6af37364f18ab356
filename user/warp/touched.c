// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/hash.h"
#include "prsd/room.h"
#include "warp/touched.h"

#define SLOTS_FIRST	1024u
#define LOG_MAX		(1u << 20)
#define LOG_STREAMS	8	/* runs that grow at a time */
#define IN_PAGE		((1u << TOUCHED_PAGE_BITS) - 1)

bool touched_open(struct touched *t, uint64_t *budget, const struct allocator *memory)
{
	*t = (struct touched){
		.budget = budget, .memory = memory, .shift = hash_shift(SLOTS_FIRST),
	};
	t->slots = memory->get(SLOTS_FIRST * sizeof(*t->slots));
	return t->slots;
}

void touched_close(struct touched *t)
{
	*t->budget += t->page_count;
	t->memory->put(t->pages);
	t->memory->put(t->slots);
	t->memory->put(t->log);
}

static uint32_t *slot_of(const struct touched *t, uint64_t number)
{
	uint64_t mask = hash_slots(t->shift) - 1, at = hash_slot(number, t->shift);

	while (t->slots[at] && t->pages[t->slots[at] - 1].number != number)
		at = (at + 1) & mask;
	return &t->slots[at];
}

static struct touched_page *find(struct touched *t, uint64_t number)
{
	uint32_t slot;

	if (t->page_count && t->pages[t->last].number == number)
		return &t->pages[t->last];
	slot = *slot_of(t, number);
	if (!slot)
		return NULL;
	t->last = slot - 1;
	return &t->pages[t->last];
}

static bool enlarge(struct touched *t)
{
	uint32_t *old = t->slots, i;

	t->slots = t->memory->get(2 * hash_slots(t->shift) * sizeof(*t->slots));
	if (!t->slots) {
		t->slots = old;
		return false;
	}
	t->memory->put(old);
	t->shift--;
	for (i = 0; i < t->page_count; i++)
		*slot_of(t, t->pages[i].number) = i + 1;
	return true;
}

static struct touched_page *find_or_make(struct touched *t, uint64_t number)
{
	struct touched_page *page = find(t, number);

	if (page)
		return page;
	if (!*t->budget ||
	    !room_for(&t->pages, &t->page_room, t->page_count + 1ull, sizeof(*t->pages),
		      t->memory) ||
	    (2ull * t->page_count + 2 > hash_slots(t->shift) && !enlarge(t)))
		return NULL;
	--*t->budget;
	*slot_of(t, number) = t->page_count + 1;
	t->last = t->page_count++;
	page = &t->pages[t->last];
	page->number = number;
	return page;
}

static int log_run(struct touched *t, uint64_t first, uint64_t count)
{
	uint32_t i = t->log_count;

	if (!t->logging)
		return 0;
	while (i > t->log_floor && t->log_count - i < LOG_STREAMS) {
		struct touched_run *run = &t->log[--i];

		if (run->first + run->count == first) {
			run->count += count;
			return 0;
		}
		if (first + count == run->first) {
			run->first = first;
			run->count += count;
			return 0;
		}
	}
	if (t->log_count == LOG_MAX) {
		t->log_count = t->log_floor = 0;
		t->log_lost++;
	}
	if (!room_for(&t->log, &t->log_room, t->log_count + 1ull, sizeof(*t->log), t->memory))
		return -1;
	t->log[t->log_count++] = (struct touched_run){ first, count };
	return 0;
}

int touched_add(struct touched *t, uint64_t line)
{
	struct touched_page *page = find_or_make(t, line >> TOUCHED_PAGE_BITS);
	uint64_t bit = (uint64_t)1 << line % 64, *word;

	if (!page)
		return -1;
	word = &page->words[(line & IN_PAGE) / 64];
	if (*word & bit)
		return 0;
	*word |= bit;
	return log_run(t, line, 1) < 0 ? -1 : 1;
}

bool touched_has(struct touched *t, uint64_t line)
{
	const struct touched_page *page = find(t, line >> TOUCHED_PAGE_BITS);

	return page && page->words[(line & IN_PAGE) / 64] >> line % 64 & 1;
}

int touched_fill(struct touched *t, uint64_t first, uint64_t last)
{
	uint64_t line = first;

	while (line <= last) {
		struct touched_page *page = find_or_make(t, line >> TOUCHED_PAGE_BITS);
		uint64_t *word;

		if (!page)
			return -1;
		word = &page->words[(line & IN_PAGE) / 64];
		if (line % 64 == 0 && last - line >= 63 && !*word) {
			*word = ~(uint64_t)0;
			if (log_run(t, line, 64) < 0)
				return -1;
			line += 64;
			continue;
		}
		if (touched_add(t, line) < 0)
			return -1;
		line++;
	}
	return 0;
}

/* The 64 lines from @line on, a bit each. */
static uint64_t word_at(struct touched *t, uint64_t line)
{
	const struct touched_page *page = find(t, line >> TOUCHED_PAGE_BITS);
	uint64_t low = page ? page->words[(line & IN_PAGE) / 64] : 0;
	uint32_t bit = line % 64;

	if (!bit)
		return low;
	line += 64;
	page = find(t, line >> TOUCHED_PAGE_BITS);
	return low >> bit | (page ? page->words[(line & IN_PAGE) / 64] : 0) << (64 - bit);
}

/* Lines from @line to the end of its page, if that and what they are shifted to have no page. */
static uint64_t empty_from(struct touched *t, uint64_t line, int64_t shift)
{
	uint64_t count = IN_PAGE + 1 - (line & IN_PAGE);

	if (find(t, line >> TOUCHED_PAGE_BITS) || find(t, (line + shift) >> TOUCHED_PAGE_BITS) ||
	    find(t, (line + shift + count - 1) >> TOUCHED_PAGE_BITS))
		return 0;
	return count;
}

uint64_t touched_differences(struct touched *t, uint64_t first, uint64_t last, int64_t shift)
{
	uint64_t line = first, count = 0, empty, differ, left;

	while (line <= last) {
		left = last - line + 1;
		empty = empty_from(t, line, shift);
		if (empty) {
			if (left <= empty)
				break;
			line += empty;
			continue;
		}
		differ = word_at(t, line) ^ word_at(t, line + shift);
		if (left < 64)
			differ &= ((uint64_t)1 << left) - 1;
		count += __builtin_popcountll(differ);
		if (left <= 64)
			break;
		line += 64;
	}
	return count;
}
