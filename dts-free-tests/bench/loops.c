// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads every function of every file given: what was found, and how fast. With
 * -v a line for each loop: its function's entry, header, parent's header, depth,
 * function in the source, file, first and last line, and "irreducible". With
 * -a FILE ADDRESS.. the innermost loop around each address: its function's
 * entry, header, depth; 0 0 outside loops, "none" where no function is known.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/map.h"
#include "loops/nests.h"

struct totals {
	uint64_t functions, instructions, blocks, loops, irreducible, tables, unknown, bad;
	bool list;
	struct nests *nests;
	struct module *module;
};

static void list_loops(const struct nest *nest, struct totals *totals)
{
	for (uint32_t i = 0; i < nest->forest.count; i++) {
		const struct loop *loop = &nest->forest.loops[i];
		uint64_t parent = loop->parent == LOOP_NONE ? 0 :
				  nest->flow.blocks[nest->forest.loops[loop->parent].header].start;
		struct nest *found = nests_find(totals->nests, totals->module, nest->entry);
		const struct code_region *place = nest_region(totals->nests, totals->module, found,
							    i);

		printf("%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIu32 " %s %s %" PRIu32 " %" PRIu32
		       "%s\n", nest->entry, place->address, parent, loop->depth,
		       place->function ? place->function : "?", place->file ? place->file : "?",
		       place->line, place->end_line, loop->irreducible ? " irreducible" : "");
	}
}

static void count(const struct nest *nest, struct totals *totals)
{
	totals->functions++;
	totals->instructions += nest->flow.instructions;
	totals->blocks += nest->flow.graph.count;
	totals->loops += nest->forest.count;
	totals->tables += nest->flow.tables;
	totals->unknown += nest->flow.unknown_jumps;
	totals->bad += nest->flow.bad;
	for (uint32_t i = 0; i < nest->forest.count; i++)
		totals->irreducible += nest->forest.loops[i].irreducible;
	if (totals->list)
		list_loops(nest, totals);
}

/* The code of one file. */
struct code {
	struct image image;
	struct extents extents;
	struct decoder *decoder;
	struct map endless, owners;
};

static bool code_open(struct code *code, struct module *module)
{
	const struct elf_file *elf = module_file(module);

	if (!elf || !image_open(&code->image, elf))
		return false;
	extents_read(&code->extents, elf, module_table(module));
	code->decoder = decoder_new();
	return true;
}

static void code_close(struct code *code)
{
	decoder_free(code->decoder);
	map_free(&code->endless);
	map_free(&code->owners);
	extents_drop(&code->extents);
	image_close(&code->image);
}

/* Counts a nest's bytes, and its split-off parts as read. */
static uint64_t note_parts(const struct flow *flow, struct map *read)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < flow->parts; i++) {
		*map_at(read, flow->part[i].start) = 1;
		bytes += flow->part[i].end - flow->part[i].start;
	}
	return bytes;
}

/* Reads all functions, from the end: linkers put split-off parts first. Return: bytes of code. */
static uint64_t read_all(struct code *code, struct totals *totals)
{
	struct flow_source source = {
		.image = &code->image, .extents = &code->extents, .decoder = code->decoder,
		.endless = &code->endless, .owners = &code->owners,
	};
	struct nest nest = { 0 };
	struct map read = { 0 };
	uint64_t bytes = 0;

	for (size_t i = code->extents.count; i-- > 0; ) {
		const struct extent *extent = &code->extents.extent[i];

		nest.entry = extent->start;
		if (map_get(&read, extent->start) || !flow_read(&nest.flow, &source, extent))
			continue;
		loop_forest_find(&nest.forest, &nest.flow.graph);
		bytes += note_parts(&nest.flow, &read);
		count(&nest, totals);
		loop_forest_drop(&nest.forest);
		flow_drop(&nest.flow);
	}
	map_free(&read);
	return bytes;
}

/* Seconds of CPU. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static int find_loops(struct symbols *symbols, int argc, char **argv)
{
	struct module *module = symbols_module(symbols, argv[0], NULL, 0);
	struct nests *nests = nests_new();

	for (int i = 1; i < argc; i++) {
		uint64_t address = strtoull(argv[i], NULL, 16);
		struct nest *nest = nests_find(nests, module, address);
		uint32_t loop = nest ? nest_loop_at(nest, address) : LOOP_NONE;

		if (!nest)
			printf("none\n");
		else if (loop == LOOP_NONE)
			printf("%" PRIx64 " 0 0\n", nest->entry);
		else
			printf("%" PRIx64 " %" PRIx64 " %" PRIu32 "\n", nest->entry,
			       nest->flow.blocks[nest->forest.loops[loop].header].start,
			       nest->forest.loops[loop].depth);
	}
	nests_free(nests);
	symbols_free(symbols);
	return 0;
}

int main(int argc, char **argv)
{
	bool list = argc > 1 && !strcmp(argv[1], "-v");
	struct symbols *symbols = symbols_new();

	if (argc > 2 && !strcmp(argv[1], "-a"))
		return find_loops(symbols, argc - 2, argv + 2);
	if (!list)
		printf("bytes functions instructions blocks loops irreducible tables unknown bad "
		       "open_s read_s MB/s file\n");
	for (int i = 1 + list; i < argc; i++) {
		struct module *module = symbols_module(symbols, argv[i], NULL, 0);
		struct nests *nests = nests_new();
		struct totals totals = { .list = list, .nests = nests, .module = module };
		struct code code = { .decoder = NULL };
		double begun = now(), opened;
		uint64_t bytes = 0;
		bool usable = code_open(&code, module);

		opened = now();
		if (usable)
			bytes = read_all(&code, &totals);
		if (!list)
			printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
			       " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.3f %.3f %.1f "
									       "%s\n", bytes,
			       totals.functions, totals.instructions, totals.blocks, totals.loops,
			       totals.irreducible, totals.tables, totals.unknown, totals.bad,
			       opened - begun, now() - opened, bytes / (now() - opened) / 1e6,
			       argv[i]);
		code_close(&code);
		nests_free(nests);
	}
	symbols_free(symbols);
	return 0;
}
