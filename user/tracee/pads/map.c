// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings that the program makes itself. At sites where the plan gives up that they begin with a
 * page, they begin up to a page later: the program has an address inside the mapping, and what it
 * asks of parts of it is done for the pages that these parts have for themselves. Those that the
 * plan wants in huge pages stay where the kernel put them.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "tracee/pads/pads.h"

#define REGIONS		1024u
#define TAKEN		1u		/* instead of an address: is being entered */

/* A staggered mapping, as the program knows it. */
struct region {
	uintptr_t start;		/* 0 = none */
	size_t size;			/* whole pages */
	uint32_t shift;
};

static struct region regions[REGIONS];
static EACH_PROCESS uint32_t reached;	/* those from here on were never used */

/* The next object's function, found at the first call. */
#define NEXT(name)	({								\
	static EACH_PROCESS typeof(&name) next;						\
	typeof(next) function = __atomic_load_n(&next, __ATOMIC_RELAXED);		\
											\
	if (unlikely(!function)) {							\
		*(void **)&function = dlsym(RTLD_NEXT, #name);				\
		__atomic_store_n(&next, function, __ATOMIC_RELAXED);			\
	}										\
	function;									\
})

static size_t whole_pages(size_t size)
{
	return (size + SYSTEM_PAGE - 1) & -(size_t)SYSTEM_PAGE;
}

/* --- regions --- */

static struct region *take_region(void)
{
	uint32_t i;

