// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs whose debug information is well-formed and makes no sense: entries of the kinds that compilers
 * write, with names, sizes, places and types that the input's bytes choose. libdw reads them as any
 * others (mutated bytes, which crash it, are hostile/test-dwarf's); what is made of them must be whole.
 * A type leads back to itself only through what has a size of its own: libdw never ends on others.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "base/array.h"
#include "program/dwarf-file.h"
#include "program/elf-file.h"
#include "program/layout.h"
#include "program/symbol-table.h"
#include "recipe.h"
#include "require.h"

#define TEXT		0x1000u
#define DATA		0x2000u
#define PART		0x1000u	/* bytes of both */
#define ENTRIES_MOST	400u
#define DEPTH_MOST	12u
#define SYMBOLS		8u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What libdw itself does not free. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libdw";
}

/* ---- entries ---- */

enum what { NAME = 1, TYPE, BEFORE, START, LENGTH, AT, FRAME, SIZE, BIG, SMALL };

static const struct kind {
	uint8_t tag, children;
	struct {
		uint8_t attribute, what;
	} has[6];
} kinds[] = {
	{ DW_TAG_compile_unit, 1, { { DW_AT_name, NAME }, { DW_AT_comp_dir, NAME }, { DW_AT_low_pc, START },
				    { DW_AT_high_pc, LENGTH }, { DW_AT_language, SMALL } } },
	{ DW_TAG_subprogram, 1, { { DW_AT_name, NAME }, { DW_AT_low_pc, START }, { DW_AT_high_pc, LENGTH } } },
	{ DW_TAG_subprogram, 1, { { DW_AT_linkage_name, NAME }, { DW_AT_type, TYPE } } },
	{ DW_TAG_subprogram, 1, { { DW_AT_abstract_origin, BEFORE }, { DW_AT_low_pc, START },
				  { DW_AT_high_pc, LENGTH } } },
	{ DW_TAG_inlined_subroutine, 1, { { DW_AT_abstract_origin, BEFORE }, { DW_AT_low_pc, START },
					  { DW_AT_high_pc, LENGTH }, { DW_AT_call_file, SMALL },
					  { DW_AT_call_line, BIG } } },
	{ DW_TAG_lexical_block, 1, { { DW_AT_low_pc, START }, { DW_AT_high_pc, LENGTH } } },
	{ DW_TAG_variable, 0, { { DW_AT_name, NAME }, { DW_AT_type, TYPE }, { DW_AT_location, AT },
				{ DW_AT_decl_line, SIZE } } },
	{ DW_TAG_variable, 0, { { DW_AT_name, NAME }, { DW_AT_type, TYPE }, { DW_AT_location, FRAME } } },
	{ DW_TAG_variable, 0, { { DW_AT_specification, BEFORE }, { DW_AT_location, AT } } },
	{ DW_TAG_formal_parameter, 0, { { DW_AT_name, NAME }, { DW_AT_type, TYPE }, { DW_AT_location, FRAME } } },
	{ DW_TAG_base_type, 0, { { DW_AT_name, NAME }, { DW_AT_byte_size, SMALL }, { DW_AT_encoding, SMALL } } },
	{ DW_TAG_pointer_type, 0, { { DW_AT_type, TYPE }, { DW_AT_byte_size, SMALL } } },
	{ DW_TAG_reference_type, 0, { { DW_AT_type, TYPE }, { DW_AT_byte_size, SMALL } } },
	{ DW_TAG_structure_type, 1, { { DW_AT_name, NAME }, { DW_AT_byte_size, SIZE } } },
	{ DW_TAG_class_type, 1, { { DW_AT_name, NAME }, { DW_AT_byte_size, BIG } } },
	{ DW_TAG_union_type, 1, { { DW_AT_byte_size, SIZE } } },
	{ DW_TAG_member, 0, { { DW_AT_name, NAME }, { DW_AT_type, TYPE }, { DW_AT_data_member_location, SIZE } } },
	{ DW_TAG_member, 0, { { DW_AT_type, TYPE }, { DW_AT_data_member_location, BIG } } },
	{ DW_TAG_inheritance, 0, { { DW_AT_type, TYPE }, { DW_AT_data_member_location, SIZE } } },
	{ DW_TAG_template_type_parameter, 0, { { DW_AT_name, NAME }, { DW_AT_type, TYPE } } },
	{ DW_TAG_array_type, 1, { { DW_AT_type, BEFORE } } },
	{ DW_TAG_array_type, 1, { { DW_AT_type, BEFORE }, { DW_AT_byte_size, SIZE }, { DW_AT_data_location, FRAME } } },
	{ DW_TAG_subrange_type, 0, { { DW_AT_upper_bound, SMALL } } },
	{ DW_TAG_subrange_type, 0, { { DW_AT_upper_bound, BIG }, { DW_AT_lower_bound, BIG } } },
	{ DW_TAG_subrange_type, 0, { { DW_AT_count, BIG } } },
	{ DW_TAG_typedef, 0, { { DW_AT_name, NAME }, { DW_AT_type, BEFORE } } },
	{ DW_TAG_const_type, 0, { { DW_AT_type, BEFORE } } },
	{ DW_TAG_volatile_type, 0, { { DW_AT_type, BEFORE } } },
	{ DW_TAG_enumeration_type, 0, { { DW_AT_name, NAME }, { DW_AT_byte_size, SMALL } } },
	{ DW_TAG_namespace, 1, { { DW_AT_name, NAME } } },
	{ DW_TAG_common_block, 1, { { DW_AT_name, NAME }, { DW_AT_location, AT } } },
	{ DW_TAG_variable, 0, { { DW_AT_name, NAME }, { DW_AT_type, TYPE }, { DW_AT_location, AT },
				{ DW_AT_decl_file, SMALL } } },
};

