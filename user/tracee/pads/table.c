// SPDX-License-Identifier: GPL-2.0-only
/*
 * The staggered blocks by slot: a leaf for each 4 GiB that has some, of which few pages are used.
 */
#include <sys/mman.h>

#include "tracee/pads/pads.h"
#include "tracee/preload/sys.h"

#define LEAF_BYTES	(sizeof(uint16_t) << LEAF_BITS)

_Static_assert(PADS_LEAST_BLOCK + PADS_GRAIN >= 1u << SLOT_BITS, "one staggered block a slot");

uint16_t *table_leaves[LEAVES];
EACH_PROCESS uintptr_t table_low = UINTPTR_MAX;

/* Never removed. Two threads may make it at once: one is used. */
static uint16_t *new_leaf(uint16_t **slot)
{
	long memory = sys6(mmap, NULL, LEAF_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint16_t *leaf = (uint16_t *)memory, *before = NULL;

	if ((unsigned long)memory > -4096ul)
		return NULL;
	/* A few entries in each leaf: not worth a huge page. */
	sys3(madvise, memory, LEAF_BYTES, MADV_NOHUGEPAGE);
	if (__atomic_compare_exchange_n(slot, &before, leaf, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return leaf;
	sys2(munmap, memory, LEAF_BYTES);
	return before;
}

static uint16_t *entry_of(const void *pointer)
{
	uintptr_t address = (uintptr_t)pointer;
	uintptr_t index = address >> (SLOT_BITS + LEAF_BITS);
	uint16_t *leaf;

	if (index >= LEAVES)
		return NULL;
	leaf = __atomic_load_n(&table_leaves[index], __ATOMIC_ACQUIRE);
	if (!leaf)
		leaf = new_leaf(&table_leaves[index]);
	return leaf ? &leaf[address >> SLOT_BITS & ((1u << LEAF_BITS) - 1)] : NULL;
}

static void lower_to(uintptr_t address)
{
	uintptr_t low = __atomic_load_n(&table_low, __ATOMIC_RELAXED);

	while (address < low && !__atomic_compare_exchange_n(&table_low, &low, address, true,
							     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

bool table_enter(const void *pointer, uint32_t shift)
{
	uint16_t *entry = entry_of(pointer);

	if (!entry)
		return false;
	lower_to((uintptr_t)pointer);
	__atomic_store_n(entry, (shift / PADS_GRAIN) << 8 | (uint8_t)((uintptr_t)pointer >> 4),
			 __ATOMIC_RELAXED);
	return true;
}

void table_remove(const void *pointer)
{
	__atomic_store_n(entry_of(pointer), 0, __ATOMIC_RELAXED);
}
