// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

#include "tracee/valgrind-lib/first-stack.h"

#define UNIT		(64ul << 10)	/* far more than most environments take */
#define RED_ZONE	128		/* below the stack pointer (psABI 3.2.2) */
#define PAGE		4096ul

/*
 * Odd parts of a page in bytes: the stack and the heap of successive layouts come to lie all over
 * a page, and far from each other (multiples of the golden ratio do so).
 */
#define STACK_STEP	2531ul
#define HEAP_STEP	1553ul
#define STACK_PAGES	16ul		/* the stack moves by up to so many whole pages, too */

/* Valgrind's core. */
extern Addr VG_(brk_base), VG_(brk_limit);
extern void VG_(set_SP)(ThreadId id, Addr sp);
extern Bool VG_(extend_stack)(ThreadId id, Addr address);

static UWord *behind_zero(UWord *at)
{
	while (*at++)
		;
	return at;
}

/*
 * The bytes that the kernel gives each program (AT_RANDOM): the loader reads behind its strings,
 * where they lie, and its tables by them, so that misses would differ.
 */
static void fix_random_bytes(UChar *bytes)
{
	UInt i;

	for (i = 0; i < 16; i++)
		bytes[i] = 31 * i + 7;
}

/* Of the arguments but for the program's own name, which is another in another directory. */
static SizeT arguments_size(const UWord *argv)
{
	SizeT size = 0;

	while (*argv && *++argv)
		size += VG_(strlen)((const HChar *)*argv) + 1;
	return size;
}

static void copy_arguments(UWord *argv, HChar *to)
{
	while (*argv && *++argv) {
		VG_(strcpy)(to, (const HChar *)*argv);
		*argv = (UWord)to;
		to += VG_(strlen)(to) + 1;
	}
}

/* Within a page, in steps that an ABI keeps: stacks and blocks are aligned to 16 bytes. */
static SizeT part_of_page(UInt layout, SizeT step)
{
	return layout * step % PAGE & ~15ul;
}

static SizeT stack_shift(UInt layout)
{
	return part_of_page(layout, STACK_STEP) + layout % STACK_PAGES * PAGE;
}

/* The heap begins behind the program's data, as where the kernel does not randomize it. */
static void place_heap(UInt layout)
{
	SizeT shift = part_of_page(layout, HEAP_STEP);

	if (VG_(brk_limit) != VG_(brk_base) || VG_(brk_base) % PAGE)
		return;
	VG_(brk_base) += shift;
	VG_(brk_limit) += shift;
}

/*
 * Copies the vectors of pointers to UNIT below the stack's end, the arguments to half of that; what
 * they point to else stays where it is. Larger environments take a multiple.
 * @shift: bytes that all of it lies lower
 */
static void place_vectors(ThreadId id, UWord *old, const UWord *end, SizeT shift)
{
	Addr top = VG_(thread_get_stack_max)(id) + 1;
	SizeT size = UNIT, vectors = (Addr)end - (Addr)old;
	SizeT strings = arguments_size(old + 1) + top - (Addr)old;
	UWord *placed;

	while (size / 2 < vectors || size / 2 < strings)
		size *= 2;
	if (size + shift > VG_(thread_get_stack_size)(id) / 2 ||
	    !VG_(extend_stack)(id, top - size - shift - RED_ZONE))
		return;
	placed = (UWord *)(top - size - shift);
	VG_(memcpy)(placed, old, vectors);
	copy_arguments(placed + 1, (HChar *)placed + size / 2);
	VG_(set_SP)(id, (Addr)placed);
}

Addr first_stack_fix(ThreadId id, Bool place, UInt layout)
{
	UWord *vectors = (UWord *)VG_(get_SP)(id), *at;
	Addr entry = 0;

	for (at = behind_zero(behind_zero(vectors + 1)); *at != AT_NULL; at += 2)
		if (*at == AT_RANDOM)
			fix_random_bytes((UChar *)at[1]);
		else if (*at == AT_ENTRY)
			entry = at[1];
	if (place) {
		place_vectors(id, vectors, at + 2, stack_shift(layout));
		place_heap(layout);
	}
	return entry;
}
