/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library that is preloaded into natively running programs. Its rooms:
 *
 *	ring.c		writes records
 *	image.c		a process image begins, ends, forks; its threads
 *	maps.c		what is mapped: by the linker, and when an image begins
 *	mapped.c	... by the program
 *	maps-text.c	/proc/self/maps
 *	unwind.c	who called, by the program's unwind tables
 *	recent.c	recent walks
 *	stacks.c	call stacks by number
 *	heap.c		wrappers of the allocators
 *	rate.c		how many blocks are reported
 *	wrap.c		wrappers of all other functions
 *	real.c		the functions that are wrapped
 *
 * It runs inside other people's programs: whatever fails, it goes silent and
 * the program goes on. No allocation, no errno, no lock that a signal handler
 * or a fork's child could find taken.
 */
#ifndef CCSAMPLE_TRACEE_PRELOAD_NATIVE_H
#define CCSAMPLE_TRACEE_PRELOAD_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <x86intrin.h>

#include "format/format.h"
#include "tracee/preload/ring.h"
#include "tracee/preload/sys.h"

/* What is declared here is found without a table of addresses. */
#pragma GCC visibility push(hidden)

#define EXPORT		__attribute__((visibility("default")))
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/* --- memory of our tables --- */

/*
 * What is touched first, in one call as the library is loaded, not by a fault for each page. Later
 * there may be a filter of system calls.
 *
 * Return: false: there is no such memory.
 */
static inline bool pages_populate(void *memory, size_t size)
{
	if ((unsigned long)memory > -4096ul)
		return false;
	sys3(madvise, memory, size, POPULATE_WRITE);
	return true;
}

/* ... then: written to at first, or a page that is read at first has a second fault. */
static inline void pages_touch(void *memory, size_t size)
{
	size_t at;

	for (at = 0; at < size; at += 4096)
		__atomic_fetch_or((uint64_t *)((char *)memory + at), 0, __ATOMIC_RELAXED);
}

/* --- image.c --- */

/* A page that the kernel clears in a fork's child, however it came about. */
struct live {
	struct ring *ring;		/* NULL = not recorded, or a child that has not begun */
	uint32_t pid;
	uint32_t claimed;		/* a thread of the child is beginning */
	uint64_t tail;			/* of the ring, as last seen */
	uint64_t stalled;		/* tail + 1 when the wait for space was last in vain */
	uint64_t missed;		/* before there was a ring to count it in */
};

extern struct live *live;
extern bool recording;			/* this image, or its children, may have a ring */

struct thread {
	uint32_t tid;			/* 0 = not yet known */
	uintptr_t stack_low, stack_high;
	uintptr_t guard;		/* frame of the outermost wrapper, 0 = in none */
	char *arena, *arena_next, *arena_end;	/* serves our own calls of the C library */
	uint32_t fork;			/* number + 1 of the fork under way, see image.c */
	uint64_t fork_time;
	struct recent *recent;		/* walks of this thread, NULL = none are kept */
	uint32_t walks, missed;		/* how many are, and how often they were none of these */
	uintptr_t walking;		/* stack pointer of a walk under way, 0 = none */
	size_t brief;			/* bytes: smaller blocks' calls are brief, see heap.c */
};

extern __thread struct thread self __attribute__((tls_model("initial-exec")));

/* Begins what must begin before a record can be written. Return: may records be written? */
bool image_ready_slow(void);

static inline bool image_ready(void)
{
	if (likely(live->ring && self.tid))
		return true;
	return recording && image_ready_slow();
}

/* For a thread that says so itself. */
void image_thread(void);

/* The image ends: EXIT, and the wait for the recorder. */
void image_exit(int status);

/* The program may be replaced. Return: image_exec_failed() is to be called if it was not. */
bool image_exec(void);
void image_exec_failed(void);

/* --- ring.c --- */

/*
 * ring_make() - a new ring in shared memory.
 * @fd: set to its descriptor, to be handed over and closed
 *
 * Return: NULL if it cannot be had.
 */
struct ring *ring_make(int *fd);
void ring_unmap(struct ring *ring);

/**
 * ring_reserve() - space for a record of the running thread.
 * @size: bytes, rounded up to a multiple of 8 here
 * @time: set to the TSC
 *
 * Waits a bounded time for the reader; then counts the record as lost.
 *
 * Return: the record with its type and tid set, to be filled in and committed; or NULL.
 */
void *ring_reserve(uint16_t type, uint32_t size, uint64_t *time);
void ring_commit(void *record);

/* Something was not recorded: counted as lost. */
void ring_missed(void);

/* Blocks, or mappings, of fewer bytes are not reported from here on (@type). */
void ring_write_forget(uint16_t type, size_t below);

/* --- rate.c --- */

/* How often blocks, or mappings, are reported. */
struct rate {
	size_t least;			/* bytes: smaller ones are not. 0 = all are, for ever */
	size_t large;			/* bytes: from there on more of them may be */
	uint64_t spent, since;
	uint32_t lately[64];		/* spent, by powers of two of their sizes */
};

static inline size_t rate_least(const struct rate *rate)
{
	return __atomic_load_n(&rate->least, __ATOMIC_RELAXED);
}

