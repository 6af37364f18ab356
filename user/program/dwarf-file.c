// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/demangle.h"
#include "program/dwarf-file.h"
#include "program/type-text.h"

#define ENTRIES_MOST	(1u << 26)	/* of a unit's tree: an end for crooked ones */

struct function {
	Dwarf_Die die;
	uint64_t entry;
	uint32_t outer;			/* index of the function it is inlined in, SPANS_NONE */
	bool named;
	const char *name;
	char *demangled;		/* what @name points to, where it is ours */
};

struct unit {
	Dwarf_Die die;			/* lines */
	Dwarf_Die tree;			/* functions: another one where DWARF is split */
	bool read;
	struct function *functions;
	size_t count;
	size_t capacity;
	struct spans by_address;
	Dwarf_Lines *lines;
	size_t line_count;
	const char *directory;		/* the compiler's, NULL = unknown */
};

struct declared {
	uint64_t address;
	Dwarf_Die die;
	char *type;			/* made when first asked for */
};

/* Growing arrays of spans, for spans_make(). */
struct span_list {
	struct span *span;
	size_t count;
	size_t capacity;
};

static void add_span(struct span_list *list, struct span span)
{
	list->span = grow(list->span, list->count, &list->capacity, sizeof(*list->span));
	list->span[list->count++] = span;
}

/* Adds the ranges of an entry; the start of its first one, 0 if there is none. */
static uint64_t add_ranges(struct span_list *list, Dwarf_Die *die, uint32_t rank, uint32_t index)
{
	Dwarf_Addr base, start, end, first = 0;
	ptrdiff_t offset = 0;
	bool any = false;

	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		if (end <= start)
			continue;
		if (!any)
			first = start;
		any = true;
		add_span(list, (struct span) { start, end, rank, index });
	}
	return first;
}

bool dwarf_file_open(struct dwarf_file *file, Elf *elf)
{
	struct span_list list = { 0 };
	Dwarf_CU *cu = NULL;
	struct unit *unit;
	Dwarf_Die die, tree;
	uint8_t type;

	file->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!file->dwarf)
		return false;
	while (!dwarf_get_units(file->dwarf, cu, &cu, NULL, &type, &die, &tree)) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		file->units = grow(file->units, file->count, &file->capacity, sizeof(*unit));
		unit = &file->units[file->count];
		*unit = (struct unit) { .die = die, .tree = tree.addr ? tree : die };
		add_ranges(&list, &unit->die, 0, file->count++);
	}
	spans_make(&file->by_address, list.span, list.count);
	free(list.span);
	return file->count;
}

/* An entry's next sibling and what it lies in. */
struct step {
	Dwarf_Die die;
	uint32_t depth;
	uint32_t function;
};

struct walk {
	struct step *open;
	size_t count;
	size_t capacity;
};

static void walk_into(struct walk *walk, Dwarf_Die *die, uint32_t depth, uint32_t function)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return;
	walk->open = grow(walk->open, walk->count, &walk->capacity, sizeof(*walk->open));
	walk->open[walk->count++] = (struct step) { child, depth, function };
}

/* The next entry of the tree in order; the caller steps into it if it likes. */
static bool walk_next(struct walk *walk, struct step *step)
{
	struct step *top;

	if (!walk->count)
		return false;
	top = &walk->open[walk->count - 1];
	*step = *top;
	if (dwarf_siblingof(&step->die, &top->die))
		walk->count--;
	return true;
}

/* Types hold functions in some languages. */
static bool may_hold(int tag)
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

static uint32_t add_function(struct unit *unit, struct span_list *list, struct step *step,
			     bool inlined)
{
	size_t before = list->count;
	uint64_t first = add_ranges(list, &step->die, step->depth, unit->count);
	struct function *function;

	if (list->count == before)
		return SPANS_NONE;
	unit->functions = grow(unit->functions, unit->count, &unit->capacity, sizeof(*function));
	function = &unit->functions[unit->count];
	*function = (struct function) {
		.die = step->die,
		.entry = first,
		.outer = inlined ? step->function : SPANS_NONE,
	};
	return unit->count++;
}

