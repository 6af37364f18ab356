// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/wire.h"
#include "program/layout.h"
#include "space/objects.h"

#define PYTHON_MODULE ".cpython-"	/* in the names of its modules' files */

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
	objects->owners[objects->count] = (struct owner){ .path = xstrdup(owner) };
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
		    !strcmp(object->where, where) && !strcmp(objects->owners[*id - 1].path, owner))
			return object;
	}
}

struct object *objects_of_module(struct objects *objects, enum object_kind kind, const char *name,
				 const char *where, struct module *module)
{
	struct object *object = objects_find(objects, kind, name, where, module_path(module));

	objects->owners[object->id - 1].module = module;
	return object;
}

struct object *objects_block(struct objects *objects, const struct object *object,
			     uint32_t number, bool rest)
{
	char *name = xasprintf("%s[#%" PRIu32 "%s]", object->name, number, rest ? ".." : "");
	struct object *block = objects_find(objects, object->kind, name, object->where,
					    objects->owners[object->id - 1].path);

	block->rest = rest;
	free(name);
	return block;
}

void object_set_type(struct object *object, char *type)
{
	if (object->type)
		free(type);
	else
		object->type = type;
}

void object_add_call(struct object *object, const struct code *call)
{
	for (size_t i = 0; i < object->call_count; i++)
		if (object->calls[i].module == call->module &&
		    object->calls[i].address == call->address)
			return;
	if (object->call_count < OBJECT_CALLS)
		object->calls[object->call_count++] = *call;
}

void object_set_chain(struct object *object, char *chain)
{
	if (object->chain)
		free(chain);
	else
		object->chain = chain;
}

/* --- from one process to another --- */

/* Which object it is, found by its names. */
static struct object *read_names(struct objects *objects, struct wire *wire,
				 const struct modules *modules)
{
	enum object_kind kind = wire_number(wire, 0, OBJECT_MAPPING);
	char *name = wire_text(wire, NULL), *where = wire_text(wire, NULL);
	char *path = wire_text(wire, NULL);
	struct module *module = module_wire(NULL, wire, modules);
	struct object *object;

	/* A copy of a file may have another path there: what belongs to it belongs to ours. */
	object = module ?
		 objects_of_module(objects, kind, name ? name : "", where ? where : "", module) :
		 objects_find(objects, kind, name ? name : "", where ? where : "",
			      path ? path : "");
	free(path);
	free(where);
	free(name);
	return object;
}

static void wire_texts(struct objects *objects, struct object *object, struct wire *wire)
{
	char *type = wire_text(wire, object->type), *chain = wire_text(wire, object->chain);
	struct layout *layout = layout_wire(object->layout, wire);

	if (!wire->reads)
		return;
	object_set_type(object, type);
	object_set_chain(object, chain);
	if (!layout)
		return;
	objects->layouts = grow(objects->layouts, objects->layout_count, &objects->layout_room,
				sizeof(*objects->layouts));
	objects->layouts[objects->layout_count++] = layout;
	if (!object->layout)
		object->layout = layout;
}

static void wire_blocks(struct object *object, struct wire *wire)
{
	uint64_t before = object->blocks, first, least;

	wire_most(wire, &object->bytes);
	wire_add(wire, &object->blocks, 1);
	wire_most(wire, &object->block_most);
	wire_most(wire, &object->element);
	least = wire_number(wire, object->block_least, UINT64_MAX);
	first = wire_number(wire, object->block_first, UINT64_MAX);
	object->block_bits |= wire_number(wire, object->block_bits, UINT64_MAX);
	object->block_apart |= wire_number(wire, object->block_apart, UINT64_MAX);
	if (!wire->reads || object->blocks == before)
		return;
	if (!before || least < object->block_least)
		object->block_least = least;
	if (before)
		object->block_apart |= first - object->block_first;
	else
		object->block_first = first;
}

static void wire_calls(struct object *object, struct wire *wire, const struct modules *modules)
{
	size_t count = wire_number(wire, object->call_count, OBJECT_CALLS);

	for (size_t i = 0; i < count; i++) {
		struct code call = { .module = NULL };

		if (!wire->reads)
			call = object->calls[i];
		call.module = module_wire(call.module, wire, modules);
		call.address = wire_number(wire, call.address, UINT64_MAX);
		if (wire->reads && call.module)
			object_add_call(object, &call);
	}
}

size_t objects_wire(struct objects *objects, struct wire *wire, const struct modules *modules,
		    uint32_t **ids)
{
	size_t count = wire_number(wire, objects->count, UINT32_MAX), room = 0, i;
	struct object *object;

	for (i = 0; i < count && !wire->wrong; i++) {
		if (wire->reads) {
			object = read_names(objects, wire, modules);
			*ids = grow(*ids, i, &room, sizeof(**ids));
			(*ids)[i] = object->id;
		} else {
			object = objects->all[i];
			wire_number(wire, object->kind, OBJECT_MAPPING);
			wire_text(wire, object->name);
			wire_text(wire, object->where);
			wire_text(wire, objects->owners[i].path);
			module_wire(objects->owners[i].module, wire, modules);
		}
		wire_texts(objects, object, wire);
		wire_blocks(object, wire);
		wire_calls(object, wire, modules);
	}
	return i;
}

void objects_drop(struct objects *objects)
{
	for (size_t i = 0; i < objects->layout_count; i++)
		layout_free(objects->layouts[i]);
	free(objects->layouts);
	for (size_t i = 0; i < objects->count; i++) {
		free((char *)objects->all[i]->name);
		free((char *)objects->all[i]->where);
		free((char *)objects->all[i]->type);
		free((char *)objects->all[i]->chain);
		free(objects->owners[i].path);
		free(objects->all[i]);
	}
	free(objects->all);
	free(objects->owners);
	map_free(&objects->by_name);
	*objects = (struct objects) { 0 };
}

static bool ends_in(const char *ending, const char *const *endings)
{
	size_t size = strcspn(ending, ":");

	while (*endings && (size != strlen(*endings) || strncasecmp(ending, *endings, size)))
		endings++;
	return *endings;
}

int object_order(const struct object *a, const struct object *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : (a->id > b->id) - (a->id < b->id);
}

enum language object_language(const struct object *object)
{
	static const char *const fortran[] = {
		".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".f18", NULL,
	};
	static const char *const cxx[] = {
		".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", NULL,
	};
	const char *ending = object->where ? strrchr(object->where, '.') : NULL;

	for (size_t i = 0; i < object->call_count; i++)
		if (strstr(module_path(object->calls[i].module), PYTHON_MODULE))
			return LANGUAGE_PYTHON;
	if (!ending)
		return LANGUAGE_OTHER;
	return strstr(object->where, PYTHON_MODULE) ? LANGUAGE_PYTHON :
	       ends_in(ending, fortran) ? LANGUAGE_FORTRAN :
	       ends_in(ending, cxx) ? LANGUAGE_CXX : LANGUAGE_OTHER;
}

const char *object_rows(const struct object *object)
{
	return object_is_fortran(object) ? "leading dimension" : "rows";
}
