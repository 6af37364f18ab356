// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "base/student.h"

#define NORMAL_975	1.959964

/* From 10 on as a series in 1 / freedom (Abramowitz and Stegun, 26.7.5). */
double student_975(double freedom)
{
	static const double quantile[] = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
					   2.306, 2.262, 2.228 };
	double z = NORMAL_975, z3 = z * z * z;

	if (freedom < 10)
		return quantile[(int)freedom - 1];
	return z + (z3 + z) / (4 * freedom) +
	       (5 * z3 * z * z + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

double unseen_part(double n)
{
	return 1 - pow(0.05, 1 / n);
}
