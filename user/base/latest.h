/* SPDX-License-Identifier: GPL-2.0-only */
/* A bounded number of places for any number of keys: a new one gets that used longest ago. */
#ifndef CCSAMPLE_BASE_LATEST_H
#define CCSAMPLE_BASE_LATEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct latest {
	struct map by_key;		/* -> place + 1, which may be another key's since */
	struct latest_place *places;
	uint32_t count, room;
	uint32_t newest, oldest;
};

/**
 * latest_place() - the place of a key.
 * @most: places at most, >= 1
 * @fresh: receives whether the key has just got it: what is there is another key's, or no key's
 *
 * Return: the place: one of the numbers from 0 on, each new one once the ones before are taken.
 */
uint32_t latest_place(struct latest *latest, uint64_t key, uint32_t most, bool *fresh);

void latest_drop(struct latest *latest);

#endif /* CCSAMPLE_BASE_LATEST_H */
