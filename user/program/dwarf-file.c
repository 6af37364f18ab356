// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/demangle.h"
#include "program/dwarf-inside.h"

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
		file->split_off += type == DW_UT_skeleton && !tree.addr;
		add_ranges(&list, &unit->die, 0, file->count++);
	}
	spans_make(&file->by_address, list.span, list.count);
	free(list.span);
	return file->count;
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
	for (uint32_t n = 0; n < DWARF_ENTRIES_MOST && walk_next(&walk, &step); n++) {
		tag = dwarf_tag(&step.die);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
			index = add_function(unit, &list, &step, tag == DW_TAG_inlined_subroutine);
			if (index != SPANS_NONE)
				walk_into(&walk, &step.die, step.depth + 1, index);
		} else if (walk_may_hold(tag)) {
			walk_into(&walk, &step.die, step.depth + 1, step.function);
		}
	}
	spans_make(&unit->by_address, list.span, list.count);
	free(list.span);
	free(walk.open);
}

const char *dwarf_text(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static void read_unit(struct unit *unit)
{
	if (unit->read)
		return;
	unit->read = true;
	unit->directory = dwarf_text(&unit->die, DW_AT_comp_dir);
	if (dwarf_getsrclines(&unit->die, &unit->lines, &unit->line_count))
		unit->line_count = 0;
	read_functions(unit);
}

const char *dwarf_function_name(struct function *function)
{
	const char *linker_name;

	if (function->named)
		return function->name;
	function->named = true;
	linker_name = dwarf_text(&function->die, DW_AT_linkage_name);
	if (!linker_name)
		linker_name = dwarf_text(&function->die, DW_AT_MIPS_linkage_name);
	function->demangled = linker_name ? demangle(linker_name) : NULL;
	function->name = function->demangled;
	if (!function->name)
		function->name = dwarf_diename(&function->die);
	return function->name;
}

const char *dwarf_as_given(const char *directory, const char *path)
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

static void set_source(const struct unit *unit, const char *source, uint32_t line, uint32_t column,
		       struct location *location)
{
	if (!source || !strcmp(source, "???"))
		return;
	location->source = source;
	location->directory = unit->directory;
	location->file = dwarf_as_given(unit->directory, source);
	location->line = line;
	location->column = column;
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

/* Code of line 0 belongs to no line; it goes to the line before it in the same function. */
static void set_line(const struct unit *unit, uint64_t address, uint64_t entry,
		     struct location *location)
{
	Dwarf_Addr start;
	Dwarf_Line *row;
	bool end;
	int line, column;

	for (ptrdiff_t i = row_at(unit, address); i >= 0; i--) {
		row = dwarf_onesrcline(unit->lines, i);
		if (dwarf_lineendsequence(row, &end) || end || dwarf_lineno(row, &line) ||
		    dwarf_lineaddr(row, &start))
			return;
		if (line > 0) {
			if (dwarf_linecol(row, &column))
				column = 0;
			set_source(unit, dwarf_linesrc(row, NULL, NULL), line, column, location);
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
	Dwarf_Word file, line, column;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) ||
	    dwarf_getsrcfiles((Dwarf_Die *)&unit->die, &files, &count) || file >= count)
		return;
	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_column, &attribute), &column))
		column = 0;
	set_source(unit, dwarf_filesrc(files, file, NULL, NULL), line, column, location);
}

struct unit *dwarf_unit_at(struct dwarf_file *file, uint64_t address)
{
	uint32_t index = spans_find(&file->by_address, address, NULL, NULL);

	if (index == SPANS_NONE)
		return NULL;
	read_unit(&file->units[index]);
	return &file->units[index];
}

size_t dwarf_file_locate(struct dwarf_file *file, uint64_t address,
			 struct location *chain, size_t most)
{
	struct unit *unit = dwarf_unit_at(file, address);
	uint32_t index, proper;
	size_t n = 0;

	if (!unit || !most)
		return 0;
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
		chain[n].function = dwarf_function_name(&unit->functions[index]);
		chain[n].entry = unit->functions[proper].entry;
		if (++n == most || unit->functions[index].outer == SPANS_NONE)
			break;
		chain[n] = (struct location) { 0 };
		set_call(unit, &unit->functions[index].die, &chain[n]);
	}
	return n;
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
	dwarf_variables_close(file);
	dwarf_frame_close(file);
	spans_drop(&file->by_address);
	if (file->dwarf)
		dwarf_end(file->dwarf);
	*file = (struct dwarf_file) { 0 };
}
