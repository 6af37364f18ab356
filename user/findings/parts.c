// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "findings/parts.h"
#include "findings/pass.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/wire-numbers.h"
#include "program/layout.h"

/* A part of an object. */
struct part {
	const struct object *object;
	uint32_t number;		/* in its layout */
};

struct parts {
	struct map by_object;		/* object and number -> number in @part + 1 */
	struct part *part;
	size_t count, capacity;
	struct map samples[TALLY_LEVELS];	/* context and number in @part -> samples */
};

struct parts *parts_new(void)
{
	return xcalloc(1, sizeof(struct parts));
}

void parts_free(struct parts *parts)
{
	map_free(&parts->by_object);
	for (size_t i = 0; i < TALLY_LEVELS; i++)
		map_free(&parts->samples[i]);
	free(parts->part);
	free(parts);
}

static size_t number_of(struct parts *parts, const struct object *object, uint32_t part)
{
	uint64_t *number = map_at(&parts->by_object, (uint64_t)object->id << 32 | part);

	if (*number)
		return *number - 1;
	parts->part = grow(parts->part, parts->count, &parts->capacity, sizeof(*parts->part));
	parts->part[parts->count] = (struct part){ object, part };
	*number = ++parts->count;
	return *number - 1;
}

void parts_add(struct parts *parts, uint32_t level, size_t context, const struct object *object,
	       uint64_t offset)
{
	uint32_t part = layout_part(object->layout, offset);

	if (part == LAYOUT_NONE)
		return;
	++*map_at(&parts->samples[level],
		  (uint64_t)context << 32 | number_of(parts, object, part));
}

/* @key: context and number of the part. Its samples were written with it. */
static void wire_part(struct parts *parts, struct wire *wire, uint32_t level,
		      const struct map_entry *entry, const struct spaces *spaces,
		      const struct wire_numbers *numbers)
{
	const struct part *part = entry ? &parts->part[(uint32_t)entry->key] : NULL;
	uint64_t context = wire_context(wire, entry ? entry->key >> 32 : 0, numbers);
	uint32_t id = wire_object(wire, part ? part->object->id : 0, numbers);
	uint32_t number = wire_number(wire, part ? part->number : 0, LAYOUT_NONE);
	uint64_t samples = wire_number(wire, entry ? entry->value : 0, UINT64_MAX);
	const struct object *object;

	if (!wire->reads || wire->wrong || context == WIRE_NO_CONTEXT)
		return;
	object = spaces_object(spaces, id);
	if (object->layout && number < layout_parts(object->layout))
		*map_at(&parts->samples[level],
			context << 32 | number_of(parts, object, number)) += samples;
}

void parts_wire(struct parts *parts, struct wire *wire, const struct spaces *spaces,
		const struct wire_numbers *numbers)
{
	for (uint32_t level = 0; level < TALLY_LEVELS; level++) {
		const struct map *map = &parts->samples[level];
		size_t count = wire_number(wire, map->count, UINT32_MAX), i;

		for (i = 0; !wire->reads && map->entries && i <= map->mask; i++)
			if (map->entries[i].value)
				wire_part(parts, wire, level, &map->entries[i], spaces, numbers);
		for (i = 0; wire->reads && i < count && !wire->wrong; i++)
			wire_part(parts, wire, level, NULL, spaces, numbers);
	}
}

/* Larger ones first, of equal ones those that come first in the object. */
static bool comes_before(const struct part_share *part, const struct part_share *other)
{
	return part->share != other->share ? part->share > other->share :
	       part->number < other->number;
}

static void insert_part(struct object_share *share, struct part_share part)
{
	size_t i = share->part_count;

	if (i == FINDINGS_PARTS) {
		if (!comes_before(&part, &share->parts[--i]))
			return;
	} else {
		share->part_count++;
	}
	for (; i && comes_before(&part, &share->parts[i - 1]); i--)
		share->parts[i] = share->parts[i - 1];
	share->parts[i] = part;
}

static void give(struct object_share *shares, size_t count, const struct part *part,
		 uint64_t samples, uint64_t all)
{
	for (size_t i = 0; i < count; i++)
		if (shares[i].object == part->object)
			insert_part(&shares[i], (struct part_share){
				layout_name(part->object->layout, part->number),
				fmin(samples / (shares[i].share * all), 1), part->number,
			});
}

static void fill_level(struct parts *parts, struct context **by_number, uint32_t number,
		       struct map *all)
{
	const struct map *map = &parts->samples[number];

	for (size_t i = 0; map->entries && i <= map->mask; i++) {
		const struct map_entry *entry = &map->entries[i];
		struct level_findings *level;

		if (!entry->value)
			continue;
		*map_at(all, entry->key) += entry->value;
		level = (struct level_findings *)context_level(by_number[entry->key >> 32],
							       number);
		if (level)
			give(level->objects, level->object_count,
			     &parts->part[(uint32_t)entry->key], entry->value, level->samples);
	}
}

void parts_fill(struct pass *pass, struct context **by_number)
{
	struct map all = { .entries = NULL };
	uint32_t number;

	for (number = 0; number < TALLY_LEVELS; number++)
		fill_level(pass->parts, by_number, number, &all);
	for (size_t i = 0; all.entries && i <= all.mask; i++) {
		const struct map_entry *entry = &all.entries[i];
		struct context *context;

		if (!entry->value)
			continue;
		context = by_number[entry->key >> 32];
		give(context->objects, context->object_count,
		     &pass->parts->part[(uint32_t)entry->key], entry->value, context->samples);
	}
	map_free(&all);
}
