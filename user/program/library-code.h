/* SPDX-License-Identifier: GPL-2.0-only */
/* Code that users did not write: headers of installed libraries, the libraries of languages. */
#ifndef CCSAMPLE_PROGRAM_LIBRARY_CODE_H
#define CCSAMPLE_PROGRAM_LIBRARY_CODE_H

#include <stdbool.h>
#include <stddef.h>

struct location;

/* Is a file, by its path, part of an installed library? NULL is none. */
bool library_file(const char *path);

/* Is a source one of those, or a header in a folder of other people's code? */
bool library_source(const char *path);

/**
 * own_location() - where in a chain of inlined functions the program's own code is.
 * @chain: innermost first
 * @count: at least 1
 *
 * Return: the index of the innermost function that is no library's; 0 where all are.
 */
size_t own_location(const struct location *chain, size_t count);

#endif /* CCSAMPLE_PROGRAM_LIBRARY_CODE_H */
