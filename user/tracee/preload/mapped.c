// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the program maps and unmaps by itself. Where it does so all the time only large mappings are
 * reported, and those of code. What was reported is to be reported as gone, too: a bit for each
 * page, by its address modulo the table's reach, says whether it was. Two pages that share a bit
 * cost a record more, or lose one.
 */
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#include "tracee/preload/maps-text.h"
#include "tracee/preload/marker.h"
#include "tracee/preload/native.h"
#include "tracee/preload/sys.h"

#pragma weak ccsample_bursts_stacks	/* NULL: that library is not there */
#pragma weak ccsample_bursts_freed

#define PAGE		4096ul
#define BITS		64
#define WORDS		(1ul << 14)
#define FILE_COST	4		/* times that of other memory: its path, and its build-id */
#define REACH		(WORDS * BITS * PAGE)	/* larger mappings have no bits */

struct rate map_rate = { .large = SIZE_MAX };

static uint64_t reported[WORDS];

enum bits { BITS_SET, BITS_CLEAR, BITS_ANY };

static inline __attribute__((always_inline)) bool bits(uintptr_t start, size_t size, enum bits what)
{
	uint64_t at = start / PAGE, end = (start + size + PAGE - 1) / PAGE, next, mask, *word;

	for (; at < end; at = next) {
		next = (at | (BITS - 1)) + 1 < end ? (at | (BITS - 1)) + 1 : end;
		mask = ~0ull >> (BITS - (next - at)) << at % BITS;
		word = &reported[at / BITS % WORDS];
		if (what == BITS_SET)
			__atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
		else if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & mask))
			continue;
		else if (what == BITS_ANY)
			return true;
		else
			__atomic_fetch_and(word, ~mask, __ATOMIC_RELAXED);
	}
	return false;
}

static size_t whole_pages(size_t size)
{
	return (size + PAGE - 1) & ~(PAGE - 1);
}

/* @path: of PATH_MAX bytes. Return: its length, 0 = none is known. */
static size_t path_of(int fd, char *path)
{
	char digits[12], link[32] = "/proc/self/fd/";
	size_t at = sizeof(digits), used = strlen(link);
	long got;

	do
		digits[--at] = '0' + fd % 10;
	while (fd /= 10);
	memcpy(link + used, digits + at, sizeof(digits) - at);
	got = sys3(readlink, link, path, PATH_MAX);
	return got > 0 && *path == '/' ? got : 0;
}

static void write_mapped(uintptr_t start, size_t size, int protection, int fd, uint64_t offset)
{
	char path[PATH_MAX];
	struct mapping m = {
		.start = start,
		.end = start + whole_pages(size),
		.offset = offset,
		.protection = (protection & PROT_READ ? CCS_MAP_READ : 0) |
			      (protection & PROT_WRITE ? CCS_MAP_WRITE : 0) |
			      (protection & PROT_EXEC ? CCS_MAP_EXEC : 0),
		.path = path,
		.path_size = fd < 0 ? 0 : path_of(fd, path),
	};

	maps_write(&m, 0);
}

static void write_unmapped(uintptr_t start, size_t size)
{
	if (size <= REACH)
		bits(start, size, BITS_CLEAR);
	write_free((void *)start);
	maps_write_gone(start, start + whole_pages(size));
}

static bool is_wanted(size_t size)
{
	return whole_pages(size) >= rate_least(&map_rate);
}

/* Where it is not reported, what it takes the place of (MAP_FIXED) is gone all the same. */
void mapped(const struct caller *caller, uintptr_t start, size_t size, int protection, int fd,
	    uint64_t offset)
{
	size_t raised;

	if (!is_wanted(size) && !(protection & PROT_EXEC)) {
		maps_check(caller->ip);
		if (unlikely(bits(start, size, BITS_ANY)))
			write_unmapped(start, size);
		return;
	}
	if (size <= REACH)
		bits(start, size, BITS_SET);
	write_mapped(start, size, protection, fd, offset);
	write_alloc(caller, (void *)start, size, CCS_ALLOC_MAPPING);
	raised = rate_watch(&map_rate, whole_pages(size), fd < 0 ? 1 : FILE_COST, __rdtsc());
	if (raised)
		ring_write_forget(CCS_FORGET_MAPS, raised);
}

void stacks_go(uintptr_t start, size_t size)
{
	const struct extent *stack = &ccsample_bursts_stacks ? ccsample_bursts_stacks : NULL;
	unsigned int i;

	for (i = 0; stack && i < BURSTS_STACKS; i++) {
		if (start < stack[i].end && start + size > stack[i].start)
			ccsample_bursts_freed(start, size);
	}
}

void unmapped(uintptr_t start, size_t size)
{
	stacks_go(start, size);
	if (is_wanted(size) || size > REACH || bits(start, size, BITS_ANY))
		write_unmapped(start, size);
}
