/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_TEXT_OTHERS_H
#define CCSAMPLE_REPORT_TEXT_OTHERS_H

#include <stdio.h>

#include "report/rows.h"

/**
 * report_others() - in words, what of a level is free of conflicts, and what could not be judged.
 * @rows: of the level
 * @found: conflicts and concentrated code that were named before
 */
void report_others(FILE *out, const struct findings *findings, const struct row *rows,
		   size_t count, uint32_t level, size_t found, bool colour);

/* The same in pieces, to be freed: how much could not be judged, why, and what would help; ... */
char *report_undecided_text(const struct findings *findings, const struct row *rows, size_t count,
			    uint32_t level);

/* ... and how much shows no conflicts. */
char *report_clean_text(const struct findings *findings, const struct row *rows, size_t count,
			uint32_t level);

/* The share of the misses that could not be judged. */
double report_undecided(const struct row *rows, size_t count);

/* Why a level that was sampled shows nothing: "no misses", and more, to be freed. */
const char *report_nothing_key(const struct findings *findings, uint32_t level);
char *report_nothing_text(const struct findings *findings, uint32_t level);

/* ... and is it good news? */
bool report_nothing_good(const struct findings *findings, uint32_t level);
void report_nothing(FILE *out, const struct findings *findings, uint32_t level, bool colour);

#endif /* CCSAMPLE_REPORT_TEXT_OTHERS_H */
