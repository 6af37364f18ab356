/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms in which programs that share a cache are shown. */
#ifndef CCSAMPLE_SHARING_VIEWS_H
#define CCSAMPLE_SHARING_VIEWS_H

#include <stdio.h>

#include "sharing/prediction.h"
#include "output/gnuplot.h"

/* "race", "mean": as --reuse takes them. */
const char *reuse_name(enum share_reuse reuse);

/* Text of at most TEXT_COLUMNS; tables may be as wide as a wider terminal. */
void sharing_text(FILE *out, const struct sharing *sharing);

/* For scripts: keys may be added, never renamed. */
void sharing_json(FILE *out, const struct sharing *sharing);

/* Miss ratios by ways, solo and co-run. Return: 0, or -1 after one line. */
int sharing_plot(const struct sharing *sharing, const struct picture_options *options);

#endif /* CCSAMPLE_SHARING_VIEWS_H */
