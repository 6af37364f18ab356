/* SPDX-License-Identifier: GPL-2.0-only */
/* What DWARF says of addresses: functions with inlined ones, lines, declarations. */
#ifndef CCSAMPLE_PROGRAM_DWARF_FILE_H
#define CCSAMPLE_PROGRAM_DWARF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "program/spans.h"
#include "program/symbols.h"

struct unit;
struct declared;
struct mention;
struct layout;

struct declarations {
	struct declared *variables;	/* by address */
	size_t count;
	size_t capacity;
	bool read;			/* of all units */
	bool sorted;			/* nothing was added since */
};

struct dwarf_file {
	Dwarf *dwarf;			/* NULL = not open */
	struct unit *units;
	size_t count;
	size_t capacity;
	size_t split_off;		/* of them, units whose .dwo files are not there */
	struct spans by_address;
	struct declarations globals;	/* of files and namespaces */
	struct declarations locals;	/* static variables in functions */
	struct mention *mentions;	/* of variables' addresses, by address */
	size_t mention_count;
	size_t mention_capacity;
	bool mentions_read;
	Dwarf_Die *of_modules;		/* variables of Fortran's modules, when first asked for */
	size_t of_module_count;
	size_t of_module_capacity;
	bool modules_read;
	struct layout **layouts;	/* that were asked for, to be freed */
	size_t layout_count;
	size_t layout_capacity;
	Dwarf_CFI *frames;		/* of .debug_frame and .eh_frame, when first asked for */
	Dwarf_CFI *elf_frames;
	bool frames_read;
};

/**
 * dwarf_file_open() - index the compile units by address.
 * @file: zeroed
 * @elf: must outlive @file
 *
 * The index comes from the units' own ranges, not from .debug_aranges, which
 * compilers may leave out. Functions and lines of a unit are read when an
 * address in it is first asked for.
 *
 * Return: false if there is no DWARF in it.
 */
bool dwarf_file_open(struct dwarf_file *file, Elf *elf);

/**
 * dwarf_file_locate() - functions and lines at an address, innermost inlined one first.
 * @chain: for up to @most locations; the last one is the function proper
 *
 * Return: how many were filled in; 0 = nothing known. A function may be NULL
 * where only a line is known.
 */
size_t dwarf_file_locate(struct dwarf_file *file, uint64_t address,
			 struct location *chain, size_t most);

/**
 * dwarf_file_variable() - where the variable that begins at an address is declared.
 * @local: look into functions as well
 * @variable: name, file, line and type are filled in where known
 */
bool dwarf_file_variable(struct dwarf_file *file, uint64_t address, bool local,
			 struct variable *variable);

/**
 * dwarf_file_pointed() - what the pointer of that name points to, in scope at an address.
 * @layout: receives the parts of that, NULL = none
 * @bytes: receives the size of an element, of containers in containers of the innermost; 0 =
 *	unknown
 *
 * Return: NULL = unknown. To be freed.
 */
char *dwarf_file_pointed(struct dwarf_file *file, uint64_t address, const char *name,
			 const struct layout **layout, uint64_t *bytes);

/**
 * dwarf_file_frame() - which variables lie where in a call's stack frame.
 * @elf: the file that was run
 * @address: of an instruction in it
 * @bp: the call's rbp less its stack pointer there
 * @frame: zeroed; receives places in bytes from the stack pointer
 *
 * Only variables that have one place, given only by the frame: those of computed size and those
 * that the compiler keeps moving are not among them.
 *
 * Return: false if the end of the frame is unknown.
 */
bool dwarf_file_frame(struct dwarf_file *file, Elf *elf, uint64_t address, int64_t bp,
		      struct frame_layout *frame);

void dwarf_file_close(struct dwarf_file *file);

#endif /* CCSAMPLE_PROGRAM_DWARF_FILE_H */
