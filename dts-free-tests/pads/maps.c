// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings of one call, and one of another. Prints addresses; and what goes wrong when parts of them are
 * protected, given back, moved, unmapped: "wrong: ...".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIZE	(1u << 20)
#define COUNT	8

static void expect(int good, const char *what)
{
	if (!good)
		printf("wrong: %s\n", what);
}

static __attribute__((noipa)) char *first_site(size_t size)
{
	char *mapping = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	__asm__ volatile("" : "+r"(mapping));
	return mapping;
}

static __attribute__((noipa)) char *second_site(size_t size)
{
	char *mapping = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	__asm__ volatile("" : "+r"(mapping));
	return mapping;
}

/* How many bytes of the process's mappings are here. */
static size_t mapped(void)
{
	unsigned long low, high;
	size_t bytes = 0;
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", &low, &high) == 2)
			bytes += high - low;
	if (maps)
		fclose(maps);
	return bytes;
}

static void use(char *mapping)
{
	memset(mapping, 7, SIZE);
	expect(!mprotect(mapping, 8192, PROT_NONE), "mprotect() of a guard");
	expect(mapping[8192] == 7 && mapping[SIZE - 1] == 7, "what is behind a guard");
	expect(!mprotect(mapping, 8192, PROT_READ | PROT_WRITE), "mprotect() allows");
	mapping[0] = mapping[8191] = 7;
	expect(!madvise(mapping + 16384, 32768, MADV_DONTNEED), "madvise()");
	expect(!mapping[16384] && !mapping[16384 + 32767], "what was given back is zero");
	expect(mapping[16383] == 7 && mapping[16384 + 32768] == 7, "beside it");
	expect(!madvise(mapping, 65536, MADV_WILLNEED), "madvise() of another kind");
	expect(!munmap(mapping + SIZE - 65536, 4096), "munmap() of a part");
	expect(mapping[SIZE - 65537] == 7 && mapping[SIZE - 61440] == 7, "beside what was unmapped");
}

int main(void)
{
	char *mappings[COUNT], *other, *moved;
	size_t before, i;

	free(malloc(100));
	before = mapped();
	for (i = 0; i < COUNT; i++) {
		mappings[i] = first_site(SIZE);
		printf("first %p\n", (void *)mappings[i]);
	}
	other = second_site(SIZE);
	printf("second %p\n", (void *)other);
	for (i = 0; i < COUNT; i++)
		memset(mappings[i], i + 1, SIZE);
	for (i = 0; i < COUNT; i++)
		expect(mappings[i][0] == (char)(i + 1) && mappings[i][SIZE - 1] == (char)(i + 1),
		       "contents");
	moved = mremap(mappings[1], SIZE, 4 * SIZE, MREMAP_MAYMOVE);
	expect(moved != MAP_FAILED && moved[0] == 2 && moved[SIZE - 1] == 2 && !moved[SIZE] &&
	       !moved[4 * SIZE - 1], "mremap()");
	expect(!munmap(moved, 4 * SIZE), "munmap() of what was moved");
	for (i = 0; i < COUNT; i++)
		if (i != 1)
			expect(!munmap(mappings[i], SIZE), "munmap()");
	expect(!munmap(other, SIZE), "munmap() of another");
	expect(mapped() <= before, "all is given back");
	use(first_site(SIZE));
	use(first_site(SIZE));
	return 0;
}