static void read_functions(struct unit *unit)
{
	struct span_list list = { 0 };
	struct walk walk = { 0 };
	struct step step;
	uint32_t index;
	int tag;

	walk_into(&walk, &unit->tree, 0, SPANS_NONE);
	for (uint32_t n = 0; n < ENTRIES_MOST && walk_next(&walk, &step); n++) {
		tag = dwarf_tag(&step.die);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
			index = add_function(unit, &list, &step, tag == DW_TAG_inlined_subroutine);
			if (index != SPANS_NONE)
				walk_into(&walk, &step.die, step.depth + 1, index);
		} else if (may_hold(tag)) {
			walk_into(&walk, &step.die, step.depth + 1, step.function);
		}
	}
	spans_make(&unit->by_address, list.span, list.count);
	free(list.span);
	free(walk.open);
}

static const char *text_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static void read_unit(struct unit *unit)
{
	if (unit->read)
		return;
	unit->read = true;
	unit->directory = text_of(&unit->die, DW_AT_comp_dir);
	if (dwarf_getsrclines(&unit->die, &unit->lines, &unit->line_count))
		unit->line_count = 0;
	read_functions(unit);
}

static const char *function_name(struct function *function)
{
	const char *linker_name;

	if (function->named)
		return function->name;
	function->named = true;
	linker_name = text_of(&function->die, DW_AT_linkage_name);
	if (!linker_name)
		linker_name = text_of(&function->die, DW_AT_MIPS_linkage_name);
	function->demangled = linker_name ? demangle(linker_name) : NULL;
	function->name = function->demangled;
	if (!function->name)
		function->name = dwarf_diename(&function->die);
	return function->name;
}

/*
 * libdw may join what the compiler was given with its directory. To read the
 * file that is right; to show it, the name as given is.
 */
static const char *as_given(const char *directory, const char *path)
{
	size_t length = directory ? strlen(directory) : 0;

	while (length && directory[length - 1] == '/')
		length--;
	if (length && !strncmp(path, directory, length) && path[length] == '/') {
		path += length;
		path += strspn(path, "/");
	}
	while (path[0] == '.' && path[1] == '/') {
		path++;
		path += strspn(path, "/");
	}
	return path;
}

static void set_source(const struct unit *unit, const char *source, uint32_t line,
		       struct location *location)
{
	if (!source || !strcmp(source, "???"))
		return;
	location->source = source;
	location->directory = unit->directory;
	location->file = as_given(unit->directory, source);
	location->line = line;
}

/* The index of the last row at or before an address, or -1. */
static ptrdiff_t row_at(const struct unit *unit, uint64_t address)
{
	size_t first = 0, last = unit->line_count;
	Dwarf_Addr start;

	while (first < last) {
		size_t middle = (first + last) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(unit->lines, middle), &start))
			return -1;
		if (start <= address)
			first = middle + 1;
		else
			last = middle;
	}
	return (ptrdiff_t)first - 1;
}

/* Code of line 0 is nobody's; it goes to the line before it in the same function. */
static void set_line(const struct unit *unit, uint64_t address, uint64_t entry,
		     struct location *location)
{
	Dwarf_Addr start;
	Dwarf_Line *row;
	bool end;
	int line;

	for (ptrdiff_t i = row_at(unit, address); i >= 0; i--) {
		row = dwarf_onesrcline(unit->lines, i);
		if (dwarf_lineendsequence(row, &end) || end || dwarf_lineno(row, &line) ||
		    dwarf_lineaddr(row, &start))
			return;
		if (line > 0) {
			set_source(unit, dwarf_linesrc(row, NULL, NULL), line, location);
			return;
		}
		if (start <= entry)
			return;
	}
}

/* Where an inlined function was called. */
static void set_call(const struct unit *unit, Dwarf_Die *inlined, struct location *location)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) ||
	    dwarf_getsrcfiles((Dwarf_Die *)&unit->die, &files, &count) || file >= count)
		return;
	set_source(unit, dwarf_filesrc(files, file, NULL, NULL), line, location);
}

size_t dwarf_file_locate(struct dwarf_file *file, uint64_t address,
			 struct location *chain, size_t most)
{
	uint32_t index = spans_find(&file->by_address, address, NULL, NULL), proper;
	struct unit *unit;
	size_t n = 0;

