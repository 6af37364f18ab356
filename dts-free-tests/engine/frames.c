// SPDX-License-Identifier: GPL-2.0-only
/*
 * frames: loads a line of each of its pages in phases, between which the pages
 * move in every way a program can make them, and prints after each load
 *	address physical-address
 * as /proc/self/pagemap tells; with any argument 0 instead of what it tells, so
 * that all runs are alike. Every phase has lines of its own. Exits with 77 where
 * the kernel shows no frames.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES	40
#define SIZE	(PAGES * 4096)

static bool ask = true;	/* the kernel */
static int phase;

static uint64_t physical(int fd, const volatile uint8_t *at)
{
	uint64_t entry = 0;

	if (!ask)
		return 0;
	if (pread(fd, &entry, sizeof(entry), (uintptr_t)at / 4096 * sizeof(entry)) < 0)
		exit(1);
	if (!(entry & ((1ull << 55) - 1)))
		exit(77);
	return (entry & ((1ull << 55) - 1)) * 4096 + (uintptr_t)at % 4096;
}

static void look(volatile uint8_t *area)
{
	int fd = open("/proc/self/pagemap", O_RDONLY), i;

	for (i = 0; i < PAGES; i++) {
		volatile uint8_t *at = area + i * 4096 + phase * 64;

		(void)*at;
		printf("%lx %lx\n", (unsigned long)at, (unsigned long)physical(fd, at));
	}
	close(fd);
	phase++;
	fflush(stdout);
}

static void write_all(volatile uint8_t *area)
{
	int i;

	for (i = 0; i < PAGES; i++)
		area[i * 4096 + 4000] = 1;
}

static void *map(void *at)
{
	void *area = mmap(at, SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	if (area == MAP_FAILED)
		exit(1);
	return area;
}

int main(int argc, char **argv)
{
	uint8_t *area = map(NULL), *other = map(NULL);
	int status;

	ask = argc == 1;
	look(area);			/* nothing was written: the page of zeros */
	write_all(area);
	look(area);
	madvise(area, SIZE, MADV_DONTNEED);
	look(area);
	write_all(area);
	look(area);
	munmap(area, SIZE);
	map(area);
	write_all(area);
	look(area);
	if (mremap(area, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, other) != other)
		return 1;
	look(other);
	map(area);
	write_all(area);
	look(area);
	if (!fork()) {
		look(area);
		write_all(area);
		look(area);
		_exit(0);
	}
	wait(&status);
	phase += 2;
	look(area);
	write_all(area);
	look(area);
	return status;
}
