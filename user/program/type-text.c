// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "program/demangle.h"
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

bool type_plain(Dwarf_Die *die, Dwarf_Die *type)
{
	if (!plain_type(die, type))
		return false;
	for (int i = 0; i < DEPTH_MOST && dwarf_tag(type) == DW_TAG_typedef; i++)
		if (!plain_type(type, type))
			return false;
	return true;
}

static char *text_of(Dwarf_Die *holder, int depth);

uint64_t type_bound(Dwarf_Die *subrange)
{
	Dwarf_Attribute attribute;
	Dwarf_Word count = 0, first = 0;
	Dwarf_Sword usual = 0;
	Dwarf_Die unit;

	if (dwarf_attr(subrange, DW_AT_count, &attribute))
		return dwarf_formudata(&attribute, &count) ? 0 : count;
	if (!dwarf_attr(subrange, DW_AT_upper_bound, &attribute) ||
	    dwarf_formudata(&attribute, &count))
		return 0;
	/* Without a lower bound it is the language's usual one: 1 in Fortran. */
	if (dwarf_attr(subrange, DW_AT_lower_bound, &attribute))
		dwarf_formudata(&attribute, &first);
	else if (dwarf_diecu(subrange, &unit, NULL, NULL) &&
		 !dwarf_default_lower_bound(dwarf_srclang(&unit), &usual))
		first = usual;
	return count + 1 - first;
}

bool dwarf_is_fortran(Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return true;
	default:
		return false;
	}
}

static char *joined(char *first, char *second)
{
	char *text = first && second ? xasprintf("%s%s", first, second) : NULL;

	free(first);
	free(second);
	return text;
}

/* Of a dimension: "128"; of Fortran also "0:127", where it does not begin at 1. */
static char *bound_text(Dwarf_Die *subrange, bool fortran)
{
	uint64_t count = type_bound(subrange);
	Dwarf_Attribute attribute;
	Dwarf_Sword first = 1;

	if (!count)
		return xstrdup(fortran ? ":" : "");
	if (fortran && dwarf_attr(subrange, DW_AT_lower_bound, &attribute))
		dwarf_formsdata(&attribute, &first);
	return first == 1 || !fortran ? xasprintf("%" PRIu64, count) :
	       xasprintf("%" PRId64 ":%" PRId64, (int64_t)first,
			 (int64_t)(first + count - 1));
}

/*
 * One "[128]" for each dimension, "[]" where its number is not constant; of Fortran "(512,128)",
 * "(0:511,128)", "(:,128)".
 */
static char *bounds_text(Dwarf_Die *array)
{
	bool fortran = dwarf_is_fortran(array);
	char *text = xstrdup(""), *bound;
	Dwarf_Die child;
	int bounds = 0;

	if (dwarf_child(array, &child))
		return text;
	do {
		if (dwarf_tag(&child) != DW_TAG_subrange_type || bounds++ == BOUNDS_MOST)
			continue;
		bound = bound_text(&child, fortran);
		text = joined(text, fortran ? xasprintf("%c%s", bounds > 1 ? ',' : '(', bound) :
					      xasprintf("[%s]", bound));
		free(bound);
	} while (!dwarf_siblingof(&child, &child));
	return fortran && bounds ? joined(text, xstrdup(")")) : text;
}

static char *named_type(Dwarf_Die *type, const char *kind)
{
	const char *name = dwarf_diename(type);
	char *text = name ? xasprintf("%s%s", kind, name) : xstrdup(*kind ? kind : "?");

	cxx_shorten(text);
	return text;
}

static char *pointer_text(Dwarf_Die *type, int depth)
{
	Dwarf_Die target;
	char *text = plain_type(type, &target) ? text_of(type, depth) : xstrdup("void");

	/* A type's name may be empty. */
	return text && *text && text[strlen(text) - 1] == '*' ? joined(text, xstrdup("*")) :
							       joined(text, xstrdup(" *"));
}

