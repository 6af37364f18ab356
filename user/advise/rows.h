/* SPDX-License-Identifier: GPL-2.0-only */
/* How an object's rows may be made longer. */
#ifndef CCSAMPLE_ADVISE_ROWS_H
#define CCSAMPLE_ADVISE_ROWS_H

#include "advise/keep.h"

#define ROWS_MOST 12

/* Rows of an object: of an array, or of an array in it; a struct is a row of members. */
struct row_length {
	uint64_t bytes;
	uint64_t unit;		/* pads are multiples of it */
	uint64_t inner;		/* of planes: pads are of rows in them, and a row more; 0 = no */
	uint32_t dimension;	/* of the type that a pad would change, from 1; 0 = none is known */
	enum row_nature nature;
	bool odd;			/* in lines: pads of any other number spare some sets */
	/* Dimensions that one spans: 1 a row, 2 a plane, ...; 0 = an element, or not known */
	uint32_t spans;
};

/**
 * rows_of() - the rows that an object may have, the likeliest first.
 *
 * Where its type has dimensions, they are the answer; else how it is walked says. Pieces of what is
 * walked by many powers of two come last.
 */
size_t rows_of(const struct keep *keep, const struct object *object,
	       struct row_length rows[ROWS_MOST]);

/**
 * rows_places() - what is between the few places of an object that are used; bytes 0 = there is
 * no such thing.
 * @element: receives the bytes of an element, by the type; 0 = unknown
 */
struct stride_places rows_places(const struct keep *keep, const struct object *object,
				 uint64_t *element);

/* What bytes that lie between an object's used places are. */
enum row_nature rows_nature(const struct keep *keep, const struct object *object, uint64_t bytes);

/* "rows", "entries", "places", "pieces": the words of JSON. */
const char *row_nature_name(enum row_nature nature);

/* Is an entry a page or more of them: something whose size is seldom free? */
bool rows_are_pages(uint64_t bytes);

#endif /* CCSAMPLE_ADVISE_ROWS_H */