	if (index == SPANS_NONE || !most)
		return 0;
	unit = &file->units[index];
	read_unit(unit);
	index = spans_find(&unit->by_address, address, NULL, NULL);
	chain[0] = (struct location) { 0 };
	if (index == SPANS_NONE) {
		set_line(unit, address, address, &chain[0]);
		return chain[0].line != 0;
	}
	for (proper = index; unit->functions[proper].outer != SPANS_NONE; )
		proper = unit->functions[proper].outer;
	set_line(unit, address, unit->functions[proper].entry, &chain[0]);
	for (; index != SPANS_NONE && n < most; index = unit->functions[index].outer) {
		chain[n].function = function_name(&unit->functions[index]);
		chain[n].entry = unit->functions[proper].entry;
		if (++n == most || unit->functions[index].outer == SPANS_NONE)
			break;
		chain[n] = (struct location) { 0 };
		set_call(unit, &unit->functions[index].die, &chain[n]);
	}
	return n;
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

	return (a->address > b->address) - (a->address < b->address);
}

static void read_declarations_of(struct declarations *declarations, struct unit *unit, bool local)
{
	struct walk walk = { 0 };
	struct step step;
	uint64_t address;
	int tag;

	walk_into(&walk, &unit->tree, 0, SPANS_NONE);
	for (uint32_t n = 0; n < ENTRIES_MOST && walk_next(&walk, &step); n++) {
		tag = dwarf_tag(&step.die);
		if (tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_common_block ||
		    (local && (tag == DW_TAG_subprogram || may_hold(tag))))
			walk_into(&walk, &step.die, 0, SPANS_NONE);
		if (tag != DW_TAG_variable || !static_address(&step.die, &address))
			continue;
		declarations->variables = grow(declarations->variables, declarations->count,
					       &declarations->capacity,
					       sizeof(*declarations->variables));
		declarations->variables[declarations->count++] =
			(struct declared) { .address = address, .die = step.die };
	}
	free(walk.open);
}

static void read_declarations(struct dwarf_file *file, struct declarations *declarations,
			      bool local)
{
	if (declarations->read)
		return;
	declarations->read = true;
	for (size_t i = 0; i < file->count; i++)
		read_declarations_of(declarations, &file->units[i], local);
	if (declarations->count)
		qsort(declarations->variables, declarations->count,
		      sizeof(*declarations->variables), by_address);
}

static struct declared *find_declaration(const struct declarations *declarations, uint64_t address)
{
	struct declared key = { .address = address };

	if (!declarations->count)
		return NULL;
	return bsearch(&key, declarations->variables, declarations->count, sizeof(key), by_address);
}

/*
 * Not by dwarf_decl_file(), which asserts that units have a table of files.
 * The table is that of the unit where the declaration stands.
 */
static void set_declaration(Dwarf_Die *die, struct variable *variable)
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
	variable->file = as_given(text_of(&unit, DW_AT_comp_dir), source);
	variable->line = line;
}

bool dwarf_file_variable(struct dwarf_file *file, uint64_t address, bool local,
			 struct variable *variable)
{
	struct declared *declared;
	const char *name;

	read_declarations(file, &file->globals, false);
	declared = find_declaration(&file->globals, address);
	if (!declared && local) {
		read_declarations(file, &file->locals, true);
		declared = find_declaration(&file->locals, address);
	}
	if (!declared)
		return false;
	name = dwarf_diename(&declared->die);
	if (name)
		variable->name = name;
	set_declaration(&declared->die, variable);
	if (!declared->type)
		declared->type = type_text(&declared->die);
	variable->type = declared->type;
	return true;
}

char *dwarf_file_pointed(struct dwarf_file *file, uint64_t address, const char *name)
{
	uint32_t index = spans_find(&file->by_address, address, NULL, NULL);

	return index == SPANS_NONE ? NULL : type_pointed(&file->units[index].tree, address, name);
}

static void drop_declarations(struct declarations *declarations)
{
	for (size_t i = 0; i < declarations->count; i++)
		free(declarations->variables[i].type);
	free(declarations->variables);
}

void dwarf_file_close(struct dwarf_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		for (size_t f = 0; f < file->units[i].count; f++)
			free(file->units[i].functions[f].demangled);
		free(file->units[i].functions);
		spans_drop(&file->units[i].by_address);
	}
	free(file->units);
	drop_declarations(&file->globals);
	drop_declarations(&file->locals);
	spans_drop(&file->by_address);
	if (file->dwarf)
		dwarf_end(file->dwarf);
	*file = (struct dwarf_file) { 0 };
}
