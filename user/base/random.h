/* SPDX-License-Identifier: GPL-2.0-only */
/* Random numbers from a seed, the same everywhere; freestanding. */
#ifndef CCSAMPLE_BASE_RANDOM_H
#define CCSAMPLE_BASE_RANDOM_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): any state is a good seed. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* One number spread over all 64 bits, always the same way. */
static inline uint64_t random_of(uint64_t number)
{
	return random_next(&number);
}

/* Uniform in [0, 1), 53 bits of it. */
static inline double random_unit(uint64_t *state)
{
	return (random_next(state) >> 11) * 0x1p-53;
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

#endif /* CCSAMPLE_BASE_RANDOM_H */
