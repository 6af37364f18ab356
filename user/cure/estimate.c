// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "base/median.h"
#include "base/memory.h"
#include "cure/cure.h"

#define CONFIDENCE	0.95
#define LITTLE		0.02	/* a difference too small to matter */

/* Ways in which signed ranks 1 to @count sum up to each total, of 2^count: as probabilities. */
static double *rank_sums(uint32_t count)
{
	uint32_t most = count * (count + 1) / 2, rank, sum;
	double *chance = xcalloc(most + 1, sizeof(*chance));

	chance[0] = 1;
	for (rank = 1; rank <= count; rank++)
		for (sum = most; sum != UINT32_MAX; sum--)
			chance[sum] = (chance[sum] + (sum >= rank ? chance[sum - rank] : 0)) / 2;
	return chance;
}

static double confidence_of(const double *chance, uint32_t outer)
{
	double below = 0;
	uint32_t sum;

	for (sum = 0; sum < outer; sum++)
		below += chance[sum];
	return 1 - 2 * below;
}

/* How many means to count from either end: as many as leave enough confidence, at least 1. */
static uint32_t choose_outer(uint32_t count, double *confidence)
{
	double *chance = rank_sums(count);
	uint32_t outer = 1;

	while (confidence_of(chance, outer + 1) >= CONFIDENCE)
		outer++;
	*confidence = confidence_of(chance, outer);
	free(chance);
	return outer;
}

struct cure_estimate estimate_ratio(const double *plain, const double *cured, uint32_t count)
{
	uint32_t most = count * (count + 1) / 2, i, j, n = 0, outer;
	double *means = xcalloc(most, sizeof(*means));
	struct cure_estimate estimate;

	for (i = 0; i < count; i++)
		for (j = 0; j <= i; j++)
			means[n++] = (log(plain[i] / cured[i]) + log(plain[j] / cured[j])) / 2;
	qsort(means, most, sizeof(*means), compare_doubles);
	outer = choose_outer(count, &estimate.confidence);
	estimate.middle = exp((means[(most - 1) / 2] + means[most / 2]) / 2);
	estimate.low = exp(means[outer - 1]);
	estimate.high = exp(means[most - outer]);
	free(means);
	return estimate;
}

enum cure_verdict cure_judge(const struct cure_estimate *speedup)
{
	if (speedup->low >= 1 - LITTLE && speedup->high <= 1 + LITTLE)
		return CURE_NO_DIFFERENCE;
	if (speedup->low > 1 && speedup->middle > 1 + LITTLE)
		return CURE_FASTER;
	if (speedup->high < 1 && speedup->middle < 1 - LITTLE)
		return CURE_SLOWER;
	return CURE_UNDECIDED;
}
