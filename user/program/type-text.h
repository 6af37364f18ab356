/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of variables, as their programmer would write them. */
#ifndef CCSAMPLE_PROGRAM_TYPE_TEXT_H
#define CCSAMPLE_PROGRAM_TYPE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

/* The type that an entry has, without qualifiers and other names for it; false = none. */
bool type_plain(Dwarf_Die *die, Dwarf_Die *type);

/* Length of a dimension (DW_TAG_subrange_type); 0 = not constant. */
uint64_t type_bound(Dwarf_Die *subrange);

/*
 * "double[129][128]", "struct cell *[64]", of Fortran "real(kind=8)(128,129)": the type of a
 * variable; NULL = unknown. To be freed.
 */
char *type_text(Dwarf_Die *variable);

#define TYPE_DIMENSIONS 12

/* Is an entry of a unit in Fortran? */
bool dwarf_is_fortran(Dwarf_Die *die);

/* Is it one of Fortran's, whose first dimension is the one that lies together in memory? */
bool type_is_fortran(const char *type);

/**
 * type_dimensions() - the dimensions that a type's text has: "double[129][128]".
 * @type: may be NULL
 * @dimensions: receives them, last the one whose elements lie together in memory
 *
 * Return: how many there are; 0 if they are not all known.
 */
size_t type_dimensions(const char *type, uint64_t dimensions[TYPE_DIMENSIONS]);

/**
 * type_longer() - how an array is to be declared, some dimensions longer.
 * @type: with dimensions that are all known
 * @more: of each, by its place in type_dimensions(); 0 = it stays
 *
 * Return: "A[128][129+8]", of Fortran "A(129+8,128)"; to be freed.
 */
char *type_longer(const char *type, const char *name, const uint64_t *more);

/**
 * type_pointed() - what a variable points to.
 * @element: receives the type of that
 *
 * Also of containers that keep their elements in one block (std::vector, std::unique_ptr and
 * their kin), and of Fortran's allocatable arrays.
 *
 * Return: "double[]" for a pointer to double, "double[][128]" for one to rows of 128;
 * NULL where it does not point. To be freed.
 */
char *type_pointed(Dwarf_Die *variable, Dwarf_Die *element);

/*
 * Bytes of an element, of arrays and containers of what they hold in the end; 0 = unknown, as of
 * pointers: they may be a table of rows, which are allocated where the table is.
 */
uint64_t type_innermost(const Dwarf_Die *element);

#endif /* CCSAMPLE_PROGRAM_TYPE_TEXT_H */
