// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tracee/valgrind-lib/memory.h"

#define LINE		64u
#define HUGE		(1ul << 21)
#define ADVICE_HUGE	14	/* mman.h */

/* Valgrind's core. */
extern SysRes VG_(do_syscall)(UWord number, RegWord a1, RegWord a2, RegWord a3, RegWord a4,
			      RegWord a5, RegWord a6, RegWord a7, RegWord a8);
extern SysRes VG_(am_munmap_valgrind)(Addr start, SizeT size);

static void *get_zeroed(size_t size)
{
	return VG_(calloc)("ccsample.cache", 1, size);
}

static void put(void *memory)
{
	VG_(free)(memory);
}

const struct allocator engine_memory = { get_zeroed, put };

/* Stands before a table. */
struct table_head {
	void *block;		/* what to give back */
	SizeT mapped;		/* its size if it was mapped, 0 = VG_(malloc)'s */
};

static void *place_table(void *block, SizeT mapped, SizeT unit)
{
	Addr start = ((Addr)block + sizeof(struct table_head) + unit - 1) & ~(unit - 1);

	((struct table_head *)start)[-1] = (struct table_head){ block, mapped };
	return (void *)start;
}

/*
 * Straight from the kernel, which gives it zeroed: half of a random access is to
 * find the page, hence the huge ones.
 */
static void *map_table(size_t size)
{
	SizeT all = size + HUGE + sizeof(struct table_head);
	void *block = VG_(am_shadow_alloc)(all), *table;

	if (!block)
		return NULL;
	table = place_table(block, all, HUGE);
	VG_(do_syscall)(__NR_madvise, (Addr)table, size, ADVICE_HUGE, 0, 0, 0, 0, 0);
	return table;
}

static void *get_table(size_t size)
{
	void *table = size < HUGE / 2 ? NULL : map_table(size);

	if (table)
		return table;
	table = place_table(VG_(malloc)("ccsample.table", size + LINE + sizeof(struct table_head)),
			    0, LINE);
	VG_(memset)(table, 0, size);
	return table;
}

static void put_table(void *table)
{
	struct table_head head;

	if (!table)
		return;
	head = ((struct table_head *)table)[-1];
	if (head.mapped)
		VG_(am_munmap_valgrind)((Addr)head.block, head.mapped);
	else
		VG_(free)(head.block);
}

const struct allocator engine_tables = { get_table, put_table };
