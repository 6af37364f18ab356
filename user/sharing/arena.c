// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/divisor.h"
#include "base/fail.h"
#include "sharing/arena.h"

#define HUGE_PAGE	((size_t)2 << 20)

/* AnonHugePages of the mapping that holds an address, in bytes (/proc/self/smaps). */
static size_t huge_bytes(const void *address)
{
	FILE *file = fopen("/proc/self/smaps", "re");
	uintptr_t start, end;
	bool here = false;
	char line[512];
	size_t kib = 0;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) == 2)
			here = (uintptr_t)address >= start && (uintptr_t)address < end;
		else if (here && sscanf(line, "AnonHugePages: %zu kB", &kib) == 1)
			break;
	}
	if (file)
		fclose(file);
	return kib << 10;
}

uint32_t arena_step(uint32_t sets)
{
	uint32_t step = 0.6180339887 * sets;

	while (step > 1 && common_divisor(step, sets) > 1)
		step--;
	return step ? step : 1;
}

int arena_open(struct arena *arena, const struct cache_geometry *cache, uint32_t lines)
{
	size_t way = (size_t)cache->sets * cache->line;
	size_t align = way > HUGE_PAGE ? way : HUGE_PAGE;

	*arena = (struct arena){
		.way = way, .size = way * lines, .line = cache->line, .sets = cache->sets,
		.step = arena_step(cache->sets),
	};
	arena->mapped = (arena->size + 2 * align - 1) / align * align;
	arena->mapping = mmap(NULL, arena->mapped, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (arena->mapping == MAP_FAILED)
		return fail("no memory for %u ways of %zu bytes: %s", lines, way, strerror(errno));
	arena->lines = (char *)(((uintptr_t)arena->mapping + align - 1) / align * align);
	madvise(arena->lines, arena->mapped - (arena->lines - (char *)arena->mapping),
		MADV_HUGEPAGE);
	memset(arena->lines, 0, arena->size);
	arena->huge = huge_bytes(arena->lines) >= arena->size;
	return 0;
}

void arena_close(struct arena *arena)
{
	munmap(arena->mapping, arena->mapped);
}
