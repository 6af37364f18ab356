/* SPDX-License-Identifier: GPL-2.0-only */
/* What the paper's classifier learns from: loops whose cf is measured and whose label is known. */
#ifndef CCSAMPLE_CLASSIFY_TRAINING_H
#define CCSAMPLE_CLASSIFY_TRAINING_H

#include "classify/model.h"

/* One loop in one recording. */
struct training_row {
	uint32_t level;
	bool bursts;
	uint64_t period;
	struct logistic_row row;	/* x: its cf; group: its program */
};

struct training {
	struct training_row *rows;
	size_t count, capacity;
	char **programs;		/* names; their numbers are the groups */
	size_t program_count, program_capacity;
	uint64_t scanty;		/* loops left out: fewer than MODEL_LEAST_SAMPLES samples */
	uint64_t missing;		/* loops left out: no sample at that level */
};

/**
 * training_read_labels() - recordings and the label of their loops.
 * @path: a file of lines "recording | level | function | line | conflicting or clean"; a line of
 *   the source in the loop, or - for a function outside its loops. Recordings are relative to it
 *
 * The group of a row is the name of the program recorded.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int training_read_labels(struct training *training, const char *path);

/**
 * training_read_values() - loops measured already.
 * @path: a file of lines "level single|burst period program cf conflicting|clean"
 */
int training_read_values(struct training *training, const char *path);

/**
 * training_fit() - a model for each level, way of sampling and period that there are rows of.
 * @folds: of the cross-validation, at least 2
 *
 * Return: the model; NULL after one line where rows of only one label, or of one cf, allow none.
 */
struct model *training_fit(const struct training *training, uint32_t folds);

void training_drop(struct training *training);

#endif /* CCSAMPLE_CLASSIFY_TRAINING_H */
