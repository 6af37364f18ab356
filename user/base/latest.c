// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "base/latest.h"

/* Of a list from the newest to the oldest; at its ends the neighbours mean nothing. */
struct latest_place {
	uint64_t key;
	uint32_t newer, older;
};

static void unlink_place(struct latest *latest, uint32_t at)
{
	const struct latest_place *place = &latest->places[at];

	if (at == latest->oldest)
		latest->oldest = place->newer;
	else
		latest->places[place->older].newer = place->newer;
	latest->places[place->newer].older = place->older;
}

static void make_newest(struct latest *latest, uint32_t at)
{
	latest->places[at].older = latest->newest;
	latest->places[latest->newest].newer = at;
	latest->newest = at;
}

static uint32_t new_place(struct latest *latest)
{
	if (latest->count == latest->room) {
		latest->room = latest->room ? 2 * latest->room : 16;
		latest->places = xrealloc(latest->places,
					  latest->room * sizeof(*latest->places));
	}
	return latest->count++;
}

uint32_t latest_place(struct latest *latest, uint64_t key, uint32_t most, bool *fresh)
{
	uint64_t *value = map_at(&latest->by_key, key);
	uint32_t at = *value - 1;

	*fresh = !*value || latest->places[at].key != key;
	if (!*fresh && at == latest->newest)
		return at;
	if (*fresh && latest->count < most) {
		at = new_place(latest);
	} else {
		at = *fresh ? latest->oldest : at;
		if (latest->count > 1)
			unlink_place(latest, at);
	}
	latest->places[at].key = key;
	if (latest->count > 1)
		make_newest(latest, at);
	*value = at + 1;
	return at;
}

void latest_drop(struct latest *latest)
{
	map_free(&latest->by_key);
	free(latest->places);
	*latest = (struct latest) { 0 };
}
