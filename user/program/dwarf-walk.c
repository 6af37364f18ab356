// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>

#include "base/memory.h"
#include "program/dwarf-inside.h"

void walk_into(struct walk *walk, Dwarf_Die *die, uint32_t depth, uint32_t function)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return;
	walk->open = grow(walk->open, walk->count, &walk->capacity, sizeof(*walk->open));
	walk->open[walk->count++] = (struct step) { child, depth, function };
}

bool walk_next(struct walk *walk, struct step *step)
{
	struct step *top;

	if (!walk->count)
		return false;
	top = &walk->open[walk->count - 1];
	/* An entry remembers its abbreviation once asked for, and libdw searches once. */
	dwarf_tag(&top->die);
	*step = *top;
	if (dwarf_siblingof(&step->die, &top->die))
		walk->count--;
	return true;
}

bool walk_may_hold(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	}
	return false;
}
