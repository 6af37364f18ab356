// SPDX-License-Identifier: GPL-2.0-only
/*
 * The allocator underneath: whatever comes after us in the linker's order, the C library's or a
 * preloaded one. It is looked for at the first call, which may come before any constructor, and
 * the linker may allocate while it looks: such blocks are ours, and are never freed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracee/pads/pads.h"
#include "tracee/preload/find.h"

#define EARLY_PAGE	4096u
#define EARLY_BLOCKS	16

static char early[EARLY_BLOCKS][EARLY_PAGE] __attribute__((aligned(EARLY_PAGE)));
static EACH_PROCESS bool looking, found, hidden;

size_t real_threshold = SIZE_MAX;

/* A page each: the table holds one block a page. */
static void *early_alloc(size_t size)
{
	static uint32_t count;
	uint32_t i = size <= EARLY_PAGE ? __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) :
					  EARLY_BLOCKS;

	if (i < EARLY_BLOCKS && table_enter(early[i], SHIFT_EARLY))
		return early[i];
	errno = ENOMEM;
	return NULL;
}

/* --- the functions until the allocator is found --- */

static void *first_malloc(size_t size)
{
	return real_ready() ? real.malloc(size) : early_alloc(size);
}

static void *first_calloc(size_t count, size_t size)
{
	return real_ready() ? real.calloc(count, size) : early_alloc(count * size);
}

static void *first_realloc(void *block, size_t size)
{
	return real_ready() ? real.realloc(block, size) : early_alloc(size);
}

static void first_free(void *block)
{
	if (block && real_ready())
		real.free(block);
}

static void *first_memalign(size_t align, size_t size)
{
	return real_ready() ? real.memalign(align, size) : NULL;
}

static void *first_aligned_alloc(size_t align, size_t size)
{
	return real_ready() ? real.aligned_alloc(align, size) : NULL;
}

static int first_posix_memalign(void **block, size_t align, size_t size)
{
	return real_ready() ? real.posix_memalign(block, align, size) : ENOMEM;
}

static void *first_valloc(size_t size)
{
	return real_ready() ? real.valloc(size) : NULL;
}

static void *first_pvalloc(size_t size)
{
	return real_ready() ? real.pvalloc(size) : NULL;
}

static size_t first_usable_size(void *block)
{
	return real_ready() ? real.malloc_usable_size(block) : 0;
}

struct real real = {
	first_malloc, first_calloc, first_realloc, first_free, first_memalign, first_aligned_alloc,
	first_posix_memalign, first_valloc, first_pvalloc, first_usable_size,
};

/* --- the search --- */

/* Quick where the C library has that (2.35): dladdr() walks all symbols of a library. */
extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

static const void *library_of(const void *function)
{
	struct dl_find_object fast;
	Dl_info info;

	if (!function)
		return NULL;
	if (_dl_find_object)
		return _dl_find_object((void *)function, &fast) ? NULL : fast.dlfo_map_start;
	return dladdr(function, &info) ? info.dli_fbase : NULL;
}

static bool find_all(void)
{
	struct real next;
	const struct wrapped all[] = {
#define FIND(f)	{ #f, &next.f }
		FIND(malloc), FIND(calloc), FIND(realloc), FIND(free), FIND(memalign),
		FIND(aligned_alloc), FIND(posix_memalign), FIND(valloc), FIND(pvalloc),
		FIND(malloc_usable_size),
#undef FIND
	};

	/* The linker has set this address to the first malloc() in its order. */
	hidden = library_of(malloc) != library_of(&real);
	if (!find_wrapped(all, ARRAY_SIZE(all), dlsym))
		return false;
	real = next;
	return true;
}

/* --- the threshold of the C library --- */

/* mallopt(3): M_MMAP_THRESHOLD is 128 KiB at first, and then follows what is freed. */
#define THRESHOLD_FIRST	(128u << 10)

static void threshold_from(const char *text)
{
	char *end;
	unsigned long value = text ? strtoul(text, &end, 0) : 0;

	if (value)
		real_threshold = value;
}

static void find_threshold(void)
{
	static const char tunable[] = "glibc.malloc.mmap_threshold=";
	const char *tunables;

	if (library_of(real.malloc) != library_of(gnu_get_libc_version))
		return;
	real_threshold = THRESHOLD_FIRST;
	threshold_from(getenv("MALLOC_MMAP_THRESHOLD_"));
	tunables = getenv("GLIBC_TUNABLES");
	tunables = tunables ? strstr(tunables, tunable) : NULL;
	threshold_from(tunables ? tunables + strlen(tunable) : NULL);
}

EXPORT int mallopt(int parameter, int value)
{
	int (*next)(int parameter, int value) = dlsym(RTLD_NEXT, "mallopt");

	if (!real_ready() || !next)
		return 0;
	if (parameter == M_MMAP_THRESHOLD && real_threshold != SIZE_MAX)
		real_threshold = value;
	return next(parameter, value);
}

bool real_ready(void)
{
	if (likely(found))
		return true;
	if (looking)
		return false;
	looking = true;
	found = find_all();
	if (found)
		find_threshold();
	looking = false;
	return found;
}

bool real_is_hidden(void)
{
	return hidden;
}
