// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "tracee/bursts/places.h"

#define PLACE_BITS	8		/* of code that is one place: a loop has a few */

static struct place *place_of(struct places *places, uint64_t rip)
{
	return &places->place[(rip >> PLACE_BITS) * 0x9e3779b97f4a7c15ull >> 58];
}

static bool is_at(const struct place *place, uint64_t rip)
{
	return place->met && place->key == rip >> PLACE_BITS;
}

static uint64_t root(uint64_t value)
{
	uint64_t root = 0, bit;

	for (bit = 1ull << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= value)
			root |= bit;
	return root;
}

/* A sixteenth of a tick is as fine as need be. */
static uint64_t share(const struct place *place)
{
	return root((uint64_t)place->met << 8);
}

/* Of two that fall together the one with more ticks stays. */
void place_met(struct places *places, uint64_t rip)
{
	struct place *place = place_of(places, rip);

	if (is_at(place, rip))
		place->met++;
	else if (place->met > 1)
		place->met--;
	else
		*place = (struct place){ rip >> PLACE_BITS, 1, 0 };
}

void place_began(struct places *places, uint64_t rip)
{
	struct place *place = place_of(places, rip);

	if (is_at(place, rip))
		place->bursts++;
}

bool place_is_crowded(struct places *places, uint64_t rip)
{
	const struct place *place = place_of(places, rip);
	uint64_t shares = 0, bursts = 0;

	if (!is_at(place, rip) || place->bursts < PLACE_FEW)
		return false;
	for (size_t i = 0; i < sizeof(places->place) / sizeof(*places->place); i++) {
		shares += share(&places->place[i]);
		bursts += places->place[i].bursts;
	}
	return place->bursts * shares > bursts * share(place);
}
