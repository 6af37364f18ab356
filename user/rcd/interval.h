/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_RCD_INTERVAL_H
#define CCSAMPLE_RCD_INTERVAL_H

struct interval {
	double low, high;
};

/* 95%, of a share of @chances samples in @bursts bursts, those of one being a little alike. */
struct interval wilson_interval(double share, double chances, double bursts);

#endif /* CCSAMPLE_RCD_INTERVAL_H */
