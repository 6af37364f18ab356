/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Models of the paper's classifier, in a file for people: one line for each
 * cache level, way of sampling and mean period that it was trained for.
 * docs/reference/verdicts.md describes the file.
 */
#ifndef CCSAMPLE_CLASSIFY_MODEL_H
#define CCSAMPLE_CLASSIFY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "findings/findings.h"
#include "rcd/logistic.h"

#define MODEL_LEAST_SAMPLES	30	/* of a loop, for its cf to be judged, or learnt from */

struct model_entry {
	uint32_t level;			/* of cache, 1 to 3 */
	bool bursts;			/* false: single samples */
	uint64_t period;		/* mean events a sample */
	struct logistic logistic;	/* of the chance by cf */
	uint32_t rows, conflicting;		/* that it was trained on */
	uint32_t folds;			/* of the cross-validation that scored it */
	struct logistic_score score;
};

struct model {
	struct model_entry *entries;
	size_t count, capacity;
};

/**
 * model_read() - a model file.
 *
 * Return: NULL after one line on standard error.
 */
struct model *model_read(const char *path);

/* The one that comes with this program: shipped.model, next to this file. NULL after one line. */
struct model *model_shipped(void);
void model_write(FILE *out, const struct model *model);
void model_free(struct model *model);

/* Sets what the model says of each context at each level: nothing where cf has another threshold
 * than the ways, with which models are fitted. @model must live as long.
 */
void model_apply(const struct model *model, struct findings *findings);

/* Prints a table of the entries with their scores in cross-validation. */
void model_summary(FILE *out, const struct model *model);

/* Writes a model; "-" is standard output. Return: 0, or -1 after one line. */
int model_save(const struct model *model, const char *path);

#endif /* CCSAMPLE_CLASSIFY_MODEL_H */
