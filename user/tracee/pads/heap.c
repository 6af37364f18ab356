// SPDX-License-Identifier: GPL-2.0-only
/*
 * The allocator's functions. Small blocks, and what falls under no rule, are the allocator's own,
 * by jumps to it; a staggered block is one of its blocks, a little larger, whose user gets a later
 * address.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "tracee/pads/pads.h"

static bool is_power(size_t align)
{
	return align && !(align & (align - 1));
}

/*
 * What we add must not send a block to where the allocator keeps larger ones: blocks that the C
 * library maps by themselves all begin at one place of a page, and each costs a system call.
 * Where the threshold has followed what was freed, a block that crosses it moves it once.
 */
static bool crosses(size_t size, size_t room)
{
	const size_t header = 2 * sizeof(size_t);
	size_t threshold = real_threshold;

	return size + header < threshold && size + room + header >= threshold;
}

/*
 * A block in huge pages has a shift in any case: its alignment and size are not those that an
 * operator delete, which may be told both, is told.
 */
static uint32_t shift_of(const struct pads_rule *rule, uint64_t number, size_t kept)
{
	uint32_t shift = pads_shift(number, rule->step, kept);

	return shift || !rule->huge || kept > SYSTEM_PAGE ? shift : kept;
}

static void *allocate_huge(size_t align, size_t size, bool zero)
{
	void *block = real.memalign(align > PADS_HUGE ? align : PADS_HUGE, size);

	if (!block)
		return NULL;
	huge_pages(block, size, true);
	return zero ? memset(block, 0, size) : block;
}

static void *allocate(const struct pads_rule *rule, size_t align, size_t size, bool zero)
{
	if (rule->huge)
		return allocate_huge(align, size, zero);
	if (zero)
		return real.calloc(1, size);
	return align > MALLOC_ALIGN ? real.memalign(align, size) : real.malloc(size);
}

void *heap_stagger(size_t align, size_t size, bool zero, const void *caller)
{
	const struct pads_rule *rule;
	uint64_t number;
	uint32_t index, shift, room;
	size_t kept;
	char *block;

	rule = sites_rule(caller, size, &number, &index);
	if (!rule)
		return NULL;
	kept = pads_kept_align(rule, align);
	shift = shift_of(rule, number, kept);
	room = shift > pads_room(kept) ? shift : pads_room(kept);
	if (!shift || size > PTRDIFF_MAX - room || crosses(size, room))
		return NULL;
	block = allocate(rule, align, size + room, zero);
	if (!block)
		return NULL;
	if ((uintptr_t)block % MALLOC_ALIGN || !table_enter(block + shift, shift)) {
		real.free(block);
		return NULL;
	}
	sites_count(index);
	return block + shift;
}

SLOW void heap_release(void *pointer, uint32_t shift)
{
	if (shift == SHIFT_EARLY)
		return;
	table_remove(pointer);
	real.free((char *)pointer - shift);
}

static SLOW void *malloc_large(size_t size, const void *caller)
{
	void *block = heap_stagger(MALLOC_ALIGN, size, false, caller);

	return block ? block : real.malloc(size);
}

EXPORT void *malloc(size_t size)
{
	return likely(size < least_block) ? real.malloc(size) : malloc_large(size, CALLER);
}

static SLOW void *calloc_large(size_t size, const void *caller)
{
	void *block = heap_stagger(MALLOC_ALIGN, size, true, caller);

	return block ? block : real.calloc(1, size);
}

EXPORT void *calloc(size_t count, size_t size)
{
	size_t bytes;

	if (unlikely(__builtin_mul_overflow(count, size, &bytes)) || likely(bytes < least_block))
		return real.calloc(count, size);
	return calloc_large(bytes, CALLER);
}

EXPORT void free(void *pointer)
{
	uint32_t shift = table_shift(pointer);

	if (unlikely(shift)) {
		heap_release(pointer, shift);
		return;
	}
	real.free(pointer);
}

/* C23, which headers may not have. The allocator would be given another size than it knows. */
EXPORT void free_sized(void *pointer, size_t size);
EXPORT void free_aligned_sized(void *pointer, size_t align, size_t size);

EXPORT void free_sized(void *pointer, size_t size)
{
	free(pointer);
}

EXPORT void free_aligned_sized(void *pointer, size_t align, size_t size)
{
	free(pointer);
}

static SLOW size_t usable_of_ours(void *pointer, uint32_t shift)
{
	if (shift == SHIFT_EARLY)
		return SYSTEM_PAGE;
	return real.malloc_usable_size((char *)pointer - shift) - shift;
}

