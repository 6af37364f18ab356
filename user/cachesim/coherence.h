/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Coherence between the private levels of several hierarchies: the MESI protocol (Papamarcos and
 * Patel, ISCA 1984), as far as it has to be followed to count. A hierarchy's own levels are one
 * core's; the state of a line is that of the core, whichever of its levels hold it.
 *
 *   a load that misses   another core's modified copy is written back and stays; all copies are
 *                        shared, or the new one is exclusive where there is no other
 *   a store              all other cores lose the line; an upgrade if its core held it shared
 *
 * A coherence miss is one that caches without an end would have had, too: another core has written
 * to the line since this one referred to it last. So each is one at all levels of the core; it
 * comes before capacity and conflict, and only a first reference comes before it. True sharing,
 * after Dubois and others (ISCA 1993): until the line is written to by another core again, this one
 * refers to a byte that others wrote since its last miss that was cold or of true sharing. Else it
 * is false sharing: with lines of one byte it would not have missed. Bytes are told apart in lines
 * of up to 64 of them, 64 parts of a longer one.
 *
 * What others write is noted once at the line, and handed out when another core comes for it:
 * a store costs no more with many cores unless it takes copies away.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_COHERENCE_H
#define CCSAMPLE_CACHESIM_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/allocator.h"
#include "cachesim/lines.h"
#include "cachesim/pairs.h"

struct hierarchy;

#define COHERENCE_TURN		1000u	/* blocks that a thread runs in one go, unless told */
#define COHERENCE_TURN_MOST	100000u	/* Valgrind ends a turn by then */

/* Places of a pair's counts. */
enum { COHERENCE_MISSES, COHERENCE_TRUE };

/* The same of what a writer's stores did, without a victim. */
enum { COHERENCE_UPGRADES, COHERENCE_INVALIDATIONS };

struct coherence_counts {
	uint64_t misses;		/* coherence misses */
	uint64_t true_sharing;		/* of them */
	uint64_t upgrades;		/* stores to lines that the core held shared */
	uint64_t invalidations;		/* lines that its levels lost to other cores' stores */
};

/* What cores have in common. */
struct coherence {
	struct lines lines;
	struct line_words written;	/* struct coherent_line */
	struct coherent_core *cores;
	uint32_t numbers;		/* cores so far */
	uint32_t epoch;			/* counts were forgotten so often, and once more */
	uint32_t part_bits;		/* of the bytes that are told apart as one */
	const struct allocator *memory;
};

/* One core: the levels that a hierarchy has of its own. */
struct coherent_core {
	struct coherence *all;
	struct coherent_core *next;
	struct hierarchy *hierarchy;
	uint32_t number;		/* from 1 */
	bool lost;			/* if the access under way misses, by coherence */
	bool out_of_memory;		/* for pairs */
	struct line_words copies;	/* struct copy */
	struct pairs pairs;		/* sites that missed, and those that had written */
	struct coherence_counts counts;
};

/* What an access did to others. */
struct coherence_effect {
	bool upgraded;
	uint32_t invalidated;		/* cores that lost the line */
};

/* Return: false without memory; what was allocated is given back by coherence_close(). */
bool coherence_open(struct coherence *all, uint32_t line_bits, const struct allocator *memory);
void coherence_close(struct coherence *all);

/* Makes a hierarchy's own levels a core, with empty caches. Return: NULL without memory. */
struct coherent_core *coherence_join(struct coherence *all, struct hierarchy *hierarchy);
void coherence_leave(struct coherent_core *core);

/* Counts begin again; a miss from before is not found to be true sharing any more. */
void coherence_forget(struct coherent_core *core);

bool coherence_out_of_memory(const struct coherent_core *core);

/**
 * coherence_bytes() - the parts of a line that an access refers to.
 * @first, @last: its bytes, counted from the line's first one
 */
static inline uint64_t coherence_bytes(const struct coherence *all, uint32_t first, uint32_t last)
{
	return ~(uint64_t)0 >> (63 - (last >> all->part_bits)) &
	       ~(uint64_t)0 << (first >> all->part_bits);
}

/**
 * coherence_access() - what has to happen before hierarchy_touch().
 * @bytes: of coherence_bytes()
 * @line, @store, @site: of that access
 */
struct coherence_effect coherence_access(struct coherent_core *core, uint64_t line, uint64_t bytes,
					 bool store, uint32_t site);

#endif /* CCSAMPLE_CACHESIM_COHERENCE_H */
