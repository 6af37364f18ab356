/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions and variables of an ELF symbol table, by address. */
#ifndef CCSAMPLE_PROGRAM_SYMBOL_TABLE_H
#define CCSAMPLE_PROGRAM_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/elf-file.h"
#include "program/spans.h"

struct symbol {
	uint64_t address;
	uint64_t size;		/* where the table says 0: to the next one or the section's end */
	const char *linker_name;	/* in the file */
	char *name;		/* demangled, made when first asked for */
	bool local;
};

struct symbol_table {
	struct symbol *symbols;
	size_t count;
	size_t capacity;
	struct spans functions;
	struct spans variables;
};

/**
 * symbol_table_read() - read .symtab, or .dynsym where there is none.
 * @table: zeroed
 * @debug: a separate debug file, whose table is preferred
 */
void symbol_table_read(struct symbol_table *table, const struct elf_file *file,
		       const struct elf_file *debug);

/* The function that holds an address, or NULL. */
const struct symbol *symbol_table_function(struct symbol_table *table, uint64_t address);

/* The variable that holds an address, or NULL; the bounds around it with the same answer. */
const struct symbol *symbol_table_variable(struct symbol_table *table, uint64_t address,
					   uint64_t *low, uint64_t *high);

void symbol_table_drop(struct symbol_table *table);

#endif /* CCSAMPLE_PROGRAM_SYMBOL_TABLE_H */
