// SPDX-License-Identifier: GPL-2.0-only
/*
 * large-binary ELF RECORDING FUNCTIONS BYTES SAMPLED [UNITS MEMBERS]: a shared object of FUNCTIONS functions
 * of BYTES bytes, each with one loop around a load, and a recording of samples in SAMPLED of them, evenly
 * spread. With UNITS its debug information (DWARF 4) has so many compilation units, each with a type of
 * MEMBERS members (20 bytes each) and the lines of its functions.
 * Geometry 32K,8,64; no seed.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dts-free-tests/unit/recording-maker.h"

#define TEXT	0x1000u
#define LOAD	0x401000u	/* where the recording has the text */

struct make {
	FILE *file;
	uint32_t functions, bytes, units, members;
	Elf64_Shdr sections[9];
	uint32_t count;
	uint64_t *line_offsets, *info_offsets;
};

/* mov (%rdi),%rax; add $64,%rdi; dec %rsi; jne; ret */
static const uint8_t code[] = {
	0x48, 0x8b, 0x07, 0x48, 0x83, 0xc7, 0x40, 0x48, 0xff, 0xce, 0x75, 0xf4, 0xc3,
};

static const char names[] = "\0.text\0.symtab\0.strtab\0.shstrtab\0.debug_abbrev\0.debug_line\0.debug_info\0"
			    ".debug_aranges";

static void put(struct make *make, const void *data, size_t size)
{
	if (fwrite(data, 1, size, make->file) != size) {
		perror("large-binary");
		exit(1);
	}
}

static void put_number(struct make *make, uint64_t value, size_t size)
{
	put(make, &value, size);
}

static void put_text(struct make *make, const char *text)
{
	put(make, text, strlen(text) + 1);
}

static Elf64_Shdr *begin_section(struct make *make, const char *name, uint32_t type)
{
	Elf64_Shdr *section = &make->sections[++make->count];
	const char *at = names;

	while (strcmp(at, name))
		at += strlen(at) + 1;
	*section = (Elf64_Shdr){ .sh_name = at - names, .sh_type = type, .sh_addralign = 1,
				 .sh_offset = ftell(make->file) };
	return section;
}

static void end_section(struct make *make)
{
	Elf64_Shdr *section = &make->sections[make->count];

	section->sh_size = ftell(make->file) - section->sh_offset;
}

/* A length before what it counts. */
static long begin_length(struct make *make)
{
	long at = ftell(make->file);

	put_number(make, 0, 4);
	return at;
}

static void end_length(struct make *make, long at)
{
	long end = ftell(make->file);

	fseek(make->file, at, SEEK_SET);
	put_number(make, end - at - 4, 4);
	fseek(make->file, end, SEEK_SET);
}

static uint64_t address(const struct make *make, uint32_t function)
{
	return TEXT + (uint64_t)function * make->bytes;
}

static uint32_t first_of(const struct make *make, uint32_t unit)
{
	return (uint64_t)unit * make->functions / make->units;
}

static void put_code(struct make *make)
{
	Elf64_Shdr *section = begin_section(make, ".text", SHT_PROGBITS);
	uint8_t *function = malloc(make->bytes);

	section->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	section->sh_addr = TEXT;
	memset(function, 0x90, make->bytes);
	memcpy(function, code, sizeof(code));
	for (uint32_t i = 0; i < make->functions; i++)
		put(make, function, make->bytes);
	free(function);
	end_section(make);
}

static void put_symbols(struct make *make)
{
	Elf64_Shdr *section = begin_section(make, ".symtab", SHT_SYMTAB);
	Elf64_Sym symbol = { 0 };
	char name[16];

	section->sh_link = 3;
	section->sh_info = 1;
	section->sh_entsize = sizeof(symbol);
	put(make, &symbol, sizeof(symbol));
	for (uint32_t i = 0; i < make->functions; i++) {
		symbol = (Elf64_Sym){ .st_name = 1 + 10 * i, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				      .st_shndx = 1, .st_value = address(make, i), .st_size = sizeof(code) };
		put(make, &symbol, sizeof(symbol));
	}
	end_section(make);
	begin_section(make, ".strtab", SHT_STRTAB);
	put_text(make, "");
	for (uint32_t i = 0; i < make->functions; i++) {
		snprintf(name, sizeof(name), "f%08u", i);
		put_text(make, name);
	}
	end_section(make);
	begin_section(make, ".shstrtab", SHT_STRTAB);
	put(make, names, sizeof(names));
	end_section(make);
}

/* --- debug information --- */

