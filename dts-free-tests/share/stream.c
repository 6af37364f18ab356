// SPDX-License-Identifier: GPL-2.0-only
/*
 * stream TRACE INSTRUCTIONS OUT: the misses in L1 of a traced program as accesses of the
 * cache behind it, from the middle of the run, for as long as some 60 M cycles.
 *
 * A trace does not tell of instructions without references: they are spread evenly.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tracing/traced.h"
#include "base/allocator.h"
#include "cachesim/array.h"
#include "streams.h"

#define SKIP		0.3	/* of the references: beginnings */
#define CYCLES		60e6
#define ACCESSES_MOST	3000000u
#define DONE		1	/* no error, but the expansion ends */

struct work {
	struct array l1, shared;
	uint64_t references, first;
	double instructions_each;
	double instructions, told;	/* so far, and up to the last access */
	double cycles;
	uint64_t accesses;
	FILE *out;
};

static int count(void *context, uint64_t thread, uint64_t ip, uint64_t address, uint32_t size,
		       bool store)
{
	((struct work *)context)->references++;
	return 0;
}

static int take(void *context, uint64_t thread, uint64_t ip, uint64_t address, uint32_t size,
		       bool store)
{
	struct work *w = context;
	uint64_t line = address >> 6, last = (address + size - 1) >> 6;
	struct access access;

	w->references++;
	w->instructions += w->instructions_each;
	w->cycles += w->instructions_each * CYCLES_INSTRUCTION;
	for (; line <= last; line++) {
		if (stream_use(&w->l1, line) || w->references < w->first)
			continue;
		w->cycles += CYCLES_HIT + (stream_use(&w->shared, line) ? 0 : CYCLES_MISS);
		access = (struct access){ line, w->instructions - w->told + 0.5 };
		w->told += access.instructions;
		fwrite(&access, sizeof(access), 1, w->out);
		w->accesses++;
	}
	if (w->references == w->first) {
		w->told = w->instructions;
		w->cycles = 0;
	}
	return w->references > w->first && (w->cycles > CYCLES || w->accesses >= ACCESSES_MOST) ?
	       -DONE : 0;
}

static void open_array(struct array *array, const char *text)
{
	struct cache_geometry geometry;

	if (cache_geometry_parse(&geometry, text) ||
	    !array_open(array, &geometry, POLICY_LRU, &libc_allocator))
		exit(1);
}

int main(int argc, char **argv)
{
	struct work w = { .references = 0 };

	if (argc != 4)
		return 2;
	open_array(&w.l1, L1_GEOMETRY);
	open_array(&w.shared, SHARED_GEOMETRY);
	if (traced_expand(argv[1], count, &w))
		return 1;
	w.out = fopen(argv[3], "we");
	if (!w.out || !w.references)
		return 1;
	w.instructions_each = atof(argv[2]) / w.references;
	w.first = SKIP * w.references + 1;
	w.references = 0;
	traced_expand(argv[1], take, &w);
	printf("%s: %llu accesses, %.0f M instructions, %.0f M cycles\n", argv[3],
	       (unsigned long long)w.accesses, w.told / 1e6, w.cycles / 1e6);
	return fclose(w.out) || w.accesses < 1000;
}
