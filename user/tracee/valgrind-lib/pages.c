// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages are looked up at every miss, so answers are kept. True frames change
 * under us; what is kept is dropped
 *   when a system call unmaps, moves, advises on or protects the range,
 *   at a fork, for parent and child,
 *   as a whole every REFRESH look-ups: for what no call shows (the kernel joins
 *   small pages to a huge one, moves pages to make room, swaps),
 * and never kept at all where a write may give the page another frame: pages
 * that are not ours alone (after a fork, and the one page of zeros that stands
 * for all that was read before it was written), and those of files, in writable
 * memory.
 */
#include "pub_tool_basics.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tracee/valgrind-lib/memory.h"
#include "tracee/valgrind-lib/pages.h"

#define PAGE_BITS	12
#define KEPT		8192u		/* pages whose frames are kept, a power of two */
#define REFRESH		(1u << 22)

/* Documentation/admin-guide/mm/pagemap.rst */
#define MAP_PRESENT	(1ull << 63)
#define MAP_FILE	(1ull << 61)
#define MAP_EXCLUSIVE	(1ull << 56)
#define MAP_FRAME	((1ull << 55) - 1)

/* mman.h; the first three leave nothing of the pages' contents. */
#define ADVICE_DONTNEED	4
#define ADVICE_REMOVE	9
#define ADVICE_DONTNEED_LOCKED	24

/* Valgrind's core. */
extern SysRes VG_(pread)(Int fd, void *buffer, Int count, OffT offset);
extern Int VG_(safe_fd)(Int old);

static struct kept {
	ULong page;			/* its number, 0 = none: nothing is mapped there */
	ULong frame;			/* its address */
} kept[KEPT];

static struct pages model;
static Bool used;		/* frames_init() was called */
static Bool real;
static Int pagemap = -1;
static ULong until_refresh;

static void drop_all(void)
{
	VG_(memset)(kept, 0, sizeof(kept));
	until_refresh = real ? REFRESH : ~0ull;
}

static void drop(Addr start, Addr end)
{
	ULong page = start >> PAGE_BITS, last = (end - 1) >> PAGE_BITS;

	if (start >= end)
		return;
	if (last - page >= KEPT) {
		drop_all();
		return;
	}
	for (; page <= last; page++)
		if (kept[page % KEPT].page == page)
			kept[page % KEPT].page = 0;
}

/* A range whose pages are others from now on. */
static void forget(Addr start, SizeT size)
{
	drop(start, start + size);
	if (!real)
		pages_forget(&model, start, start + size);
}

static ULong entry_of(ULong page)
{
	ULong entry;
	SysRes got;

	if (pagemap < 0)
		return 0;
	got = VG_(pread)(pagemap, &entry, sizeof(entry), page * sizeof(entry));
	if (sr_isError(got) || sr_Res(got) != sizeof(entry) || !(entry & MAP_PRESENT))
		return 0;
	return entry;
}

static void open_pagemap(void)
{
	Int fd = VG_(fd_open)("/proc/self/pagemap", VKI_O_RDONLY, 0);

	pagemap = fd < 0 ? -1 : VG_(safe_fd)(fd);
	if (!(entry_of((Addr)kept >> PAGE_BITS) & MAP_FRAME))
		VG_(umsg)("ccsample: process %d: the kernel shows frames only with CAP_SYS_ADMIN, "
			  "so no physical address is known; take --pages=random, huge or "
			  "identity\n", VG_(getpid)());
}

void frames_init(const struct page_plan *plan)
{
	used = True;
	real = plan->kind == PAGES_REAL;
	drop_all();
	if (!real)
		pages_open(&model, plan, &engine_memory);	/* which does not fail */
	else
		open_pagemap();
}

void frames_renew(void)
{
	if (!used || real)
		return;
	drop_all();
	pages_close(&model);
	pages_open(&model, &model.plan, &engine_memory);
}

/* May a write give the page another frame, unseen? */
static Bool may_move(ULong page, ULong entry)
{
	const NSegment *segment;

	if ((entry & (MAP_EXCLUSIVE | MAP_FILE)) == MAP_EXCLUSIVE)
		return False;
	segment = VG_(am_find_nsegment)(page << PAGE_BITS);
	return !segment || segment->hasW;
}

static Bool look_up(ULong page, struct kept *slot, ULong *frame)
{
	ULong entry;
	uint64_t physical;

	if (!real) {
		if (!pages_translate(&model, page << PAGE_BITS, &physical))
			return False;
		*frame = physical;
		*slot = (struct kept){ page, physical };
		return True;
	}
	entry = entry_of(page);
	if (!(entry & MAP_FRAME))
		return False;
	*frame = (entry & MAP_FRAME) << PAGE_BITS;
	if (!may_move(page, entry))
		*slot = (struct kept){ page, *frame };
	return True;
}

Bool frames_translate(Addr address, ULong *physical)
{
	ULong page = address >> PAGE_BITS, frame;
	struct kept *slot = &kept[page % KEPT];

	if (!--until_refresh)
		drop_all();
	if (slot->page == page)
		frame = slot->frame;
	else if (!look_up(page, slot, &frame))
		return False;
	*physical = frame | (address & ((1u << PAGE_BITS) - 1));
	return True;
}

static void advised(Addr start, SizeT size, UWord advice)
{
	if (advice == ADVICE_DONTNEED || advice == ADVICE_REMOVE ||
	    advice == ADVICE_DONTNEED_LOCKED)
		forget(start, size);
	else
		drop(start, start + size);
}

/* A block that is not moved keeps its pages. */
static void remapped(Addr from, SizeT old_size, SizeT new_size, Addr to)
{
	if (from != to) {
		forget(from, old_size);
		forget(to, new_size);
	} else if (new_size < old_size) {
		forget(from + new_size, old_size - new_size);
	}
}

void frames_syscall(UInt number, const UWord *args, SysRes result)
{
	if (!used || sr_isError(result))
		return;
	switch (number) {
	case __NR_mmap:
		forget(sr_Res(result), args[1]);
		break;
	case __NR_munmap:
		forget(args[0], args[1]);
		break;
	case __NR_mremap:
		remapped(args[0], args[1], args[2], sr_Res(result));
		break;
	case __NR_madvise:
		advised(args[0], args[1], args[2]);
		break;
	case __NR_mprotect:
		drop(args[0], args[0] + args[1]);
		break;
	case __NR_shmat:
	case __NR_shmdt:
	case __NR_remap_file_pages:
	case __NR_mbind:
	case __NR_migrate_pages:
	case __NR_move_pages:
		drop_all();
		break;
	}
}

void frames_forked(Bool child)
{
	if (!real)
		return;
	drop_all();
	if (!child)
		return;
	if (pagemap >= 0)
		VG_(close)(pagemap);
	open_pagemap();
}
