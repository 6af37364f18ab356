/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of a text that anybody may have written: it ends, and so does each line. */
#ifndef CCSAMPLE_BASE_TEXT_LINES_H
#define CCSAMPLE_BASE_TEXT_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_LINE_MOST	(16u << 20)	/* bytes: longer than any command line */

struct text_lines {
	FILE *file;
	const char *path, *kind;
	char *text;		/* the line, without its end */
	size_t room;
	uint64_t left, most;	/* bytes that may follow, and all */
	unsigned int number;	/* of the line, from 1 */
	int status;		/* -1: one line was said */
};

/**
 * text_lines_open() - begin to read.
 * @kind: what it is to be, for messages
 * @most: bytes, beyond which nothing is a text of this kind
 *
 * Return: 0, or -1 after one line; then there is nothing to close.
 */
int text_lines_open(struct text_lines *lines, const char *path, const char *kind, uint64_t most);

/* The next line, in @text; false where there is none, or after one line. */
bool text_lines_next(struct text_lines *lines);

/* Return: 0, or -1 where one line was said. */
int text_lines_close(struct text_lines *lines);

#endif /* CCSAMPLE_BASE_TEXT_LINES_H */
