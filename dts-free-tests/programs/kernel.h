/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_PROGRAMS_KERNEL_H
#define CCSAMPLE_PROGRAMS_KERNEL_H

/*
 * What the measured programs share: their options
 *   -p PAD      bytes of padding, 0 (the original layout) by default
 *   -r REPEATS  how often the kernel runs
 *   -n SIZE     a size, in the programs that have one
 *   -i          the loops at fault interchanged, in the programs that have that
 * and the checksum that they print: the same with any pad.
 */
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL_PAGE	4096
#define KERNEL_MAX_PAD	4096

struct kernel_run {
	size_t pad;		/* bytes */
	unsigned long repeats;
	size_t size;		/* 0: the program has no -n */
	int interchange;	/* -i was given; -1: the program has no -i */
};

static inline unsigned long kernel_number(const char *name, const char *text, unsigned long max)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (end == text || *end || *text == '-' || number > max) {
		fprintf(stderr, "%s: '%s' is no number from 0 to %lu\n", name, text, max);
		exit(2);
	}
	return number;
}

/* Reads the options into @run, which holds what is without them; @max_size: of -n. */
static inline void kernel_parse(int argc, char **argv, struct kernel_run *run, size_t element,
				size_t max_size)
{
	char known[16];
	int option;

	snprintf(known, sizeof(known), "p:r:%s%s", run->size ? "n:" : "",
		 run->interchange < 0 ? "" : "i");
	while ((option = getopt(argc, argv, known)) != -1) {
		if (option == 'p')
			run->pad = kernel_number(argv[0], optarg, KERNEL_MAX_PAD);
		else if (option == 'r')
			run->repeats = kernel_number(argv[0], optarg, 1UL << 32);
		else if (option == 'n')
			run->size = kernel_number(argv[0], optarg, max_size);
		else if (option == 'i')
			run->interchange = 1;
		else
			exit(2);
	}
	if (optind != argc || run->pad % element || !run->repeats || (max_size && !run->size)) {
		fprintf(stderr, "usage: %s [-p PAD (bytes, a multiple of %zu)] [-r REPEATS]%s%s\n",
			argv[0], element, max_size ? " [-n SIZE]" : "",
			run->interchange < 0 ? "" : " [-i (loops interchanged)]");
		exit(2);
	}
}

/*
 * Read the options. @element: the pad must be a multiple of it, in bytes.
 * @size: what -n is without the option, and at most; 0 refuses -n.
 */
static inline struct kernel_run kernel_options(int argc, char **argv, unsigned long repeats,
					       size_t element, size_t size, size_t max_size)
{
	struct kernel_run run = { 0, repeats, size, -1 };

	kernel_parse(argc, argv, &run, element, max_size);
	return run;
}

/* The same for programs without -n and with -i. */
static inline struct kernel_run kernel_options_interchange(int argc, char **argv,
							   unsigned long repeats, size_t element)
{
	struct kernel_run run = { 0, repeats, 0, 0 };

	kernel_parse(argc, argv, &run, element, 0);
	return run;
}

static inline void *kernel_require(void *memory)
{
	if (memory)
		return memory;
	fprintf(stderr, "out of memory\n");
	exit(1);
}

/* A xorshift generator; @state must not be 0. */
static inline uint64_t kernel_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Values for a cell to begin with: small, exact in floating point, not all alike. */
static inline int kernel_value(size_t cell)
{
	return (int)(cell * 7 % 31) - 15;
}

/* Tell the compiler that @memory may have changed, lest it run a pure kernel only once. */
static inline void kernel_changed(void *memory)
{
	__asm__ volatile("" : : "r"(memory) : "memory");
}

static inline void kernel_checksum(double sum)
{
	printf("checksum %.17g\n", sum);
}

#endif
