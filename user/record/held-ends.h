/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FREE and UNMAP of what a burst may have used: they are written after it, unless something else
 * begins in that place first. Pure.
 */
#ifndef CCSAMPLE_RECORD_HELD_ENDS_H
#define CCSAMPLE_RECORD_HELD_ENDS_H

#include <stdbool.h>
#include <stddef.h>

#include "format/format.h"

#define HELD_ENDS_MOST	1024u		/* each ALLOC is compared with all */

union held_end {
	struct ccs_record record;
	struct ccs_free free;
	struct ccs_unmap unmap;
};

/* All zeros is an empty one. */
struct held_ends {
	union held_end *all;		/* in their order */
	size_t count, room;
};

void held_ends_free(struct held_ends *held);

/* Return: true if it is a FREE or an UNMAP: a copy is held. The caller keeps to HELD_ENDS_MOST. */
bool held_ends_add(struct held_ends *held, const struct ccs_record *record);

/* The first; NULL = none is held. */
const struct ccs_record *held_ends_first(const struct held_ends *held);

/* Return: the first, which is there; it is held no longer. */
union held_end held_ends_take(struct held_ends *held);

/**
 * held_ends_take_below() - an end of what lay where a MAP or an ALLOC begins.
 * @begins: a record of any type
 * @end: set to the first such end; it is held no longer
 *
 * Return: true if there was one.
 */
bool held_ends_take_below(struct held_ends *held, const struct ccs_record *begins,
			  union held_end *end);

#endif /* CCSAMPLE_RECORD_HELD_ENDS_H */
