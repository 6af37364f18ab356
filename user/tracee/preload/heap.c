// SPDX-License-Identifier: GPL-2.0-only
/*
 * The allocators, wrapped and never replaced: every block lies where it would
 * lie. A block is recorded after it was allocated and before it is freed, so that
 * the records of one address are in order whichever threads use it.
 *
 * operator new is not wrapped: it calls malloc(), and its caller is in
 * the stack.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "tracee/preload/native.h"
#include "tracee/preload/real.h"

/*
 * The wrapper stands among the caller's frames if it made this call. A signal's
 * frame ends the walk before it gets there: a handler interrupted the wrapper, and
 * recording its blocks would put records of one address out of order. What we ask of the C
 * library ourselves is not recorded.
 */
void hook_inside(const struct caller *caller)
{
	if (!self.arena && !unwind_reaches(caller, self.guard))
		ring_missed();
}

#define LARGE	(1ul << 20)	/* bytes: of blocks as large as this many more are reported */

struct rate heap_rate = { .large = LARGE };

static inline size_t least(void)
{
	return rate_least(&heap_rate);
}

/*
 * Where blocks were reported: a bit for each 16 bytes of 4 MiB, which all addresses share, and
 * which is set for good. Most blocks of a program that allocates all the time are small: where
 * their headers do not show it, this is how free() knows them.
 */
static uint8_t reported_at[(4u << 20) / 16 / 8];

static inline uint8_t reported_bit(const void *block)
{
	return 1u << ((uintptr_t)block >> 4) % 8;
}

static inline bool reported_near(const void *block)
{
	return __atomic_load_n(&reported_at[((uintptr_t)block >> 7) % sizeof(reported_at)],
			       __ATOMIC_RELAXED) & reported_bit(block);
}

static void set_reported(const void *block)
{
	if (!reported_near(block))
		__atomic_fetch_or(&reported_at[((uintptr_t)block >> 7) % sizeof(reported_at)],
				  reported_bit(block), __ATOMIC_RELAXED);
}

static inline bool is_unreported(const void *block)
{
	return least() && !reported_near(block);
}

/* By what the block can hold, no less than was asked for: no reported block is freed unseen. */
static bool is_small(void *block)
{
	return is_unreported(block) || (least() && real.malloc_usable_size(block) < least());
}

/* From now on only larger blocks are reported; what is known of the small ones is forgotten. */
static void watch_rate(size_t size, uint64_t now)
{
	size_t raised = rate_watch(&heap_rate, size, 1, now);

	if (raised)
		ring_write_forget(CCS_FORGET, raised);
}

/* Maps that came without our knowing: the caller's code, a heap that grew. */
static inline void look_at_maps(uintptr_t ip, const void *block, size_t size)
{
	uintptr_t address = (uintptr_t)block;

	maps_check(ip);
	if (unlikely(address + size > __atomic_load_n(&maps.heap_end, __ATOMIC_RELAXED) &&
		     address - maps.heap < HEAP_MOST))
		maps_heap_grown(0);
}

void write_alloc(const struct caller *caller, const void *block, size_t size, uint32_t kind)
{
	struct ccs_alloc *r;
	uint64_t now;
	uint32_t id;

	look_at_maps(caller->ip, block, size);
	if (kind == CCS_ALLOC_HEAP)
		set_reported(block);
	id = stacks_id(caller);
	r = ring_reserve(CCS_ALLOC, sizeof(*r), &now);
	if (unlikely(!r))
		return;
	r->time = now;
	r->address = (uintptr_t)block;
	r->size = size;
	r->stack = id;
	r->kind = kind;
	ring_commit(r);
	if (kind == CCS_ALLOC_HEAP)
		watch_rate(size, now);
}

void write_free(const void *block)
{
	struct ccs_free *r;
	uint64_t now;

	r = ring_reserve(CCS_FREE, sizeof(*r), &now);
	if (unlikely(!r))
		return;
	r->time = now;
	r->address = (uintptr_t)block;
	ring_commit(r);
}

