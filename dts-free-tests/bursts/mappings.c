// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small mappings come and go all the time, of memory and of a file. Printed is what is to be in the
 * recording all the same: what was mapped early and goes late, a large mapping and one of code.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#define SMALL	(64ul << 10)
#define LARGE	(8ul << 20)
#define TURNS	120000

static char *map(size_t size, int protection, int flags, int fd, char *at)
{
	return mmap(at, size, protection, MAP_PRIVATE | flags, fd, 0);
}

int main(int argc, char **argv)
{
	char *early[2], *large, *code, *moved, *p;
	int file = open(argv[0], O_RDONLY), n, i;

	for (i = 0; i < 2; i++)
		early[i] = map(SMALL, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1, NULL);
	for (n = 0; n < TURNS; n++) {
		p = n % 4 ? map(SMALL, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1, NULL) :
			    map(4096, PROT_READ, 0, file, NULL);
		munmap(p, n % 4 ? SMALL : 4096);
	}
	large = map(LARGE, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1, NULL);
	code = map(4096, PROT_READ | PROT_EXEC, 0, file, NULL);
	munmap(early[0], SMALL);
	/* In its place: a small one, which is not reported, but that it is another is. */
	p = map(4096, PROT_READ, MAP_ANONYMOUS | MAP_FIXED, -1, early[1] + 8192);
	munmap(p, 4096);
	moved = mremap(large, LARGE, 2 * LARGE, MREMAP_MAYMOVE);
	for (i = 0; i < 2; i++)
		fprintf(stderr, "MAP start=%lx\n", (unsigned long)early[i]);
	fprintf(stderr, "MAP start=%lx\nMAP start=%lx\nMAP start=%lx\n"
		"UNMAP start=%lx\nUNMAP start=%lx\nUNMAP start=%lx\n",
		(unsigned long)large, (unsigned long)code, (unsigned long)moved,
		(unsigned long)early[0], (unsigned long)early[1] + 8192, (unsigned long)large);
	return 0;
}
