// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the functions that are wrapped. The linker may allocate while it looks,
 * and calls us then: such blocks come from an arena of ours, and are never freed.
 */
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <setjmp.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/array.h"
#include "tracee/preload/find.h"
#include "tracee/preload/marker.h"
#include "tracee/preload/native.h"
#include "tracee/preload/real.h"
#include "tracee/preload/tables.h"

#define ALIGN	16

struct real real;
char arena_first[ARENA_FIRST] __attribute__((aligned(ALIGN)));

static char *arena_first_next = arena_first;
static bool looking, found;
bool real_is_plain;

/* dlsym() is wrapped too; dlvsym() is not. */
static bool find_dlsym(void)
{
	real.dlsym = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	if (!real.dlsym)
		real.dlsym = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	return real.dlsym;
}

static bool find_all(void)
{
	const struct wrapped all[] = {
#define FIND(f)	{ #f, &real.f }
		FIND(malloc), FIND(calloc), FIND(realloc), FIND(reallocarray), FIND(free),
		FIND(memalign), FIND(aligned_alloc), FIND(posix_memalign), FIND(valloc),
		FIND(pvalloc), FIND(malloc_usable_size), FIND(mmap), FIND(munmap), FIND(mremap),
		FIND(dl_iterate_phdr), FIND(dlclose), FIND(pthread_create),
		FIND(pthread_getattr_np), FIND(execve), FIND(execvpe), FIND(fexecve),
		FIND(execveat), FIND(posix_spawn), FIND(posix_spawnp), FIND(_exit), FIND(_Exit),
#undef FIND
	};

	return find_wrapped(all, ARRAY_SIZE(all), real.dlsym);
}

EXPORT struct extent ccsample_sideband_asks;

/* The object that a function is in. dladdr() would go through all symbols of the C library. */
struct object {
	uintptr_t function;
	const void *segments;		/* NULL = not found */
	const uint8_t *tables;		/* .eh_frame_hdr */
};

static int find_function(struct dl_phdr_info *info, size_t size, void *context)
{
	struct object *object = context;
	const uint8_t *tables = NULL;
	bool inside = false;
	int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD)
			inside |= object->function - start < segment->p_memsz;
		else if (segment->p_type == PT_GNU_EH_FRAME)
			tables = (const uint8_t *)start;
	}
	if (!inside)
		return 0;
	object->segments = info->dlpi_phdr;
	object->tables = tables;
	return 1;
}

static struct object object_of(const void *function)
{
	struct object object = { .function = (uintptr_t)function };

	real.dl_iterate_phdr(find_function, &object);
	return object;
}

static void find_extent(const void *function, struct extent *extent)
{
	struct object object = object_of(function);

	if (object.tables)
		tables_extent(object.tables, object.function, &extent->start, &extent->end);
}

/*
 * The C library's allocator calls nothing that is wrapped. Sanitizers have one of their own, and an
 * _exit(), too; but no such function.
 */
static bool allocator_is_plain(void)
{
	const void *c_library = object_of(gnu_get_libc_version).segments;

	return c_library && object_of(real.malloc).segments == c_library &&
	       object_of(real.free).segments == c_library &&
	       object_of(real.realloc).segments == c_library;
}

/* No other one has a function in place of this: whoever jumps to it jumps into the program. */
bool real_is_sanitized(void)
{
	return object_of(__sigsetjmp).segments == (const void *)getauxval(AT_PHDR);
}

bool real_ready(void)
{
	if (likely(found))
		return true;
	if (looking)
		return false;
	looking = true;
	found = find_dlsym() && find_all();
	real_is_plain = found && allocator_is_plain();
	if (found)
		find_extent(real.malloc_usable_size, &ccsample_sideband_asks);
	looking = false;
	return found;
}

/* --- the arena --- */

/*
 * Each block is led by its size, as those of the C library are, and a mark that makes it larger
 * than any of theirs.
 */
#define ARENA_MARK	(1ul << 63)

void *arena_alloc(size_t size, size_t align)
{
	char **next = self.arena ? &self.arena_next : &arena_first_next;
	char *end = self.arena ? self.arena_end : arena_first + ARENA_FIRST;
	uintptr_t at;

	if (align < ALIGN)
		align = ALIGN;
	at = ((uintptr_t)*next + ALIGN + align - 1) & ~(align - 1);
	if (at > (uintptr_t)end || size > (uintptr_t)end - at)
		return NULL;
	((size_t *)at)[-1] = size | ARENA_MARK;
	*next = (char *)((at + size + ALIGN - 1) & ~(ALIGN - 1ul));
	return memset((char *)at, 0, size);
}

size_t arena_size(const void *block)
{
	return ((const size_t *)block)[-1] & ~ARENA_MARK;
}
