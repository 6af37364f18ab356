/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_CLASSIFY_MODEL_OUTPUT_H
#define CCSAMPLE_CLASSIFY_MODEL_OUTPUT_H

#include <stdio.h>

#include "classify/model.h"

/* Prints a table of the entries with their scores in cross-validation. */
void model_summary(FILE *out, const struct model *model);

/* Writes a model; "-" is standard output. Return: 0, or -1 after one line. */
int model_save(const struct model *model, const char *path);

#endif /* CCSAMPLE_CLASSIFY_MODEL_OUTPUT_H */
