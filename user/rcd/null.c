// SPDX-License-Identifier: GPL-2.0-only
/* The null model, independent misses, and the arithmetic of its tests. */
#include <float.h>
#include <math.h>

#include "rcd/internal.h"

double rcd_null_sliced(uint32_t sets, uint32_t slices, const double *shares, uint32_t k)
{
	double sum = 0;
	uint32_t i;

	for (i = 0; i < slices; i++) {
		double chance = shares[i] / sets;

		sum += chance < 1 ? shares[i] * -expm1(k * log1p(-chance)) : shares[i] * (k > 0);
	}
	return sum;
}

static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* Continued fraction of the incomplete beta function, by Lentz; x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = DBL_MIN / DBL_EPSILON;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;
	int most = 1000 + 20 * sqrt(a > b ? a : b);
	int m;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (m = 1; m <= most; m++) {
		double even = m * (b - m) * x / ((a + 2.0 * m - 1) * (a + 2.0 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1));

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		f *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		f *= d * c;
		if (fabs(d * c - 1) < 1e-15)
			break;
	}
	return f;
}

/* I_x(a, b), 0 <= x <= 1, a and b > 0. P(Bin(n, x) >= k) = I_x(k, n - k + 1). */
double beta_regularized(double x, double a, double b)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* P(X >= count) of the binomial, of a real number of trials, with this mean and variance. */
double null_tail(double count, double mean, double variance)
{
	double p, trials;

	if (count <= 0 || mean <= 0)
		return 1;
	p = 1 - variance / mean;
	if (p >= 1)
		return 1;
	trials = mean / p;
	if (count >= trials + 1)
		return 0;
	return beta_regularized(p, count, trials - count + 1);
}

/* E max(0, X - np), X ~ Bin(n, p): half the mean absolute deviation, in de Moivre's form. */
double binomial_excess(uint32_t trials, double p)
{
	double n = trials, v = floor(n * p) + 1;

	if (p <= 0 || p >= 1 || v > n)
		return 0;
	return exp(log(v) + log_gamma(n + 1) - log_gamma(v + 1) - log_gamma(n - v + 1) +
		   v * log(p) + (n - v + 1) * log1p(-p));
}
