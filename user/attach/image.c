// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/image.h"
#include "base/fail.h"
#include "base/memory.h"

#define PAGE		4096ul
#define SIZE_MOST	(64ul << 20)

static bool within(const struct attach_image *image, uint64_t at, uint64_t size)
{
	return at <= image->size && size <= image->size - at;
}

static int wrong(const struct attach_image *image, const char *what)
{
	return fail("%s cannot be put into a running process: %s", image->path, what);
}

/* --- segments --- */

static size_t pages(uint64_t end)
{
	return (end + PAGE - 1) & ~(PAGE - 1);
}

/* Return: false at the end, or of a segment that would not fit. */
static bool segment(const struct attach_image *image, size_t i, GElf_Phdr *header)
{
	return gelf_getphdr(image->elf, i, header) && header->p_vaddr <= SIZE_MOST &&
	       header->p_memsz <= SIZE_MOST && header->p_filesz <= header->p_memsz;
}

static int load(struct attach_image *image)
{
	GElf_Phdr header;
	size_t i, count, end;

	if (elf_getphdrnum(image->elf, &count))
		return wrong(image, "it has no segments");
	for (i = 0; i < count; i++) {
		if (!segment(image, i, &header))
			return wrong(image, "a segment of it has an impossible size");
		if (header.p_type == PT_TLS)
			return wrong(image, "it has thread-local data");
		end = pages(header.p_vaddr + header.p_memsz);
		if (header.p_type == PT_LOAD && end > image->size)
			image->size = end;
	}
	image->bytes = xcalloc(1, image->size + 1);
	for (i = 0; i < count; i++) {
		if (!segment(image, i, &header) || header.p_type != PT_LOAD)
			continue;
		if (pread(image->fd, image->bytes + header.p_vaddr, header.p_filesz,
			  header.p_offset) != (ssize_t)header.p_filesz)
			return wrong(image, "it is cut off");
		if (header.p_flags & PF_X) {
			image->code = header.p_vaddr & ~(PAGE - 1);
			image->code_size = pages(header.p_vaddr + header.p_memsz) - image->code;
		}
	}
	return 0;
}

int attach_image_read(struct attach_image *image, const char *path)
{
	GElf_Ehdr header;

	*image = (struct attach_image){ .path = path, .fd = open(path, O_RDONLY | O_CLOEXEC) };
	if (image->fd < 0)
		return wrong(image, strerror(errno));
	elf_version(EV_CURRENT);
	image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	if (!image->elf || !gelf_getehdr(image->elf, &header) || header.e_type != ET_DYN ||
	    header.e_machine != EM_X86_64)
		return wrong(image, "it is no shared library for x86-64");
	return load(image);
}

void attach_image_free(struct attach_image *image)
{
	free(image->bytes);
	elf_end(image->elf);
	if (image->fd > 0)
		close(image->fd);
}

/* --- symbols --- */

static Elf_Scn *section_of(const struct attach_image *image, Elf_Scn *before, uint32_t type,
			   GElf_Shdr *header)
{
	Elf_Scn *section = before;

	while ((section = elf_nextscn(image->elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == type &&
		    header->sh_flags & SHF_ALLOC && header->sh_entsize)
			return section;
	return NULL;
}

uint64_t attach_image_symbol(const struct attach_image *image, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *section = section_of(image, NULL, SHT_DYNSYM, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Sym symbol;
	int i;

	for (i = 1; data && gelf_getsym(data, i, &symbol); i++) {
		const char *found = elf_strptr(image->elf, header.sh_link, symbol.st_name);

		if (symbol.st_shndx != SHN_UNDEF && found && !strcmp(found, name))
			return image->base + symbol.st_value;
	}
	return 0;
}

/* --- relocations --- */

static int relocate(struct attach_image *image, const GElf_Rela *r)
{
	uint64_t value = image->base + r->r_addend;

	if (!within(image, r->r_offset, sizeof(value)))
		return wrong(image, "a relocation of it lies outside");
	if (GELF_R_TYPE(r->r_info) != R_X86_64_RELATIVE)
		return wrong(image, "it has relocations of an unusual type");
	memcpy(image->bytes + r->r_offset, &value, sizeof(value));
	return 0;
}

static int relocate_section(struct attach_image *image, Elf_Scn *section, const GElf_Shdr *header)
{
	size_t i, entries = header->sh_size / header->sh_entsize;
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Rela r;

	for (i = 0; i < entries; i++) {
		if (!data || !gelf_getrela(data, i, &r))
			return wrong(image, "its relocations cannot be read");
		if (relocate(image, &r))
			return -1;
	}
	return 0;
}

/* Code that is not relocated would end the process. */
int attach_image_relocate(struct attach_image *image)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	bool any = false;

	if (section_of(image, NULL, SHT_RELR, &header))
		return wrong(image, "it has packed relocations");
	while ((section = section_of(image, section, SHT_RELA, &header))) {
		any |= header.sh_size > 0;
		if (relocate_section(image, section, &header))
			return -1;
	}
	return any ? 0 : wrong(image, "it has no relocations, or they cannot be read");
}
