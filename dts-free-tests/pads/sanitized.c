// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library of pads built with -fsanitize=address: its checks read shadow memory, which is there
 * after __asan_init(), and that allocates while it looks for functions. Until then blocks are of an
 * array here; then these functions are jumps to the library's, which -D gives other names.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT	__attribute__((visibility("default")))

void *pads_malloc(size_t size);
void *pads_calloc(size_t count, size_t size);
void *pads_realloc(void *block, size_t size);
void pads_free(void *block);

static char early[1 << 20] __attribute__((aligned(16)));
static size_t used;
static bool ready;

/* After __asan_init(), which gcc calls by a constructor of priority 99. */
static __attribute__((constructor(101))) void begin(void)
{
	ready = true;
}

static bool is_early(const void *block)
{
	return (uintptr_t)block - (uintptr_t)early < sizeof(early);
}

/* Never freed, so that all are zeros. */
static void *take(size_t size)
{
	char *block = early + used;

	if (size > sizeof(early) - used - 16)
		return NULL;
	used += (size + 31) & -(size_t)16;
	return block;
}

EXPORT void *malloc(size_t size)
{
	return ready ? pads_malloc(size) : take(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
	return ready ? pads_calloc(count, size) : take(count * size);
}

/* The size of an early block is not known: what follows it is copied, too. */
EXPORT void *realloc(void *block, size_t size)
{
	const char *old = block;
	char *new;

	if (ready && !is_early(block))
		return pads_realloc(block, size);
	new = malloc(size);
	for (size_t i = 0; old && new && i < size && is_early(old + i); i++)
		new[i] = old[i];
	return new;
}

EXPORT void free(void *block)
{
	if (ready && !is_early(block))
		pads_free(block);
}
