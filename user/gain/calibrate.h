/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a miss costs on this processor, by class: small kernels in pairs, of which one misses and
 * the other hits, run in turns. Misses times one latency say nothing: near loads hide L2, stores
 * do not.
 */
#ifndef CCSAMPLE_GAIN_CALIBRATE_H
#define CCSAMPLE_GAIN_CALIBRATE_H

#include <stdbool.h>

enum price_class {
	PRICE_NEAR,			/* a load whose line was used at most PRICE_NEAR_MOST ago */
	PRICE_FAR,			/* ... longer ago */
	PRICE_CHAINED,			/* a load whose address waits for the load before */
	PRICE_STORE,
	PRICE_UPDATE,			/* load and store: x += y */
	PRICE_CLASSES
};

#define PRICE_NEAR_MOST	32u		/* references */
#define PRICE_LEVELS	2		/* of L1 that hit L2; of L2 more than that */

/* "near", "far", "chained", "store", "update" */
const char *price_class_name(enum price_class class);

/* ns of a miss more than of a hit: the least, middle and most of several kernels. */
struct price {
	double low, middle, high;
};

struct calibration {
	char cpu[128];			/* as /proc/cpuinfo names it */
	struct price cost[PRICE_LEVELS][PRICE_CLASSES];
};

/**
 * calibrate() - measure the costs, in some seconds.
 * @rounds: of all kernels, at least 1; the medians count
 *
 * Return: false where the system gives no memory to run code in.
 */
bool calibrate(struct calibration *calibration, unsigned int rounds);

#endif /* CCSAMPLE_GAIN_CALIBRATE_H */
