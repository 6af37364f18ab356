/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_WHY_H
#define CCSAMPLE_REPORT_WHY_H

#include "report/entry.h"

/**
 * report_why() - why the lines of an entry meet in few sets.
 *
 * From the strides, where the cache is indexed by virtual addresses; from arrays that are walked in
 * step; from how many lines take turns in a set; and from whose lines evict whose.
 *
 * Return: words, to be freed; NULL where nothing is known.
 */
char *report_why(const struct findings *findings, const struct entry *entry);

#endif /* CCSAMPLE_REPORT_WHY_H */
