/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fixed intervals that may nest and overlap (functions with inlined ones in
 * them, symbols), made flat once: of which is an address the innermost part?
 */
#ifndef CCSAMPLE_PROGRAM_SPANS_H
#define CCSAMPLE_PROGRAM_SPANS_H

#include <stddef.h>
#include <stdint.h>

#define SPANS_NONE (~0u)

struct span {
	uint64_t start;
	uint64_t end;		/* first byte past it */
	uint32_t rank;		/* of equal intervals the highest rank is the innermost */
	uint32_t index;		/* what spans_find() answers */
};

struct span_part {
	uint64_t start;		/* to the next one's */
	uint32_t index;
};

struct spans {
	struct span_part *parts;
	size_t count;
	size_t capacity;
};

/**
 * spans_make() - flatten intervals.
 * @spans: zeroed; release it with spans_drop()
 * @span: intervals in any order, sorted on return; empty ones are ignored
 *
 * Where intervals overlap, the one that starts last is the innermost.
 */
void spans_make(struct spans *spans, struct span *span, size_t count);

/**
 * spans_find() - the index of the innermost interval at an address, or SPANS_NONE.
 * @low, @high: bounds of the part around it with the same answer; may be NULL
 */
uint32_t spans_find(const struct spans *spans, uint64_t address, uint64_t *low, uint64_t *high);

void spans_drop(struct spans *spans);

#endif /* CCSAMPLE_PROGRAM_SPANS_H */
