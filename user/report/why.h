/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_WHY_H
#define CCSAMPLE_REPORT_WHY_H

#include "report/entry.h"

/**
 * report_why() - why the lines of a loop meet in few sets.
 * @entries: at one or several levels, inner ones first; what one has said the next do not say again
 *
 * From the strides, where the cache is indexed by virtual addresses; from arrays that are walked in
 * step; from how many lines take turns in a set; and from whose lines evict whose.
 *
 * Return: words, to be freed; NULL where nothing is known.
 */
char *report_why(const struct findings *findings, const struct entry *entries, size_t count);

#endif /* CCSAMPLE_REPORT_WHY_H */