/*
 * One was reported. @cost: times that of a block
 *
 * Return: from which size on they are from now on, 0 = that has not changed.
 */
size_t rate_watch(struct rate *rate, size_t size, uint32_t cost, uint64_t now);

/* --- maps.c --- */

void maps_init(void);

/* All that is mapped, as records. */
void maps_begin(void);

/* What each allocation looks at, in one line of the cache. */
struct watched_maps {
	bool dirty;			/* by the linker, perhaps: look when it is through */
	uintptr_t linker, linker_size;	/* its code */
	uintptr_t heap, heap_end;	/* the area that malloc() grows by brk */
} __attribute__((aligned(64)));

extern struct watched_maps maps;
void maps_look(void);

static inline void maps_check(uintptr_t caller)
{
	if (unlikely(caller - maps.linker < maps.linker_size))
		__atomic_store_n(&maps.dirty, true, __ATOMIC_RELAXED);
	else if (unlikely(__atomic_load_n(&maps.dirty, __ATOMIC_RELAXED)))
		maps_look();
}

/* Written again: what the linker has loaded, and with @gone what is not there any more. */
void maps_scan(bool gone);

/* A mapping as a record. @since: TSC, 0 = now */
struct mapping;
void maps_write(const struct mapping *m, uint64_t since);
/* What is mapped there is gone. */
void maps_write_gone(uintptr_t start, uintptr_t end);

#define HEAP_MOST	(1ul << 40)
void maps_heap_grown(uint64_t since);

void maps_child(void);

/* --- mapped.c --- */

struct caller;

extern struct rate map_rate;

/* The program has mapped memory, of a file unless @fd is -1, or is about to unmap some. */
void mapped(const struct caller *caller, uintptr_t start, size_t size, int protection, int fd,
	    uint64_t offset);
void unmapped(uintptr_t start, size_t size);
/* Alternate stacks that are in memory which is about to go: bursts use them no more. */
void stacks_go(uintptr_t start, size_t size);

/* --- unwind.c --- */

#define STACK_DEPTH	12	/* frames of a stack that are kept, as the engine does */

/* Where a wrapper was called. */
struct caller {
	uintptr_t ip, sp, bp;
};

struct trail;

bool unwind_init(void);

/*
 * unwind() - who called, up to STACK_DEPTH frames.
 * @frames: innermost first, each a return address less one
 * @trail: set to what the result depends on
 *
 * Return: frames.
 */
uint32_t unwind(const struct caller *caller, uint64_t *frames, struct trail *trail);

/* Return: a frame whose caller's stack pointer is @sp is among the caller's. */
bool unwind_reaches(const struct caller *caller, uintptr_t sp);

/* Code went away: what was remembered of it is wrong. */
void unwind_forget(void);
extern uint32_t unwind_generation;	/* changes with it */

/* --- stacks.c --- */

bool stacks_init(void);

/* Return: the number of the caller's stack, whose record was written before; 0 = unknown. */
uint32_t stacks_id(const struct caller *caller);

/* Its frame is on the stack that this thread was given. */
static inline bool on_own_stack(const struct caller *caller)
{
	return caller->sp - self.stack_low < self.stack_high - self.stack_low;
}

static inline __attribute__((always_inline)) struct caller caller_here(void)
{
	const uintptr_t *frame = __builtin_frame_address(0);

	return (struct caller){ frame[1], (uintptr_t)(frame + 2), frame[0] };
}

/* --- heap.c --- */

/* A call within a wrapper's: counted as missed unless the wrapper made it. */
void hook_inside(const struct caller *caller);

/* Wrappers call one another (mmap in an allocator of the program's own): the outermost records. */
static inline bool hook_enter(const struct caller *caller)
{
	if (unlikely(!image_ready()))
		return false;
	if (unlikely(caller->sp < self.guard)) {
		hook_inside(caller);
		return false;
	}
	self.brief = 0;
	self.guard = caller->sp;
	return true;
}

extern struct rate heap_rate;
extern bool heap_is_plain;

static inline void hook_leave(void)
{
	self.guard = 0;
	if (__atomic_load_n(&heap_is_plain, __ATOMIC_RELAXED))
		self.brief = rate_least(&heap_rate);
}

void write_alloc(const struct caller *caller, const void *block, size_t size, uint32_t kind);
void write_free(const void *block);

/* --- real.c --- */

/* Finds the functions that are wrapped. Return: they are known (not while they are looked for). */
bool real_ready(void);
/* ... and no allocator of the program's own is among them. */
extern bool real_is_plain;

/*
 * ThreadSanitizer is in the program itself, not in a library: until it begins, which is after us,
 * its functions in place of the C library's are not to be called.
 */
bool real_is_sanitized(void);

/* Memory for our own calls of the C library, and while the functions are looked for. */
void *arena_alloc(size_t size, size_t align);
size_t arena_size(const void *block);
extern char arena_first[];
#define ARENA_FIRST	65536

static inline bool arena_holds(const void *block)
{
	const char *at = block;

	return unlikely((uintptr_t)(at - arena_first) < ARENA_FIRST ||
			(self.arena && at >= self.arena && at < self.arena_end));
}

#pragma GCC visibility pop

#endif /* CCSAMPLE_TRACEE_PRELOAD_NATIVE_H */
