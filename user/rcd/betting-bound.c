// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "rcd/betting-bound.h"

#define FORTUNE		40	/* times as rich: 1 / 2.5% */
#define GAMBLERS	10	/* each bets another part, 1/10 to all; they share what they have */
#define HALVINGS	20

/* What is had after all observations, of 1, if the mean is claimed to be @mean. */
static double fortune(const double *value, const double *size, uint32_t count, double largest,
		      double mean)
{
	double sum = 0;
	uint32_t g, i;

	for (g = 1; g <= GAMBLERS; g++) {
		double part = (double)g / GAMBLERS / largest, product = 1;

		for (i = 0; i < count; i++)
			product *= 1 + part * size[i] * (value[i] / mean - 1);
		sum += product;
	}
	return sum / GAMBLERS;
}

double betting_low(const double *value, const double *size, uint32_t count)
{
	double low = 0, high = 1, largest = 0;
	uint32_t i;

	for (i = 0; i < count; i++)
		largest = fmax(largest, size[i]);
	/* The higher the claim, the less is gained. */
	for (i = 0; i < HALVINGS; i++) {
		double mean = (low + high) / 2;

		if (fortune(value, size, count, largest, mean) >= FORTUNE)
			low = mean;
		else
			high = mean;
	}
	return low;
}
