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

/* The call on a line that allocates, as far as is known. */
struct source_call {
	bool library;			/* it lies in a language's library, called by this line */
	const char *function;		/* the program's own, which allocates for this line; NULL */
	size_t number;			/* of the calls on the line, from 0 */
	uint32_t column;		/* in a constructor, from 1; 0 = unknown */
};

/**
 * source_line_variable() - the variable that a line of C or C++ allocates for.
 * @above: the line above it, which the statement may begin on; "" if none
 * @line: the line of the call
 * @by: what allocates
 *
 * Knows `type *name = malloc(..)`, `p->name[i] = ..`, `name = new ..`,
 * `posix_memalign(&name, ..)`, and for the C++ library `vector<type> name(..)`
 * and `name.resize(..)`, for Rust's `let name = ..`, in a constructor `: name(..)` by its column.
 *
 * Where it allocates for several, as Fortran's allocate(a(n), b(n)), its number says which.
 *
 * Return: the name, for the caller to free; NULL where the text is not plain.
 */
char *source_line_variable(const char *above, const char *line, const struct source_call *by);

struct sources;		/* files that were read */

struct sources *sources_new(void);
void sources_free(struct sources *sources);

/* A line of a source. */
struct source_place {
	const char *directory;		/* where a relative path begins, NULL = here */
	const char *path;
	uint32_t line;
	int64_t time;			/* of the program, seconds since 1970: a file changed later
					 * is not what was compiled
					 */
};

/* source_line_variable() of a line in a file. */
char *sources_variable(struct sources *sources, const struct source_place *place,
		       const struct source_call *by);

/* The text of a line, to be freed; NULL where the file cannot be read or was changed later. */
char *sources_line(struct sources *sources, const struct source_place *place);

/**
 * sources_returned() - does the function at a line return what that line allocates?
 * @name: the variable that gets it; NULL = none: the line itself is to return it
 */
bool sources_returned(struct sources *sources, const struct source_place *place, const char *name,
		      const struct source_call *by);

#endif /* CCSAMPLE_PROGRAM_SOURCE_LINE_H */
