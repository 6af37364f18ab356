// SPDX-License-Identifier: GPL-2.0-only
/* 95% intervals of shares among samples that come in bursts. */
#include <math.h>

#include "base/student.h"
#include "rcd/internal.h"

#define BURST_LIKENESS	0.05	/* correlation within a burst that is always allowed for */
#define RUN_LIKENESS	0.20	/* and as much more as there are re-misses: they come in runs */
#define LEAST_GROUPS	5	/* fewer make Student's quantile wider than shares can be */
#define NORMAL_975	1.959964

double jackknife_half(const double *share_without, const double *size, uint32_t groups)
{
	double mean = 0, squares = 0, weight = 0, weight2 = 0, effective;
	uint32_t g;

	if (groups < 2)
		return 0;
	for (g = 0; g < groups; g++) {
		mean += share_without[g] / groups;
		weight += size[g];
		weight2 += size[g] * size[g];
	}
	for (g = 0; g < groups; g++)
		squares += (share_without[g] - mean) * (share_without[g] - mean);
	/* As many groups of equal size: Kish's effective number. */
	effective = weight * weight / weight2;
	if (effective < LEAST_GROUPS)
		effective = LEAST_GROUPS;
	return student_975(effective - 1) * sqrt(squares * (groups - 1) / groups);
}

/* Wilson's, for as many samples as if those of a burst were a little alike. */
struct interval wilson_interval(double share, double chances, double bursts)
{
	double z2 = NORMAL_975 * NORMAL_975, n, middle, half;

	n = chances / (1 + (chances / (bursts > 1 ? bursts : 1) - 1) *
			   (BURST_LIKENESS + RUN_LIKENESS * share));
	n = n < chances ? n : chances;
	middle = (share + z2 / (2 * n)) / (1 + z2 / n);
	half = NORMAL_975 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);
	return (struct interval){ middle - half, middle + half };
}
