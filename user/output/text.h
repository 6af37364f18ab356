/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text for people: what a recording says may hold any bytes, and names may be
 * of any length; what is shown is clean UTF-8 of a known width.
 */
#ifndef CCSAMPLE_OUTPUT_TEXT_H
#define CCSAMPLE_OUTPUT_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/clean.h"

#define TEXT_COLUMNS	100	/* of a report, but for tables on wider terminals */
#define TEXT_WIDE	120	/* of tables whose names need it */
#define TEXT_LEAST	60	/* however narrow the terminal */

/*
 * The terminal's columns, or what COLUMNS says where there is a pager; 0 = unknown. Within limits.
 */
size_t text_columns(FILE *out);

/* What is written to memory from now on is as wide as what is written to @out, a file. */
void text_memory_for(FILE *out);

/* Columns that a terminal needs for it. */
size_t text_width(const char *text);

/* Writes it as text_clean() leaves it. */
void text_put(FILE *out, const char *text);

enum text_fit {
	TEXT_FIT_END,		/* keep the beginning */
	TEXT_FIT_START,		/* keep the end */
	TEXT_FIT_MIDDLE,	/* keep both */
	TEXT_FIT_CUT,		/* keep the beginning, without a mark */
	TEXT_FIT_FUNCTION,	/* leave out C++ parameters, template arguments, then scopes */
};

/* A clean copy in at most @width columns; "..." (or "..", ".") marks what was left out. */
char *text_fit(const char *text, size_t width, enum text_fit how);

/**
 * text_paragraph() - write text, cleaned, broken at spaces so that no line exceeds TEXT_COLUMNS,
 *	or a narrower terminal.
 * @column: where the cursor stands, and where further lines begin
 */
void text_paragraph(FILE *out, const char *text, size_t column);

/* Numbers for people; all allocated. */
char *text_count(uint64_t count);	/* "1,234,567" */
char *text_count_short(uint64_t count);	/* "999,999", "1.23 M" */
char *text_size(uint64_t bytes);	/* "48 KiB", "1.5 MiB" */
char *text_number(double value);	/* "0.0123", "1.51", "1,234": three digits; "-" likewise */
char *text_percent(double share);	/* "61.2%", "<0.1%", "-" where not finite */
char *text_duration(uint64_t ns);	/* "3.21 s", "2 min 5 s" */

#endif /* CCSAMPLE_OUTPUT_TEXT_H */
