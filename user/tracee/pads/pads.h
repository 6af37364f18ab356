/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library that staggers heap blocks of a program. Its parts:
 *
 *	table.c		which addresses are of staggered blocks
 *	real.c		the allocator underneath
 *	sites.c		the plan, and which of its rules an allocation falls under
 *	heap.c		the allocator's functions
 *	huge.c		huge pages
 *	new.c		operator new and delete
 *	map.c		mappings that the program makes itself
 *	thread.c	stacks of threads
 *
 * A staggered block begins up to a page later than the allocator placed it. Everything else goes to
 * the allocator as it came: one comparison for a block that is too small, one or two loads for a
 * free. There is no lock that a fork's child or a signal handler could find taken.
 */
#ifndef CCSAMPLE_TRACEE_PADS_PADS_H
#define CCSAMPLE_TRACEE_PADS_PADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pads/plan.h"

/* Nothing that is declared here is another library's: no detour through the linker's table. */
#pragma GCC visibility push(hidden)

#define EXPORT		__attribute__((visibility("default")))
/* Not a part of a quick path, which then saves no registers. */
#define SLOW		__attribute__((noinline))
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define CALLER		__builtin_return_address(0)
/* What each process writes or reads: in the page that the loader writes anyway, and in no other. */
#define EACH_PROCESS	__attribute__((section(".data")))

#define SYSTEM_PAGE	4096u
#define MALLOC_ALIGN	16u	/* the alignment that malloc() promises */

/* --- table.c --- */

#define SLOT_BITS	11
#define LEAF_BITS	21	/* slots of a leaf: 4 GiB */
#define LEAVES		(1u << 15)	/* 47 bits of address */
#define SHIFT_EARLY	(255u * PADS_GRAIN)	/* instead of a shift: a block of early_alloc() */

extern uint16_t *table_leaves[LEAVES];
extern uintptr_t table_low;	/* no staggered block begins before it */

/*
 * How far into its block this pointer lies: 0 = it is the allocator's own.
 *
 * A slot of half a page has an entry of two bytes: where a staggered block begins in its page (8
 * bits, in units of 16 bytes), and its shift (8 bits, in units of PADS_GRAIN; never 0). Why it
 * cannot misjudge:
 *
 * - A staggered block has at least PADS_LEAST_BLOCK bytes, and the next one begins a shift of at
 *   least PADS_GRAIN behind the allocator's block that holds it: no two of them begin in one slot,
 *   so one entry is enough.
 * - The entry is written before the program gets the pointer, and cleared before the allocator gets
 *   the block back. In between the pointer lies inside a live block of the allocator's, which can
 *   begin no other block there: where place and slot agree, it is this block.
 * - Who frees a block got its address from who allocated it, and by that order sees the entry, and
 *   a bound that is not above it: the bound only falls. Each slot's entry is a word of its own,
 *   written whole; nothing is read, changed and written back.
 */
static inline uint32_t table_shift(const void *pointer)
{
	uintptr_t address = (uintptr_t)pointer;
	uintptr_t leaf = address >> (SLOT_BITS + LEAF_BITS);
	const uint16_t *entries;
	uint16_t entry;

	/* Most blocks: the C library has small ones at the break, below what it maps. */
	if (likely(address < __atomic_load_n(&table_low, __ATOMIC_RELAXED)) ||
	    unlikely(leaf >= LEAVES))
		return 0;
	entries = __atomic_load_n(&table_leaves[leaf], __ATOMIC_ACQUIRE);
	if (!entries)
		return 0;
	entry = __atomic_load_n(&entries[address >> SLOT_BITS & ((1u << LEAF_BITS) - 1)],
				__ATOMIC_RELAXED);
	if (likely((uint8_t)entry != (uint8_t)(address >> 4)))
		return 0;
	return (entry >> 8) * PADS_GRAIN;
}

/* Enter a staggered block. Return: false where there is no memory for that. */
bool table_enter(const void *pointer, uint32_t shift);

/* Remove it. */
void table_remove(const void *pointer);

/* --- real.c --- */

struct real {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t count, size_t size);
	void *(*realloc)(void *block, size_t size);
	void (*free)(void *block);
	void *(*memalign)(size_t align, size_t size);
	void *(*aligned_alloc)(size_t align, size_t size);
	int (*posix_memalign)(void **block, size_t align, size_t size);
	void *(*valloc)(size_t size);
	void *(*pvalloc)(size_t size);
	size_t (*malloc_usable_size)(void *block);
};

extern struct real real;

/* From this size on the C library maps a block by itself; SIZE_MAX: another allocator, unknown. */
extern size_t real_threshold;

/*
 * Find the allocator. Return: false while it is being looked for.
 * Until then the functions of @real do that first.
 */
bool real_ready(void);

/*
 * Another library's malloc() comes before ours. One that wraps calls us; an allocator does not, and
 * only what it lacks comes here.
 */
bool real_is_hidden(void);

/* --- sites.c --- */

extern size_t least_block;	/* bytes: smaller blocks fall under no rule */
/* The same of operator new; a wrapper before us knows only malloc() */
extern size_t least_new;

/**
 * sites_rule() - the rule that an allocation falls under.
 * @caller: where the call returns to
 * @number: set to the block's number among the rule's, if there is one
 * @index: set to the rule's, for sites_count()
 *
 * Return: the rule, or NULL.
 */
const struct pads_rule *sites_rule(const void *caller, size_t size, uint64_t *number,
				   uint32_t *index);

/*
 * The same of a mapping. Mappings begin with pages: only sites of the plan whose rule gives that
 * up, or asks for huge pages, have a rule.
 */
const struct pads_rule *sites_map_rule(const void *caller, size_t size, uint64_t *number,
				       uint32_t *index);

/* One more block was staggered. */
void sites_count(uint32_t index);

/* So many huge pages more that the kernel made, and that it may make. */
void sites_count_huge(uint32_t made, uint32_t hinted);

/* How much later on its stack the next thread begins; 0 = no plan says so, or it is its turn. */
uint32_t sites_stack(void);

/* One more thread began later. */
void sites_count_stack(void);

/* --- heap.c --- */

/**
 * heap_stagger() - allocate a block that falls under a rule.
 * @align: promised, a power of two
 *
 * Return: it, or NULL: then the allocator is to be asked as the program did.
 */
void *heap_stagger(size_t align, size_t size, bool zero, const void *caller);

/* Give back a block that table_shift() knows. */
void heap_release(void *pointer, uint32_t shift);

/* --- huge.c --- */

/* Has huge pages made of the parts of private memory that are whole ones; contents stay. */
void huge_pages(void *start, size_t size, bool writable);

#pragma GCC visibility pop

#endif /* CCSAMPLE_TRACEE_PADS_PADS_H */