/*
 * What programs call all the time: the outermost wrapper, of a block that is not reported. The C
 * library's allocator calls none of us back, so nothing is kept of who is in it. Each of its blocks
 * is led by the size of its chunk and three flags (malloc/malloc.c, struct malloc_chunk), by which
 * free() knows small ones without a look at anything else. That is so where it is so of the first
 * block that is seen.
 */
#define CHUNK_FLAGS	7ul
#define CHUNK_MAPPED	2ul
#define CHUNK_HEAD	8ul

bool heap_is_plain;

static size_t chunk_of(const void *block)
{
	return ((const size_t *)block)[-1];
}

static void look_at_chunk(void *block)
{
	static bool looked;

	if (likely(__atomic_load_n(&looked, __ATOMIC_RELAXED)) || !real_is_plain ||
	    chunk_of(block) & CHUNK_MAPPED)
		return;
	__atomic_store_n(&heap_is_plain, (chunk_of(block) & ~CHUNK_FLAGS) ==
			 real.malloc_usable_size(block) + CHUNK_HEAD, __ATOMIC_RELAXED);
	__atomic_store_n(&looked, true, __ATOMIC_RELAXED);
}

static inline bool is_brief(const void *block)
{
	return likely(self.brief) && likely(chunk_of(block) < self.brief + CHUNK_HEAD);
}

/*
 * The rest apart, so that the wrappers themselves need little of a frame. They jump there: what is
 * found as the caller is theirs.
 */
#define ASIDE	__attribute__((noinline))

/*
 * All looks are before the allocator is jumped to, which is cheaper than to come back from it. What
 * the heap has grown by then is seen at the timer's ticks. A child of a fork that was not the C
 * library's begins here.
 */
static inline bool is_to_look(uintptr_t ip)
{
	return unlikely(!live->ring || ip - maps.linker < maps.linker_size ||
			__atomic_load_n(&maps.dirty, __ATOMIC_RELAXED));
}

static void look(uintptr_t ip)
{
	if (image_ready())
		maps_check(ip);
}

/* What a wrapper returns: records the block. */
static inline void *done(const struct caller *caller, void *block, size_t size)
{
	if (likely(block))
		look_at_chunk(block);
	hook_leave();
	if (unlikely(!block))
		return NULL;
	if (size < least())
		look_at_maps(caller->ip, block, size);
	else
		write_alloc(caller, block, size, CCS_ALLOC_HEAP);
	return block;
}

/* Not the program's call: our own, or before all is ready. */
static bool is_own(void)
{
	return self.arena || !real_ready();
}

static ASIDE void *any_malloc(size_t size)
{
	const struct caller caller = caller_here();

	if (likely(hook_enter(&caller)))
		return done(&caller, real.malloc(size), size);
	return is_own() ? arena_alloc(size, 1) : real.malloc(size);
}

static ASIDE void *looking_malloc(uintptr_t ip, size_t size)
{
	look(ip);
	return real.malloc(size);
}

EXPORT void *malloc(size_t size)
{
	uintptr_t ip = (uintptr_t)__builtin_return_address(0);

	if (unlikely(size >= self.brief))
		return any_malloc(size);
	return is_to_look(ip) ? looking_malloc(ip, size) : real.malloc(size);
}

static ASIDE void *any_calloc(size_t count, size_t size)
{
	const struct caller caller = caller_here();

	if (likely(hook_enter(&caller)))
		return done(&caller, real.calloc(count, size), count * size);
	return is_own() ? arena_alloc(count * size, 1) : real.calloc(count, size);
}

static ASIDE void *looking_calloc(uintptr_t ip, size_t count, size_t size)
{
	look(ip);
	return real.calloc(count, size);
}

EXPORT void *calloc(size_t count, size_t size)
{
	uintptr_t ip = (uintptr_t)__builtin_return_address(0);
	size_t bytes;

	if (unlikely(__builtin_mul_overflow(count, size, &bytes) || bytes >= self.brief))
		return any_calloc(count, size);
	return is_to_look(ip) ? looking_calloc(ip, count, size) : real.calloc(count, size);
}

