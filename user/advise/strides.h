/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long the rows of objects are, by how instructions walk through them: from one reference of
 * an instruction to its next, from one run of equal steps to the next, from one of those to the
 * next, and from any instruction's reference to the next one's.
 */
#ifndef CCSAMPLE_ADVISE_STRIDES_H
#define CCSAMPLE_ADVISE_STRIDES_H

#include <stddef.h>
#include <stdint.h>

#define STRIDES_ROWS 12		/* most answers for an object */

struct strides;

struct strides *strides_new(void);
void strides_free(struct strides *strides);

/* A burst begins: nothing follows what was before. */
void strides_burst(struct strides *strides);

/**
 * strides_add() - a reference.
 * @object: its number
 * @site: of the instruction: an index
 * @block: of the object: steps from one block to another are none
 * @offset: in the block
 */
void strides_add(struct strides *strides, uint32_t object, uint32_t site, uint32_t block,
		 uint64_t offset);

/* A length that rows may have, and how much speaks for it: more than 0, up to 1. */
struct stride_row {
	uint64_t bytes;
	double weight;
};

/**
 * strides_rows() - lengths that an object's rows may have.
 * @line: bytes: shorter ones are none
 * @most: bytes: longer ones are none
 *
 * Unrolled loops step over several rows, or along one: not each answer is a row's. Return: how
 * many there are.
 */
size_t strides_rows(const struct strides *strides, uint32_t object, uint32_t line, uint64_t most,
		    struct stride_row rows[STRIDES_ROWS]);

#endif /* CCSAMPLE_ADVISE_STRIDES_H */
