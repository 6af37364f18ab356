/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many references of a burst go by until it has touched as many lines as a cache holds. Before
 * that little of a burst is certain, long after that there is little to learn: so it says how long
 * bursts should be. Lines are counted to about 1%, in few pages: by the bits that they set in a map
 * (linear counting: Whang, Vander-Zanden, Taylor, ACM TODS 1990). Pure, but for memory.
 */
#ifndef CCSAMPLE_BURSTS_WARM_UP_H
#define CCSAMPLE_BURSTS_WARM_UP_H

#include <stdbool.h>
#include <stdint.h>

#include "bursts/reference.h"
#include "bursts/strip.h"

#define WARM_UP_LINES	1024u		/* 64 KiB: report may ask for another L1 */

struct warm_up {
	uint64_t *bit;			/* set by lines of this burst */
	uint32_t bits;			/* a power of two */
	uint32_t set;			/* of them */
	uint32_t most;			/* ... when it has touched the lines looked for */
	uint64_t patience;		/* ... in so many references at most */
	uint64_t references;		/* until then */
	struct burst_strip recent;	/* lines of it that need not be looked up */
};

/*
 * Then warm_up_begin().
 * @lines: of the cache, at least 1
 * @patience: references that are looked at; later ones make no difference
 */
void warm_up_open(struct warm_up *warm_up, uint32_t lines, uint64_t patience);
void warm_up_close(struct warm_up *warm_up);

void warm_up_begin(struct warm_up *warm_up);

/* A line of the burst that was not looked up yet. */
void warm_up_line(struct warm_up *warm_up, uint64_t line);

/* Return: lines that the burst has touched so far, about */
uint32_t warm_up_lines(const struct warm_up *warm_up);

static inline bool warm_up_done(const struct warm_up *warm_up)
{
	return warm_up->set >= warm_up->most || warm_up->references == warm_up->patience;
}

/* Lines are taken as 64 bytes; of a reference over two of them the first one counts. */
static inline void warm_up_add(struct warm_up *warm_up, const struct burst_reference *reference)
{
	uint64_t line = reference->address >> BURST_STRIP_LINE;

	if (warm_up_done(warm_up))
		return;
	warm_up->references++;
	if (!burst_strip_line(&warm_up->recent, line))
		warm_up_line(warm_up, line);
}

#endif /* CCSAMPLE_BURSTS_WARM_UP_H */
