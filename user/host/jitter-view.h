/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_HOST_JITTER_VIEW_H
#define CCSAMPLE_HOST_JITTER_VIEW_H

#include <stdio.h>

#include "ccsample.h"
#include "host/jitter.h"

/* What `ccsample lab jitter` measured. */
struct jitter_result {
	uint32_t cpu;
	uint64_t gap_ns;		/* least gap that counts */
	struct jitter off, on;		/* without and with sampling */
	const char *absent;		/* why there was no sampling; NULL = there was */
	struct ccsample_control seen;	/* the module's counts at the end */
};

void jitter_text(FILE *out, const struct jitter_result *result);
void jitter_json(FILE *out, const struct jitter_result *result);

#endif /* CCSAMPLE_HOST_JITTER_VIEW_H */
