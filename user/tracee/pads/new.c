// SPDX-License-Identifier: GPL-2.0-only
/*
 * operator new and delete, by the names of the Itanium C++ ABI. They are wrapped for two reasons:
 * the call of the program is the site, not that of the C++ library; and preloaded allocators have
 * operators of their own, which free what they know.
 *
 * A staggered block comes from malloc(), whichever operator was called, and goes to free(). What is
 * not staggered goes to the operator that would have been called: it asks the new handler, and
 * throws.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "tracee/pads/pads.h"

/* A C++ library that was loaded for a plugin alone is in no search order: by its name. */
static void *find_operator(const char *name)
{
	static const char *const libraries[] = {
		"libstdc++.so.6", "libc++abi.so.1", "libc++.so.1",
	};
	void *function = dlsym(RTLD_NEXT, name), *library;
	size_t i;

	for (i = 0; !function && i < sizeof(libraries) / sizeof(*libraries); i++) {
		library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
		if (!library)
			continue;
		function = dlsym(library, name);
		dlclose(library);
	}
	if (!function)
		abort();	/* called by a C++ program without a C++ library */
	return function;
}

static void *known(void **slot, const char *name)
{
	void *function = __atomic_load_n(slot, __ATOMIC_RELAXED);

	if (unlikely(!function)) {
		function = find_operator(name);
		__atomic_store_n(slot, function, __ATOMIC_RELAXED);
	}
	return function;
}

/* The operator that would have been called. */
#define REAL(name, type)	({ static void *slot; (type)known(&slot, #name); })

typedef void *new_plain(size_t size);
typedef void *new_nothrow(size_t size, const void *nothrow);
typedef void *new_aligned(size_t size, size_t align);
typedef void *new_aligned_nothrow(size_t size, size_t align, const void *nothrow);
typedef void delete_plain(void *pointer);
typedef void delete_two(void *pointer, size_t second);
typedef void delete_nothrow(void *pointer, const void *nothrow);
typedef void delete_three(void *pointer, size_t size, size_t align);
typedef void delete_aligned_nothrow(void *pointer, size_t align, const void *nothrow);

/*
 * Where the next operators are libstdc++'s, which are malloc() and free() and nothing else, a step
 * is saved. Where malloc() fails its operator is asked after all.
 */
static EACH_PROCESS bool are_plain;

/* Of each C++ library; without one, dlsym() would take long to say that there is no operator. */
extern char __gxx_personality_v0 __attribute__((weak));

static __attribute__((constructor)) void find_plain(void)
{
	void *function = &__gxx_personality_v0 ? dlsym(RTLD_NEXT, "_Znwm") : NULL;
	Dl_info info;

	are_plain = function && real_ready() && !real_is_hidden() && dladdr(function, &info) &&
		    strstr(info.dli_fname, "/libstdc++.so");
}

static inline void *small(size_t align, size_t size)
{
	return are_plain && align == MALLOC_ALIGN && size < least_new ? real.malloc(size) : NULL;
}

#define NEW(name, align, type, parameters, ...)					\
EXPORT void *name parameters;							\
EXPORT void *name parameters							\
{										\
	void *block = small(align, size);					\
										\
	if (unlikely(size >= least_new))					\
		block = heap_stagger(align, size, false, CALLER);		\
	return likely(block) ? block : REAL(name, type *)(__VA_ARGS__);		\
}

NEW(_Znwm, MALLOC_ALIGN, new_plain, (size_t size), size)
NEW(_Znam, MALLOC_ALIGN, new_plain, (size_t size), size)
NEW(_ZnwmRKSt9nothrow_t, MALLOC_ALIGN, new_nothrow, (size_t size, const void *nothrow), size,
    nothrow)
NEW(_ZnamRKSt9nothrow_t, MALLOC_ALIGN, new_nothrow, (size_t size, const void *nothrow), size,
    nothrow)
NEW(_ZnwmSt11align_val_t, align, new_aligned, (size_t size, size_t align), size, align)
NEW(_ZnamSt11align_val_t, align, new_aligned, (size_t size, size_t align), size, align)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, align, new_aligned_nothrow,
    (size_t size, size_t align, const void *nothrow), size, align, nothrow)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, align, new_aligned_nothrow,
    (size_t size, size_t align, const void *nothrow), size, align, nothrow)

#define DELETE(name, type, parameters, ...)					\
EXPORT void name parameters;							\
EXPORT void name parameters							\
{										\
	uint32_t shift = table_shift(pointer);					\
										\
	if (unlikely(shift))							\
		heap_release(pointer, shift);					\
	else if (likely(are_plain))						\
		real.free(pointer);						\
	else									\
		REAL(name, type *)(__VA_ARGS__);				\
}

DELETE(_ZdlPv, delete_plain, (void *pointer), pointer)
DELETE(_ZdaPv, delete_plain, (void *pointer), pointer)
DELETE(_ZdlPvm, delete_two, (void *pointer, size_t size), pointer, size)
DELETE(_ZdaPvm, delete_two, (void *pointer, size_t size), pointer, size)
DELETE(_ZdlPvSt11align_val_t, delete_two, (void *pointer, size_t align), pointer, align)
DELETE(_ZdaPvSt11align_val_t, delete_two, (void *pointer, size_t align), pointer, align)
DELETE(_ZdlPvRKSt9nothrow_t, delete_nothrow, (void *pointer, const void *nothrow), pointer,
       nothrow)
DELETE(_ZdaPvRKSt9nothrow_t, delete_nothrow, (void *pointer, const void *nothrow), pointer,
       nothrow)
DELETE(_ZdlPvmSt11align_val_t, delete_three, (void *pointer, size_t size, size_t align), pointer,
       size, align)
DELETE(_ZdaPvmSt11align_val_t, delete_three, (void *pointer, size_t size, size_t align), pointer,
       size, align)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, delete_aligned_nothrow,
       (void *pointer, size_t align, const void *nothrow), pointer, align, nothrow)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, delete_aligned_nothrow,
       (void *pointer, size_t align, const void *nothrow), pointer, align, nothrow)
