/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that the parts of the text report share. */
#ifndef CCSAMPLE_VIEW_REPORT_WORDS_H
#define CCSAMPLE_VIEW_REPORT_WORDS_H

#include "analysis/findings.h"
#include "view/table.h"

enum tint report_tint(enum rcd_verdict verdict);

/* The function's name in at most @width columns; allocated. */
char *report_function(const struct context *context, size_t width);

#endif /* CCSAMPLE_VIEW_REPORT_WORDS_H */
