// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "findings/meetings.h"
#include "base/memory.h"

#define KEPT 8192u	/* misses of a burst that are looked back at, at most */

struct miss {
	struct met in;
	uint32_t next_in_set;	/* index + 1 of the next miss on the set, 0 = none yet */
};

void meetings_burst(struct meetings *meetings)
{
	if (!meetings->count)
		return;
	map_clear(&meetings->of_line);
	map_clear(&meetings->of_set);
	meetings->count = 0;
}

static int find_evictors(const struct meetings *meetings, uint32_t last, struct met *evictors)
{
	uint32_t most = meetings->ways < MEETINGS_MOST ? meetings->ways : MEETINGS_MOST;
	uint32_t next = meetings->misses[last].next_in_set;
	int count = 0;

	while (next && count < most) {
		evictors[count++] = meetings->misses[next - 1].in;
		next = meetings->misses[next - 1].next_in_set;
	}
	return count;
}

int meetings_add(struct meetings *meetings, uint32_t set, uint64_t line, struct met in,
		 struct met evictors[MEETINGS_MOST])
{
	uint64_t *of_line, *of_set;
	int found = -1;

	if (meetings->count == KEPT)
		meetings_burst(meetings);
	meetings->misses = grow(meetings->misses, meetings->count, &meetings->capacity,
				sizeof(*meetings->misses));
	of_line = map_at(&meetings->of_line, line);
	if (*of_line && meetings->count - (*of_line - 1) < meetings->lines)
		found = find_evictors(meetings, *of_line - 1, evictors);
	meetings->misses[meetings->count] = (struct miss) { .in = in };
	*of_line = meetings->count + 1;
	of_set = map_at(&meetings->of_set, set);
	if (*of_set)
		meetings->misses[*of_set - 1].next_in_set = meetings->count + 1;
	*of_set = ++meetings->count;
	return found;
}

void meetings_drop(struct meetings *meetings)
{
	map_free(&meetings->of_line);
	map_free(&meetings->of_set);
	free(meetings->misses);
}
