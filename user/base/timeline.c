// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "base/timeline.h"

static const struct timeline_entry *entry(const struct timeline *timeline, uint64_t number)
{
	return number ? &timeline->entries[number - 1] : NULL;
}

static const struct timeline_entry *last(const struct timeline *timeline, uint32_t pid)
{
	return entry(timeline, map_get(&timeline->latest, pid));
}

void timeline_add(struct timeline *timeline, uint32_t pid, uint64_t begin, uint32_t what)
{
	uint64_t *latest = map_at(&timeline->latest, pid);

	timeline->entries = grow(timeline->entries, timeline->count, &timeline->room,
				 sizeof(*timeline->entries));
	timeline->entries[timeline->count++] = (struct timeline_entry){ begin, what, *latest };
	*latest = timeline->count;
}

uint32_t timeline_latest(const struct timeline *timeline, uint32_t pid)
{
	const struct timeline_entry *found = last(timeline, pid);

	return found ? found->what : 0;
}

uint32_t timeline_at(const struct timeline *timeline, uint32_t pid, uint64_t time)
{
	const struct timeline_entry *found = last(timeline, pid);

	while (found && found->begin > time)
		found = entry(timeline, found->before);
	return found ? found->what : 0;
}

uint64_t timeline_next(const struct timeline *timeline, uint32_t pid, uint64_t time)
{
	const struct timeline_entry *found;
	uint64_t next = UINT64_MAX;

	for (found = last(timeline, pid); found; found = entry(timeline, found->before))
		if (found->begin >= time && found->begin < next)
			next = found->begin;
	return next;
}

void timeline_free(struct timeline *timeline)
{
	free(timeline->entries);
	map_free(&timeline->latest);
}
