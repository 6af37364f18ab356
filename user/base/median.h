/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_MEDIAN_H
#define CCSAMPLE_BASE_MEDIAN_H

#include <stddef.h>

/* Of two doubles, for qsort(): the smaller one first. */
int compare_doubles(const void *a, const void *b);

/* Sorts the values, of which there is at least one. Of an even number the mean of the two. */
double sorted_median(double *values, size_t count);

#endif /* CCSAMPLE_BASE_MEDIAN_H */
