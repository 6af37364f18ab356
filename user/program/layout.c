// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/wire.h"
#include "program/layout.h"
#include "program/type-text.h"

#define DEPTH_MOST	8	/* structures in structures */
#define PARTS_MOST	256
#define COOKIE		8	/* bytes of an array's count */
#define ROWS_MOST	16	/* sub-arrays that are distinguished */

/* A batch of memory: one part, or others one after the other. */
struct node {
	uint64_t offset;		/* in what it is a piece of */
	uint64_t size;			/* 0 = without an end */
	uint64_t element;		/* of an array: bytes of one; 0 = no array */
	uint32_t part;			/* LAYOUT_NONE = look at the pieces */
	struct node *pieces;		/* members, or all elements alike, or each row; by offset */
	size_t count;
};

struct layout {
	struct node root;
	char **names;
	size_t count;
	size_t capacity;
};

static void make_node(struct layout *layout, struct node *node, Dwarf_Die *type, const char *name,
		      int depth);

static void make_leaf(struct layout *layout, struct node *node, const char *name)
{
	node->part = layout->count;
	layout->names = grow(layout->names, layout->count, &layout->capacity,
			     sizeof(*layout->names));
	layout->names[layout->count++] = xstrdup(name);
}

/* In order: Rust moves members. NULL = another one begins there. Valid until the next one. */
static struct node *add_piece(struct node *node, uint64_t offset)
{
	size_t at = node->count;
	struct node *piece;

	while (at && node->pieces[at - 1].offset > offset)
		at--;
	if (at && node->pieces[at - 1].offset == offset)
		return NULL;
	node->pieces = xrealloc(node->pieces, (node->count + 1) * sizeof(*piece));
	piece = &node->pieces[at];
	memmove(piece + 1, piece, (node->count++ - at) * sizeof(*piece));
	*piece = (struct node){ .offset = offset, .part = LAYOUT_NONE };
	return piece;
}

