/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that the parts of the text report share. */
#ifndef CCSAMPLE_REPORT_WORDS_H
#define CCSAMPLE_REPORT_WORDS_H

#include "findings/findings.h"
#include "output/table.h"

enum tint report_tint(enum rcd_verdict verdict);

/* The function's name in at most @width columns; allocated. */
char *report_function(const struct context *context, size_t width);

#endif /* CCSAMPLE_REPORT_WORDS_H */
