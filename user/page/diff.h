/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_PAGE_DIFF_H
#define CCSAMPLE_PAGE_DIFF_H

#include <stdio.h>

#include "diff/views.h"

/*
 * Two recordings, before and after a change, as a page. Misses by set are drawn where findings have
 * them.
 */
void page_diff(FILE *out, const struct diff_view *view);

#endif /* CCSAMPLE_PAGE_DIFF_H */
