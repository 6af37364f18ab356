/* SPDX-License-Identifier: GPL-2.0-only */
/* A program run with its heap blocks staggered, and whether that makes it faster. */
#ifndef CCSAMPLE_CURE_CURE_H
#define CCSAMPLE_CURE_CURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pads/counts.h"

#define CURE_RUNS_LEAST	3
#define CURE_RUNS_MOST	200

/* What is run. */
struct cure {
	char **argv;			/* ended by NULL */
	const char *plan_path;		/* as given; NULL = all large blocks */
	char *plan_absolute;
	char *program;			/* where it was found */
	char *library;
	struct pads_plan *plan;
	struct pads_counts *counts;	/* shared with the program's processes */
	int counts_fd;
	bool quiet;			/* does not say what was staggered */
};

/**
 * cure_open() - look whether the program can be cured, and read the plan.
 * @cure: with argv and plan_path
 *
 * Return: 0, or -1 after one line.
 */
int cure_open(struct cure *cure);
void cure_close(struct cure *cure);

/* In a child of ours, before exec: the library, the plan, where it counts. */
void cure_environment(const struct cure *cure);

/* Blocks and stacks of threads that were staggered so far. */
uint64_t cure_blocks(const struct cure *cure);

/* Sites of the plan where nothing was staggered so far. @first: set to the first one, if any is */
uint32_t cure_unmet(const struct cure *cure, uint32_t *first);

/* Says what was staggered, and of which sites nothing. */
void cure_say(const struct cure *cure);

/* Runs the program with the cure, once. Return: its status as a shell's, or -1 after one line. */
int cure_run(const struct cure *cure);

/* --- measured in turns --- */

enum cure_measure { CURE_CPU, CURE_WALL, CURE_MEMORY, CURE_MISSES, CURE_MEASURES };

/* One run: ns, ns, bytes, L1 load misses. */
struct cure_sample {
	double value[CURE_MEASURES];
};

struct cure_trial {
	uint32_t runs;			/* of each kind */
	bool has_misses;		/* the processor counts them here */
	bool fixed_layout;		/* addresses are not random on this machine */
	uint64_t blocks;		/* staggered in one run, and stacks of threads */
	uint32_t unmet;			/* sites of the plan where none was, likewise */
	uint64_t huge, huge_hinted;	/* huge pages, as counts.h has them, in one run */
	struct cure_sample *plain, *cured;	/* one of each belong together */
};

/**
 * cure_measure() - run a program in turns without and with the cure.
 * @output_taken: standard output is for the result: the program's goes to standard error
 *
 * The first run, without the cure, has the program's output; it and one with the cure come before
 * those that count. Then it is said what was staggered. Each run has an environment of another
 * size.
 *
 * Return: 0; -1 after one line: a run failed, or the cure finds nothing to do.
 */
int cure_measure(const struct cure *cure, uint32_t runs, bool output_taken,
		 struct cure_trial *trial);
void cure_trial_free(struct cure_trial *trial);

/* A ratio or difference, and the interval that holds it with this confidence. */
struct cure_estimate {
	double middle, low, high;
	double confidence;		/* 0.95, or less where there are too few runs for that */
};

/**
 * estimate_ratio() - how many times as large @plain's values are as @cured's.
 * @count: pairs, at least 1; values above 0
 *
 * By pairs, without a distribution: the median of the mean logarithms of any two ratios, and the
 * interval of Wilcoxon's signed ranks (Hodges and Lehmann 1963). One run disturbed by something
 * else changes it little.
 */
struct cure_estimate estimate_ratio(const double *plain, const double *cured, uint32_t count);

enum cure_verdict { CURE_FASTER, CURE_SLOWER, CURE_NO_DIFFERENCE, CURE_UNDECIDED };

/* By the ratio of CPU times, without the cure to with it. */
enum cure_verdict cure_judge(const struct cure_estimate *speedup);

void cure_text(FILE *out, const struct cure *cure, const struct cure_trial *trial);
void cure_json(FILE *out, const struct cure *cure, const struct cure_trial *trial);

#endif /* CCSAMPLE_CURE_CURE_H */
