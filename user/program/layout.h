/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lies where in a variable or a block: members of structures, and the
 * sub-arrays of an array of few. Other arrays' elements are not distinguished.
 */
#ifndef CCSAMPLE_PROGRAM_LAYOUT_H
#define CCSAMPLE_PROGRAM_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#define LAYOUT_NONE	UINT32_MAX

struct layout;

/**
 * layout_new() - parts of a type.
 * @type: of a variable, or of the elements of a block
 * @many: of a block: elements follow one another without an end
 *
 * Return: NULL where there are no two parts to distinguish.
 */
struct layout *layout_new(Dwarf_Die *type, bool many);
void layout_free(struct layout *layout);

/* The part at an offset from the beginning, from 0; LAYOUT_NONE: between or behind them. */
uint32_t layout_part(const struct layout *layout, uint64_t offset);

/*
 * Where the elements of a block of so many bytes begin: behind the count that C++ keeps in front of
 * arrays whose elements have destructors (Itanium C++ ABI, 2.7).
 */
uint64_t layout_start(const struct layout *layout, uint64_t bytes);

struct wire;

/*
 * Writes the names of a layout's parts, or reads such names: a layout to be freed that has them and
 * nothing else. NULL as it was written.
 */
struct layout *layout_wire(const struct layout *layout, struct wire *wire);

uint32_t layout_parts(const struct layout *layout);

/* Bytes of an element of a block, or of an array whose elements are alike; 0 = it is neither. */
uint64_t layout_element(const struct layout *layout);

/* ".x", "[].position", "[2]": what is written behind the variable's name. */
const char *layout_name(const struct layout *layout, uint32_t part);

#endif /* CCSAMPLE_PROGRAM_LAYOUT_H */