static const char *const names[] = {
	"", "a", "matrix", "x", "y", "p", "std", "vector<double, std::allocator<double> >", "_M_impl", "_M_start",
	"_M_t", "_M_head_impl", "unique_ptr<int []>", "Vec<f64, alloc::alloc::Global>", "pointer", "buf", "_ZN1a1bEv",
	"_ZNSt6vectorIdSaIdEE", "\033[31m\xff", "/a/b.c", "b.c", "array<double, 4>", "_M_elems", "__data_",
};

struct bytes {
	uint8_t at[64 << 10];
	size_t size;
};

static void put(struct bytes *bytes, const void *what, size_t size)
{
	if (size > sizeof(bytes->at) - bytes->size)
		abort();
	memcpy(bytes->at + bytes->size, what, size);
	bytes->size += size;
}

static void put_number(struct bytes *bytes, uint64_t number, size_t size)
{
	put(bytes, &number, size);
}

static uint8_t form_of(uint8_t what)
{
	static const uint8_t forms[] = {
		[NAME] = DW_FORM_string, [TYPE] = DW_FORM_ref4, [BEFORE] = DW_FORM_ref4, [START] = DW_FORM_addr,
		[LENGTH] = DW_FORM_data8, [AT] = DW_FORM_exprloc, [FRAME] = DW_FORM_exprloc, [SIZE] = DW_FORM_data4,
		[BIG] = DW_FORM_data8, [SMALL] = DW_FORM_data1,
	};

	return forms[what];
}

/* One abbreviation of each kind, by its number from 1 on. */
static void put_abbreviations(struct bytes *abbreviations)
{
	for (uint8_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		put_number(abbreviations, i + 1, 1);
		put_number(abbreviations, kinds[i].tag, 1);
		put_number(abbreviations, kinds[i].children, 1);
		for (int a = 0; a < 6 && kinds[i].has[a].what; a++) {
			uint8_t attribute = kinds[i].has[a].attribute;

			put_number(abbreviations, attribute, 1);
			put_number(abbreviations, form_of(kinds[i].has[a].what), 1);
		}
		put_number(abbreviations, 0, 2);
	}
	put_number(abbreviations, 0, 1);
}

/* A unit in the making. */
struct unit {
	struct bytes info;
	uint32_t entries[ENTRIES_MOST];		/* where they begin */
	uint32_t entry_count;
	struct {
		uint32_t at;
		uint8_t choice;
	} types[4 * ENTRIES_MOST];		/* to be filled in */
	uint32_t type_count;
};

static void put_place(struct recipe *recipe, struct bytes *info, bool frame)
{
	uint8_t low = byte(recipe);

	put_number(info, frame ? 2 : 9, 1);
	put_number(info, frame ? DW_OP_fbreg : DW_OP_addr, 1);
	put_number(info, frame ? low & 0x7f : DATA + 0x100 * (low % SYMBOLS) + low / 128, frame ? 1 : 8);
}

