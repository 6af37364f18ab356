/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_TEXT_ADVICE_H
#define CCSAMPLE_REPORT_TEXT_ADVICE_H

#include "findings/findings.h"

/**
 * report_advice() - what to try against a conflict, or misses concentrated on few sets.
 *
 * It knows only strides: whether the loops may be interchanged is for the reader of the code.
 *
 * Return: a sentence, to be freed; NULL where the samples do not say enough.
 */
char *report_advice(const struct findings *findings, const struct level_findings *level);

#endif /* CCSAMPLE_REPORT_TEXT_ADVICE_H */