static void is_freed(void *block)
{
	stacks_go((uintptr_t)block, real.malloc_usable_size(block));
	write_free(block);
}

static ASIDE void any_free(void *block)
{
	const struct caller caller = caller_here();

	if (unlikely(!hook_enter(&caller))) {
		if (real_ready())
			real.free(block);
		return;
	}
	if (!is_small(block))
		is_freed(block);
	real.free(block);
	hook_leave();
}

EXPORT void free(void *block)
{
	if (unlikely(!block))
		return;
	if (is_brief(block))
		real.free(block);
	else if (!arena_holds(block))
		any_free(block);
}

static void *move_from_arena(void *block, size_t size)
{
	size_t old = block ? arena_size(block) : 0;
	void *new = is_own() ? arena_alloc(size, 1) : real.malloc(size);

	if (new && block)
		memcpy(new, block, old < size ? old : size);
	return new;
}

/*
 * The old block is recorded as freed before another thread can have it. Where there
 * was no memory for a new one it lives on: it is recorded again, by what it can hold.
 */
static void *resize(const struct caller *caller, void *block, size_t size)
{
	void *new;

	if (block && !is_small(block))
		is_freed(block);
	new = real.realloc(block, size);
	if (likely(new || !size || !block))
		return done(caller, new, size);
	done(caller, block, real.malloc_usable_size(block));
	return NULL;
}

static ASIDE void *any_realloc(void *block, size_t size)
{
	const struct caller caller = caller_here();

	if (block && arena_holds(block))
		return move_from_arena(block, size);
	if (likely(hook_enter(&caller)))
		return resize(&caller, block, size);
	return is_own() ? move_from_arena(NULL, size) : real.realloc(block, size);
}

static ASIDE void *looking_realloc(uintptr_t ip, void *block, size_t size)
{
	look(ip);
	return real.realloc(block, size);
}

EXPORT void *realloc(void *block, size_t size)
{
	uintptr_t ip = (uintptr_t)__builtin_return_address(0);

	if (unlikely(size >= self.brief || (block && !is_brief(block))))
		return any_realloc(block, size);
	return is_to_look(ip) ? looking_realloc(ip, block, size) : real.realloc(block, size);
}

EXPORT void *reallocarray(void *block, size_t count, size_t size)
{
	struct caller caller = caller_here();
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	if (arena_holds(block))
		return move_from_arena(block, bytes);
	if (likely(hook_enter(&caller)))
		return resize(&caller, block, bytes);
	return is_own() ? move_from_arena(NULL, bytes) : real.realloc(block, bytes);
}

EXPORT void *memalign(size_t align, size_t size)
{
	struct caller caller = caller_here();

	if (likely(hook_enter(&caller)))
		return done(&caller, real.memalign(align, size), size);
	return is_own() ? arena_alloc(size, align) : real.memalign(align, size);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	struct caller caller = caller_here();

	if (likely(hook_enter(&caller)))
		return done(&caller, real.aligned_alloc(align, size), size);
	return is_own() ? arena_alloc(size, align) : real.aligned_alloc(align, size);
}

EXPORT int posix_memalign(void **block, size_t align, size_t size)
{
	struct caller caller = caller_here();
	int error;

	if (unlikely(!hook_enter(&caller))) {
		if (!is_own())
			return real.posix_memalign(block, align, size);
		*block = arena_alloc(size, align);
		return *block ? 0 : ENOMEM;
	}
	error = real.posix_memalign(block, align, size);
	done(&caller, error ? NULL : *block, size);
	return error;
}

EXPORT void *valloc(size_t size)
{
	struct caller caller = caller_here();

	if (likely(hook_enter(&caller)))
		return done(&caller, real.valloc(size), size);
	return is_own() ? arena_alloc(size, 4096) : real.valloc(size);
}

EXPORT void *pvalloc(size_t size)
{
	struct caller caller = caller_here();

	if (likely(hook_enter(&caller)))
		return done(&caller, real.pvalloc(size), size);
	return is_own() ? arena_alloc(size, 4096) : real.pvalloc(size);
}