static bool is_record(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/* A piece of each object of a type: not a static member, as DWARF 4 has them. */
static bool is_member(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return (tag == DW_TAG_member || tag == DW_TAG_inheritance) &&
	       !dwarf_hasattr(die, DW_AT_declaration);
}

/* A class without data shares its place with the first member of what is derived from it. */
static bool is_empty(Dwarf_Die *type, int depth)
{
	Dwarf_Die child, base;

	if (!depth || !is_record(type) || dwarf_hasattr(type, DW_AT_declaration))
		return false;
	if (dwarf_child(type, &child))
		return true;
	do {
		if (dwarf_tag(&child) == DW_TAG_variant_part ||
		    (is_member(&child) &&
		     !(type_plain(&child, &base) && is_empty(&base, depth - 1))))
			return false;
	} while (!dwarf_siblingof(&child, &child));
	return true;
}

static bool member_offset(Dwarf_Die *member, Dwarf_Word *offset)
{
	Dwarf_Attribute attribute;

	*offset = 0;
	if (dwarf_attr(member, DW_AT_data_member_location, &attribute))
		return !dwarf_formudata(&attribute, offset);
	/* Of bit-fields in DWARF 5. */
	if (dwarf_attr(member, DW_AT_data_bit_offset, &attribute) &&
	    dwarf_formudata(&attribute, offset))
		return false;
	*offset /= 8;
	return true;
}

/* A base class has no name of its own; bit-fields share what their first one began. */
static void add_member(struct layout *layout, struct node *node, Dwarf_Die *member,
		       const char *name, int depth)
{
	const char *own = dwarf_diename(member);
	struct node *piece;
	Dwarf_Word offset;
	char *longer;
	Dwarf_Die type;

	if (!member_offset(member, &offset) || !type_plain(member, &type) ||
	    is_empty(&type, DEPTH_MOST))
		return;
	piece = add_piece(node, offset);
	if (!piece)
		return;
	longer = own ? xasprintf("%s.%s", name, own) : xstrdup(name);
	make_node(layout, piece, &type, longer, depth);
	free(longer);
}

static void make_record(struct layout *layout, struct node *node, Dwarf_Die *type,
			const char *name, int depth)
{
	Dwarf_Die child;

	if (!dwarf_child(type, &child)) {
		do {
			if (is_member(&child))
				add_member(layout, node, &child, name, depth);
		} while (!dwarf_siblingof(&child, &child));
	}
	if (!node->count)
		make_leaf(layout, node, name);
}

struct dimensions {
	int count;
	uint64_t rows;		/* of the one with the largest steps; 0 = unknown */
	int64_t first;		/* index of the first of these */
	bool fortran;		/* that one is the last */
};

static struct dimensions dimensions_of(Dwarf_Die *array)
{
	struct dimensions dimensions = { .fortran = dwarf_is_fortran(array) };
	Dwarf_Attribute attribute;
	Dwarf_Die child;

	if (dwarf_child(array, &child))
		return dimensions;
	do {
		if (dwarf_tag(&child) != DW_TAG_subrange_type ||
		    (dimensions.count++ && !dimensions.fortran))
			continue;
		dimensions.rows = type_bound(&child);
		dimensions.first = dimensions.fortran;
		if (dwarf_attr(&child, DW_AT_lower_bound, &attribute))
			dwarf_formsdata(&attribute, &dimensions.first);
	} while (!dwarf_siblingof(&child, &child));
	return dimensions;
}

/* "[2]" behind a name, of Fortran "(:,:,2)". */
static char *row_name(const char *name, const struct dimensions *dimensions, int64_t row)
{
	char *text, *longer;

	if (!dimensions->fortran)
		return xasprintf("%s[%" PRId64 "]", name, row);
	text = xasprintf("%s(", name);
	for (int i = 1; i < dimensions->count; i++) {
		longer = xasprintf("%s:,", text);
		free(text);
		text = longer;
	}
	longer = xasprintf("%s%" PRId64 ")", text, row);
	free(text);
	return longer;
}

/* Few sub-arrays: each is a part. */
static void make_rows(struct layout *layout, struct node *node,
		      const struct dimensions *dimensions, const char *name)
{
	uint64_t bytes = node->size / dimensions->rows;

	for (uint64_t row = 0; row < dimensions->rows; row++) {
		struct node *piece = add_piece(node, row * bytes);
		char *longer = row_name(name, dimensions, dimensions->first + (int64_t)row);

		piece->size = bytes;
		make_leaf(layout, piece, longer);
		free(longer);
	}
}

static bool has_rows(const struct node *node, const struct dimensions *dimensions)
{
	return dimensions->count > 1 && dimensions->rows > 1 && dimensions->rows <= ROWS_MOST &&
	       node->size >= dimensions->rows;
}

static void make_array(struct layout *layout, struct node *node, Dwarf_Die *type, const char *name,
		       int depth)
{
	struct dimensions dimensions = dimensions_of(type);
	Dwarf_Word size;
	Dwarf_Die element;
	char *longer = NULL;

	if (!type_plain(type, &element) || dwarf_aggregate_size(&element, &size) || !size) {
		make_leaf(layout, node, name);
		return;
	}
	if (!is_record(&element)) {
		if (has_rows(node, &dimensions))
			make_rows(layout, node, &dimensions, name);
		else
			make_leaf(layout, node, name);
		return;
	}
	node->element = size;
	longer = xstrdup(name);
	while (dimensions.count-- > 0) {
		char *more = xasprintf("%s[]", longer);

		free(longer);
		longer = more;
	}
	make_node(layout, add_piece(node, 0), &element, longer, depth);
	free(longer);
}

static void make_node(struct layout *layout, struct node *node, Dwarf_Die *type, const char *name,
		      int depth)
{
	Dwarf_Word size = 0;

	if (dwarf_aggregate_size(type, &size))
		size = 0;
	node->size = size;
	if (depth == DEPTH_MOST || layout->count >= PARTS_MOST)
		make_leaf(layout, node, name);
	else if (dwarf_tag(type) == DW_TAG_array_type)
		make_array(layout, node, type, name, depth + 1);
	else if (is_record(type))
		make_record(layout, node, type, name, depth + 1);
	else
		make_leaf(layout, node, name);
}

static void drop_node(struct node *node)
{
	for (size_t i = 0; i < node->count; i++)
		drop_node(&node->pieces[i]);
	free(node->pieces);
}

void layout_free(struct layout *layout)
{
	if (!layout)
		return;
	drop_node(&layout->root);
	for (size_t i = 0; i < layout->count; i++)
		free(layout->names[i]);
	free(layout->names);
	free(layout);
}

struct layout *layout_new(Dwarf_Die *type, bool many)
{
	struct layout *layout = xcalloc(1, sizeof(*layout));
	struct node *root = &layout->root;
	Dwarf_Word size;

	root->part = LAYOUT_NONE;
	if (!many) {
		make_node(layout, root, type, "", 0);
	} else if (!dwarf_aggregate_size(type, &size) && size) {
		root->element = size;
		make_node(layout, add_piece(root, 0), type, "[]", 0);
	}
	if (layout->count > 1)
		return layout;
	layout_free(layout);
	return NULL;
}

uint32_t layout_part(const struct layout *layout, uint64_t offset)
{
	const struct node *node = &layout->root, *piece;
	size_t i;

	while (node->part == LAYOUT_NONE) {
		if (node->element)
			offset %= node->element;
		for (i = node->count; i && node->pieces[i - 1].offset > offset; i--)
			;
		if (!i)
			return LAYOUT_NONE;
		piece = &node->pieces[i - 1];
		offset -= piece->offset;
		if (piece->size && offset >= piece->size)
			return LAYOUT_NONE;
		node = piece;
	}
	return node->part;
}

uint64_t layout_start(const struct layout *layout, uint64_t bytes)
{
	uint64_t element = layout->root.element;

	return element > COOKIE && bytes % element == COOKIE ? COOKIE : 0;
}

uint32_t layout_parts(const struct layout *layout)
{
	return layout->count;
}

struct layout *layout_wire(const struct layout *layout, struct wire *wire)
{
	uint32_t count = wire_number(wire, layout ? layout->count : 0, UINT32_MAX);
	struct layout *read = NULL;

	for (uint32_t i = 0; i < count && !wire->wrong; i++) {
		char *name = wire_text(wire, wire->reads ? NULL : layout->names[i]);

		if (!wire->reads)
			continue;
		if (!read)
			read = xcalloc(1, sizeof(*read));
		read->root.part = LAYOUT_NONE;
		make_leaf(read, &(struct node){ .part = LAYOUT_NONE }, name ? name : "");
		free(name);
	}
	return read;
}

uint64_t layout_element(const struct layout *layout)
{
	return layout->root.element;
}

const char *layout_name(const struct layout *layout, uint32_t part)
{
	return layout->names[part];
}
