/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two prefetchers of L1, as Intel's optimization reference manual describes them ("Data Prefetching
 * to L1 Data Cache"), simplified:
 *
 *   next-line  the DCU prefetcher. A load that misses, or is the first to use a line that was
 *              prefetched (tagged prefetch: Smith, Computing Surveys 14(3), 1982), brings in the
 *              line behind it. The processor's waits for ascending loads in a line.
 *   stride     the IP-based prefetcher. A load whose address has moved by the same stride twice,
 *              2 KiB at most in either direction, brings in the line one stride ahead.
 *
 * Both follow loads only, bring in one line at a time and stay within the load's page of 4 KiB, as
 * the manual says. A prefetched line is there at once: the simulation has no time.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_PREFETCH_H
#define CCSAMPLE_CACHESIM_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"
#include "cachesim/lines.h"

enum prefetcher { PREFETCH_NEXT_LINE, PREFETCH_STRIDE, PREFETCHERS };

#define PREFETCH_PAGE_BITS	12u
#define PREFETCH_STRIDE_MAX	2048
#define PREFETCH_LOADS		256u	/* instructions known at a time, by their last bits */

struct prefetch_counts {
	uint64_t issued;	/* lines brought into L1 */
	uint64_t useful;	/* of them referred to before they left */
	uint64_t memory;	/* of those issued: lines that no level had */
};

/* What is known of a load. */
struct load_stride {
	uint64_t ip;
	uint64_t address;	/* its latest one */
	int64_t stride;
};

struct prefetch {
	uint32_t on;			/* a bit for each enum prefetcher */
	struct load_stride loads[PREFETCH_LOADS];
	struct line_words unused;	/* of a line: 1 + its prefetcher until it is used, or 0 */
	struct prefetch_counts counts[PREFETCHERS];
};

/* @on: a bit for each prefetcher. Return: NULL without memory. */
struct prefetch *prefetch_open(uint32_t on, const struct allocator *memory);
void prefetch_close(struct prefetch *prefetch, const struct allocator *memory);

static inline bool prefetch_has(const struct prefetch *prefetch, enum prefetcher prefetcher)
{
	return prefetch->on >> prefetcher & 1;
}

/**
 * prefetch_used() - a program refers to a line.
 * @number: the line's
 * @hit: whether L1 had it
 *
 * Return: whether this is the first use of a line that was prefetched and is still there.
 */
bool prefetch_used(struct prefetch *prefetch, uint32_t number, bool hit);

/* A line was brought in. @memory: no level had it */
void prefetch_issued(struct prefetch *prefetch, enum prefetcher prefetcher, uint32_t number,
		     bool memory);

/**
 * prefetch_stride() - a load, as the IP-based prefetcher sees it.
 * @next: set to the address to be prefetched
 *
 * Return: whether there is one.
 */
bool prefetch_stride(struct prefetch *prefetch, uint64_t ip, uint64_t address, uint64_t *next);

#endif /* CCSAMPLE_CACHESIM_PREFETCH_H */
