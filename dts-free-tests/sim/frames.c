// SPDX-License-Identifier: GPL-2.0-only
/*
 * frames: touch() loads one line of each page, again and again, between which
 * the pages move in every way that a program can make them, and each time its
 * physical address is printed, as /proc/self/pagemap tells it just afterwards.
 * No line is loaded twice. Exits with 77 where the kernel shows no frames.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES	40
#define SIZE	(PAGES * 4096)
#define HUGE	(2ul << 20)
#define LINES	64			/* of a page: as many looks */

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE	25
#endif

static int looks;

static uint64_t physical(int fd, uint8_t *at)
{
	uint64_t entry = 0;

	if (pread(fd, &entry, sizeof(entry), (uintptr_t)at / 4096 * sizeof(entry)) < 0)
		exit(1);
	if (!(entry & ((1ull << 55) - 1)))
		exit(77);
	return (entry & ((1ull << 55) - 1)) * 4096 + (uintptr_t)at % 4096;
}

static __attribute__((noinline)) void touch(volatile uint8_t *at)
{
	(void)*at;
}

static void look(uint8_t *area, size_t step, const char *when)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);

	for (int i = 0; i < PAGES; i++) {
		uint8_t *at = area + i * step + looks * 64;

		touch(at);
		printf("%lu %s\n", (unsigned long)physical(fd, at), when);
	}
	close(fd);
	if (++looks == LINES)
		exit(1);
	fflush(stdout);
}

static void write_all(volatile uint8_t *area, size_t size)
{
	for (size_t i = 0; i < size; i += 4096)
		area[i] = 1;
}

static void *map(void *at, size_t size)
{
	void *area = mmap(at, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	if (area == MAP_FAILED)
		exit(1);
	return area;
}

static void look_small(void)
{
	uint8_t *area = map(NULL, SIZE), *other = map(NULL, SIZE);

	look(area, 4096, "not-written");
	write_all(area, SIZE);
	look(area, 4096, "written");
	madvise(area, SIZE, MADV_DONTNEED);
	write_all(area, SIZE);
	look(area, 4096, "dontneed");
	munmap(area, SIZE);
	map(area, SIZE);
	write_all(area, SIZE);
	look(area, 4096, "munmap");
	if (mremap(area, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, other) != other)
		exit(1);
	look(other, 4096, "mremap");
	if (!fork()) {
		look(other, 4096, "fork");
		write_all(other, SIZE);
		look(other, 4096, "copied");
		_exit(0);
	}
	wait(NULL);
	looks += 2;
	write_all(other, SIZE);
	look(other, 4096, "parent");
}

/* Pages of 2 MiB, if the kernel gives any; made of small ones, cut into such again. */
static void look_huge(void)
{
	uint8_t *block = map(NULL, 4 * HUGE);
	uint8_t *area = (void *)(((uintptr_t)block + HUGE - 1) & ~(HUGE - 1));
	size_t step = HUGE / PAGES & ~4095ul;

	madvise(area, 2 * HUGE, MADV_HUGEPAGE);
	write_all(area, HUGE);
	look(area, step, "huge");
	munmap(area + HUGE - 4096, 4096);
	look(area, step, "cut");
	mprotect(area, 64 * 4096, PROT_READ);
	look(area, step, "mprotect");
	madvise(area + HUGE, HUGE, MADV_NOHUGEPAGE);
	write_all(area + HUGE, HUGE);
	look(area + HUGE, step, "small");
	madvise(area + HUGE, HUGE, MADV_HUGEPAGE);
	madvise(area + HUGE, HUGE, MADV_COLLAPSE);
	look(area + HUGE, step, "collapsed");
}

int main(void)
{
	look_small();
	look_huge();
	return 0;
}
