// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/median.h"

int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double sorted_median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_doubles);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
