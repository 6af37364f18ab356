/* SPDX-License-Identifier: GPL-2.0-only */
/* Advice in words. All text is allocated, and not cleaned. */
#ifndef CCSAMPLE_ADVISE_WORDS_H
#define CCSAMPLE_ADVISE_WORDS_H

#include "advise/advise.h"

/* What to edit, and where: "stencil.c:41: declare A[1024][1032] instead of A[1024][1024]". */
char *cure_edit(const struct cure *cure);

/* "expected misses 268 > 67 of 1,000 references (-75%, 74 to 76)": one effect of a cure. */
char *effect_text(const struct cure_effect *effect);

/**
 * cures_line() - a loop's best cure in a sentence.
 *
 * Return: NULL if there is none.
 */
char *cures_line(const struct cures *advice, const struct context *context);

/*
 * "74% less expected (69 to 79), by running ...". Return: to be freed; NULL where it is not known.
 */
char *time_text(const struct time_share *time);

#endif /* CCSAMPLE_ADVISE_WORDS_H */
