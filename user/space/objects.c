// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory.h"
#include "space/objects.h"

const char *object_kind_name(enum object_kind kind)
{
	static const char *const names[] = {
		[OBJECT_HEAP] = "heap", [OBJECT_GLOBAL] = "global",
		[OBJECT_STACK] = "stack", [OBJECT_MAPPING] = "mapping",
	};

	return names[kind];
}

static struct object *add(struct objects *objects, enum object_kind kind, const char *name,
			  const char *where, const char *owner)
{
	struct object *object = xcalloc(1, sizeof(*object));

	objects->all = grow(objects->all, objects->count, &objects->capacity,
			    sizeof(*objects->all));
	objects->owners = grow(objects->owners, objects->count, &objects->owner_capacity,
			       sizeof(*objects->owners));
	object->kind = kind;
	object->name = xstrdup(name);
	object->where = xstrdup(where);
	objects->owners[objects->count] = xstrdup(owner);
	objects->all[objects->count++] = object;
	object->id = objects->count;
	return object;
}

struct object *objects_find(struct objects *objects, enum object_kind kind, const char *name,
			    const char *where, const char *owner)
{
	struct object *object;
	uint64_t hash, *id;

	hash = XXH3_64bits_withSeed(name, strlen(name), kind);
	hash = XXH3_64bits_withSeed(where, strlen(where), hash);
	hash = XXH3_64bits_withSeed(owner, strlen(owner), hash);
	for (;; hash++) {
		id = map_at(&objects->by_name, hash);
		if (!*id) {
			object = add(objects, kind, name, where, owner);
			*id = object->id;
			return object;
		}
		object = objects->all[*id - 1];
		if (object->kind == kind && !strcmp(object->name, name) &&
		    !strcmp(object->where, where) && !strcmp(objects->owners[*id - 1], owner))
			return object;
	}
}

void object_set_type(struct object *object, char *type)
{
	if (object->type)
		free(type);
	else
		object->type = type;
}

void object_set_chain(struct object *object, char *chain)
{
	if (object->chain)
		free(chain);
	else
		object->chain = chain;
}

void objects_drop(struct objects *objects)
{
	for (size_t i = 0; i < objects->count; i++) {
		free((char *)objects->all[i]->name);
		free((char *)objects->all[i]->where);
		free((char *)objects->all[i]->type);
		free((char *)objects->all[i]->chain);
		free((char *)objects->owners[i]);
		free(objects->all[i]);
	}
	free(objects->all);
	free(objects->owners);
	map_free(&objects->by_name);
	*objects = (struct objects) { 0 };
}
