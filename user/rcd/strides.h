/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long the rows of objects are, by how instructions walk through them: from one reference of
 * an instruction to its next, from one run of equal steps to the next, from one of those to the
 * next, and from any instruction's reference to the next one's.
 */
#ifndef CCSAMPLE_RCD_STRIDES_H
#define CCSAMPLE_RCD_STRIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRIDES_ROWS 20		/* most answers for an object */
#define STRIDES_LOOPS 2		/* loops around an instruction whose steps are told apart */

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

/*
 * How often an instruction steps along what it walks through, by two lines at most, and across it,
 * by more: [0] from one reference to the next, [1] from where one run of equal steps begins to
 * where the next does. Interchanging the two loops exchanges the two.
 */
struct stride_site {
	uint32_t object;		/* the last one */
	uint64_t along[STRIDES_LOOPS], across[STRIDES_LOOPS];
};

/* Of a site that was never added all are 0. */
struct stride_site strides_site(const struct strides *strides, uint32_t site);

/* What lies between the places of an object that a loop uses. */
enum row_nature {
	ROWS_PROVEN,		/* rows, by the type or by steps along and across them */
	ROWS_ENTRIES,		/* entries: as long as an element, or met in any order */
	ROWS_PLACES,		/* one line in each is used: rows, or what an index leaves out */
	ROWS_PIECES,		/* equal pieces: of what has no rows, or many lengths of them */
};

/* Where an object's references lie: what there is between them. */
struct stride_places {
	uint64_t bytes;		/* from one to the next, in multiples of lines; 0 = all over it */
	bool walked;		/* in steps of that many bytes, too; else in any order */
};

/**
 * strides_places() - what is between the lines that most of an object's references are in.
 * @most: bytes: distances that are multiples of larger powers of two are not looked at
 *
 * Buckets of a table and nodes of a pool of which the first line is used are so, in whatever order
 * they are met.
 */
struct stride_places strides_places(const struct strides *strides, uint32_t object, uint32_t line,
				    uint64_t most);

/**
 * strides_doubles() - whether an object is stepped through by many powers of two, as a transform's
 * stages do.
 * @line: bytes: shorter steps do not count
 *
 * Return: the shortest of these steps in bytes, 0 = it is not.
 */
uint64_t strides_doubles(const struct strides *strides, uint32_t object, uint32_t line);

/* A length that rows may have, and how much speaks for it: more than 0, up to 1. */
struct stride_row {
	uint64_t bytes;
	double weight;
	bool entries;			/* of which some lines are used, met in any order */
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

#endif /* CCSAMPLE_RCD_STRIDES_H */
