/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms in which advice is written out. */
#ifndef CCSAMPLE_ADVISE_VIEWS_H
#define CCSAMPLE_ADVISE_VIEWS_H

#include <stdio.h>

#include "advise/advise.h"
#include "output/json.h"

struct cure_view {
	uint32_t top;			/* cures, 0 = all */
	bool colour;
	/* Why no piece was timed; NULL = some were, or none could be */
	const char *time_unknown;
};

/* For people. */
void cures_text(FILE *out, const struct findings *findings, const struct keep *keep,
		 const struct cures *advice, const struct cure_view *view);

/* For scripts: docs/reference/json.md. */
void cures_json(FILE *out, const struct findings *findings, const struct keep *keep,
		 const struct cures *advice, const struct cure_view *view);

/* A cure as the value of a key, for other products. */
void json_put_cure(struct json *json, const struct cure *cure);

#endif /* CCSAMPLE_ADVISE_VIEWS_H */
