/* SPDX-License-Identifier: GPL-2.0-only */
/* What to try against a conflict, or misses concentrated on few sets. */
#ifndef CCSAMPLE_REPORT_ADVICE_H
#define CCSAMPLE_REPORT_ADVICE_H

#include "report/entry.h"

enum advice_kind {
	ADVICE_INTERCHANGE,		/* loops, so that the inner one goes along rows */
	ADVICE_BLOCK,			/* loops */
	ADVICE_PAD_ROWS,		/* of @object: @from bytes long now, @to then */
	ADVICE_SHIFT,			/* arrays: each by @to bytes more than the one before */
};

/* One thing to try. */
struct advice {
	enum advice_kind kind;
	const struct object *object;	/* NULL = several */
	uint64_t from, to;		/* bytes */
	uint64_t span;			/* of arrays to be moved: a multiple of it lies between them */
	uint32_t objects;		/* the same: how many */
	bool all;			/* all misses are on objects walked down columns */
};

#define ADVICE_MOST 3

/**
 * report_advice() - what the strides of an entry's misses suggest, best first.
 *
 * It knows only strides: whether the loops may be interchanged is for the reader of the code.
 *
 * Return: how many, 0 where the samples do not say enough.
 */
size_t report_advice(const struct findings *findings, const struct entry *entry,
		     struct advice advice[ADVICE_MOST]);

/* "interchange", "block", "pad_rows", "shift": the words of JSON. */
const char *advice_name(enum advice_kind kind);

/* A sentence, to be freed. */
char *advice_text(const struct advice *advice);

#endif /* CCSAMPLE_REPORT_ADVICE_H */
