// SPDX-License-Identifier: GPL-2.0-only
/* Variables at fixed addresses, and what pointers point to. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "program/dwarf-inside.h"
#include "program/layout.h"
#include "program/type-text.h"

/* An address in a unit's bytes that may be a variable's. */
struct mention {
	uint64_t address;
	size_t unit;
};

struct declared {
	uint64_t address;
	Dwarf_Die die;
	uint64_t size;			/* 0 = unknown; with the next two when first asked for */
	char *type;
	const struct layout *layout;
	bool described;
};

const struct layout *dwarf_layout(struct dwarf_file *file, Dwarf_Die *type, bool many)
{
	struct layout *layout = layout_new(type, many);

	if (!layout)
		return NULL;
	file->layouts = grow(file->layouts, file->layout_count, &file->layout_capacity,
			     sizeof(*file->layouts));
	file->layouts[file->layout_count++] = layout;
	return layout;
}

static bool static_address(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute, indirect;
	Dwarf_Block block;
	Dwarf_Op *ops;
	size_t count;

	if (!dwarf_attr(die, DW_AT_location, &attribute) ||
	    dwarf_formblock(&attribute, &block) || !block.length)
		return false;
	if (block.data[0] == DW_OP_addr && block.length == 1 + sizeof(*address)) {
		memcpy(address, block.data + 1, sizeof(*address));
		return true;
	}
	if (block.data[0] != DW_OP_addrx && block.data[0] != DW_OP_GNU_addr_index)
		return false;
	return !dwarf_getlocation(&attribute, &ops, &count) && count == 1 &&
	       !dwarf_getlocation_attr(&attribute, ops, &indirect) &&
	       !dwarf_formaddr(&indirect, address);
}

static int by_address(const void *left, const void *right)
{
	const struct declared *a = left, *b = right;
	Dwarf_Off x = dwarf_dieoffset((Dwarf_Die *)&a->die);
	Dwarf_Off y = dwarf_dieoffset((Dwarf_Die *)&b->die);

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (x > y) - (x < y);
}

static void read_declarations_of(struct declarations *declarations, struct unit *unit, bool local)
{
	struct walk walk = { 0 };
	struct step step;
	uint64_t address;
	int tag;

	walk_into(&walk, &unit->tree, 0, SPANS_NONE);
	for (uint32_t n = 0; n < DWARF_ENTRIES_MOST && walk_next(&walk, &step); n++) {
		tag = dwarf_tag(&step.die);
		if (tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_common_block ||
		    (local && (tag == DW_TAG_subprogram || walk_may_hold(tag))))
			walk_into(&walk, &step.die, 0, SPANS_NONE);
		if (tag != DW_TAG_variable || !static_address(&step.die, &address))
			continue;
		declarations->variables = grow(declarations->variables, declarations->count,
					       &declarations->capacity,
					       sizeof(*declarations->variables));
		declarations->variables[declarations->count++] =
			(struct declared) { .address = address, .die = step.die };
		declarations->sorted = false;
	}
	free(walk.open);
}

static void read_unit_declarations(struct dwarf_file *file, struct unit *unit, bool local)
{
	bool *read = local ? &unit->locals_read : &unit->globals_read;

	if (!*read)
		read_declarations_of(local ? &file->locals : &file->globals, unit, local);
	*read = true;
}

static void sort_declarations(struct declarations *declarations)
{
	if (!declarations->sorted && declarations->count)
		qsort(declarations->variables, declarations->count,
		      sizeof(*declarations->variables), by_address);
	declarations->sorted = true;
}

static void read_declarations(struct dwarf_file *file, struct declarations *declarations,
			      bool local)
{
	if (declarations->read)
		return;
	declarations->read = true;
	for (size_t i = 0; i < file->count; i++)
		read_unit_declarations(file, &file->units[i], local);
	sort_declarations(declarations);
}

static int by_mentioned(const void *left, const void *right)
{
	const struct mention *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

/* How many bytes of its section lie behind a place; 0 = it is in none. */
static size_t bytes_behind(Dwarf *dwarf, const unsigned char *place)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(dwarf_getelf(dwarf), section))) {
		const Elf_Data *data = elf_rawdata(section, NULL);
		size_t before = data ? place - (const unsigned char *)data->d_buf : 0;

		if (data && data->d_buf && before < data->d_size)
			return data->d_size - before;
	}
	return 0;
}

/* A unit's bytes from its first entry on. libdw does not say where a crooked one ends. */
static size_t size_of(Dwarf *dwarf, Dwarf_Die *die)
{
	Dwarf_Off at = dwarf_dieoffset(die), next;
	size_t header, most = bytes_behind(dwarf, die->addr);

	if (dwarf_nextcu(dwarf, at - dwarf_cuoffset(die), &next, &header, NULL, NULL, NULL) ||
	    next < at)
		return 0;
	return next - at < most ? next - at : most;
}