static void put_abbreviations(struct make *make)
{
	static const uint8_t abbreviations[] = {
		/* unit: name, directory, lines, low and high pc */
		1, 0x11, 1, 0x03, 0x08, 0x1b, 0x08, 0x10, 0x17, 0x11, 0x01, 0x12, 0x07, 0, 0,
		/* function: name, file, line, low and high pc */
		2, 0x2e, 0, 0x03, 0x08, 0x3a, 0x0b, 0x3b, 0x06, 0x11, 0x01, 0x12, 0x07, 0, 0,
		/* structure: name, size; member: name, place */
		3, 0x13, 1, 0x03, 0x08, 0x0b, 0x06, 0, 0,
		4, 0x0d, 0, 0x03, 0x08, 0x38, 0x06, 0, 0,
		0,
	};

	begin_section(make, ".debug_abbrev", SHT_PROGBITS);
	put(make, abbreviations, sizeof(abbreviations));
	end_section(make);
}

/* Three lines a function. */
static void put_unit_lines(struct make *make, uint32_t unit)
{
	static const uint8_t head[] = { 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0 };
	static const uint8_t rows[] = { 3, 10, 1, 2, 3, 3, 1, 1, 2, 9, 3, 1, 1 };
	static const uint8_t end[] = { 2, 1, 0, 1, 1 };
	long length = begin_length(make), header;
	char name[32];

	put_number(make, 4, 2);
	header = begin_length(make);
	put(make, head, sizeof(head));
	snprintf(name, sizeof(name), "unit%u.c", unit);
	put_text(make, name);
	put_number(make, 0, 4);		/* directory, time, size; end of the names */
	end_length(make, header);
	for (uint32_t i = first_of(make, unit); i < first_of(make, unit + 1); i++) {
		put(make, "\0\11\2", 3);
		put_number(make, address(make, i), 8);
		put(make, rows, sizeof(rows));
	}
	put(make, end, sizeof(end));
	end_length(make, length);
}

static void put_functions(struct make *make, uint32_t unit)
{
	char name[16];

	for (uint32_t i = first_of(make, unit); i < first_of(make, unit + 1); i++) {
		put_number(make, 2, 1);
		snprintf(name, sizeof(name), "f%08u", i);
		put_text(make, name);
		put_number(make, 1, 1);
		put_number(make, 1 + 12 * (i - first_of(make, unit)), 4);
		put_number(make, address(make, i), 8);
		put_number(make, sizeof(code), 8);
	}
}

static void put_type(struct make *make)
{
	char name[24];

	put_number(make, 3, 1);
	put_text(make, "large");
	put_number(make, 8 * make->members, 4);
	for (uint32_t i = 0; i < make->members; i++) {
		put_number(make, 4, 1);
		snprintf(name, sizeof(name), "member%08u", i);
		put_text(make, name);
		put_number(make, 8 * i, 4);
	}
	put_number(make, 0, 1);
}

static void put_unit(struct make *make, uint32_t unit)
{
	long length = begin_length(make);
	uint64_t low = address(make, first_of(make, unit)), high = address(make, first_of(make, unit + 1));
	char name[32];

	put_number(make, 4, 2);
	put_number(make, 0, 4);
	put_number(make, 8, 1);
	put_number(make, 1, 1);
	snprintf(name, sizeof(name), "unit%u.c", unit);
	put_text(make, name);
	put_text(make, "/nonexistent");
	put_number(make, make->line_offsets[unit], 4);
	put_number(make, low, 8);
	put_number(make, high - low, 8);
	put_functions(make, unit);
	put_type(make);
	put_number(make, 0, 1);
	end_length(make, length);
}

static void put_ranges(struct make *make, uint32_t unit)
{
	uint64_t low = address(make, first_of(make, unit)), high = address(make, first_of(make, unit + 1));

	put_number(make, 44, 4);
	put_number(make, 2, 2);
	put_number(make, make->info_offsets[unit], 4);
	put_number(make, 8, 1);
	put_number(make, 0, 5);
	put_number(make, low, 8);
	put_number(make, high - low, 8);
	put_number(make, 0, 8);
	put_number(make, 0, 8);
}

