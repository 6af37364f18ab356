/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two prefetchers of L1 and two of L2, as Intel's optimization reference manual describes them
 * ("Data Prefetching to L1 Data Cache", "Data Prefetching to L2 Cache and L3"), simplified:
 *
 *   next-line  the DCU prefetcher. A load that misses, or is the first to use a line that was
 *              prefetched (tagged prefetch: Smith, Computing Surveys 14(3), 1982), brings in the
 *              line behind it. The processor's waits for ascending loads in a line.
 *   stride     the IP-based prefetcher. A load whose address has moved by the same stride twice,
 *              2 KiB at most in either direction, brings in the line one stride ahead.
 *
 * Both follow loads only, bring in one line at a time and stay within the load's page of 4 KiB, as
 * the manual says.
 *
 *   adjacent   the spatial prefetcher. A request of L1 that misses in L2 brings in the other line
 *              of the pair, that is of the chunk of 128 B where lines have 64.
 *   stream     the streamer. Of the 32 pages of 4 KiB that L1 asked for last, one stream each: two
 *              steps in one direction begin it, a step back ends it. Each further request brings
 *              the next two lines into L2, up to 20 lines ahead and within the page.
 *
 * They follow what L1 asks L2 for: accesses, loads and stores, and its own prefetches. The
 * processor's bring lines to L3 only where many requests are open, and adjust how far they go.
 *
 * A prefetched line is there at once: the simulation has no time.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_PREFETCH_H
#define CCSAMPLE_CACHESIM_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"
#include "cachesim/lines.h"

enum prefetcher {
	PREFETCH_NEXT_LINE, PREFETCH_STRIDE, PREFETCH_ADJACENT, PREFETCH_STREAM, PREFETCHERS
};

#define PREFETCH_OF_L1	2	/* the first ones */
#define PREFETCH_OF_L2_MASK	(((1u << PREFETCHERS) - 1) & ~((1u << PREFETCH_OF_L1) - 1))

#define PREFETCH_PAGE_BITS	12u
#define PREFETCH_STRIDE_MAX	2048
#define PREFETCH_LOADS		256u	/* instructions known at a time, by their last bits */
#define PREFETCH_STREAMS	32u
#define PREFETCH_STREAM_STEP	2u	/* lines a request */
#define PREFETCH_STREAM_AHEAD	20

struct prefetch_counts {
	uint64_t issued;	/* lines brought into its level */
	uint64_t useful;	/* of them asked for before they left: of L2 by L1 */
	uint64_t memory;	/* of those issued: lines that no level had */
};

/* What is known of a page that L1 asked L2 for. */
struct request_stream {
	uint64_t page;
	uint64_t last;		/* line */
	uint64_t ahead;		/* the last line that was prefetched, or @last */
	int64_t direction;	/* of the last step, 0 = none yet */
	uint64_t used;		/* when, 0 = never */
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
	struct request_stream streams[PREFETCH_STREAMS];
	uint64_t requests;
	uint8_t outer;			/* class of the last access that missed in L1, at L2 */
	struct line_words unused;	/* by level: 1 + its prefetcher until it is used, or 0 */
	struct prefetch_counts counts[PREFETCHERS];
};

/* @on: a bit for each prefetcher. Return: NULL without memory. */
struct prefetch *prefetch_open(uint32_t on, const struct allocator *memory);
void prefetch_close(struct prefetch *prefetch, const struct allocator *memory);

/* No line is known any more, nor any load or stream; counts stay. Return: false without memory. */
bool prefetch_forget(struct prefetch *prefetch, const struct allocator *memory);

static inline bool prefetch_has(const struct prefetch *prefetch, enum prefetcher prefetcher)
{
	return prefetch->on >> prefetcher & 1;
}

/* Whose it is: 0 = L1's, 1 = L2's. */
static inline uint32_t prefetcher_level(enum prefetcher prefetcher)
{
	return prefetcher >= PREFETCH_OF_L1;
}

/**
 * prefetch_used() - a program refers to a line, or L1 asks L2 for it.
 * @level: 0 = L1, 1 = L2
 * @number: the line's
 * @hit: whether the level had it
 *
 * Return: whether this is the first use of a line that was prefetched and is still there.
 */
bool prefetch_used(struct prefetch *prefetch, uint32_t level, uint32_t number, bool hit);

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

/**
 * prefetch_stream() - a request of L1, as the streamer sees it.
 * @page_bits: of the number of a line within its page
 * @next: filled with lines to be prefetched, PREFETCH_STREAM_STEP at most
 *
 * Return: how many.
 */
uint32_t prefetch_stream(struct prefetch *prefetch, uint64_t line, uint32_t page_bits,
			 uint64_t *next);

#endif /* CCSAMPLE_CACHESIM_PREFETCH_H */
