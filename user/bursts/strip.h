/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * References that tell an outer level nothing: those to the line used last of all that share its
 * place among BURST_STRIP. An LRU L1 of as many sets, or a multiple of them, hits there, and is
 * the same afterwards, so what remains has the same misses of it in the same order (Puzak,
 * Analysis of cache replacement algorithms, 1985: trace stripping). Pure.
 */
#ifndef CCSAMPLE_BURSTS_STRIP_H
#define CCSAMPLE_BURSTS_STRIP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bursts/reference.h"

#define BURST_STRIP		64u	/* places: no L1 in use has fewer sets */
#define BURST_STRIP_LINE	6u	/* bits: 64 bytes */

struct burst_strip {
	uint64_t line[BURST_STRIP];
};

/* No line of memory has this number. */
static inline void burst_strip_begin(struct burst_strip *strip)
{
	memset(strip->line, 0xff, sizeof(strip->line));
}

/* Is a line the one used last at its place? From now on it is. */
static inline bool burst_strip_line(struct burst_strip *strip, uint64_t line)
{
	uint64_t *last = &strip->line[line % BURST_STRIP];
	bool same = *last == line;

	*last = line;
	return same;
}

/* Return: true if the reference says nothing. */
static inline bool burst_strip_hits(struct burst_strip *strip,
				    const struct burst_reference *reference)
{
	uint64_t line = reference->address >> BURST_STRIP_LINE;
	uint64_t last = (reference->address + reference->size - 1) >> BURST_STRIP_LINE;
	bool hits = true;

	if (last < line)
		last = line;
	for (; line <= last; line++)
		hits &= burst_strip_line(strip, line);
	return hits;
}

#endif /* CCSAMPLE_BURSTS_STRIP_H */
