// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "tracee/bursts/places.h"

#define PLACE_BITS	5		/* of code that is one place: a loop has one or a few */

static size_t number_of(uint64_t rip)
{
	return (rip >> PLACE_BITS) * 0x9e3779b97f4a7c15ull >> 56;
}

static bool is_at(const struct place *place, uint64_t rip)
{
	return place->met && place->key == (uint32_t)(rip >> PLACE_BITS);
}

static uint64_t root(uint64_t value)
{
	uint64_t root = 0, bit;

	for (bit = 1ull << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= value)
			root |= bit;
	return root;
}

/*
 * Of two that fall together the one with more ticks stays. Of a share a sixteenth of a tick is as
 * fine as need be.
 */
void place_met(struct places *places, uint64_t rip)
{
	struct place *place = &places->place[number_of(rip)];

	if (is_at(place, rip))
		place->met++;
	else if (place->met > 1)
		place->met--;
	else
		*place = (struct place){ .key = rip >> PLACE_BITS, .met = 1 };
	place->share = root((uint64_t)place->met << 8);
}

void place_began(struct places *places, uint64_t rip)
{
	struct place *place = &places->place[number_of(rip)];

	if (is_at(place, rip))
		place->bursts++;
}

struct sums {
	uint64_t shares, bursts;
};

static struct sums sums_of(const struct places *places)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < sizeof(places->place) / sizeof(*places->place); i++) {
		sums.shares += places->place[i].share;
		sums.bursts += places->place[i].bursts;
	}
	return sums;
}

bool place_is_missed(const struct places *places, uint64_t rip)
{
	const struct place *place = &places->place[number_of(rip)];
	struct sums sums;

	if (!is_at(place, rip) || place->bursts >= PLACE_FEW)
		return false;
	sums = sums_of(places);
	return (place->bursts + 1) * sums.shares <= sums.bursts * place->share;
}

bool place_is_crowded(const struct places *places, uint64_t rip)
{
	const struct place *place = &places->place[number_of(rip)];
	struct sums sums;

	if (!is_at(place, rip) || place->bursts < PLACE_FEW)
		return false;
	sums = sums_of(places);
	return place->bursts * sums.shares > sums.bursts * place->share;
}
