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

static void count(const struct nest *nest, void *context)
{
	struct totals *totals = context;

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
		double begun = now(), opened;
		uint64_t bytes;

		nests_find(nests, module, 0);
		opened = now();
		bytes = nests_read_all(nests, module, count, &totals);
		if (!list)
			printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
			       " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.3f %.3f %.1f %s\n", bytes,
			       totals.functions, totals.instructions, totals.blocks, totals.loops,
			       totals.irreducible, totals.tables, totals.unknown, totals.bad,
			       opened - begun, now() - opened, bytes / (now() - opened) / 1e6,
			       argv[i]);
		nests_free(nests);
	}
	symbols_free(symbols);
	return 0;
}
