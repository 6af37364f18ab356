// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tracee/valgrind-lib/place-map.h"

#define PAGE_BITS	12
#define PAGE		(1ull << PAGE_BITS)
#define GRAIN_BITS	3	/* no allocator gives less */
#define GRAINS		(1u << (PAGE_BITS - GRAIN_BITS))

struct place_page {
	UInt *grains;		/* NULL = all of the page is... */
	UInt all;
};

static struct place_page *page_at(struct place_map *map, Addr address, Bool make)
{
	ULong number = address >> PAGE_BITS;
	struct place_page ***middle, **leaf;

	middle = &map->leaves[number >> 2 * PLACE_NODE_BITS & (PLACE_NODES - 1)];
	if (!*middle && !make)
		return NULL;
	if (!*middle)
		*middle = VG_(calloc)("ccsample.places", PLACE_NODES, sizeof(**middle));
	leaf = &(*middle)[number >> PLACE_NODE_BITS & (PLACE_NODES - 1)];
	if (!*leaf && !make)
		return NULL;
	if (!*leaf)
		*leaf = VG_(calloc)("ccsample.places", PLACE_NODES, sizeof(**leaf));
	return &(*leaf)[number & (PLACE_NODES - 1)];
}

UInt place_map_get(struct place_map *map, Addr address)
{
	const struct place_page *page = page_at(map, address, False);

	if (!page)
		return 0;
	return page->grains ? page->grains[(address & (PAGE - 1)) >> GRAIN_BITS] : page->all;
}

static void split(struct place_page *page)
{
	UInt i;

	if (page->grains)
		return;
	page->grains = VG_(malloc)("ccsample.places", GRAINS * sizeof(*page->grains));
	page->grains[0] = page->all;
	for (i = 1; i < GRAINS; i++)
		page->grains[i] = page->all & ~PLACE_BEGINS;
}

static void set_page(struct place_page *page, UInt value)
{
	VG_(free)(page->grains);
	page->grains = NULL;
	page->all = value;
}

void place_map_set(struct place_map *map, Addr start, Addr end, UInt value)
{
	Addr at = start, to, grain;

	for (; at < end; at = to) {
		struct place_page *page = page_at(map, at, value != 0);

		to = (at | (PAGE - 1)) + 1;
		if (!page)
			continue;
		if (!(at & (PAGE - 1)) && to <= end) {
			set_page(page, value);
		} else if (page->grains || page->all != value) {
			split(page);
			for (grain = at; grain < to && grain < end; grain = (grain | 7) + 1) {
				page->grains[(grain & (PAGE - 1)) >> GRAIN_BITS] = value;
				value &= ~PLACE_BEGINS;
			}
		}
		value &= ~PLACE_BEGINS;
	}
}

Addr place_map_end(struct place_map *map, Addr start)
{
	UInt value = place_map_get(map, start) & ~PLACE_BEGINS;
	Addr at = start;

	do {
		const struct place_page *page = page_at(map, at, False);

		at = page && !page->grains ? (at | (PAGE - 1)) + 1 : (at | 7) + 1;
	} while (place_map_get(map, at) == value);
	return at;
}

Bool place_map_whole(struct place_map *map, Addr address)
{
	const struct place_page *page = page_at(map, address, False);

	return !page || !page->grains;
}
