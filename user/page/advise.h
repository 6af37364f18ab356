/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_PAGE_ADVISE_H
#define CCSAMPLE_PAGE_ADVISE_H

#include <stdio.h>

#include "advise/views.h"

/* What the views of advice show, as a page, with pictures of the layouts. */
void page_cures(FILE *out, const struct findings *findings, const struct keep *keep,
		const struct cures *advice, const struct cure_view *view);

#endif /* CCSAMPLE_PAGE_ADVISE_H */