EXPORT size_t malloc_usable_size(void *pointer)
{
	uint32_t shift = table_shift(pointer);

	return unlikely(shift) ? usable_of_ours(pointer, shift) : real.malloc_usable_size(pointer);
}

/* --- realloc --- */

/* To another block, whose address is another or whose shift is. Return: it, or NULL. */
static void *move(void *new, void *pointer, size_t size)
{
	if (new) {
		memcpy(new, pointer, size);
		free(pointer);
	}
	return new;
}

/* A block of the allocator's that becomes large enough for a rule. Those that are stay. */
static SLOW void *grow(void *pointer, size_t size, const void *caller)
{
	size_t old = real.malloc_usable_size(pointer);
	void *new;

	if (old >= least_block)
		return real.realloc(pointer, size);
	new = heap_stagger(MALLOC_ALIGN, size, false, caller);
	return new ? move(new, pointer, old) : real.realloc(pointer, size);
}

/*
 * The shift stays, so that a block that the allocator moves by its pages need not be copied. While
 * it may be moved its old address is not in the table: another thread may get it.
 */
static void *resize(void *pointer, uint32_t shift, size_t size)
{
	const uint32_t room = shift > pads_room(PADS_GRAIN) ? shift : pads_room(PADS_GRAIN);
	char *block = (char *)pointer - shift, *new;

	if (size > PTRDIFF_MAX - room) {
		errno = ENOMEM;
		return NULL;
	}
	table_remove(pointer);
	new = real.realloc(block, size + room);
	if (!new) {
		table_enter(pointer, shift);
		return NULL;
	}
	if (!((uintptr_t)new % MALLOC_ALIGN) && table_enter(new + shift, shift))
		return new + shift;
	return memmove(new, new + shift, size);
}

static SLOW void *resize_ours(void *pointer, uint32_t shift, size_t size)
{
	if (shift == SHIFT_EARLY)
		return move(malloc(size), pointer, size < SYSTEM_PAGE ? size : SYSTEM_PAGE);
	if (!size) {	/* the allocator says what that means */
		table_remove(pointer);
		return real.realloc((char *)pointer - shift, 0);
	}
	if (size < PADS_LEAST_BLOCK)
		return move(real.malloc(size), pointer, size);
	return resize(pointer, shift, size);
}

static inline __attribute__((always_inline)) void *reallocate(void *pointer, size_t size,
							       const void *caller)
{
	uint32_t shift = table_shift(pointer);

	if (unlikely(shift))
		return resize_ours(pointer, shift, size);
	if (likely(size < least_block))
		return real.realloc(pointer, size);
	return pointer ? grow(pointer, size, caller) : malloc_large(size, caller);
}

EXPORT void *realloc(void *pointer, size_t size)
{
	return reallocate(pointer, size, CALLER);
}

EXPORT void *reallocarray(void *pointer, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	/* An allocator before ours may lack this function alone: the block is its own. */
	if (unlikely(real_is_hidden()))
		return realloc(pointer, bytes);
	return reallocate(pointer, bytes, CALLER);
}

/* --- with an alignment --- */

EXPORT void *memalign(size_t align, size_t size)
{
	void *block = NULL;

	if (unlikely(size >= least_block && is_power(align)))
		block = heap_stagger(align, size, false, CALLER);
	return block ? block : real.memalign(align, size);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	void *block = NULL;

	if (unlikely(size >= least_block && is_power(align)))
		block = heap_stagger(align, size, false, CALLER);
	return block ? block : real.aligned_alloc(align, size);
}

EXPORT int posix_memalign(void **result, size_t align, size_t size)
{
	void *block = NULL;

	if (unlikely(size >= least_block && is_power(align) && align >= sizeof(void *)))
		block = heap_stagger(align, size, false, CALLER);
	if (!block)
		return real.posix_memalign(result, align, size);
	*result = block;
	return 0;
}

EXPORT void *valloc(size_t size)
{
	void *block = NULL;

	if (unlikely(size >= least_block))
		block = heap_stagger(SYSTEM_PAGE, size, false, CALLER);
	return block ? block : real.valloc(size);
}

/* All of the last page may be used. */
EXPORT void *pvalloc(size_t size)
{
	void *block = NULL;

	if (unlikely(size >= least_block && size < PTRDIFF_MAX))
		block = heap_stagger(SYSTEM_PAGE, (size + SYSTEM_PAGE - 1) & -(size_t)SYSTEM_PAGE,
				     false, CALLER);
	return block ? block : real.pvalloc(size);
}