static void put_value(struct recipe *recipe, struct unit *unit, uint8_t what)
{
	struct bytes *info = &unit->info;
	const char *name;

	switch (what) {
	case NAME:
		name = names[byte(recipe) % ARRAY_SIZE(names)];
		put(info, name, strlen(name) + 1);
		break;
	case BEFORE:
		put_number(info, unit->entries[byte(recipe) % unit->entry_count], 4);
		break;
	case TYPE:
		unit->types[unit->type_count].at = info->size;
		unit->types[unit->type_count++].choice = byte(recipe);
		put_number(info, 0, 4);
		break;
	case START:
		put_number(info, TEXT + 8 * byte(recipe), 8);
		break;
	case LENGTH:
		put_number(info, 4 * byte(recipe), 8);
		break;
	case AT:
	case FRAME:
		put_place(recipe, info, what == FRAME);
		break;
	case SIZE:
		put_number(info, byte(recipe) & 0x7f, 4);
		break;
	case BIG:
		put_number(info, word(recipe), 8);
		break;
	case SMALL:
		put_number(info, byte(recipe), 1);
		break;
	}
}

/* What comes before is not the entry itself, so that chains of BEFORE end. */
static void put_entry(struct recipe *recipe, struct unit *unit, uint8_t kind)
{
	uint32_t at = unit->info.size;

	put_number(&unit->info, kind + 1, 1);
	for (int a = 0; a < 6 && kinds[kind].has[a].what; a++)
		put_value(recipe, unit, kinds[kind].has[a].what);
	unit->entries[unit->entry_count++] = at;
}

static void put_unit(struct recipe *recipe, struct unit *unit)
{
	uint32_t depth = 1, length;

	put_number(&unit->info, 0, 4);
	put_number(&unit->info, 4, 2);		/* DWARF */
	put_number(&unit->info, 0, 4);		/* abbreviations */
	put_number(&unit->info, 8, 1);
	put_entry(recipe, unit, 0);
	while (recipe->at < recipe->end && unit->entry_count < ENTRIES_MOST - 1) {
		uint8_t next = byte(recipe), kind = 1 + next % (ARRAY_SIZE(kinds) - 1);

		if (next >= 0xd8) {		/* the end of a list */
			if (depth > 1) {
				put_number(&unit->info, 0, 1);
				depth--;
			}
			continue;
		}
		if (kinds[kind].children && depth == DEPTH_MOST)
			continue;
		put_entry(recipe, unit, kind);
		depth += kinds[kind].children;
	}
	for (; depth; depth--)
		put_number(&unit->info, 0, 1);
	for (uint32_t i = 0; i < unit->type_count; i++)
		memcpy(unit->info.at + unit->types[i].at,
		       &unit->entries[unit->types[i].choice * 2 % unit->entry_count], 4);
	length = unit->info.size - 4;
	memcpy(unit->info.at, &length, 4);
}

/* ---- the program ---- */

static const char section_names[] = "\0.text\0.bss\0.symtab\0.strtab\0.debug_abbrev\0.debug_info\0.shstrtab";
enum { NULL_SECTION, TEXT_SECTION, BSS, SYMTAB, STRTAB, ABBREV, INFO, SHSTRTAB, SECTIONS };

static void put_section(struct bytes *file, Elf64_Shdr *section, const char *name, uint32_t type,
			const void *bytes, size_t size)
{
	put(file, "\0\0\0\0\0\0\0", -file->size % 8);
	section->sh_name = (const char *)memmem(section_names, sizeof(section_names), name, strlen(name)) -
			   section_names;
	section->sh_type = type;
	section->sh_offset = file->size;
	section->sh_size = size;
	section->sh_addralign = 1;
	put(file, bytes, size);
}

