// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "share-model/chain.h"

/* Row i of an upper triangle holds the columns i..ways. */
static size_t row_at(uint32_t ways, uint32_t row)
{
	return (size_t)row * (ways + 1) - (size_t)row * (row - 1) / 2;
}

static size_t triangle(uint32_t ways)
{
	return row_at(ways, ways) + 1;
}

static double *power_of(const struct chain *chain, uint32_t bit)
{
	return chain->powers + bit * triangle(chain->ways);
}

static double *entry(const struct chain *chain, double *matrix, uint32_t row, uint32_t column)
{
	return matrix + row_at(chain->ways, row) + column - row;
}

static void single_step(const struct chain *chain, double *matrix)
{
	uint32_t i;

	memset(matrix, 0, triangle(chain->ways) * sizeof(*matrix));
	for (i = 0; i < chain->ways; i++) {
		*entry(chain, matrix, i, i) = 1 - chain->beyond[i];
		*entry(chain, matrix, i, i + 1) = chain->beyond[i];
	}
	*entry(chain, matrix, chain->ways, chain->ways) = 1;
}

/*
 * The chances to move are sums of products of positive numbers, so they keep their digits
 * however small they are; staying is what they leave of 1. Squared 62 times, rows
 * would else drift from their sum of 1.
 */
static void square(const struct chain *chain, double *result, double *of)
{
	uint32_t i, j, k;

	for (i = 0; i <= chain->ways; i++) {
		double away = 0;

		for (j = i + 1; j <= chain->ways; j++) {
			double sum = 0;

			for (k = i; k <= j; k++)
				sum += *entry(chain, of, i, k) * *entry(chain, of, k, j);
			*entry(chain, result, i, j) = sum;
			away += sum;
		}
		*entry(chain, result, i, i) = away < 1 ? 1 - away : 0;
	}
}

static bool read_profile(struct chain *chain, const double *distances)
{
	double above = 0;
	uint32_t i;

	for (i = chain->ways + 1; i-- > 0; ) {
		if (!(distances[i] >= 0) || isinf(distances[i]))
			return false;
		above += distances[i];
		chain->beyond[i] = above;
	}
	for (i = 1; i <= chain->ways; i++)
		chain->beyond[i] = above > 0 ? chain->beyond[i] / above : 1;
	chain->beyond[0] = 1;
	return !isinf(above);
}

int chain_open(struct chain *chain, const double *distances, uint32_t ways, bool powers)
{
	uint32_t bit;

	*chain = (struct chain){ .ways = ways };
	if (!ways || ways > SHARE_WAYS_MAX || !read_profile(chain, distances))
		return -EINVAL;
	if (!powers)
		return 0;
	chain->powers = malloc(CHAIN_BITS * triangle(ways) * sizeof(*chain->powers));
	if (!chain->powers)
		return -ENOMEM;
	single_step(chain, power_of(chain, 0));
	for (bit = 1; bit < CHAIN_BITS; bit++)
		square(chain, power_of(chain, bit), power_of(chain, bit - 1));
	return 0;
}

void chain_close(struct chain *chain)
{
	free(chain->powers);
	chain->powers = NULL;
}

/* The chain moves up by one state at most, so the mean time is the sum of those in each state. */
double chain_reuse(const struct chain *chain, uint32_t distance)
{
	double steps = 0;
	uint32_t i;

	for (i = 0; i < distance; i++)
		steps += 1 / chain->beyond[i];
	return steps;
}

/* @share times a power, in place: column j needs the rows up to j. */
static void advance(const struct chain *chain, double *share, uint32_t bit)
{
	double *power = power_of(chain, bit);
	uint32_t i, j;

	for (j = chain->ways + 1; j-- > 0; ) {
		double sum = 0;

		for (i = 0; i <= j; i++)
			sum += share[i] * *entry(chain, power, i, j);
		share[j] = sum;
	}
}

void chain_distinct(const struct chain *chain, double accesses, double *share)
{
	const double most = (double)(1ull << (CHAIN_BITS - 1));
	uint64_t whole = accesses < most ? accesses : most;
	double part = accesses < most ? accesses - whole : 0, next[SHARE_WAYS_MAX + 1];
	uint32_t i, bit;

	memset(share, 0, (chain->ways + 1) * sizeof(*share));
	share[0] = 1;
	for (bit = 0; bit < CHAIN_BITS; bit++)
		if (whole >> bit & 1)
			advance(chain, share, bit);
	if (part == 0)
		return;
	memcpy(next, share, (chain->ways + 1) * sizeof(*share));
	advance(chain, next, 0);
	for (i = 0; i <= chain->ways; i++)
		share[i] += part * (next[i] - share[i]);
}

/* The share that is still in a state at the event, of all that was in it before: pace against pace.
 */
void chain_race(const struct chain *chain, double pace, double *share)
{
	double come = 0;
	uint32_t i;

	for (i = 0; i < chain->ways; i++) {
		double held = (share[i] + come) / (pace + chain->beyond[i]);

		share[i] = held * pace;
		come = held * chain->beyond[i];
	}
	share[chain->ways] += come;
}