static void add_mentions(struct dwarf_file *file, size_t unit)
{
	static const unsigned char place[] = { 1 + sizeof(uint64_t), DW_OP_addr };
	Dwarf_Die *die = &file->units[unit].die;
	const unsigned char *at = die->addr, *end = at + size_of(file->dwarf, die);
	struct mention *mention;

	while ((at = memmem(at, end - at, place, sizeof(place)))) {
		at += sizeof(place);
		if (end - at < (ptrdiff_t)sizeof(mention->address))
			return;
		file->mentions = grow(file->mentions, file->mention_count, &file->mention_capacity,
				      sizeof(*mention));
		mention = &file->mentions[file->mention_count++];
		memcpy(&mention->address, at, sizeof(mention->address));
		mention->unit = unit;
	}
}

/*
 * To walk through all units takes long. Most say where a variable lies by a length, an operation
 * and the address: where these bytes are, by chance some of them, is looked up first.
 */
static void read_mentions(struct dwarf_file *file)
{
	if (file->mentions_read)
		return;
	file->mentions_read = true;
	for (size_t i = 0; i < file->count; i++)
		add_mentions(file, i);
	if (file->mention_count)
		qsort(file->mentions, file->mention_count, sizeof(*file->mentions), by_mentioned);
}

/* The first mention of an address or of a greater one. */
static size_t find_mention(const struct dwarf_file *file, uint64_t address)
{
	return address ? search_above(file->mentions, file->mention_count, sizeof(*file->mentions),
				      offsetof(struct mention, address), address - 1) : 0;
}

/* Reads declarations of the units that mention an address. */
static void read_mentioning(struct dwarf_file *file, uint64_t address, bool local)
{
	size_t i;

	read_mentions(file);
	for (i = find_mention(file, address);
	     i < file->mention_count && file->mentions[i].address == address; i++) {
		read_unit_declarations(file, &file->units[file->mentions[i].unit], false);
		if (local)
			read_unit_declarations(file, &file->units[file->mentions[i].unit], true);
	}
	sort_declarations(&file->globals);
	sort_declarations(&file->locals);
}

/* The last one that begins at an address or before. */
static struct declared *find_declaration(const struct declarations *declarations, uint64_t address)
{
	size_t first = search_above(declarations->variables, declarations->count,
				    sizeof(*declarations->variables),
				    offsetof(struct declared, address), address);

	return first ? &declarations->variables[first - 1] : NULL;
}

static void describe(struct dwarf_file *file, struct declared *declared)
{
	Dwarf_Word size;
	Dwarf_Die type;

	if (declared->described)
		return;
	declared->described = true;
	declared->type = type_text(&declared->die);
	if (!type_plain(&declared->die, &type))
		return;
	if (!dwarf_aggregate_size(&type, &size))
		declared->size = size;
	declared->layout = dwarf_layout(file, &type, false);
}

/* The declaration of the symbol that begins at @start; of a common block, of a part of it. */
static struct declared *declaration_at(struct dwarf_file *file, struct declarations *declarations,
				       uint64_t start, uint64_t address)
{
	struct declared *declared = find_declaration(declarations, address);

	if (!declared || declared->address < start)
		return NULL;
	describe(file, declared);
	if (declared->address == start || address - declared->address < declared->size)
		return declared;
	return NULL;
}

/*
 * Not by dwarf_decl_file(), which asserts that units have a table of files.
 * The table is that of the unit where the declaration stands.
 */
void dwarf_declaration(Dwarf_Die *die, struct variable *variable)
{
	Dwarf_Attribute attribute;
	const char *source;
	Dwarf_Files *files;
	Dwarf_Word file;
	Dwarf_Die unit;
	size_t count;
	int line;

	if (dwarf_decl_line(die, &line) || line <= 0 ||
	    dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &file) ||
	    !dwarf_cu_die(attribute.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &count) || file >= count)
		return;
	source = dwarf_filesrc(files, file, NULL, NULL);
	if (!source || !strcmp(source, "???"))
		return;
	variable->file = dwarf_as_given(dwarf_text(&unit, DW_AT_comp_dir), source);
	variable->line = line;
}

static struct declared *declaration_of(struct dwarf_file *file, uint64_t start, uint64_t address,
				       bool local)
{
	struct declared *declared = NULL;

	if (!file->globals.read) {
		read_mentioning(file, start, local);
		declared = declaration_at(file, &file->globals, start, address);
		if (!declared && local)
			declared = declaration_at(file, &file->locals, start, address);
	}
	if (!declared) {
		read_declarations(file, &file->globals, false);
		declared = declaration_at(file, &file->globals, start, address);
	}
	if (!declared && local) {
		read_declarations(file, &file->locals, true);
		declared = declaration_at(file, &file->locals, start, address);
	}
	return declared;
}

bool dwarf_file_variable(struct dwarf_file *file, uint64_t address, bool local,
			 struct variable *variable)
{
	struct declared *declared = declaration_of(file, variable->address, address, local);
	uint64_t start = variable->address;
	const char *name;
	bool whole;

	if (!declared)
		return false;
	name = dwarf_diename(&declared->die);
	if (name)
		variable->name = name;
	dwarf_declaration(&declared->die, variable);
	variable->type = declared->type;
	variable->layout = declared->layout;
	/* What is larger than its type ends in an array without a length. */
	whole = declared->address == start &&
		(!variable->common || declared->size >= variable->size);
	if (whole || address - declared->address >= declared->size)
		return true;
	/* One of a common block's variables. */
	variable->address = declared->address;
	variable->size = declared->size;
	variable->low = declared->address;
	variable->high = declared->address + declared->size;
	return true;
}

