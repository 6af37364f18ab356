// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loaded into the program: wrappers that report blocks to the tool. They wrap and
 * never replace, so that every block lies where it would lie without them.
 *
 * No libc, no data, no relocations: they may run before anything is set up.
 * They match public symbols in any object (Valgrind's name for that is the
 * soname synonym somalloc), so that allocators linked into the program or
 * preloaded are seen too. Valgrind takes some of libc's for private ones, by
 * another name of theirs: hence libc.so* by name as well. The five digits say
 * that both are the same.
 */
#include <stddef.h>
#include <stdint.h>

#include "tracee/valgrind-lib/requests.h"

#define EXPORT	__attribute__((visibility("default")))
#define NAME(f)	_vgw10010ZU_VgSoSynsomalloc_##f
#define LIBC(f) \
	EXPORT extern __typeof__(NAME(f)) _vgw10010ZU_libcZdsoZa_##f \
		__attribute__((alias("_vgw10010ZU_VgSoSynsomalloc_" #f)));

typedef unsigned long word;

#define REPORT(request, a, b, c) \
	VALGRIND_DO_CLIENT_REQUEST_STMT(request, a, b, c, 0, 0)

static inline __attribute__((always_inline)) word failed(word address)
{
	return address > -4096ul;	/* MAP_FAILED */
}

/* f(size) */
#define WRAP_ALLOC(f) \
	EXPORT word NAME(f)(word size); \
	word NAME(f)(word size) \
	{ \
		OrigFn fn; \
		word block; \
		VALGRIND_GET_ORIG_FN(fn); \
		CALL_FN_W_W(block, fn, size); \
		REPORT(REQUEST_ALLOC, block, size, 0); \
		return block; \
	}

/* f(a, b): size is an expression of a and b. */
#define WRAP_ALLOC_2(f, size) \
	EXPORT word NAME(f)(word a, word b); \
	word NAME(f)(word a, word b) \
	{ \
		OrigFn fn; \
		word block; \
		VALGRIND_GET_ORIG_FN(fn); \
		CALL_FN_W_WW(block, fn, a, b); \
		REPORT(REQUEST_ALLOC, block, size, 0); \
		return block; \
	}

/* f(size, alignment, nothrow) */
#define WRAP_ALLOC_3(f) \
	EXPORT word NAME(f)(word size, word a, word b); \
	word NAME(f)(word size, word a, word b) \
	{ \
		OrigFn fn; \
		word block; \
		VALGRIND_GET_ORIG_FN(fn); \
		CALL_FN_W_WWW(block, fn, size, a, b); \
		REPORT(REQUEST_ALLOC, block, size, 0); \
		return block; \
	}

#define WRAP_FREE(f) \
	EXPORT void NAME(f)(word block); \
	void NAME(f)(word block) \
	{ \
		OrigFn fn; \
		VALGRIND_GET_ORIG_FN(fn); \
		REPORT(REQUEST_FREE, block, 0, 0); \
		CALL_FN_v_W(fn, block); \
	}

#define WRAP_FREE_2(f) \
	EXPORT void NAME(f)(word block, word a); \
	void NAME(f)(word block, word a) \
	{ \
		OrigFn fn; \
		VALGRIND_GET_ORIG_FN(fn); \
		REPORT(REQUEST_FREE, block, 0, 0); \
		CALL_FN_v_WW(fn, block, a); \
	}

#define WRAP_FREE_3(f) \
	EXPORT void NAME(f)(word block, word a, word b); \
	void NAME(f)(word block, word a, word b) \
	{ \
		OrigFn fn; \
		VALGRIND_GET_ORIG_FN(fn); \
		REPORT(REQUEST_FREE, block, 0, 0); \
		CALL_FN_v_WWW(fn, block, a, b); \
	}

/* --- C --- */

WRAP_ALLOC(malloc)
WRAP_ALLOC(valloc)
WRAP_ALLOC(pvalloc)
WRAP_ALLOC_2(calloc, a * b)
WRAP_ALLOC_2(memalign, b)
WRAP_ALLOC_2(aligned_alloc, b)
WRAP_FREE(free)
WRAP_FREE(cfree)

LIBC(malloc)
LIBC(valloc)
LIBC(pvalloc)
LIBC(calloc)
LIBC(memalign)
LIBC(aligned_alloc)
LIBC(free)
LIBC(cfree)

/* A failed realloc keeps the old block; one to size 0 may just free it. */
static inline __attribute__((always_inline)) void send_realloc(word old, word new, word size)
{
	if (new || (old && !size))
		REPORT(REQUEST_REALLOC, old, new, size);
}

EXPORT word NAME(realloc)(word old, word size);
word NAME(realloc)(word old, word size)
{
	OrigFn fn;
	word block;

	VALGRIND_GET_ORIG_FN(fn);
	CALL_FN_W_WW(block, fn, old, size);
	send_realloc(old, block, size);
	return block;
}

EXPORT word NAME(reallocarray)(word old, word count, word size);
word NAME(reallocarray)(word old, word count, word size)
{
	OrigFn fn;
	word block;

	VALGRIND_GET_ORIG_FN(fn);
	CALL_FN_W_WWW(block, fn, old, count, size);
	send_realloc(old, block, count * size);
	return block;
}

EXPORT int NAME(posix_memalign)(void **block, word alignment, word size);
int NAME(posix_memalign)(void **block, word alignment, word size)
{
	OrigFn fn;
	word result;

	VALGRIND_GET_ORIG_FN(fn);
	CALL_FN_W_WWW(result, fn, block, alignment, size);
	if (!(int)result)
		REPORT(REQUEST_ALLOC, *block, size, 0);
	return result;
}

LIBC(realloc)
LIBC(reallocarray)
LIBC(posix_memalign)

/* --- mappings --- */

#define WRAP_MMAP(f) \
	EXPORT word NAME(f)(word at, word size, word prot, word flags, word fd, word offset); \
	word NAME(f)(word at, word size, word prot, word flags, word fd, word offset) \
	{ \
		OrigFn fn; \
		word address; \
		VALGRIND_GET_ORIG_FN(fn); \
		CALL_FN_W_6W(address, fn, at, size, prot, flags, fd, offset); \
		if (!failed(address)) \
			REPORT(REQUEST_MAPPING, address, size, fn.nraddr); \
		return address; \
	}

WRAP_MMAP(mmap)
WRAP_MMAP(mmap64)

EXPORT int NAME(munmap)(word address, word size);
int NAME(munmap)(word address, word size)
{
	OrigFn fn;
	word result;

	VALGRIND_GET_ORIG_FN(fn);
	REPORT(REQUEST_UNMAPPING, address, 0, 0);
	CALL_FN_W_WW(result, fn, address, size);
	return result;
}

EXPORT word NAME(mremap)(word old, word old_size, word size, word flags, word at);
word NAME(mremap)(word old, word old_size, word size, word flags, word at)
{
	OrigFn fn;
	word address;

	VALGRIND_GET_ORIG_FN(fn);
	CALL_FN_W_5W(address, fn, old, old_size, size, flags, at);
	if (!failed(address))
		REPORT(REQUEST_REMAPPING, old, address, size);
	return address;
}

LIBC(mmap)
LIBC(mmap64)
LIBC(munmap)
LIBC(mremap)

/* --- C++: operator new and new[], delete and delete[], in all their variants --- */

WRAP_ALLOC(_Znwm)
WRAP_ALLOC(_Znam)
WRAP_ALLOC_2(_ZnwmRKSt9nothrow_t, a)
WRAP_ALLOC_2(_ZnamRKSt9nothrow_t, a)
WRAP_ALLOC_2(_ZnwmSt11align_val_t, a)
WRAP_ALLOC_2(_ZnamSt11align_val_t, a)
WRAP_ALLOC_3(_ZnwmSt11align_val_tRKSt9nothrow_t)
WRAP_ALLOC_3(_ZnamSt11align_val_tRKSt9nothrow_t)
WRAP_FREE(_ZdlPv)
WRAP_FREE(_ZdaPv)
WRAP_FREE_2(_ZdlPvm)
WRAP_FREE_2(_ZdaPvm)
WRAP_FREE_2(_ZdlPvRKSt9nothrow_t)
WRAP_FREE_2(_ZdaPvRKSt9nothrow_t)
WRAP_FREE_2(_ZdlPvSt11align_val_t)
WRAP_FREE_2(_ZdaPvSt11align_val_t)
WRAP_FREE_3(_ZdlPvmSt11align_val_t)
WRAP_FREE_3(_ZdaPvmSt11align_val_t)
WRAP_FREE_3(_ZdlPvSt11align_val_tRKSt9nothrow_t)
WRAP_FREE_3(_ZdaPvSt11align_val_tRKSt9nothrow_t)
