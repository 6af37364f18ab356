// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/held-ends.h"

struct part {
	uint64_t first, last;		/* bytes */
};

void held_ends_free(struct held_ends *held)
{
	free(held->all);
	*held = (struct held_ends){ 0 };
}

bool held_ends_add(struct held_ends *held, const struct ccs_record *record)
{
	union held_end *end;

	if (record->type != CCS_FREE && record->type != CCS_UNMAP)
		return false;
	held->all = grow(held->all, held->count, &held->room, sizeof(*held->all));
	end = &held->all[held->count++];
	if (record->type == CCS_FREE)
		end->free = *(const struct ccs_free *)record;
	else
		end->unmap = *(const struct ccs_unmap *)record;
	return true;
}

const struct ccs_record *held_ends_first(const struct held_ends *held)
{
	return held->count ? &held->all[0].record : NULL;
}

static union held_end take(struct held_ends *held, size_t at)
{
	union held_end end = held->all[at];

	memmove(held->all + at, held->all + at + 1, (--held->count - at) * sizeof(*held->all));
	return end;
}

union held_end held_ends_take(struct held_ends *held)
{
	return take(held, 0);
}

static struct part of_size(uint64_t start, uint64_t size)
{
	uint64_t more = size ? size - 1 : 0;

	return (struct part) { start, more > UINT64_MAX - start ? UINT64_MAX : start + more };
}

/* Where it begins something. Return: false if it is no record that does. */
static bool begun_part(const struct ccs_record *record, struct part *part)
{
	const struct ccs_alloc *alloc = (const void *)record;
	const struct ccs_map *map = (const void *)record;

	if (record->type == CCS_ALLOC)
		*part = of_size(alloc->address, alloc->size);
	else if (record->type == CCS_MAP)
		*part = (struct part) { map->start, map->end - 1 };
	else
		return false;
	return true;
}

/*
 * Of a block only the start is known. What begins further inside of it replaces all of it when it
 * is read, and its FREE then ends nothing.
 */
static struct part ended_part(const union held_end *end)
{
	return end->record.type == CCS_FREE ?
	       of_size(end->free.address, 1) :
	       (struct part) { end->unmap.start, end->unmap.end - 1 };
}

bool held_ends_take_below(struct held_ends *held, const struct ccs_record *begins,
			  union held_end *end)
{
	struct part begun, ended;
	size_t i;

	if (!begun_part(begins, &begun))
		return false;
	for (i = 0; i < held->count; i++) {
		ended = ended_part(&held->all[i]);
		if (ended.first > begun.last || ended.last < begun.first)
			continue;
		*end = take(held, i);
		return true;
	}
	return false;
}
