/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names for addresses: ELF symbols and DWARF lines of the files that a
 * recording names, found offline (libdw), long after the program has gone.
 */
#ifndef CCSAMPLE_PROGRAM_SYMBOLS_H
#define CCSAMPLE_PROGRAM_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct symbols;		/* all files */
struct module;		/* one file */

struct symbols *symbols_new(void);
void symbols_free(struct symbols *symbols);

/**
 * symbols_module() - the module of a mapped file; the same one for the same path and build-id.
 * @path: as mapped
 * @build_id: as recorded, or NULL
 * @build_id_size: its bytes, 0 = unknown
 *
 * A file that is gone, or has another build-id by now, gives a module without
 * names; the reason is kept for symbols_trouble(). Opened when first asked.
 */
struct module *symbols_module(struct symbols *symbols, const char *path,
			      const uint8_t *build_id, size_t build_id_size);

const char *module_path(const struct module *module);

/* Why this module has no names, or no lines; NULL where it has both. */
const char *module_trouble(struct module *module);

/**
 * module_address() - the link-time address of a byte of the file as it was mapped.
 * @offset: in the file
 *
 * Return: the ELF virtual address, or ~0 if no loadable segment holds it.
 */
uint64_t module_address(struct module *module, uint64_t offset);

struct location {
	const char *function;	/* innermost, inlined ones included; demangled; NULL = unknown */
	const char *file;	/* NULL = unknown */
	uint32_t line;		/* 0 = unknown */
	uint64_t entry;		/* link-time address of the function, or of its symbol; 0 = unknown */
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

struct variable {
	const char *name;
	uint64_t address;	/* link-time */
	uint64_t size;		/* bytes */
	const char *file;	/* where it is declared, NULL = unknown */
	uint32_t line;
};

/**
 * module_variable() - the global or static variable that holds an address.
 *
 * Return: 0, or -1 if none does.
 */
int module_variable(struct module *module, uint64_t address, struct variable *variable);

#endif /* CCSAMPLE_PROGRAM_SYMBOLS_H */
