// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "cachesim/lru.h"

struct l1_plan l1_plan;

#define ALWAYS_INLINE	static inline __attribute__((always_inline))

/* log2 of a row's words: a constant where the ways are one. */
ALWAYS_INLINE UInt row_words(UInt ways)
{
	return ways == 8 ? 3 : ways == 12 ? 4 : l1_plan.row_shift - 3;
}

/*
 * Uses every line of [first, last], and looks for those absent further out where
 * there is a @reach. Returns how many missed; *missed is the first of these.
 */
ALWAYS_INLINE UInt touch(struct engine_thread *t, UInt ways, Addr first, Addr last, Addr *missed,
			 struct reach *reach)
{
	const struct cache_geometry *g = &engine_options.l1;
	uint64_t line = first >> g->line_bits, end = last >> g->line_bits, evicted;
	UInt misses = 0;

	do {
		ULong *row = t->rows + ((ULong)cache_set_of(g, line) << row_words(ways));

		if (lru_access((uint64_t *)row, ways, line, &evicted))
			continue;
		if (reach)
			outer_line(t, line << g->line_bits, !misses, reach);
		if (!misses++)
			*missed = line << g->line_bits;
	} while (line++ != end);
	return misses;
}

static __attribute__((noinline)) void take(struct engine_thread *t, Addr ip, Addr first,
					   Addr missed, UInt fills, ULong physical)
{
	Addr address = missed > first ? missed : first;
	struct sampled miss = {
		.ip = ip, .address = address, .physical = physical, .fills = fills,
	};

	if (physical != CCS_UNKNOWN)
		miss.physical += address - missed;
	sampler_take(t, &t->samplers[0], &miss);
}

ALWAYS_INLINE void load(UInt ways, Addr first, Addr last, Addr ip, struct reach *reach)
{
	struct engine_thread *t = engine_now;
	Addr missed = 0;
	UInt fills = touch(t, ways, first, last, &missed, reach);

	if (!fills)
		return;
	t->counts.misses[0].fills += fills;
	t->counts.misses[0].loads++;
	if (t->samplers[0].skip)
		t->samplers[0].skip--;
	else
		take(t, ip, first, missed, fills, reach ? reach->physical[0] : CCS_UNKNOWN);
	if (reach)
		outer_load(t, reach, ip, first);
}

ALWAYS_INLINE void store(UInt ways, Addr first, Addr last, struct reach *reach)
{
	struct engine_thread *t = engine_now;
	Addr missed;
	UInt fills = touch(t, ways, first, last, &missed, reach);

	if (!fills)
		return;
	t->counts.misses[0].fills += fills;
	t->counts.misses[0].stores++;
	if (reach)
		outer_store(t, reach);
}

static VG_REGPARM(3) void load_8(Addr first, Addr last, Addr ip)
{
	load(8, first, last, ip, NULL);
}

static VG_REGPARM(2) void store_8(Addr first, Addr last)
{
	store(8, first, last, NULL);
}

static VG_REGPARM(3) void load_12(Addr first, Addr last, Addr ip)
{
	load(12, first, last, ip, NULL);
}

static VG_REGPARM(2) void store_12(Addr first, Addr last)
{
	store(12, first, last, NULL);
}

static VG_REGPARM(3) void load_any(Addr first, Addr last, Addr ip)
{
	load(engine_options.l1.ways, first, last, ip, NULL);
}

static VG_REGPARM(2) void store_any(Addr first, Addr last)
{
	store(engine_options.l1.ways, first, last, NULL);
}

/* With levels beyond L1, whatever its ways. */
static VG_REGPARM(3) void load_outer(Addr first, Addr last, Addr ip)
{
	struct reach reach;

	outer_begin(&reach);
	load(engine_options.l1.ways, first, last, ip, &reach);
}

static VG_REGPARM(2) void store_outer(Addr first, Addr last)
{
	struct reach reach;

	outer_begin(&reach);
	store(engine_options.l1.ways, first, last, &reach);
}

void l1_init(void)
{
	const struct cache_geometry *g = &engine_options.l1;

	l1_plan.load = g->ways == 8 ? load_8 : g->ways == 12 ? load_12 : load_any;
	l1_plan.store = g->ways == 8 ? store_8 : g->ways == 12 ? store_12 : store_any;
	if (outer_on()) {
		l1_plan.load = load_outer;
		l1_plan.store = store_outer;
	}
	for (l1_plan.row_shift = 3; g->ways > 1u << (l1_plan.row_shift - 3);)
		l1_plan.row_shift++;
}

void l1_open(struct engine_thread *t)
{
	SizeT size = (SizeT)engine_options.l1.sets << l1_plan.row_shift;

	t->rows_block = VG_(malloc)("ccsample.l1", size + 64);
	t->rows = (ULong *)(((Addr)t->rows_block + 63) & ~(Addr)63);
	VG_(memset)(t->rows, 0xff, size);	/* LRU_EMPTY */
}

void l1_close(struct engine_thread *t)
{
	VG_(free)(t->rows_block);
	t->rows_block = NULL;
}
