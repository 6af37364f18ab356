// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/demangle.h"
#include "program/symbol-table.h"

#define PLACES_MOST	256	/* real programs have about 30 */

/* A section that is in memory when the program runs. */
struct place {
	uint64_t start;
	uint64_t end;
	bool code;
};

struct places {
	struct place *place;
	size_t count;
	size_t capacity;
};

static void find_places(struct places *places, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	struct place *place;

	while (places->count < PLACES_MOST && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    header.sh_flags & SHF_TLS || header.sh_addr + header.sh_size < header.sh_addr)
			continue;
		places->place = grow(places->place, places->count, &places->capacity,
				     sizeof(*places->place));
		place = &places->place[places->count++];
		place->start = header.sh_addr;
		place->end = header.sh_addr + header.sh_size;
		place->code = header.sh_flags & SHF_EXECINSTR;
	}
}

static const struct place *place_of(const struct places *places, uint64_t address)
{
	for (size_t i = 0; i < places->count; i++)
		if (places->place[i].start <= address && address < places->place[i].end)
			return &places->place[i];
	return NULL;
}

/* Labels that linkers and start-up code put between the program's own data. */
static bool of_the_linker(const char *name)
{
	return name[0] == '_' || !strcmp(name, "data_start") || !strcmp(name, "edata") ||
	       !strcmp(name, "end") || !strcmp(name, "etext");
}

/* Between names of the same bytes: a program's before a linker's, global before local. */
static uint32_t rank_of(const GElf_Sym *symbol, const char *name)
{
	uint32_t rank = 0;

	if (GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE)
		rank += 8;
	if (name[0] != '_' || name[1] == 'Z')
		rank += 4;
	if (GELF_ST_BIND(symbol->st_info) == STB_GLOBAL)
		rank += 2;
	else if (GELF_ST_BIND(symbol->st_info) == STB_WEAK)
		rank += 1;
	return rank;
}

enum use { USE_NONE, USE_FUNCTION, USE_VARIABLE };

static enum use use_of(const GElf_Sym *symbol, const char *name, const struct place *place)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	if (!place || !*name || symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS)
		return USE_NONE;
	if (place->code && (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE))
		return USE_FUNCTION;
	if (!place->code && (type == STT_OBJECT || type == STT_COMMON ||
			     (type == STT_NOTYPE && !of_the_linker(name))))
		return USE_VARIABLE;
	return USE_NONE;
}

struct reading {
	struct symbol_table *table;
	struct places places;
	struct span *span[2];		/* functions, variables */
	size_t count[2];
	size_t capacity[2];
};

static void take_symbol(struct reading *reading, const GElf_Sym *symbol, const char *name)
{
	const struct place *place = place_of(&reading->places, symbol->st_value);
	enum use use = use_of(symbol, name, place);
	struct symbol_table *table = reading->table;
	uint64_t end = symbol->st_value + symbol->st_size;
	int which = use == USE_VARIABLE;
	struct span *span;

	if (use == USE_NONE)
		return;
	if (end < symbol->st_value || end > place->end)
		end = place->end;
	reading->span[which] = grow(reading->span[which], reading->count[which],
				    &reading->capacity[which], sizeof(*span));
	span = &reading->span[which][reading->count[which]++];
	*span = (struct span) { symbol->st_value, end, rank_of(symbol, name), table->count };
	table->symbols = grow(table->symbols, table->count, &table->capacity,
			      sizeof(*table->symbols));
	table->symbols[table->count++] = (struct symbol) {
		.address = symbol->st_value,
		.size = end - symbol->st_value,
		.linker_name = name,
		.local = GELF_ST_BIND(symbol->st_info) == STB_LOCAL,
	};
}

