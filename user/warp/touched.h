/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines ever touched, a bit each in pages of 4096, and a log of those that are new: what was
 * touched since a moment can be compared, shifted, with what is touched now.
 */
#ifndef CCSAMPLE_WARP_TOUCHED_H
#define CCSAMPLE_WARP_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"

#define TOUCHED_PAGES_MAX	(1u << 22) /* 2 GiB of bits, 1 TiB of data in lines of 64 bytes */
#define TOUCHED_PAGE_BITS	12
#define TOUCHED_PAGE_WORDS	64

struct touched_page {
	uint64_t number;			/* line >> 12 */
	uint64_t words[TOUCHED_PAGE_WORDS];
};

/* Lines that were new, next to each other. */
struct touched_run {
	uint64_t first, count;
};

struct touched {
	struct touched_page *pages;
	uint32_t *slots;		/* hash of page numbers: index + 1, 0 = free */
	uint32_t page_count, page_room, shift;
	uint32_t last;			/* index of the page found last */
	struct touched_run *log;
	uint32_t log_count, log_room;
	uint32_t log_floor;		/* runs from here on may still grow */
	uint64_t log_lost;		/* times that it was cleared, being full */
	bool logging;
	uint64_t *budget;		/* pages that may still be taken, of whoever shares it */
	const struct allocator *memory;
};

/* @budget: TOUCHED_PAGES_MAX at first; must outlive it. Return: false without memory. */
bool touched_open(struct touched *t, uint64_t *budget, const struct allocator *memory);
void touched_close(struct touched *t);

/* Return: 1 if the line is new, 0 if not, -1 without memory or beyond the budget. */
int touched_add(struct touched *t, uint64_t line);

/* Touches lines first .. last. Return: 0, or -1 as above. */
int touched_fill(struct touched *t, uint64_t first, uint64_t last);

bool touched_has(struct touched *t, uint64_t line);

/* The part of a run that lies in first .. last. Return: its length. */
static inline uint64_t touched_clip(struct touched_run *run, uint64_t first, uint64_t last)
{
	uint64_t from = run->first > first ? run->first : first;
	uint64_t end = run->first + run->count - 1 < last ? run->first + run->count - 1 : last;

	run->first = from;
	run->count = from <= end ? end - from + 1 : 0;
	return run->count;
}

/* How many lines x of first .. last differ from x + shift in having been touched. */
uint64_t touched_differences(struct touched *t, uint64_t first, uint64_t last, int64_t shift);

#endif /* CCSAMPLE_WARP_TOUCHED_H */
