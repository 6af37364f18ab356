/* SPDX-License-Identifier: GPL-2.0-only */
/* Text in HTML and in the SVG inside it. Markup itself is written with stdio. */
#ifndef CCSAMPLE_OUTPUT_HTML_H
#define CCSAMPLE_OUTPUT_HTML_H

#include <stdio.h>

/*
 * Writes text so that it is text: between tags, or between double quotes as the value of an
 * attribute. What steers a terminal or changes the reading direction is replaced.
 */
void html_text(FILE *out, const char *text);

/* The same of what printf() would print. */
void html_put(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of allocated text, which is freed. */
void html_put_free(FILE *out, char *text);

#endif /* CCSAMPLE_OUTPUT_HTML_H */
