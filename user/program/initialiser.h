/* SPDX-License-Identifier: GPL-2.0-only */
/* Members that the initialiser list of a constructor in C++ makes: read from the source. */
#ifndef CCSAMPLE_PROGRAM_INITIALISER_H
#define CCSAMPLE_PROGRAM_INITIALISER_H

#include <stdint.h>

/**
 * initialiser_member() - whose initialiser holds a column of a line.
 * @line: without comments, and without what stands in quotes
 * @column: from 1; 0 = unknown
 *
 * Return: "b" at the columns of "b(m, 1.0)" in "A(int n) : a(n), b(m, 1.0)"; to be freed; NULL =
 * no member's.
 */
char *initialiser_member(const char *line, uint32_t column);

#endif /* CCSAMPLE_PROGRAM_INITIALISER_H */