/* Rust, Go and vectors have arrays of arrays: the outer one's bounds come first. */
static char *array_text(Dwarf_Die *array, int depth)
{
	char *bounds = bounds_text(array);
	Dwarf_Die element;

	for (; depth && plain_type(array, &element) &&
	       dwarf_tag(&element) == DW_TAG_array_type; depth--) {
		bounds = joined(bounds, bounds_text(&element));
		*array = element;
	}
	return joined(text_of(array, depth), bounds);
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
		return array_text(&type, depth - 1);
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

/* Its dimensions stand in parentheses at its end. */
bool type_is_fortran(const char *type)
{
	const char *bounds = type ? strrchr(type, '(') : NULL;
	size_t size = bounds ? strlen(bounds) : 0;

	return size > 1 && bounds[size - 1] == ')' && strchr("0123456789:,(", bounds[size - 2]);
}

/* The last of "(512,128)" is the first of "[128][512]". */
static size_t fortran_dimensions(const char *type, uint64_t dimensions[TYPE_DIMENSIONS])
{
	const char *at = strrchr(type, '(') + 1;
	size_t count = 1;
	char *end;

	for (const char *comma = at; (comma = strchr(comma, ',')); comma++)
		count++;
	if (count > TYPE_DIMENSIONS)
		return 0;
	for (size_t i = count; i-- > 0; at = end + 1) {
		int64_t first = 1, last = strtoll(at, &end, 10);

		if (end != at && *end == ':') {
			first = last;
			at = end + 1;
			last = strtoll(at, &end, 10);
		}
		if (last < first || end == at || *end != (i ? ',' : ')'))
			return 0;
		dimensions[i] = (uint64_t)last - first + 1;
	}
	return count;
}

size_t type_dimensions(const char *type, uint64_t dimensions[TYPE_DIMENSIONS])
{
	const char *at = type ? strchr(type, '[') : NULL;
	size_t count = 0;
	char *end;

	if (type_is_fortran(type))
		return fortran_dimensions(type, dimensions);

	while (at && *at == '[') {
		uint64_t value = strtoull(at + 1, &end, 10);

		if (count == TYPE_DIMENSIONS || !value || end == at + 1 || *end != ']')
			return 0;
		dimensions[count++] = value;
		at = end + 1;
	}
	return at && !*at ? count : 0;
}

char *type_longer(const char *type, const char *name, const uint64_t *more)
{
	uint64_t dimensions[TYPE_DIMENSIONS];
	size_t count = type_dimensions(type, dimensions);
	bool fortran = type_is_fortran(type);
	const char *at = fortran ? strrchr(type, '(') : strchr(type, '['), *end;
	char *text = xstrdup(name);

	for (size_t i = 0; i < count; i++, at = end) {
		uint64_t longer = more[fortran ? count - 1 - i : i];

		end = at + 1 + strcspn(at + 1, fortran ? ",)" : "]");
		text = joined(text, xasprintf("%.*s", (int)(end - at), at));
		if (longer)
			text = joined(text, xasprintf("+%" PRIu64, longer));
		if (!fortran)
			text = joined(text, xstrdup("]"));
		end += !fortran;
	}
	return fortran ? joined(text, xstrdup(")")) : text;
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

/* Containers of C++ whose first parameter is what they hold in one block. */
static bool is_container(Dwarf_Die *type)
{
	static const char *const names[] = {
		"vector<", "unique_ptr<", "shared_ptr<", "valarray<", "basic_string<",
	};
	const char *name = dwarf_diename(type);

	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* The entry that has the type of what a container holds. */
static bool first_parameter(Dwarf_Die *type, Dwarf_Die *holder)
{
	if (dwarf_child(type, holder))
		return false;
	do {
		if (dwarf_tag(holder) == DW_TAG_template_type_parameter)
			return true;
	} while (!dwarf_siblingof(holder, holder));
	return false;
}

/* The entry whose type is that of the elements behind a variable; false = it leads nowhere. */
static bool elements(Dwarf_Die *variable, Dwarf_Die *holder)
{
	Dwarf_Die type, inner;

	if (!type_plain(variable, &type))
		return false;
	*holder = type;
	if (dwarf_tag(&type) == DW_TAG_pointer_type)
		return true;
	/* An allocatable array: its elements are elsewhere. */
	if (dwarf_tag(&type) == DW_TAG_array_type)
		return dwarf_hasattr(&type, DW_AT_data_location);
	if (!is_container(&type) || !first_parameter(&type, holder))
		return false;
	if (type_plain(holder, &inner) && dwarf_tag(&inner) == DW_TAG_array_type)
		*holder = inner;	/* unique_ptr<double[]> */
	return true;
}

uint64_t type_innermost(const Dwarf_Die *element)
{
	Dwarf_Die type = *element, holder;
	Dwarf_Word bytes;

	for (uint32_t depth = 0; depth < DEPTH_MOST; depth++) {
		if (dwarf_tag(&type) == DW_TAG_pointer_type)
			return 0;
		if (dwarf_tag(&type) == DW_TAG_array_type)
			holder = type;
		else if (!is_container(&type) || !first_parameter(&type, &holder))
			return dwarf_aggregate_size(&type, &bytes) ? 0 : bytes;
		if (!type_plain(&holder, &type))
			return 0;
	}
	return 0;
}

char *type_pointed(Dwarf_Die *variable, Dwarf_Die *element)
{
	Dwarf_Die holder;
	char *text;

	if (!elements(variable, &holder))
		return NULL;
	text = many_of(text_of(&holder, DEPTH_MOST));
	if (!type_plain(&holder, element)) {
		free(text);
		return NULL;
	}
	return text;
}
