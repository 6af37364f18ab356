/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names from outside (files, symbols, remarks) may hold any bytes. Each sink has one function
 * that makes them harmless: text_clean() for terminals, json_string(), field_text() for CSV,
 * html_text() for pages, picture_quote() for gnuplot, export/ for its formats.
 */
#ifndef CCSAMPLE_BASE_CLEAN_H
#define CCSAMPLE_BASE_CLEAN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_REPLACEMENT 0xfffdu	/* stands for bytes that are no UTF-8 */

/**
 * text_decode() - the first character of a string.
 * @code: its number, TEXT_REPLACEMENT where the bytes are no UTF-8 (RFC 3629)
 *
 * Return: bytes taken, 0 at the end of the string.
 */
size_t text_decode(const char *text, uint32_t *code);

/* A copy that is safe to print: UTF-8 without characters that steer a terminal. NULL gives "". */
char *text_clean(const char *text);

/* The same of what vprintf() would print. */
char *text_clean_format(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Does this character move the cursor, or change the reading direction? */
bool text_unprintable(uint32_t code);

struct code_range {
	uint32_t first, last;
};

bool code_within(const struct code_range *ranges, size_t count, uint32_t code);

#endif /* CCSAMPLE_BASE_CLEAN_H */
