// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/image.h"

#define PARTS_MOST	(1u << 16)

struct image_part {
	uint64_t start;
	uint64_t end;
	uint64_t offset;	/* in the file */
	bool code;
};

struct image_slot {
	uint64_t address;
	uint64_t value;		/* link-time, 0 = not known */
	const char *name;	/* NULL = none */
};

static void add_part(struct image_part **parts, size_t *count, const struct image *image,
		     struct image_part part)
{
	if (part.end <= part.start || part.offset > image->size ||
	    part.end - part.start > image->size - part.offset)
		return;
	(*parts)[(*count)++] = part;
}

static void read_segments(struct image *image)
{
	GElf_Phdr header;
	size_t count;

	if (elf_getphdrnum(image->file->elf, &count) || count > PARTS_MOST)
		return;
	image->segments = xcalloc(count + 1, sizeof(*image->segments));
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(image->file->elf, i, &header) && header.p_type == PT_LOAD)
			add_part(&image->segments, &image->segment_count, image,
				 (struct image_part) {
				.start = header.p_vaddr,
				.end = header.p_vaddr + header.p_filesz,
				.offset = header.p_offset,
				.code = header.p_flags & PF_X,
			});
}

static void read_sections(struct image *image)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t count;

	if (elf_getshdrnum(image->file->elf, &count) || count > PARTS_MOST)
		return;
	image->sections = xcalloc(count + 1, sizeof(*image->sections));
	while (image->section_count < count &&
	       (section = elf_nextscn(image->file->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC &&
		    header.sh_type != SHT_NOBITS)
			add_part(&image->sections, &image->section_count, image,
				 (struct image_part) {
				.start = header.sh_addr,
				.end = header.sh_addr + header.sh_size,
				.offset = header.sh_offset,
			});
}

bool image_open(struct image *image, const struct elf_file *file)
{
	image->file = file;
	image->bytes = (const uint8_t *)elf_rawfile(file->elf, &image->size);
	if (!image->bytes)
		return false;
	read_segments(image);
	read_sections(image);
	return image->segment_count;
}

void image_close(struct image *image)
{
	free(image->segments);
	free(image->sections);
	free(image->slots);
	*image = (struct image) { 0 };
}

static const struct image_part *part_at(const struct image_part *parts, size_t count,
					uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (parts[i].start <= address && address < parts[i].end)
			return &parts[i];
	return NULL;
}

const uint8_t *image_at(const struct image *image, uint64_t address, bool code, size_t *left)
{
	const struct image_part *segment = part_at(image->segments, image->segment_count, address);
	const struct image_part *section = part_at(image->sections, image->section_count, address);

	if (!segment || (code && !segment->code))
		return NULL;
	*left = segment->end - address;
	if (section && section->end - address < *left)
		*left = section->end - address;
	return image->bytes + segment->offset + (address - segment->start);
}

static int by_address(const void *left, const void *right)
{
	const struct image_slot *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

/* What a relocation will have made of a slot (x86-64 psABI, table 4.9). */
static void take_relocation(struct image *image, const GElf_Rela *relocation, Elf_Data *symbols,
			    size_t names)
{
	struct image_slot slot = { .address = relocation->r_offset };
	uint32_t type = GELF_R_TYPE(relocation->r_info);
	GElf_Sym symbol;

	if (type == R_X86_64_RELATIVE) {
		slot.value = relocation->r_addend;
	} else if (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
		   type == R_X86_64_64) {
		if (!symbols || !gelf_getsym(symbols, GELF_R_SYM(relocation->r_info), &symbol))
			return;
		slot.name = elf_strptr(image->file->elf, names, symbol.st_name);
		if (symbol.st_shndx != SHN_UNDEF)
			slot.value = symbol.st_value +
				     (type == R_X86_64_64 ? relocation->r_addend : 0);
	} else {
		return;
	}
	image->slots = grow(image->slots, image->slot_count, &image->slot_capacity,
			    sizeof(*image->slots));
	image->slots[image->slot_count++] = slot;
}

static void read_relocations(struct image *image, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf *elf = image->file->elf;
	Elf_Scn *link = header->sh_link ? elf_getscn(elf, header->sh_link) : NULL;
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Data *symbols = link ? elf_getdata(link, NULL) : NULL;
	GElf_Rela relocation;
	GElf_Shdr table;

	if (!data || (link && !gelf_getshdr(link, &table)))
		return;
	if (!link || (table.sh_type != SHT_DYNSYM && table.sh_type != SHT_SYMTAB))
		symbols = NULL;
	for (size_t i = 0; i < data->d_size / sizeof(Elf64_Rela); i++)
		if (gelf_getrela(data, i, &relocation))
			take_relocation(image, &relocation, symbols, symbols ? table.sh_link : 0);
}

static const struct image_slot *slot_at(struct image *image, uint64_t address)
{
	struct image_slot key = { .address = address };
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (!image->slots_read) {
		image->slots_read = true;
		while ((section = elf_nextscn(image->file->elf, section)))
			if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
			    header.sh_flags & SHF_ALLOC)
				read_relocations(image, section, &header);
		if (image->slot_count)
			qsort(image->slots, image->slot_count, sizeof(key), by_address);
	}
	if (!image->slot_count)
		return NULL;
	return bsearch(&key, image->slots, image->slot_count, sizeof(key), by_address);
}

uint64_t image_pointer(struct image *image, uint64_t address)
{
	const struct image_slot *slot;
	const uint8_t *bytes;
	uint64_t value = 0;
	size_t left;

	bytes = image_at(image, address, false, &left);
	if (bytes && left >= sizeof(value))
		memcpy(&value, bytes, sizeof(value));
	if (value)
		return value;
	slot = slot_at(image, address);
	return slot ? slot->value : 0;
}

const char *image_import(struct image *image, uint64_t address)
{
	const struct image_slot *slot = slot_at(image, address);

	return slot ? slot->name : NULL;
}
