/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where pages lie in physical memory: models, for caches beyond L1 are indexed
 * by physical address and real frames are seldom to be seen.
 *
 *   identity      an address is its own physical address
 *   random:SEED   each 4 KiB page gets a frame of its own, anywhere
 *   huge:SEED     each 2 MiB page does; the low 21 bits are kept
 *   real          the kernel's frames: not for these functions, but for whoever can ask it
 *
 * Frames lie below 2^38, where slice hashes are known. They are handed out in
 * order of first touch, by a permutation that SEED chooses: so the same seed
 * and the same order of touches give the same frames, and no two pages share
 * one before 2^26 (huge: 2^17) were handed out.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_PAGES_H
#define CCSAMPLE_CACHESIM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"

#define PAGES_BITS	38u	/* of a physical address that a model gives */

enum page_kind { PAGES_IDENTITY, PAGES_RANDOM, PAGES_HUGE, PAGES_REAL };

struct page_plan {
	enum page_kind kind;
	uint64_t seed;		/* of random and huge */
};

struct page_slot {
	uint64_t page;		/* its number + 1, 0 = free slot */
	uint64_t frame;		/* its number + 1, 0 = forgotten */
};

struct pages {
	struct page_plan plan;
	uint32_t bits;		/* of a page's bytes: 12 or 21 */
	uint64_t given;		/* frames so far */
	struct page_slot *slots;
	uint64_t used;
	uint32_t shift;
	const struct allocator *memory;
};

/**
 * page_plan_parse() - read "identity", "random[:SEED]", "huge[:SEED]" or "real".
 * @plan: filled on success only; the seed is 1 unless given
 *
 * Return: NULL, or what is wrong with the text.
 */
const char *page_plan_parse(struct page_plan *plan, const char *text);

/* "identity", "random", "huge", "real". */
const char *page_kind_name(enum page_kind kind);

/* @plan: not PAGES_REAL. @memory must outlive it. Return: false without memory. */
bool pages_open(struct pages *pages, const struct page_plan *plan,
		const struct allocator *memory);
void pages_close(struct pages *pages);

/**
 * pages_translate() - the physical address of a virtual one; a new page gets a frame.
 * @physical: written on success only
 *
 * Return: false without memory.
 */
bool pages_translate(struct pages *pages, uint64_t address, uint64_t *physical);

/**
 * pages_forget() - [start, end) was unmapped: what is touched there next is a new page.
 *
 * A huge page is forgotten if any of it is.
 */
void pages_forget(struct pages *pages, uint64_t start, uint64_t end);

#endif /* CCSAMPLE_CACHESIM_PAGES_H */
