// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>

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

static struct node *add_piece(struct node *node, uint64_t offset)
{
	struct node *piece;

	node->pieces = xrealloc(node->pieces, (node->count + 1) * sizeof(*piece));
	piece = &node->pieces[node->count++];
	*piece = (struct node){ .offset = offset, .part = LAYOUT_NONE };
	return piece;
}

/* A base class has no name of its own; bit-fields share what their first one began. */
static void add_member(struct layout *layout, struct node *node, Dwarf_Die *member,
		       const char *name, int depth)
{
	const char *own = dwarf_diename(member);
	Dwarf_Attribute attribute;
	Dwarf_Word offset = 0;
	char *longer;
	Dwarf_Die type;

	if (dwarf_attr(member, DW_AT_data_member_location, &attribute) &&
	    dwarf_formudata(&attribute, &offset))
		return;
	if (!type_plain(member, &type) ||
	    (node->count && offset <= node->pieces[node->count - 1].offset))
		return;
	longer = own ? xasprintf("%s.%s", name, own) : xstrdup(name);
	make_node(layout, add_piece(node, offset), &type, longer, depth);
	free(longer);
}

static void make_record(struct layout *layout, struct node *node, Dwarf_Die *type,
			const char *name, int depth)
{
	Dwarf_Die child;

	if (!dwarf_child(type, &child)) {
		do {
			int tag = dwarf_tag(&child);

			if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
				add_member(layout, node, &child, name, depth);
		} while (!dwarf_siblingof(&child, &child));
	}
	if (!node->count)
		make_leaf(layout, node, name);
}

/* Dimensions of an array type: the first one's length (0 = unknown), and how many there are. */
static int dimensions(Dwarf_Die *array, uint64_t *first)
{
	Dwarf_Die child;
	int count = 0;

	*first = 0;
	if (dwarf_child(array, &child))
		return 0;
	do {
		if (dwarf_tag(&child) == DW_TAG_subrange_type && !count++)
			*first = type_bound(&child);
	} while (!dwarf_siblingof(&child, &child));
	return count;
}

/* Few sub-arrays: each is a part. */
static void make_rows(struct layout *layout, struct node *node, uint64_t rows, const char *name)
{
	node->element = node->size / rows;
	for (uint64_t row = 0; row < rows; row++) {
		struct node *piece = add_piece(node, row * node->element);
		char *longer = xasprintf("%s[%u]", name, (unsigned int)row);

		piece->size = node->element;
		make_leaf(layout, piece, longer);
		free(longer);
	}
	node->element = 0;
}

static bool is_record(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

static void make_array(struct layout *layout, struct node *node, Dwarf_Die *type, const char *name,
		       int depth)
{
	uint64_t rows;
	int count = dimensions(type, &rows);
	Dwarf_Word size;
	Dwarf_Die element;
	char *longer = NULL;

	if (!type_plain(type, &element) || dwarf_aggregate_size(&element, &size) || !size) {
		make_leaf(layout, node, name);
		return;
	}
	if (!is_record(&element) && count > 1 && rows > 1 && rows <= ROWS_MOST && node->size) {
		make_rows(layout, node, rows, name);
		return;
	}
	if (!is_record(&element)) {
		make_leaf(layout, node, name);
		return;
	}
	node->element = size;
	longer = xstrdup(name);
	while (count-- > 0) {
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
