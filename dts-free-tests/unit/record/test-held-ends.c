// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ends that are held while a burst runs, as a reader takes them: at the burst all is there that lived
 * at its beginning or began until its end, but for what something else replaced; after it, only what
 * lives. Against a model that keeps every cell of memory. Seed 59.
 */
#include <string.h>

#include "draw.h"
#include "program/symbols.h"
#include "record/held-ends.h"
#include "space/space.h"
#include "tap.h"

#define REGIONS		6
#define CELLS		40		/* of a region */
#define ALL		(REGIONS * CELLS)
#define CELL		64		/* bytes */
#define BASE		0x10000000ull
#define BURSTS		4000

/* What lies in a cell: the first cell of its block + 1, 0 = none. */
struct memory {
	uint32_t first[ALL], end[ALL];
};

static struct memory lives, shown;	/* shown: as the burst is to find it */
static bool mapped[REGIONS], unmapped[REGIONS];	/* unmapped: since the burst began */
static struct spaces *spaces;
static struct held_ends held;

/* --- the model --- */

static void wipe_block(struct memory *memory, uint32_t cell)
{
	uint32_t at = memory->first[cell], end;

	if (!at--)
		return;
	for (end = memory->end[cell]; at < end; at++)
		memory->first[at] = 0;
}

static void wipe_region(struct memory *memory, uint32_t region)
{
	memset(memory->first + region * CELLS, 0, CELLS * sizeof(*memory->first));
}

static void begin_block(struct memory *memory, uint32_t first, uint32_t end)
{
	for (uint32_t at = first; at < end; at++)
		wipe_block(memory, at);
	for (uint32_t at = first; at < end; at++) {
		memory->first[at] = first + 1;
		memory->end[at] = end;
	}
}

static bool is_free(uint32_t first, uint32_t end)
{
	for (; first < end; first++)
		if (lives.first[first])
			return false;
	return true;
}

/* --- records --- */

static uint64_t address_of(uint32_t cell)
{
	return BASE + (uint64_t)cell * CELL;
}

static void replay(union held_end *end)
{
	spaces_replay(spaces, &end->record);
}

/* As the side band does while a burst runs. */
static void send(void *all, size_t size, uint16_t type)
{
	struct ccs_record *record = all;
	union held_end end;

	*record = (struct ccs_record) { .size = size, .type = type, .process = 1 };
	if (held_ends_add(&held, record))
		return;
	while (held_ends_take_below(&held, record, &end))
		replay(&end);
	spaces_replay(spaces, record);
}

static void map_region(uint32_t region)
{
	struct ccs_map map = { .start = address_of(region * CELLS),
			       .end = address_of((region + 1) * CELLS) };

	send(&map, sizeof(map), CCS_MAP);
	mapped[region] = true;
	if (unmapped[region])
		wipe_region(&shown, region);
}

static void unmap_region(uint32_t region)
{
	struct ccs_unmap unmap = { .start = address_of(region * CELLS),
				   .end = address_of((region + 1) * CELLS) };

	send(&unmap, sizeof(unmap), CCS_UNMAP);
	mapped[region] = false;
	unmapped[region] = true;
	wipe_region(&lives, region);
}

static void allocate(uint32_t region)
{
	uint32_t first = region * CELLS + draw(CELLS - 8), end = first + 1 + draw(8);
	struct ccs_alloc alloc = { .address = address_of(first),
				   .size = (uint64_t)(end - first) * CELL };

	if (!is_free(first, end))
		return;
	send(&alloc, sizeof(alloc), CCS_ALLOC);
	begin_block(&lives, first, end);
	begin_block(&shown, first, end);
}

static void release(uint32_t cell)
{
	struct ccs_free end = { .address = address_of(lives.first[cell] - 1) };

	send(&end, sizeof(end), CCS_FREE);
	wipe_block(&lives, cell);
}

static void act(void)
{
	uint32_t cell = draw(ALL), region = cell / CELLS;

	if (!mapped[region])
		map_region(region);
	else if (!draw(40))
		unmap_region(region);
	else if (lives.first[cell])
		release(cell);
	else
		allocate(region);
}

/* --- compare --- */

static bool finds(const struct memory *memory)
{
	struct space *space = spaces_get(spaces, 1);
	uint64_t base;

	for (uint32_t cell = 0; cell < ALL; cell++) {
		bool block = space_object_base(space, address_of(cell) + draw(CELL), &base)->kind ==
			     OBJECT_HEAP;

		if (block != (memory->first[cell] != 0))
			return false;
		if (block && base != address_of(memory->first[cell] - 1))
			return false;
	}
	return true;
}

int main(void)
{
	struct symbols *symbols = symbols_new();
	bool at_burst = true, after = true;
	uint32_t more = 0;

	state = 59;
	spaces = spaces_new(symbols);
	for (int burst = 0; burst < BURSTS; burst++) {
		shown = lives;
		memset(unmapped, 0, sizeof(unmapped));
		for (int i = draw(30); i > 0; i--)
			act();
		at_burst = at_burst && finds(&shown);
		more += memcmp(shown.first, lives.first, sizeof(lives.first)) != 0;
		while (held_ends_first(&held)) {
			union held_end end = held_ends_take(&held);

			replay(&end);
		}
		after = after && finds(&lives);
	}
	ok(at_burst, "a burst finds what it may have used");
	ok(more > BURSTS / 2, "most had used something that was gone by their end");
	ok(after, "and after it only what lives is there");
	held_ends_free(&held);
	spaces_free(spaces);
	symbols_free(symbols);
	return done();
}
