// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/type-text.h"

#define DEPTH_MOST	12	/* types in types: an end for crooked ones */
#define BOUNDS_MOST	8	/* dimensions of an array */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, type);
}

/* The type that qualifiers stand before. */
static bool plain_type(Dwarf_Die *die, Dwarf_Die *type)
{
	if (!type_of(die, type))
		return false;
	for (int i = 0; i < DEPTH_MOST; i++) {
		int tag = dwarf_tag(type);

		if (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
		    tag != DW_TAG_restrict_type && tag != DW_TAG_atomic_type)
			return true;
		if (!type_of(type, type))
			return false;
	}
	return false;
}

static char *text_of(Dwarf_Die *holder, int depth);

/* One "[128]" for each dimension; "[]" where its number is not constant. */
static char *bounds_text(Dwarf_Die *array)
{
	Dwarf_Attribute attribute;
	char *text = xstrdup(""), *longer;
	Dwarf_Word count;
	Dwarf_Die child;
	int bounds = 0;

	if (dwarf_child(array, &child))
		return text;
	do {
		if (dwarf_tag(&child) != DW_TAG_subrange_type || bounds++ == BOUNDS_MOST)
			continue;
		count = 0;
		if (dwarf_attr(&child, DW_AT_count, &attribute)) {
			if (dwarf_formudata(&attribute, &count))
				count = 0;
		} else if (dwarf_attr(&child, DW_AT_upper_bound, &attribute) &&
			   !dwarf_formudata(&attribute, &count)) {
			count++;
		}
		longer = count ? xasprintf("%s[%" PRIu64 "]", text, (uint64_t)count) :
				 xasprintf("%s[]", text);
		free(text);
		text = longer;
	} while (!dwarf_siblingof(&child, &child));
	return text;
}

static char *joined(char *first, char *second)
{
	char *text = first && second ? xasprintf("%s%s", first, second) : NULL;

	free(first);
	free(second);
	return text;
}

static char *named_type(Dwarf_Die *type, const char *kind)
{
	const char *name = dwarf_diename(type);

	return name ? xasprintf("%s%s", kind, name) : xstrdup(*kind ? kind : "?");
}

static char *pointer_text(Dwarf_Die *type, int depth)
{
	Dwarf_Die target;
	char *text = plain_type(type, &target) ? text_of(type, depth) : xstrdup("void");

	return text && text[strlen(text) - 1] != '*' ? joined(text, xstrdup(" *")) :
						       joined(text, xstrdup("*"));
}

/* The type that @holder (a variable, a pointer, an array) has or points to or consists of. */
static char *text_of(Dwarf_Die *holder, int depth)
{
	Dwarf_Die type;

	if (!depth || !plain_type(holder, &type))
		return NULL;
	switch (dwarf_tag(&type)) {
	case DW_TAG_pointer_type:
		return pointer_text(&type, depth - 1);
	case DW_TAG_array_type:
		return joined(text_of(&type, depth - 1), bounds_text(&type));
	case DW_TAG_structure_type:
		return named_type(&type, "struct ");
	case DW_TAG_union_type:
		return named_type(&type, "union ");
	case DW_TAG_enumeration_type:
		return named_type(&type, "enum ");
	case DW_TAG_base_type:
	case DW_TAG_typedef:
	case DW_TAG_class_type:
		return named_type(&type, "");
	default:
		return NULL;
	}
}

char *type_text(Dwarf_Die *variable)
{
	return text_of(variable, DEPTH_MOST);
}

/* "double" becomes "double[]", "double[128]" becomes "double[][128]". */
static char *many_of(char *text)
{
	size_t length;
	char *many;

	if (!text)
		return NULL;
	length = strcspn(text, "[");
	many = xasprintf("%.*s[]%s", (int)length, text, text + length);
	free(text);
	return many;
}

char *type_pointed(Dwarf_Die *unit, uint64_t address, const char *name)
{
	Dwarf_Die *scopes = NULL, variable, type;
	char *text = NULL;
	int count;

	count = dwarf_getscopes(unit, address, &scopes);
	if (count > 0 &&
	    dwarf_getscopevar(scopes, count, name, 0, NULL, 0, 0, &variable) >= 0 &&
	    plain_type(&variable, &type) && dwarf_tag(&type) == DW_TAG_pointer_type)
		text = many_of(text_of(&type, DEPTH_MOST));
	free(scopes);
	return text;
}
