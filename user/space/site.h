/* SPDX-License-Identifier: GPL-2.0-only */
/* Names for the places that allocate memory, from call stacks. */
#ifndef CCSAMPLE_SPACE_SITE_H
#define CCSAMPLE_SPACE_SITE_H

#include "space/objects.h"

#define SITE_DEPTH	64	/* frames looked at */

struct sites;

/* @objects: where the objects of the places are kept */
struct sites *sites_new(struct objects *objects);
void sites_free(struct sites *sites);

/* Functions that only allocate for their callers, comma-separated; they stay the caller's. */
void sites_set_wrappers(struct sites *sites, const char *names);

/**
 * sites_object() - the object of the blocks that a call stack allocated.
 * @kind: OBJECT_HEAP or OBJECT_MAPPING
 * @frames: innermost first
 *
 * Named by the innermost frame of the program's own code: allocators, the C and
 * C++ libraries and what is inlined from them are passed over. Where that
 * function seems to be a mere wrapper (its name says alloc or new, its source
 * returns what it allocates, or it was named as one), the place is its caller's,
 * and the chain "xmalloc util.c:10 < make_grid stencil.c:41".
 * Where the source can be read and its line is plain, the name is the
 * variable's, else "block of make_grid".
 */
struct object *sites_object(struct sites *sites, enum object_kind kind,
			    const struct code *frames, size_t depth);

#endif /* CCSAMPLE_SPACE_SITE_H */