static void put_debug(struct make *make)
{
	uint64_t start;

	make->line_offsets = calloc(make->units, sizeof(uint64_t));
	make->info_offsets = calloc(make->units, sizeof(uint64_t));
	put_abbreviations(make);
	start = begin_section(make, ".debug_line", SHT_PROGBITS)->sh_offset;
	for (uint32_t i = 0; i < make->units; i++) {
		make->line_offsets[i] = ftell(make->file) - start;
		put_unit_lines(make, i);
	}
	end_section(make);
	start = begin_section(make, ".debug_info", SHT_PROGBITS)->sh_offset;
	for (uint32_t i = 0; i < make->units; i++) {
		make->info_offsets[i] = ftell(make->file) - start;
		put_unit(make, i);
	}
	end_section(make);
	begin_section(make, ".debug_aranges", SHT_PROGBITS);
	for (uint32_t i = 0; i < make->units; i++)
		put_ranges(make, i);
	end_section(make);
	free(make->line_offsets);
	free(make->info_offsets);
}

static void put_elf(struct make *make)
{
	uint64_t size = (uint64_t)make->functions * make->bytes;
	Elf64_Ehdr head = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_type = ET_DYN,
		.e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_phoff = sizeof(head),
		.e_ehsize = sizeof(head), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr), .e_shstrndx = 4,
	};
	const Elf64_Phdr load = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = TEXT, .p_vaddr = TEXT,
				  .p_filesz = size, .p_memsz = size, .p_align = 4096 };

	fseek(make->file, TEXT, SEEK_SET);
	put_code(make);
	put_symbols(make);
	if (make->units)
		put_debug(make);
	head.e_shoff = ftell(make->file);
	head.e_shnum = make->count + 1;
	put(make, make->sections, head.e_shnum * sizeof(*make->sections));
	fseek(make->file, 0, SEEK_SET);
	put(make, &head, sizeof(head));
	put(make, &load, sizeof(load));
}

/* --- the recording --- */

static void put_map(struct recording_writer *writer, const char *path, uint64_t size)
{
	struct {
		struct ccs_map map;
		char path[4096];
	} r;

	make_header(&r.map.record, sizeof(r), CCS_MAP);
	r.map.start = LOAD;
	r.map.end = LOAD + (size + 4095) / 4096 * 4096;
	r.map.offset = TEXT;
	r.map.protection = CCS_MAP_READ | CCS_MAP_EXEC;
	r.map.path_size = strlen(path);
	memcpy(r.path, path, strlen(path));
	r.map.record.size = sizeof(r.map) + (strlen(path) + 7) / 8 * 8;
	recording_write(writer, &r.map.record);
}

static void put_samples(struct recording_writer *writer, const struct make *make, uint32_t sampled)
{
	struct {
		struct ccs_samples head;
		struct ccs_sample samples[8];
	} s;

	for (uint32_t i = 0; i < sampled; i++) {
		make_header(&s.head.record, sizeof(s), CCS_SAMPLES);
		s.head.event = s.head.pid = 1;
		s.head.flags = CCS_BATCH_BURST;
		s.head.events = s.head.count = s.head.fills = 8;
		s.head.sample_size = sizeof(s.samples[0]);
		for (uint32_t n = 0; n < 8; n++)
			s.samples[n] = (struct ccs_sample){
				.time = 8 * i + n + 1, .physical = CCS_UNKNOWN,
				.ip = LOAD - TEXT + address(make, (uint64_t)i * make->functions / sampled),
				.address = 0x10000000 + 4096ull * n,
			};
		recording_write(writer, &s.head.record);
	}
}

static int put_recording(const char *path, const char *elf, const struct make *make, uint32_t sampled)
{
	struct recording_writer *writer = recording_create(path);
	struct ccs_process process;

	if (!writer)
		return 1;
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = 64 });
	make_event(writer, (struct ccs_event){ .id = 1, .level = 1, .period = 1, .burst = 1,
					       .name = "l1-miss" });
	make_header(&process.record, sizeof(process), CCS_PROCESS);
	process.pid = 1;
	process.cause = CCS_PROCESS_START;
	recording_write(writer, &process.record);
	put_map(writer, elf, (uint64_t)make->functions * make->bytes);
	put_samples(writer, make, sampled);
	return recording_finish(writer, 1000000) ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct make make = { NULL };

	if (argc != 6 && argc != 8)
		return 2;
	make.functions = atoi(argv[3]);
	make.bytes = atoi(argv[4]);
	make.units = argc == 8 ? atoi(argv[6]) : 0;
	make.members = argc == 8 ? atoi(argv[7]) : 0;
	make.file = fopen(argv[1], "w");
	if (!make.file || make.bytes < sizeof(code))
		return 2;
	put_elf(&make);
	return fclose(make.file) || put_recording(argv[2], argv[1], &make, atoi(argv[5]));
}
