/* SPDX-License-Identifier: GPL-2.0-only */
/* Where functions begin and end, named or not. */
#ifndef CCSAMPLE_LOOPS_EXTENTS_H
#define CCSAMPLE_LOOPS_EXTENTS_H

#include "program/elf-file.h"
#include "program/symbol-table.h"

struct extent {
	uint64_t start;
	uint64_t end;
	const char *name;	/* the linker's, NULL = none begins there */
};

struct extents {
	struct extent *extent;	/* by address, none overlapping */
	size_t count;
	size_t capacity;
};

/**
 * extents_read() - from the unwind tables (.eh_frame), and from symbols where there are none.
 * @extents: zeroed; release it with extents_drop()
 *
 * A part that the compiler has split off ("f.cold") has an extent of its own.
 */
void extents_read(struct extents *extents, const struct elf_file *file,
		  const struct symbol_table *table);
void extents_drop(struct extents *extents);

/* The extent that holds an address, or NULL. */
const struct extent *extents_find(const struct extents *extents, uint64_t address);

#endif /* CCSAMPLE_LOOPS_EXTENTS_H */
