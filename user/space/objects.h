/* SPDX-License-Identifier: GPL-2.0-only */
/* The data objects of a recording, each once. */
#ifndef CCSAMPLE_SPACE_OBJECTS_H
#define CCSAMPLE_SPACE_OBJECTS_H

#include "base/map.h"
#include "space/space.h"

struct objects {
	struct object **all;		/* by id - 1 */
	struct owner {
		char *path;
		struct module *module;	/* NULL = it is just a path */
	} *owners;			/* the same */
	size_t count;
	size_t capacity;
	size_t owner_capacity;
	struct map by_name;
	struct layout **layouts;	/* that came from another process */
	size_t layout_count, layout_room;
};

/**
 * objects_find() - the object of a kind, name and place, made if there is none yet.
 * @owner: the file that it belongs to, which distinguishes objects of equal names
 */
struct object *objects_find(struct objects *objects, enum object_kind kind, const char *name,
			    const char *where, const char *owner);

/* The same of what belongs to a module, wherever that lies. */
struct object *objects_of_module(struct objects *objects, enum object_kind kind, const char *name,
				 const char *where, struct module *module);

/* A block of an object, or it and all later ones: see space_block(). */
struct object *objects_block(struct objects *objects, const struct object *object,
			     uint32_t number, bool rest);

/* Sets the type of an object that has none yet. @type: taken over; may be NULL. */
void object_set_type(struct object *object, char *type);

/* A call that allocates it: the first few are kept. */
void object_add_call(struct object *object, const struct code *call);

/* Sets the calls that allocated it, where they are not known yet. @chain: taken over */
void object_set_chain(struct object *object, char *chain);

/*
 * Writes all objects, or adds those of another process to ours.
 * @ids: reading, receives what the ids there, from 1 to the number returned, are here
 */
size_t objects_wire(struct objects *objects, struct wire *wire, const struct modules *modules,
		    uint32_t **ids);

void objects_drop(struct objects *objects);

#endif /* CCSAMPLE_SPACE_OBJECTS_H */
