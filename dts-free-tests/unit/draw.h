/* SPDX-License-Identifier: GPL-2.0-only */
/* The random numbers of a test, from the seed that it begins with. */
#ifndef CCSAMPLE_DRAW_H
#define CCSAMPLE_DRAW_H

#include <stdint.h>

#include "base/random.h"

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	return random_below(&state, below);
}

#endif /* CCSAMPLE_DRAW_H */
