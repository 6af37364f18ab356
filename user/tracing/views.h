/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms in which the analysis of a trace is written out. */
#ifndef CCSAMPLE_TRACING_VIEWS_H
#define CCSAMPLE_TRACING_VIEWS_H

#include <stdbool.h>
#include <stdio.h>

#include "tracing/traced.h"

struct traced_view {
	const char *input;
	size_t top;		/* most loops, most references; 0 = all */
	double seconds;		/* of CPU time that it took */
	bool plain;		/* nothing was to be warped */
	bool compositional;	/* all is estimated */
	const struct page_plan *pages;	/* of L2 and L3 */
	bool colour;
};

/* For people. */
void traced_text(FILE *out, const struct traced *traced, const struct traced_view *view);

/* For scripts: keys may be added, never renamed. */
void traced_json(FILE *out, const struct traced *traced, const struct traced_view *view);

/* Numbers of rows by misses, most first, of code, or of loops but 0; allocated. */
uint32_t *traced_rows_ranked(const struct traced *traced);
uint32_t *traced_code_ranked(const struct traced *traced);
uint32_t *traced_loops_ranked(const struct traced *traced);

#endif /* CCSAMPLE_TRACING_VIEWS_H */
