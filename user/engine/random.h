/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_ENGINE_RANDOM_H
#define CCSAMPLE_ENGINE_RANDOM_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): any state is a good seed. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* Uniform in [0, bound), without the bias of a remainder; bound > 0. */
static inline uint64_t random_below(uint64_t *state, uint64_t bound)
{
	uint64_t reject = -bound % bound, r;

	do
		r = random_next(state);
	while (r < reject);
	return r % bound;
}

#endif /* CCSAMPLE_ENGINE_RANDOM_H */
