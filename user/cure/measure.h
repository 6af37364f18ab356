/* SPDX-License-Identifier: GPL-2.0-only */
/* `advise --measure`: a program in turns without and with the cures that need no recompiling. */
#ifndef CCSAMPLE_CURE_MEASURE_H
#define CCSAMPLE_CURE_MEASURE_H

#include <stdint.h>

#define MEASURE_LEAST	3	/* runs, as of cure --verify */
#define MEASURE_MOST	200

struct measure {
	uint32_t runs;			/* of each; 0 = not asked for */
	char **argv;			/* the program, ended by NULL */
	char *plan;			/* of the cures, made for it; NULL = the one that is kept */
};

/* Makes room for the plan. Return: 0, or -1 after one line. */
int measure_plan(struct measure *measure);

/* @plan: what was written; empty, where no cure can be measured: then nothing is. */
int measure_run(const struct measure *measure, const char *plan);

/* Removes the plan that was made for it. */
void measure_drop(struct measure *measure);

#endif /* CCSAMPLE_CURE_MEASURE_H */
