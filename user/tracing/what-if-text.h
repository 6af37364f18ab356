/* SPDX-License-Identifier: GPL-2.0-only */
/* What `analyze` changes of a trace, and the caches that it analyses, from the text of options. */
#ifndef CCSAMPLE_TRACING_WHAT_IF_TEXT_H
#define CCSAMPLE_TRACING_WHAT_IF_TEXT_H

#include "tracing/traced.h"

/* Each returns 0, or -1 after one line on standard error. */

/* OBJECT=BYTES[,ROW]; @text is cut into its parts, and kept. */
int what_if_pad(struct traced_options *options, char *text);

/* LOOP=N */
int what_if_scale(struct traced_options *options, char *text);

struct what_if_caches {
	const char *levels[CACHE_LEVELS][TRACED_PLANS];	/* all combinations are analysed */
	size_t count[CACHE_LEVELS];
	const char *policy, *inclusion;			/* NULL = not given */
};

/* Makes the plans; @base: has the levels that no geometry is given for. */
int what_if_plans(struct traced_options *options, const struct what_if_caches *caches,
		  const struct hierarchy_plan *base);

/* Refuses what the compositional estimate does not model. */
int what_if_check(const struct traced_options *options);

#endif /* CCSAMPLE_TRACING_WHAT_IF_TEXT_H */