	for (i = 0; i < REGIONS; i++) {
		uintptr_t none = 0;

		if (!__atomic_compare_exchange_n(&regions[i].start, &none, TAKEN, false,
						 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		while (reached <= i && !__sync_bool_compare_and_swap(&reached, reached, i + 1))
			;
		return &regions[i];
	}
	return NULL;
}

static void *enter_region(struct region *region, char *mapping, size_t size, uint32_t shift)
{
	region->size = size;
	region->shift = shift;
	__atomic_store_n(&region->start, (uintptr_t)mapping + shift, __ATOMIC_RELEASE);
	return mapping + shift;
}

static void leave_region(struct region *region)
{
	__atomic_store_n(&region->start, 0, __ATOMIC_RELEASE);
}

/* The one that an address lies in. */
static struct region *region_of(const void *address)
{
	uint32_t i, end = __atomic_load_n(&reached, __ATOMIC_RELAXED);

	for (i = 0; i < end; i++) {
		uintptr_t start = __atomic_load_n(&regions[i].start, __ATOMIC_ACQUIRE);

		if (start > TAKEN && (uintptr_t)address - start < regions[i].size)
			return &regions[i];
	}
	return NULL;
}

static bool is_whole(const struct region *region, const void *start, size_t size)
{
	return region->start == (uintptr_t)start && region->size == whole_pages(size);
}

static void *mapping_of(const struct region *region)
{
	return (void *)(region->start - region->shift);
}

/* The pages that lie in a range completely. Return: false if there are none. */
static bool inner_pages(void **start, size_t *size)
{
	uintptr_t low = whole_pages((uintptr_t)*start);
	uintptr_t high = ((uintptr_t)*start + *size) & -(uintptr_t)SYSTEM_PAGE;

	*start = (void *)low;
	*size = high - low;
	return low < high;
}

/* --- calls --- */

static bool is_plain(const void *wanted, int flags)
{
	return !wanted && (flags & MAP_ANONYMOUS) && (flags & MAP_TYPE) == MAP_PRIVATE &&
	       !(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_HUGETLB | MAP_GROWSDOWN));
}

static void *map_huge(size_t size, int protection, int flags, uint32_t index)
{
	const int all = PROT_READ | PROT_WRITE;
	void *mapping = NEXT(mmap)(NULL, size, protection, flags, -1, 0);

	if (mapping == MAP_FAILED)
		return NULL;
	huge_pages(mapping, size, (protection & all) == all);
	sites_count(index);
	return mapping;
}

static void *map_staggered(size_t size, int protection, int flags, const void *caller)
{
	const struct pads_rule *rule;
	struct region *region;
	uint32_t index, shift;
	uint64_t number;
	char *mapping;

	rule = sites_map_rule(caller, size, &number, &index);
	if (!rule || size > PTRDIFF_MAX)
		return NULL;
	if (rule->huge)
		return map_huge(size, protection, flags, index);
	shift = pads_shift(number, rule->step, pads_kept_align(rule, SYSTEM_PAGE));
	region = shift ? take_region() : NULL;
	if (!region)
		return NULL;
	size = whole_pages(size);
	mapping = NEXT(mmap)(NULL, size + SYSTEM_PAGE, protection, flags, -1, 0);
	if (mapping == MAP_FAILED) {
		leave_region(region);
		return NULL;
	}
	sites_count(index);
	return enter_region(region, mapping, size, shift);
}

EXPORT void *mmap(void *wanted, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *start = is_plain(wanted, flags) ?
		      map_staggered(size, protection, flags, CALLER) : NULL;

	return start ? start : NEXT(mmap)(wanted, size, protection, flags, fd, offset);
}

EXPORT void *mmap64(void *wanted, size_t size, int protection, int flags, int fd, off_t offset)
	__attribute__((alias("mmap")));

EXPORT int munmap(void *start, size_t size)
{
	struct region *region = region_of(start);

	if (likely(!region))
		return NEXT(munmap)(start, size);
	if (is_whole(region, start, size)) {
		start = mapping_of(region);
		size = region->size + SYSTEM_PAGE;
		leave_region(region);
		return NEXT(munmap)(start, size);
	}
	return inner_pages(&start, &size) ? NEXT(munmap)(start, size) : 0;
}

/* Of a staggered mapping all or nothing is moved, to where there is room. */
static void *move_region(struct region *region, void *start, size_t size, size_t new_size,
			 int flags)
{
	char *mapping;

	if (!is_whole(region, start, size) || (flags & ~MREMAP_MAYMOVE) || !new_size ||
	    new_size > PTRDIFF_MAX) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	new_size = whole_pages(new_size);
	mapping = NEXT(mremap)(mapping_of(region), region->size + SYSTEM_PAGE,
			       new_size + SYSTEM_PAGE, flags);
	return mapping == MAP_FAILED ? mapping : enter_region(region, mapping, new_size,
							      region->shift);
}

EXPORT void *mremap(void *start, size_t size, size_t new_size, int flags, ...)
{
	struct region *region = region_of(start);
	void *wanted;
	va_list more;

	if (unlikely(region))
		return move_region(region, start, size, new_size, flags);
	va_start(more, flags);
	wanted = va_arg(more, void *);
	va_end(more);
	return NEXT(mremap)(start, size, new_size, flags, wanted);
}

/* What is forbidden must not reach beyond the range, what is allowed must reach all of it. */
EXPORT int mprotect(void *start, size_t size, int protection)
{
	const int all = PROT_READ | PROT_WRITE;
	struct region *region = region_of(start);
	uintptr_t low = (uintptr_t)start & -(uintptr_t)SYSTEM_PAGE;

	if (likely(!region))
		return NEXT(mprotect)(start, size, protection);
	if ((protection & all) == all)
		return NEXT(mprotect)((void *)low, whole_pages((uintptr_t)start + size - low),
				      protection);
	return inner_pages(&start, &size) ? NEXT(mprotect)(start, size, protection) : 0;
}

/* Pages given back read as zeros afterwards; so must what shares a page with something else. */
static int give_back(char *start, size_t size)
{
	char *pages = start, *end = start + size;
	size_t inner = size;

	if (!inner_pages((void **)&pages, &inner)) {
		memset(start, 0, size);
		return 0;
	}
	memset(start, 0, pages - start);
	memset(pages + inner, 0, end - (pages + inner));
	return NEXT(madvise)(pages, inner, MADV_DONTNEED);
}

EXPORT int madvise(void *start, size_t size, int advice)
{
	struct region *region = region_of(start);

	if (likely(!region))
		return NEXT(madvise)(start, size, advice);
	size = whole_pages(size);
	if (advice == MADV_DONTNEED)
		return give_back(start, size);
	return inner_pages(&start, &size) ? NEXT(madvise)(start, size, advice) : 0;
}
