/* SPDX-License-Identifier: GPL-2.0-only */
/* The data objects of a recording, each once. */
#ifndef CCSAMPLE_SPACE_OBJECTS_H
#define CCSAMPLE_SPACE_OBJECTS_H

#include "base/map.h"
#include "space/space.h"

struct objects {
	struct object **all;		/* by id - 1 */
	const char **owners;		/* the same */
	size_t count;
	size_t capacity;
	size_t owner_capacity;
	struct map by_name;
};

/**
 * objects_find() - the object of a kind, name and place, made if there is none yet.
 * @owner: the file that it belongs to, which distinguishes objects of equal names
 */
struct object *objects_find(struct objects *objects, enum object_kind kind, const char *name,
			    const char *where, const char *owner);

/* Sets the type of an object that has none yet. @type: taken over; may be NULL. */
void object_set_type(struct object *object, char *type);

/* Sets the calls that allocated it, where they are not known yet. @chain: taken over */
void object_set_chain(struct object *object, char *chain);

void objects_drop(struct objects *objects);

#endif /* CCSAMPLE_SPACE_OBJECTS_H */
