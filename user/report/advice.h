/* SPDX-License-Identifier: GPL-2.0-only */
/* What to try against a conflict, or misses concentrated on few sets. */
#ifndef CCSAMPLE_REPORT_ADVICE_H
#define CCSAMPLE_REPORT_ADVICE_H

#include "advise/advise.h"
#include "advise/sampled.h"
#include "report/entry.h"

enum advice_kind {
	ADVICE_INTERCHANGE,		/* loops, so that the inner one goes along rows */
	ADVICE_BLOCK,			/* loops */
	ADVICE_PAD_ROWS,		/* of @object: @from bytes long now, @to then */
	ADVICE_SHIFT,			/* arrays: each by @to bytes more than the one before */
	ADVICE_SHIFT_BLOCKS,		/* the same of the blocks of @object */
	ADVICE_UNALIGN,			/* blocks of @object, that are aligned to @from bytes */
	ADVICE_SPREAD,			/* what is used of @object, by @change */
	ADVICE_LAYOUT,			/* @cure */
};

/* One thing to try. */
struct advice {
	enum advice_kind kind;
	const struct object *object;	/* NULL = several */
	uint64_t from, to;		/* bytes */
	uint32_t objects;		/* of arrays to be moved: how many */
	bool library;			/* the loops are a library's */
	bool layouts;			/* were tried, so nothing is to be guessed of pads */
	bool unsure;			/* other accesses of the loops may go along rows */
	bool all;			/* all misses are on objects walked down columns */
	struct layout_change change;	/* of ADVICE_SPREAD; its @to is the one above */
	struct sampled_effect sampled;	/* on the loop's sampled misses; misses 0 = not tried */
	const struct cure *cure;	/* that was tried; NULL = none was */
	const struct cure_effect *effect;	/* on the loop */
};

#define ADVICE_MOST 3

/**
 * report_advice() - what to try: first what was tried here, best first.
 * @cures: tried on the recording's bursts; of sampled misses, strides and pairs say what to try,
 *	and what leaves their cf as it was is not advised; NULL = neither is known
 *
 * Neither knows the code: whether the loops may be interchanged is for its reader. Where their
 * references are known, they are asked to be only if not as many would go across rows then.
 *
 * Return: how many, 0 where nothing helps or too little is known.
 */
size_t report_advice(const struct findings *findings, const struct cures *cures,
		     const struct entry *entry, struct advice advice[ADVICE_MOST]);

/* The same of one loop at several levels, inner ones first: what several say once. */
size_t report_advice_joined(const struct findings *findings, const struct cures *cures,
			    const struct entry *entries, size_t count,
			    struct advice advice[ADVICE_MOST]);

/* Why a conflict has no advice: a sentence, to be freed. */
char *report_no_advice(const struct findings *findings, const struct cures *cures,
		       const struct entry *entry);

/**
 * report_tries() - report_advice_joined() in words; of a conflict without advice
 *	report_no_advice().
 *
 * Return: how many sentences, to be freed.
 */
size_t report_tries(const struct findings *findings, const struct cures *cures,
		    const struct entry *entries, size_t count, char *texts[ADVICE_MOST]);

/* Was it tried on what was recorded? Else it is an idea. */
bool advice_tried(const struct advice *advice);

/* "interchange", "block", "pad_rows", "shift", "unalign", "spread", "layout": the words of JSON. */
const char *advice_name(enum advice_kind kind);

/* "entries", "places", "colour", "hash": how a spread is made; NULL = it is none. */
const char *advice_how(const struct advice *advice);

/* A sentence, to be freed; it ends with "(not tried)" where it is an idea. */
char *advice_text(const struct advice *advice);

/*
 * The same of what was advised before, on other loops: what it does to this one, or "as above" of
 * an idea. NULL = it was not, or its numbers are of this loop alone
 */
char *advice_again_text(const struct advice *advice, const struct advice *before, size_t count);

#endif /* CCSAMPLE_REPORT_ADVICE_H */
