/* SPDX-License-Identifier: GPL-2.0-only */
/* Text in DOT, the language of Graphviz. Graphs themselves are written with stdio. */
#ifndef CCSAMPLE_OUTPUT_DOT_H
#define CCSAMPLE_OUTPUT_DOT_H

#include <stdio.h>

/*
 * Writes a string in double quotes, whose text is this one: nothing in it ends the string, or is
 * one of DOT's escapes (\N, \G, \l). What steers a terminal or changes the reading direction is
 * replaced, ends of lines too.
 */
void dot_text(FILE *out, const char *text);

/* The same of allocated text, which is freed. */
void dot_put_free(FILE *out, char *text);

#endif /* CCSAMPLE_OUTPUT_DOT_H */
