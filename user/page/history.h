/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_PAGE_HISTORY_H
#define CCSAMPLE_PAGE_HISTORY_H

#include <stdio.h>

#include "history/views.h"

/* Misses by commit as a page: curves, and the figures as a table. */
void page_history(FILE *out, const struct history *history, const struct history_view *view);

#endif /* CCSAMPLE_PAGE_HISTORY_H */
