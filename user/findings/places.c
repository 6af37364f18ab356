// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "findings/pass.h"
#include "base/memory.h"

struct miss_place *places_at(struct places *places, size_t site, uint32_t object)
{
	uint64_t *number = map_at(&places->numbers, (uint64_t)site << 32 | object);

	if (*number)
		return &places->all[*number - 1];
	places->all = grow(places->all, places->count, &places->capacity, sizeof(*places->all));
	places->all[places->count] = (struct miss_place) { .site = site, .object = object };
	*number = ++places->count;
	return &places->all[*number - 1];
}

void places_drop(struct places *places)
{
	map_free(&places->numbers);
	free(places->all);
}

struct object_tally *pass_object_tally(struct pass *pass, uint32_t id)
{
	pass->objects = grow_to(pass->objects, id, &pass->object_count, sizeof(*pass->objects));
	return &pass->objects[id];
}
