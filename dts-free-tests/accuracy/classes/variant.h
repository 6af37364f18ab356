/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_ACCURACY_VARIANT_H
#define CCSAMPLE_ACCURACY_VARIANT_H

/*
 * What the programs of the nine classes share: PROGRAM VARIANT WAYS REPEATS. Each is for an L1 of 64
 * sets of WAYS lines of 64 bytes: 32K/8, 48K/12, 64K/16.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE	64u
#define SETS	64u
#define PAGE	(LINE * SETS)	/* bytes from one line of a set to the next */
#define NOINLINE __attribute__((noinline, noclone))

struct variant {
	const char *name;
	void (*run)(unsigned int ways, unsigned long repeats);
};

static volatile double variant_sink;

static inline void *variant_pages(size_t bytes)
{
	void *memory = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);

	if (!memory)
		exit(1);
	memset(memory, 1, bytes);
	return memory;
}

static inline uint64_t variant_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* The compiler is not to know what @memory holds. */
static inline void variant_changed(void *memory)
{
	__asm__ volatile("" : : "r"(memory) : "memory");
}

static inline int variant_main(int argc, char **argv, const struct variant *variants, size_t count)
{
	if (argc == 4)
		for (size_t i = 0; i < count; i++)
			if (!strcmp(argv[1], variants[i].name)) {
				variants[i].run(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
				return 0;
			}
	fprintf(stderr, "usage: %s VARIANT WAYS REPEATS\n", argv[0]);
	return 2;
}

#define VARIANT_MAIN(variants)								\
	int main(int argc, char **argv)							\
	{										\
		return variant_main(argc, argv, variants, sizeof(variants) / sizeof(*(variants))); \
	}

#endif