static int by_start(const void *left, const void *right)
{
	const struct span *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

/*
 * A symbol without a size lasts until the next one, or to the end of its
 * section; inside of one with a size it is a mere label and says less.
 */
static void give_sizes(struct reading *reading, int which)
{
	struct span *span = reading->span[which];
	size_t count = reading->count[which];
	uint64_t known = 0, next;

	if (count)
		qsort(span, count, sizeof(*span), by_start);
	for (size_t i = 0, after = 0; i < count; i++) {
		if (span[i].end > span[i].start) {
			known = span[i].end > known ? span[i].end : known;
			continue;
		}
		while (after < count && span[after].start <= span[i].start)
			after++;
		if (span[i].start < known ||
		    (after && span[after - 1].start == span[i].start &&
		     span[after - 1].end > span[i].start))
			continue;
		next = place_of(&reading->places, span[i].start)->end;
		if (after < count && span[after].start < next)
			next = span[after].start;
		reading->table->symbols[span[i].index].size = next - span[i].start;
		span[i].end = next;
	}
}

static bool take_section(struct reading *reading, Elf *elf, uint32_t wanted)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;
	GElf_Sym symbol;
	const char *name;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == wanted)
			break;
	data = section ? elf_getdata(section, NULL) : NULL;
	if (!data || !header.sh_entsize)
		return false;
	for (size_t i = 1; i < data->d_size / sizeof(Elf64_Sym); i++) {
		if (!gelf_getsym(data, i, &symbol))
			break;
		name = elf_strptr(elf, header.sh_link, symbol.st_name);
		if (name)
			take_symbol(reading, &symbol, name);
	}
	return reading->table->count;
}

void symbol_table_read(struct symbol_table *table, const struct elf_file *file,
		       const struct elf_file *debug)
{
	struct reading reading = { .table = table };

	find_places(&reading.places, file->elf);
	if (!(debug->elf && take_section(&reading, debug->elf, SHT_SYMTAB)) &&
	    !take_section(&reading, file->elf, SHT_SYMTAB))
		take_section(&reading, file->elf, SHT_DYNSYM);
	for (int which = 0; which < 2; which++)
		give_sizes(&reading, which);
	spans_make(&table->functions, reading.span[0], reading.count[0]);
	spans_make(&table->variables, reading.span[1], reading.count[1]);
	free(reading.span[0]);
	free(reading.span[1]);
	free(reading.places.place);
}

/*
 * "table.0" and "table.lto_priv.0" are a function's own `table`; "stdout@GLIBC_2.2.5"
 * is a library's variable that was copied into the program. Functions keep
 * their endings: "step.part.0" is not the whole of `step`.
 */
static void cut_ending(char *name, bool variable)
{
	char *dot;

	name[strcspn(name, "@")] = '\0';
	if (!variable)
		return;
	while ((dot = strrchr(name, '.')) && dot != name && dot[1] &&
	       (strspn(dot + 1, "0123456789") == strlen(dot + 1) || !strcmp(dot, ".lto_priv")))
		*dot = '\0';
}

static void name_symbol(struct symbol *symbol, bool variable)
{
	if (symbol->name)
		return;
	symbol->name = demangle(symbol->linker_name);
	if (symbol->name)
		return;
	symbol->name = xstrdup(symbol->linker_name);
	cut_ending(symbol->name, variable);
}

const struct symbol *symbol_table_function(struct symbol_table *table, uint64_t address)
{
	uint32_t index = spans_find(&table->functions, address, NULL, NULL);

	if (index == SPANS_NONE)
		return NULL;
	name_symbol(&table->symbols[index], false);
	return &table->symbols[index];
}

const struct symbol *symbol_table_variable(struct symbol_table *table, uint64_t address,
					   uint64_t *low, uint64_t *high)
{
	uint32_t index = spans_find(&table->variables, address, low, high);

	if (index == SPANS_NONE)
		return NULL;
	name_symbol(&table->symbols[index], true);
	return &table->symbols[index];
}

void symbol_table_drop(struct symbol_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->symbols[i].name);
	free(table->symbols);
	spans_drop(&table->functions);
	spans_drop(&table->variables);
	*table = (struct symbol_table) { 0 };
}
