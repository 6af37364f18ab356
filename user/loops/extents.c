// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdw.h>

#include "base/memory.h"
#include "base/search.h"
#include "loops/extents.h"

static void add(struct extents *extents, uint64_t start, uint64_t end, const char *name)
{
	if (end <= start)
		return;
	extents->extent = grow(extents->extent, extents->count, &extents->capacity,
			       sizeof(*extents->extent));
	extents->extent[extents->count++] = (struct extent) { start, end, name };
}

/* How FDEs of a CIE write addresses (DW_EH_PE_*, LSB 10.5.1); DW_EH_PE_omit = not understood. */
static uint8_t encoding_of(const Dwarf_CIE *cie)
{
	const char *letter = cie->augmentation;
	const uint8_t *data = cie->augmentation_data;
	size_t left = cie->augmentation_data_size;
	uint8_t encoding = DW_EH_PE_absptr;

	if (*letter == '\0')
		return encoding;
	if (*letter++ != 'z')
		return DW_EH_PE_omit;
	for (; *letter; letter++) {
		if (*letter == 'S' || *letter == 'B')
			continue;
		if (!left)
			return DW_EH_PE_omit;
		if (*letter == 'R') {
			encoding = *data;
			data++, left--;
		} else if (*letter == 'L') {
			data++, left--;
		} else if (*letter == 'P') {
			size_t size = (*data & 7) == DW_EH_PE_udata4 ? 5 : 9;

			if (left < size)
				return DW_EH_PE_omit;
			data += size, left -= size;
		} else {
			return DW_EH_PE_omit;
		}
	}
	return encoding;
}

/* A number of an FDE; false where its form is none of those that x86-64 compilers write. */
static bool read_number(const uint8_t **at, const uint8_t *end, uint8_t form, uint64_t *number)
{
	size_t size = form == DW_EH_PE_absptr || form == DW_EH_PE_udata8 ||
		      form == DW_EH_PE_sdata8 ? 8 : 4;
	int32_t half;

	if (size == 4 && form != DW_EH_PE_udata4 && form != DW_EH_PE_sdata4)
		return false;
	if ((size_t)(end - *at) < size)
		return false;
	if (size == 8) {
		memcpy(number, *at, size);
	} else {
		memcpy(&half, *at, size);
		*number = form == DW_EH_PE_udata4 ? (uint32_t)half : (uint64_t)(int64_t)half;
	}
	*at += size;
	return true;
}

struct frames {
	const unsigned char *ident;
	Elf_Data *data;
	uint64_t address;	/* of the section */
	uint64_t cie;		/* offset of the CIE read last, ~0 = none */
	uint8_t encoding;	/* of it */
};

static void add_fde(struct extents *extents, struct frames *frames, const Dwarf_FDE *fde)
{
	const uint8_t *at = fde->start;
	uint64_t place = frames->address + (at - (const uint8_t *)frames->data->d_buf);
	uint64_t start, size;
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (frames->cie != fde->CIE_pointer) {
		frames->cie = fde->CIE_pointer;
		frames->encoding = DW_EH_PE_omit;
		if (!dwarf_next_cfi(frames->ident, frames->data, true, fde->CIE_pointer, &next,
				    &entry) && dwarf_cfi_cie_p(&entry))
			frames->encoding = encoding_of(&entry.cie);
	}
	if (frames->encoding == DW_EH_PE_omit || frames->encoding & DW_EH_PE_indirect ||
	    !read_number(&at, fde->end, frames->encoding & 15, &start) ||
	    !read_number(&at, fde->end, frames->encoding & 7, &size))
		return;
	if ((frames->encoding & 0x70) == DW_EH_PE_pcrel)
		start += place;
	else if (frames->encoding & 0x70)
		return;
	if (start + size > start)
		add(extents, start, start + size, NULL);
}

static void read_frames(struct extents *extents, const struct elf_file *file)
{
	Elf_Scn *section = elf_file_section(file, ".eh_frame");
	struct frames frames = { .cie = ~(uint64_t)0 };
	Dwarf_Off offset = 0, next;
	Dwarf_CFI_Entry entry;
	GElf_Shdr header;

	if (!section || !gelf_getshdr(section, &header))
		return;
	frames.data = elf_getdata(section, NULL);
	frames.ident = (const unsigned char *)elf_getident(file->elf, NULL);
	if (!frames.data || !frames.data->d_buf || !frames.ident)
		return;
	frames.address = header.sh_addr;
	for (; offset < frames.data->d_size; offset = next) {
		int status = dwarf_next_cfi(frames.ident, frames.data, true, offset, &next,
					    &entry);

		if (status > 0 || next <= offset)
			return;
		if (!status && !dwarf_cfi_cie_p(&entry))
			add_fde(extents, &frames, &entry.fde);
	}
}

static int by_start(const void *left, const void *right)
{
	const struct extent *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

/* In order, without overlaps: an extent ends where the next one begins. */
static void settle(struct extents *extents)
{
	size_t kept = 0;

	if (extents->count)
		qsort(extents->extent, extents->count, sizeof(*extents->extent), by_start);
	for (size_t i = 0; i < extents->count; i++) {
		struct extent *last = kept ? &extents->extent[kept - 1] : NULL;

		if (last && last->start == extents->extent[i].start) {
			last->end = extents->extent[i].end;
			continue;
		}
		if (last && last->end > extents->extent[i].start)
			last->end = extents->extent[i].start;
		extents->extent[kept++] = extents->extent[i];
	}
	extents->count = kept;
}

static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	uint32_t index = spans_find(&table->functions, address, NULL, NULL);

	if (index == SPANS_NONE || table->symbols[index].address != address)
		return NULL;
	return table->symbols[index].linker_name;
}

void extents_read(struct extents *extents, const struct elf_file *file,
		  const struct symbol_table *table)
{
	struct extents unwound = { 0 };
	size_t i;

	read_frames(&unwound, file);
	settle(&unwound);
	for (i = 0; i < unwound.count; i++)
		add(extents, unwound.extent[i].start, unwound.extent[i].end,
		    name_at(table, unwound.extent[i].start));
	for (i = 0; i < table->functions.count; i++) {
		const struct span_part *part = &table->functions.parts[i];
		const struct symbol *symbol;

		if (part->index == SPANS_NONE)
			continue;
		symbol = &table->symbols[part->index];
		if (part->start == symbol->address && !extents_find(&unwound, part->start))
			add(extents, symbol->address, symbol->address + symbol->size,
			    symbol->linker_name);
	}
	extents_drop(&unwound);
	settle(extents);
}

void extents_drop(struct extents *extents)
{
	free(extents->extent);
	*extents = (struct extents) { 0 };
}

const struct extent *extents_find(const struct extents *extents, uint64_t address)
{
	size_t first = search_above(extents->extent, extents->count, sizeof(*extents->extent),
				    offsetof(struct extent, start), address);

	if (!first || address >= extents->extent[first - 1].end)
		return NULL;
	return &extents->extent[first - 1];
}
