/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms of other programs (docs/reference/export.md). */
#ifndef CCSAMPLE_EXPORT_EXPORT_H
#define CCSAMPLE_EXPORT_EXPORT_H

#include <stddef.h>
#include <stdio.h>

#include "export/costs.h"
#include "findings/misses.h"
#include "format/recording.h"
#include "output/fields.h"

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
void export_sample(FILE *out, enum fields_form form, const struct miss_row *miss);

/* What became of a recording on its way to perf. */
struct export_perf_totals {
	size_t events;			/* 0: nothing was sampled, and nothing is written */
	uint64_t samples;
	uint64_t strays;		/* samples of undeclared events */
	uint64_t left_out;		/* records that perf lacks: heap blocks, stacks, counts */
};

/**
 * export_perf() - perf.data, as perf record -d --phys-data writes it.
 * @out: where it is a file its head is written last, and needs seeking; else what
 *	 perf record -o - writes
 *
 * Not sorted by time: perf does so itself where no rounds are recorded. Where
 * each process has a clock of its own (instructions), they follow each other as
 * the recording has them.
 */
void export_perf(FILE *out, struct recording *recording, struct export_perf_totals *totals);

#endif /* CCSAMPLE_EXPORT_EXPORT_H */