/* A variable of that name in a function's blocks around an address. */
static bool find_local(Dwarf_Die *function, uint64_t address, const char *name, Dwarf_Die *found)
{
	struct walk walk = { 0 };
	struct step step;
	bool any = false;

	walk_into(&walk, function, 0, 0);
	while (walk_next(&walk, &step)) {
		int tag = dwarf_tag(&step.die);
		const char *own;

		if (tag == DW_TAG_lexical_block && dwarf_haspc(&step.die, address) > 0)
			walk_into(&walk, &step.die, 0, 0);
		if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter)
			continue;
		own = dwarf_text(&step.die, DW_AT_name);
		if (!own || strcmp(own, name))
			continue;
		*found = step.die;
		any = true;
	}
	free(walk.open);
	return any;
}

/* A member of the object whose method runs. */
static bool find_member(Dwarf_Die *function, uint64_t address, const char *name, Dwarf_Die *member)
{
	Dwarf_Die this, type;

	if (!find_local(function, address, "this", &this) || !type_plain(&this, &type) ||
	    !type_plain(&type, &type) || dwarf_child(&type, member))
		return false;
	do {
		const char *own = dwarf_diename(member);

		if (dwarf_tag(member) == DW_TAG_member && own && !strcmp(own, name))
			return true;
	} while (!dwarf_siblingof(member, member));
	return false;
}

/* In the functions around an address, those that they are inlined in too; else in the file. */
static bool find_scoped(struct unit *unit, uint64_t address, const char *name, Dwarf_Die *found)
{
	uint32_t index = spans_find(&unit->by_address, address, NULL, NULL);
	Dwarf_Die *scopes = NULL;
	int count;
	bool any;

	for (; index != SPANS_NONE; index = unit->functions[index].outer)
		if (find_local(&unit->functions[index].die, address, name, found) ||
		    find_member(&unit->functions[index].die, address, name, found))
			return true;
	count = dwarf_getscopes(&unit->tree, address, &scopes);
	any = count > 0 && dwarf_getscopevar(scopes, count, name, 0, NULL, 0, 0, found) >= 0;
	free(scopes);
	return any;
}

static void add_module(struct dwarf_file *file, Dwarf_Die *module)
{
	Dwarf_Die child;

	if (dwarf_child(module, &child))
		return;
	do {
		if (dwarf_tag(&child) != DW_TAG_variable || !dwarf_diename(&child) ||
		    dwarf_hasattr(&child, DW_AT_declaration))
			continue;
		file->of_modules = grow(file->of_modules, file->of_module_count,
					&file->of_module_capacity, sizeof(child));
		file->of_modules[file->of_module_count++] = child;
	} while (!dwarf_siblingof(&child, &child));
}

static void read_modules(struct dwarf_file *file)
{
	if (file->modules_read)
		return;
	file->modules_read = true;
	for (size_t i = 0; i < file->count; i++) {
		Dwarf_Die *tree = &file->units[i].tree, child;

		if (!dwarf_is_fortran(tree) || dwarf_child(tree, &child))
			continue;
		do {
			if (dwarf_tag(&child) == DW_TAG_module)
				add_module(file, &child);
		} while (!dwarf_siblingof(&child, &child));
	}
}

/* Fortran's modules, which other files use, too: if one alone has a variable of that name. */
static bool find_in_modules(struct dwarf_file *file, const char *name, Dwarf_Die *found)
{
	size_t count = 0;

	read_modules(file);
	for (size_t i = 0; i < file->of_module_count; i++) {
		if (strcmp(dwarf_diename(&file->of_modules[i]), name))
			continue;
		*found = file->of_modules[i];
		count++;
	}
	return count == 1;
}

char *dwarf_file_pointed(struct dwarf_file *file, uint64_t address, const char *name,
			 const struct layout **layout, uint64_t *bytes)
{
	struct unit *unit = dwarf_unit_at(file, address);
	Dwarf_Die variable, element;
	char *text = NULL;

	*layout = NULL;
	*bytes = 0;
	if (unit && (find_scoped(unit, address, name, &variable) ||
		     (dwarf_is_fortran(&unit->tree) && find_in_modules(file, name, &variable))))
		text = type_pointed(&variable, &element);
	if (text) {
		*layout = dwarf_layout(file, &element, true);
		*bytes = type_innermost(&element);
	}
	return text;
}

static void drop_declarations(struct declarations *declarations)
{
	for (size_t i = 0; i < declarations->count; i++)
		free(declarations->variables[i].type);
	free(declarations->variables);
}

void dwarf_variables_close(struct dwarf_file *file)
{
	drop_declarations(&file->globals);
	drop_declarations(&file->locals);
	free(file->mentions);
	free(file->of_modules);
	for (size_t i = 0; i < file->layout_count; i++)
		layout_free(file->layouts[i]);
	free(file->layouts);
}
