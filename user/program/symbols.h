/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names for addresses: ELF symbols and DWARF lines of the files that a
 * recording names, found offline (libdw), long after the program has gone.
 */
#ifndef CCSAMPLE_PROGRAM_SYMBOLS_H
#define CCSAMPLE_PROGRAM_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;		/* all files */
struct module;		/* one file */

struct symbols *symbols_new(void);
void symbols_free(struct symbols *symbols);

/*
 * symbols_leave_debug_files() - of separate debug files (those of system libraries), read names of
 * functions only: their DWARF is large, and compressed.
 */
void symbols_leave_debug_files(struct symbols *symbols);

/**
 * symbols_module() - the module of a mapped file; the same one for the same build-id, or path
 * where that is not known.
 * @path: as mapped
 * @build_id: as recorded, or NULL
 * @build_id_size: its bytes, 0 = unknown
 *
 * Copies of a file (of other machines, say) are the module of the first path, unless there is no
 * such file under it now. A file that is gone, or has another build-id by now, gives a module
 * without names; the reason is kept for module_error(). Opened when first asked.
 */
struct module *symbols_module(struct symbols *symbols, const char *path,
			      const uint8_t *build_id, size_t build_id_size);

const char *module_path(const struct module *module);

struct wire;

/* Modules as they go from one process to another: by number, from 1 on. */
struct modules {
	struct module **all;
	size_t count, room;
};

/* Writes all modules and gives them their numbers, or reads them: ours of the same files. */
void symbols_wire(struct symbols *symbols, struct wire *wire, struct modules *modules);

/* Writes a module's number, or reads it. NULL = none. */
struct module *module_wire(struct module *module, struct wire *wire,
			   const struct modules *modules);

/* Why this module has no names, or no lines: a sentence. NULL where it has both. */
const char *module_error(struct module *module);

/* No names at all: its file is gone, damaged, or another one by now. */
bool module_unread(struct module *module);

/* When the file was last changed, seconds since 1970; 0 = unknown. */
int64_t module_time(struct module *module);

/* A part of a module that is loaded as one; whole pages, as they are mapped. */
struct segment {
	uint64_t start;		/* link-time addresses */
	uint64_t end;
	uint64_t file_end;	/* from here to @end there is no file behind it (.bss) */
	uint64_t offset;	/* of @start in the file */
	bool write;
	bool execute;
};

/* The segment that holds a link-time address, or NULL. */
const struct segment *module_segment(struct module *module, uint64_t address);

/* Link-time address of the first byte past all segments, 0 if there are none. */
uint64_t module_end(struct module *module);

/**
 * module_bias() - how far from its link-time addresses a mapping of the module lies.
 * @start: where it is mapped
 * @offset: in the file
 * @protection: CCS_MAP_*, decides where two segments share a page of the file
 * @bias: link-time address = address - bias
 *
 * Return: false if no segment holds that offset.
 */
bool module_bias(struct module *module, uint64_t start, uint64_t offset, uint32_t protection,
		 uint64_t *bias);

struct elf_file;
struct layout;
struct symbol_table;

/* The open file and its symbols, for those who read its code; NULL where it has none. */
const struct elf_file *module_file(struct module *module);
const struct symbol_table *module_table(struct module *module);

struct location {
	const char *function;	/* innermost, inlined ones included; demangled; NULL = unknown */
	const char *file;	/* as the compiler was given it, "stencil.c"; NULL = unknown */
	const char *source;	/* the same to open, from @directory on where it is relative */
	const char *directory;	/* where the compiler ran, NULL = unknown */
	uint32_t line;		/* 0 = unknown */
	uint32_t column;	/* from 1, 0 = unknown */
	uint64_t entry;		/* link-time address of the function or its symbol, 0 = unknown;
				 * an inlined one has that of the function it is a part of */
};

/**
 * module_locate() - function and source line of an instruction.
 * @address: link-time address
 *
 * Inlined functions by DWARF; function names without DWARF from the symbol
 * table; separate debug files by build-id and debug link. Strings live as long
 * as the module. Return: 0, or -1 when nothing is known.
 */
int module_locate(struct module *module, uint64_t address, struct location *location);

/* The same; of what is inlined from a library, the function and line that calls it. */
int module_own_line(struct module *module, uint64_t address, struct location *location);

#define MODULE_INLINES 24	/* functions inlined into one another that are looked at */

/**
 * module_inlines() - as module_locate(), with the functions that it is inlined in.
 * @chain: innermost first; file and line of an outer one are those of the call
 * @most: room in @chain, at least 1
 *
 * Return: how many were filled in; 0 when nothing is known.
 */
size_t module_inlines(struct module *module, uint64_t address, struct location *chain,
		      size_t most);

struct variable {
	const char *name;
	uint64_t address;	/* link-time */
	uint64_t size;		/* bytes */
	const char *file;	/* where it is declared, NULL = unknown */
	uint32_t line;
	const char *type;	/* "double[128]", NULL = unknown */
	const struct layout *layout;	/* its parts, NULL = none to distinguish */
	bool common;			/* the symbol may be that of a Fortran COMMON block */
	uint64_t low;		/* the answer is the same for all of [low, high), */
	uint64_t high;		/* also where it is that no variable lies here */
};

/**
 * module_variable() - the global or static variable that holds an address.
 *
 * Return: 0, or -1 if none does.
 */
int module_variable(struct module *module, uint64_t address, struct variable *variable);

/* What the pointer of that name points to, in scope at an address: "double[]". NULL = unknown; the
 * caller frees it. @layout: receives its parts, NULL = none. @bytes: of an element, 0 = unknown
 */
char *module_pointed(struct module *module, uint64_t address, const char *name,
		     const struct layout **layout, uint64_t *bytes);

/* A variable in a stack frame, in bytes from the call's stack pointer. */
struct frame_variable {
	int64_t low, high;
	struct variable variable;	/* name, place of declaration, type and parts */
	char *type;			/* what variable.type points to */
};

struct frame_layout {
	const char *function;		/* NULL = unknown */
	int64_t end;			/* of the frame: where the caller's begins */
	struct frame_variable *variables;
	size_t count;
	size_t capacity;
};

/**
 * module_frame() - which variables lie where in a call's stack frame.
 * @address: link-time address of an instruction in it
 * @bp: the call's rbp less its stack pointer there
 *
 * Return: NULL if the end of the frame is unknown. To be freed by frame_layout_free().
 */
struct frame_layout *module_frame(struct module *module, uint64_t address, int64_t bp);
void frame_layout_free(struct frame_layout *frame);

#endif /* CCSAMPLE_PROGRAM_SYMBOLS_H */
