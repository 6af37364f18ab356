/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures of findings: RCD distributions and set maps. */
#ifndef CCSAMPLE_PLOT_PLOTS_H
#define CCSAMPLE_PLOT_PLOTS_H

#include "findings/findings.h"
#include "output/gnuplot.h"

struct comparison;

struct plot_options {
	struct picture_options picture;
	uint32_t level;		/* 0 = the first level sampled */
	uint32_t loop;		/* id of the only context to show, 0 = the top ones */
	size_t top;		/* most contexts of an input */
	bool periods;		/* of conflict periods, not of RCD */
	const struct comparison *matched;	/* which code of two inputs is the same; NULL = by
						 * function and line
						 */
};

/**
 * plot_cdf() - distributions of RCD, or of conflict periods, a curve a context, all inputs in one
 * picture.
 * @findings: @count of them
 *
 * Return: 0, or -1 after one line on standard error.
 */
int plot_cdf(const struct findings *const *findings, size_t count,
	     const struct plot_options *options);

/* plot_sets() - misses by set and time: findings->map. Return: as plot_cdf(). */
int plot_sets(const struct findings *findings, const struct plot_options *options);

#endif /* CCSAMPLE_PLOT_PLOTS_H */
