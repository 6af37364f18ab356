/* SPDX-License-Identifier: GPL-2.0-only */
/* What to edit for a cure, in the terms of the language that the program is written in. */
#ifndef CCSAMPLE_ADVISE_EDIT_H
#define CCSAMPLE_ADVISE_EDIT_H

#include "advise/advise.h"

/*
 * What to edit, and where: "stencil.c:41: declare A[1024][1032] instead of A[1024][1024]". To be
 * freed, and not cleaned.
 */
char *cure_edit(const struct cure *cure);

/*
 * "8,256 B long instead of 8,192 (1,032 elements, not 1,024)"; in bytes alone where an element's
 * size is not known. @words: " long"
 */
void append_lengths(char **text, const struct object *object, uint64_t to, uint64_t from,
		    const char *words);

#endif /* CCSAMPLE_ADVISE_EDIT_H */
