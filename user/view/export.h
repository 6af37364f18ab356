/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms of other programs (docs/export.md). */
#ifndef CCSAMPLE_VIEW_EXPORT_H
#define CCSAMPLE_VIEW_EXPORT_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/costs.h"
#include "analysis/misses.h"
#include "view/fields.h"

/* What the counts are of. */
struct export_about {
	const char *command;		/* that was run, "" = unknown */
	const char *const *notes;	/* sentences, one line each */
	size_t note_count;
	size_t event;			/* the column that weighs, where a format has but one */
};

/* Callgrind's, for callgrind_annotate and KCachegrind: all columns, by instruction and line. */
void export_callgrind(FILE *out, const struct costs *costs, const struct export_about *about);

/* A line a stack: function;loop;line;object weight. */
void export_folded(FILE *out, const struct costs *costs, const struct export_about *about);

/* speedscope's JSON: a profile each of misses and conflicts of a level. */
void export_speedscope(FILE *out, const struct costs *costs, const struct export_about *about);

/* A sample as a row. @miss: NULL = the header, of CSV */
void export_sample(FILE *out, enum fields_form form, const struct miss_told *miss);

#endif /* CCSAMPLE_VIEW_EXPORT_H */
