// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as machine code, and any file as a program: control flow, loops
 * and extents come out, whatever goes in. What comes out must be whole: blocks
 * in order, edges between blocks, loops in their parents.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "loops/flow.h"
#include "loops/functions.h"
#include "require.h"

#define CODE_START 0x1000u

static void check_flow(const struct flow *flow, const struct loop_forest *forest)
{
	for (uint32_t i = 0; i < flow->parts; i++) {
		const struct flow_part *part = &flow->part[i];

		for (uint32_t b = part->first; b < part->first + part->count; b++) {
			const struct flow_block *block = &flow->blocks[b];

			require(part->start <= block->start && block->start < block->end &&
				block->end <= part->end);
			require(b == part->first || flow->blocks[b - 1].end <= block->start);
			require(flow_block_at(flow, block->start) == b);
		}
	}
	for (uint32_t b = 0; b < flow->graph.count; b++) {
		require(flow->graph.first[b] <= flow->graph.first[b + 1]);
		require(forest->inner[b] == LOOP_NONE || forest->inner[b] < forest->count);
		for (uint32_t e = flow->graph.first[b]; e < flow->graph.first[b + 1]; e++)
			require(flow->graph.to[e] < flow->graph.count);
	}
	for (uint32_t i = 0; i < forest->count; i++)
		require(forest->loops[i].parent == LOOP_NONE || forest->loops[i].parent < i);
}

static void read_all(struct flow_source *source)
{
	struct map endless = { 0 }, owners = { 0 };
	struct decoder *decoder = decoder_new();
	struct loop_forest forest;
	struct flow flow;

	source->decoder = decoder;
	source->endless = &endless;
	source->owners = &owners;
	for (size_t i = 0; i < source->extents->count && i < 64; i++) {
		if (!flow_read(&flow, source, &source->extents->extent[i]))
			continue;
		loop_forest_find(&forest, &flow.graph);
		check_flow(&flow, &forest);
		loop_forest_drop(&forest);
		flow_drop(&flow);
		function_owner(source, &source->extents->extent[i]);
	}
	map_free(&endless);
	map_free(&owners);
	decoder_free(decoder);
}

/* The input as a program. */
static void read_file(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1);
	struct symbol_table table = { 0 };
	struct elf_file file = { 0 }, debug = { 0 };
	struct extents extents = { 0 };
	struct image image = { 0 };
	struct flow_source source = { .image = &image, .extents = &extents };

	memcpy(copy, data, size);
	elf_version(EV_CURRENT);
	file.elf = elf_memory(copy, size);
	if (file.elf && elf_kind(file.elf) == ELF_K_ELF && gelf_getclass(file.elf) == ELFCLASS64 &&
	    image_open(&image, &file)) {
		symbol_table_read(&table, &file, &debug);
		extents_read(&extents, &file, &table);
		read_all(&source);
		symbol_table_drop(&table);
	}
	extents_drop(&extents);
	image_close(&image);
	elf_file_close(&file);
	free(copy);
}

/* The input as code: cut into up to four functions, named or not. */
static void read_code(const uint8_t *data, size_t size)
{
	static const char *const names[] = { NULL, "f", "f.cold", NULL };
	size_t head = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), room = CODE_START + size;
	char *file = calloc(room, 1);
	Elf64_Ehdr *header = (void *)file;
	Elf64_Phdr *segment = (void *)(file + sizeof(*header));
	struct extent extent[4];
	struct extents extents = { .extent = extent };
	struct elf_file elf = { 0 };
	struct image image = { 0 };
	struct flow_source source = { .image = &image, .extents = &extents };
	uint64_t at = CODE_START;

	if (size < 4 || head > CODE_START)
		goto out;
	memcpy(header->e_ident, ELFMAG, SELFMAG);
	header->e_ident[EI_CLASS] = ELFCLASS64;
	header->e_ident[EI_DATA] = ELFDATA2LSB;
	header->e_ident[EI_VERSION] = EV_CURRENT;
	header->e_type = ET_DYN;
	header->e_machine = EM_X86_64;
	header->e_version = EV_CURRENT;
	header->e_phoff = sizeof(*header);
	header->e_ehsize = sizeof(*header);
	header->e_phentsize = sizeof(*segment);
	header->e_phnum = 1;
	header->e_shentsize = sizeof(Elf64_Shdr);
	*segment = (Elf64_Phdr) {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = CODE_START,
		.p_offset = CODE_START, .p_filesz = size, .p_memsz = size,
	};
	memcpy(file + CODE_START, data, size);
	for (int i = 0; i < 4 && at < CODE_START + size; i++) {
		uint64_t end = i == 3 ? CODE_START + size : at + 1 + data[i] % 128;

		if (end > CODE_START + size)
			end = CODE_START + size;
		extent[extents.count++] = (struct extent) { at, end, names[(data[i] >> 6) % 4] };
		at = end;
	}
	elf_version(EV_CURRENT);
	elf.elf = elf_memory(file, room);
	if (elf.elf && image_open(&image, &elf))
		read_all(&source);
	image_close(&image);
	elf_file_close(&elf);
out:
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] == ELFMAG[0])
		read_file(data, size);
	else
		read_code(data, size);
	return 0;
}
