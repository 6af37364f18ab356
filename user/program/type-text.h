/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of variables, as their programmer would write them. */
#ifndef CCSAMPLE_PROGRAM_TYPE_TEXT_H
#define CCSAMPLE_PROGRAM_TYPE_TEXT_H

#include <stdint.h>

#include <elfutils/libdw.h>

/* "double[129][128]", "struct cell *[64]": the type of a variable; NULL = unknown. To be freed. */
char *type_text(Dwarf_Die *variable);

/**
 * type_pointed() - what a pointer that is in scope at an address points to.
 * @unit: compile unit that holds the address
 * @name: the variable's
 *
 * Return: "double[]" for a pointer to double, "double[][128]" for one to rows of 128;
 * NULL where there is no such pointer. To be freed.
 */
char *type_pointed(Dwarf_Die *unit, uint64_t address, const char *name);

#endif /* CCSAMPLE_PROGRAM_TYPE_TEXT_H */
