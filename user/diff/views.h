/* SPDX-License-Identifier: GPL-2.0-only */
/* What changed between two recordings, for people and for scripts. */
#ifndef CCSAMPLE_DIFF_VIEWS_H
#define CCSAMPLE_DIFF_VIEWS_H

#include <stdio.h>

#include "diff/compare.h"

struct diff_view {
	const struct findings *before, *after;
	struct comparison *const *levels;
	size_t level_count;
	size_t top;		/* most rows of a level, 0 = all */
	bool fold;		/* leave out what is below 1% on both sides */
	bool colour;
};

void diff_text(FILE *out, const struct diff_view *view);

/* Keys may be added, never renamed. */
void diff_json(FILE *out, const struct diff_view *view);

#endif /* CCSAMPLE_DIFF_VIEWS_H */
