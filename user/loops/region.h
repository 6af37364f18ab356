/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A piece of code, as reports show it: whoever counts something about code
 * embeds one. Strings belong to the module, or to whoever filled them in.
 */
#ifndef CCSAMPLE_LOOPS_REGION_H
#define CCSAMPLE_LOOPS_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/symbols.h"

enum region_kind {
	REGION_LOOP,			/* without the loops in it */
	REGION_FUNCTION,		/* without its loops */
	REGION_LINE,			/* of a function whose machine code cannot be read */
	REGION_INSTRUCTION,
	REGION_UNKNOWN,			/* an instruction whose address is not known */
};

struct code_region {
	enum region_kind kind;
	uint32_t id;			/* 1, 2, .. in the order of whoever counts; 0 = none */
	uint32_t parent;		/* the id of the region around it, 0 = none */
	uint32_t depth;			/* of nested loops, 1 = outermost; 0 = no loop */
	struct module *module;		/* NULL = in no file, or not known */
	const char *dso;		/* path of the module, or "[anonymous]"; NULL = unknown */
	const char *function;		/* that it was written in, which may be inlined */
	const char *file;		/* NULL = unknown */
	uint32_t line;			/* first line, 0 = unknown */
	uint32_t end_line;		/* last line, the same */
	const char *call_file;		/* where @function was inlined; NULL = it was not */
	uint32_t call_line;		/* 0 = unknown, or it was not */
	bool apart;			/* others have these lines, and were inlined elsewhere */
	uint32_t function_line;		/* first line of the function around it, if that is
					 * @function; 0 = unknown
					 */
	uint64_t address;		/* link-time: of the header or entry; a line's lowest */
};

/* "loop", "function", "line", "instruction", "unknown": the words of JSON. */
const char *region_kind_name(enum region_kind kind);

/*
 * "tiled.c:57-60", "libc.so.6+0x9d2f0" where no line is known, "?"; of those apart "tiled.c:57-60
 * (from :80)", by the call, here in the same file. Allocated.
 */
char *region_text(const struct code_region *region, bool full_path);

/* The same next to the function's name: code named after its address has the address there. */
char *region_place(const struct code_region *region, bool full_path);

/*
 * Sets which of @count are apart: loops of functions that were inlined at several places.
 * @from: the first; the next is @stride bytes behind
 */
void regions_tell_apart(struct code_region *from, size_t count, size_t stride);

/*
 * Does a place say all that the function's name would? Without symbols both are the module, and
 * addresses in it.
 */
bool region_says_function(const char *place, const char *function);

#endif /* CCSAMPLE_LOOPS_REGION_H */