static void put_symbols(struct recipe *recipe, struct bytes *file, Elf64_Shdr *sections)
{
	static const char strings[] = "\0v\0f";
	Elf64_Sym symbols[1 + 2 * SYMBOLS] = { 0 };

	for (uint32_t i = 0; i < SYMBOLS; i++) {
		symbols[1 + i] = (Elf64_Sym){ 1, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, BSS,
					      DATA + 0x100 * i, 4 * byte(recipe) };
		symbols[1 + SYMBOLS + i] = (Elf64_Sym){ 3, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, TEXT_SECTION,
							TEXT + 0x100 * i, 0x100 };
	}
	put_section(file, &sections[SYMTAB], ".symtab", SHT_SYMTAB, symbols, sizeof(symbols));
	sections[SYMTAB].sh_entsize = sizeof(*symbols);
	sections[SYMTAB].sh_link = STRTAB;
	sections[SYMTAB].sh_info = 1;
	put_section(file, &sections[STRTAB], ".strtab", SHT_STRTAB, strings, sizeof(strings));
}

static void put_program(struct recipe *recipe, struct bytes *file)
{
	static struct unit unit;
	static struct bytes abbreviations;
	Elf64_Shdr sections[SECTIONS] = { 0 };
	Elf64_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_type = ET_EXEC,
		.e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_ehsize = sizeof(header),
		.e_shentsize = sizeof(*sections), .e_shnum = SECTIONS, .e_shstrndx = SHSTRTAB,
	};

	file->size = abbreviations.size = unit.info.size = unit.entry_count = unit.type_count = 0;
	put(file, &header, sizeof(header));
	put_abbreviations(&abbreviations);
	put_section(file, &sections[TEXT_SECTION], ".text", SHT_NOBITS, "", 0);
	put_section(file, &sections[BSS], ".bss", SHT_NOBITS, "", 0);
	sections[TEXT_SECTION].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	sections[TEXT_SECTION].sh_addr = TEXT;
	sections[BSS].sh_flags = SHF_ALLOC | SHF_WRITE;
	sections[BSS].sh_addr = DATA;
	sections[TEXT_SECTION].sh_size = sections[BSS].sh_size = PART;
	put_symbols(recipe, file, sections);
	put_unit(recipe, &unit);
	put_section(file, &sections[ABBREV], ".debug_abbrev", SHT_PROGBITS, abbreviations.at, abbreviations.size);
	put_section(file, &sections[INFO], ".debug_info", SHT_PROGBITS, unit.info.at, unit.info.size);
	put_section(file, &sections[SHSTRTAB], ".shstrtab", SHT_STRTAB, section_names, sizeof(section_names));
	put(file, "\0\0\0\0\0\0\0", -file->size % 8);
	header.e_shoff = file->size;
	put(file, sections, sizeof(sections));
	memcpy(file->at, &header, sizeof(header));
}

/* ---- what is made of it ---- */

static void check_layout(const struct layout *layout)
{
	uint32_t part;

	if (!layout)
		return;
	for (uint64_t offset = 0; offset < 512; offset += 4) {
		part = layout_part(layout, offset);
		require(part == LAYOUT_NONE || (part < layout_parts(layout) && layout_name(layout, part)));
	}
	layout_element(layout);
	layout_start(layout, 4096);
}

static void look_up(struct dwarf_file *dwarf)
{
	const struct layout *layout;
	uint64_t bytes;
	struct location chain[MODULE_INLINES];

	for (uint32_t address = TEXT; address < TEXT + PART; address += 0x90) {
		size_t count = dwarf_file_locate(dwarf, address, chain, MODULE_INLINES);

		require(count <= MODULE_INLINES);
		layout = NULL;
		free(dwarf_file_pointed(dwarf, address, names[address / 0x90 % ARRAY_SIZE(names)], &layout,
					&bytes));
		check_layout(layout);
	}
	for (uint32_t i = 0; i < 2 * SYMBOLS; i++) {
		struct variable variable = { .name = NULL };

		dwarf_file_variable(dwarf, DATA + 0x100 * (i / 2), i & 1, &variable);
		check_layout(variable.layout);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bytes file;
	struct recipe recipe = { data, data + size };
	struct elf_file elf = { 0 }, debug = { 0 };
	struct symbol_table table = { 0 };
	struct dwarf_file dwarf = { 0 };

	put_program(&recipe, &file);
	elf_version(EV_CURRENT);
	elf.elf = elf_memory((char *)file.at, file.size);
	require(elf.elf);
	symbol_table_read(&table, &elf, &debug);
	require(dwarf_file_open(&dwarf, elf.elf));
	look_up(&dwarf);
	dwarf_file_close(&dwarf);
	symbol_table_drop(&table);
	elf_file_close(&elf);
	return 0;
}
