/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of text in the terminal's columns, or TEXT_COLUMNS: what does not fit is shortened where
 * that hurts least. Where names would become too short to be told apart, a terminal gets rows of
 * several lines, and a file up to TEXT_WIDE columns.
 */
#ifndef CCSAMPLE_OUTPUT_TABLE_H
#define CCSAMPLE_OUTPUT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "output/text.h"

enum tint {
	TINT_NONE,
	TINT_BOLD,
	TINT_DIM,
	TINT_BAD,
	TINT_CAUTION,
	TINT_GOOD,
};

/* The terminal's code for a tint, "" without @colour; TINT_NONE ends one. */
const char *tint_code(enum tint tint, bool colour);

struct column {
	const char *header;
	bool right;		/* numbers: aligned to the right */
	bool optional;		/* left out where all its cells are empty */
	bool flexible;		/* may be shortened, see fit */
	enum text_fit fit;
	size_t keep;		/* columns that it has before others get as many: what identifies */
};

struct table;

/* The last column is not padded. */
struct table *table_new(const struct column *columns, size_t count);
void table_free(struct table *table);

/* Sets the next cell, row by row from the left. @text: cleaned here, then freed; NULL = empty. */
void table_cell(struct table *table, char *text, enum tint tint);

/* A count as the next cell: text_count_short(). */
void table_count(struct table *table, uint64_t count);

/* A part as the next cell, in percent: 0% where there is no whole. */
void table_share(struct table *table, uint64_t part, uint64_t whole, enum tint tint);

/**
 * table_print() - the header, then the rows.
 * @indent: columns left free
 */
void table_print(struct table *table, FILE *out, size_t indent, bool colour);
void table_print_free(struct table *table, FILE *out, size_t indent, bool colour);

#endif /* CCSAMPLE_OUTPUT_TABLE_H */
