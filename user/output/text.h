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

#define TEXT_COLUMNS	100	/* of a report, but for tables on wider terminals */
#define TEXT_REPLACEMENT 0xfffdu	/* stands for bytes that are no UTF-8 */

/**
 * text_decode() - the first character of a string.
 * @code: its number, TEXT_REPLACEMENT where the bytes are no UTF-8 (RFC 3629)
 *
 * Return: bytes taken, 0 at the end of the string.
 */
size_t text_decode(const char *text, uint32_t *code);

/* Columns that a terminal needs for it. */
size_t text_width(const char *text);

/* A copy that is safe to print: UTF-8 without characters that steer a terminal. NULL gives "". */
char *text_clean(const char *text);

enum text_fit {
	TEXT_FIT_END,		/* keep the beginning */
	TEXT_FIT_START,		/* keep the end */
	TEXT_FIT_MIDDLE,	/* keep both */
	TEXT_FIT_FUNCTION,	/* leave out C++ parameters, template arguments, then scopes */
};

/* A copy of clean text in at most @width columns; "..." (or "..", ".") marks what was left out. */
char *text_fit(const char *text, size_t width, enum text_fit how);

/**
 * text_paragraph() - write clean text, broken at spaces so that no line exceeds TEXT_COLUMNS.
 * @column: where the cursor stands, and where further lines begin
 */
void text_paragraph(FILE *out, const char *text, size_t column);

/* Numbers for people; all allocated. */
char *text_count(uint64_t count);	/* "1,234,567" */
char *text_count_short(uint64_t count);	/* "999,999", "1.23 M" */
char *text_size(uint64_t bytes);	/* "48 KiB", "1.5 MiB" */
char *text_percent(double share);	/* "61.2%", "<0.1%", "-" where not finite */
char *text_duration(uint64_t ns);	/* "3.21 s", "2 min 5 s" */

#endif /* CCSAMPLE_OUTPUT_TEXT_H */
