/* SPDX-License-Identifier: GPL-2.0-only */
/* Which variable gets what a source line allocates: read from the text, with care. */
#ifndef CCSAMPLE_PROGRAM_SOURCE_LINE_H
#define CCSAMPLE_PROGRAM_SOURCE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * word_allocates() - does this name of a function speak of allocation?
 *
 * True where it holds "alloc", "mmap" or "memalign" in any case, or "new" or
 * "dup" as a word of its own: "xmalloc", "node_new", "strdup", not "renewal".
 */
bool word_allocates(const char *word, size_t size);

/**
 * source_line_variable() - the variable that a line of C or C++ allocates for.
 * @above: the line above it, which the statement may begin on; "" if none
 * @line: the line of the call
 * @library: the call lies in the C++ library, called by this line
 *
 * Knows `type *name = malloc(..)`, `p->name[i] = ..`, `name = new ..`,
 * `posix_memalign(&name, ..)`, and for the C++ library `vector<type> name(..)`
 * and `name.resize(..)`.
 *
 * Return: the name, for the caller to free; NULL where the text is not plain.
 */
char *source_line_variable(const char *above, const char *line, bool library);

struct sources;		/* files that were read */

struct sources *sources_new(void);
void sources_free(struct sources *sources);

/**
 * sources_variable() - the same of a line in a file.
 * @directory: where a relative @path begins, NULL = here
 * @time: a file changed later than this (seconds since 1970) is not that which was compiled
 */
char *sources_variable(struct sources *sources, const char *directory, const char *path,
		       uint32_t line, int64_t time, bool library);

#endif /* CCSAMPLE_PROGRAM_SOURCE_LINE_H */
