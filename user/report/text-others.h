/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_REPORT_TEXT_OTHERS_H
#define CCSAMPLE_REPORT_TEXT_OTHERS_H

#include <stdio.h>

#include "output/table.h"
#include "report/entry.h"
#include "report/rows.h"

/* What is left of a level, where some of it was described. */
struct others {
	uint32_t level;
	struct row *rows;		/* all of the level */
	size_t row_count;
	struct entry *entries;		/* not described */
	size_t entry_count;
};

struct sentence {
	const char *key;		/* a word that stands before it */
	enum tint tint;			/* of the word */
	char *text;			/* to be freed */
};

#define OTHERS_MOST (5 + ENTRY_LEVELS)

/**
 * report_others() - in words: what else is in conflict or concentrated, what is free of conflicts,
 * what could not be judged, and what is too small to matter, of all levels at once; of a level
 * without misses, why.
 * @told: what would tell more was said before
 *
 * Return: how many sentences.
 */
size_t report_others(const struct findings *findings, const struct others *levels,
		     size_t level_count, bool told, struct sentence sentences[OTHERS_MOST]);

/* As lines of text; frees them. */
void report_sentences(FILE *out, const struct sentence *sentences, size_t count, bool colour);

#endif /* CCSAMPLE_REPORT_TEXT_OTHERS_H */
