/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files dwarf-*.c share; no other file includes it. */
#ifndef CCSAMPLE_PROGRAM_DWARF_INSIDE_H
#define CCSAMPLE_PROGRAM_DWARF_INSIDE_H

#include "program/dwarf-file.h"

#define DWARF_ENTRIES_MOST	(1u << 26)	/* of a unit's tree: an end for crooked ones */

struct function {
	Dwarf_Die die;
	uint64_t entry;
	uint32_t outer;			/* index of the function it is inlined in, SPANS_NONE */
	bool named;
	const char *name;
	char *demangled;		/* what @name points to, where it is ours */
};

struct unit {
	Dwarf_Die die;			/* lines */
	Dwarf_Die tree;			/* functions: another one where DWARF is split */
	bool read;
	bool globals_read, locals_read;	/* declarations */
	struct function *functions;
	size_t count;
	size_t capacity;
	struct spans by_address;
	Dwarf_Lines *lines;
	size_t line_count;
	const char *directory;		/* the compiler's, NULL = unknown */
};

/* The unit that holds an address, its functions and lines read; NULL = none. */
struct unit *dwarf_unit_at(struct dwarf_file *file, uint64_t address);

/* A text of an entry, or of the one that it was made from; NULL = it has none. */
const char *dwarf_text(Dwarf_Die *die, unsigned int name);

const char *dwarf_function_name(struct function *function);

/*
 * libdw may join what the compiler was given with its directory. To read the
 * file that is right; to show it, the name as given is.
 */
const char *dwarf_as_given(const char *directory, const char *path);

/* dwarf-variables.c */

/* The parts of a type, kept until the file is closed; NULL = none. */
const struct layout *dwarf_layout(struct dwarf_file *file, Dwarf_Die *type, bool many);

/* To be called by dwarf_file_close(). */
void dwarf_variables_close(struct dwarf_file *file);

/* Name, file and line of a declaration, where known. */
void dwarf_declaration(Dwarf_Die *die, struct variable *variable);

/* dwarf-frame.c: the same. */
void dwarf_frame_close(struct dwarf_file *file);

/* dwarf-walk.c */

/* An entry's next sibling and what it lies in. */
struct step {
	Dwarf_Die die;
	uint32_t depth;
	uint32_t function;
};

/* A way through a tree of entries; zeroed to begin with. */
struct walk {
	struct step *open;		/* to be freed */
	size_t count;
	size_t capacity;
};

/* Steps into an entry: its children come next. */
void walk_into(struct walk *walk, Dwarf_Die *die, uint32_t depth, uint32_t function);

/* The next entry of the tree in order; the caller steps into it if it likes. */
bool walk_next(struct walk *walk, struct step *step);

/* May an entry of this kind hold functions? Types do in some languages. */
bool walk_may_hold(int tag);

#endif /* CCSAMPLE_PROGRAM_DWARF_INSIDE_H */
