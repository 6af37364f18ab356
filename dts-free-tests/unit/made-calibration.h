/* SPDX-License-Identifier: GPL-2.0-only */
/* Costs of misses that are easy to reckon with. */
#ifndef CCSAMPLE_TESTS_MADE_CALIBRATION_H
#define CCSAMPLE_TESTS_MADE_CALIBRATION_H

#include "gain/calibration.h"

static inline struct calibration made_calibration(void)
{
	struct calibration calibration = { .cpu = "A processor" };

	for (int level = 0; level < PRICE_LEVELS; level++)
		for (int class = 0; class < PRICE_CLASSES; class++)
			calibration.cost[level][class] = (struct price){ 1 + class, 2 + class, 4 + class };
	return calibration;
}

#endif /* CCSAMPLE_TESTS_MADE_CALIBRATION_H */
