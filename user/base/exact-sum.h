/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sum whose order does not show: what rounding loses is kept beside it (Knuth's two-sum; The
 * Art of Computer Programming 2, 4.2.2): parts added up by several processes give what one gives.
 */
#ifndef CCSAMPLE_BASE_EXACT_SUM_H
#define CCSAMPLE_BASE_EXACT_SUM_H

struct exact_sum {
	double sum, rest;
};

static inline void exact_add(struct exact_sum *exact, double more)
{
	double sum = exact->sum + more, taken = sum - exact->sum;

	exact->rest += (exact->sum - (sum - taken)) + (more - taken);
	exact->sum = sum;
}

static inline double exact_value(const struct exact_sum *exact)
{
	return exact->sum + exact->rest;
}

#endif /* CCSAMPLE_BASE_EXACT_SUM_H */
