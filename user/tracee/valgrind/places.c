// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/places.h"

#define PAGE_BITS	12
#define PAGE		(1ull << PAGE_BITS)
#define GRAIN_BITS	3	/* no allocator gives less */
#define GRAINS		(1u << (PAGE_BITS - GRAIN_BITS))
#define NODE_BITS	12	/* of a page's number, at each of three steps */
#define NODES		(1u << NODE_BITS)
#define REACH		(256 * PAGE)	/* most of an answer that is noted to each side */

/*
 * A number for every 8 bytes of memory, 0 = none. The lowest bit says that a
 * block begins there, so that its end shows where the next one begins.
 */
#define BEGINS		1u

struct page {
	UInt *grains;		/* NULL = all of the page is... */
	UInt all;
};

struct place_map {
	struct page **leaves[NODES];
};

static struct place_map blocks;		/* key << 1 | BEGINS: see key_of() */
static struct place_map rest;		/* object << 1 */

static UInt *key_objects;		/* by key */
static UInt key_room;

UInt places_version = 1;

/* The latest pages that were one object's. */
#define ANSWERS		512u

static struct answer {
	ULong page;
	UInt version;		/* places_version then */
	UInt object;
} answers[ANSWERS];

static struct page *page_at(struct place_map *map, Addr address, Bool make)
{
	ULong number = address >> PAGE_BITS;
	struct page ***middle = &map->leaves[number >> 2 * NODE_BITS & (NODES - 1)];
	struct page **leaf;

	if (!*middle && !make)
		return NULL;
	if (!*middle)
		*middle = VG_(calloc)("ccsample.places", NODES, sizeof(**middle));
	leaf = &(*middle)[number >> NODE_BITS & (NODES - 1)];
	if (!*leaf && !make)
		return NULL;
	if (!*leaf)
		*leaf = VG_(calloc)("ccsample.places", NODES, sizeof(**leaf));
	return &(*leaf)[number & (NODES - 1)];
}

static UInt get(struct place_map *map, Addr address)
{
	const struct page *page = page_at(map, address, False);

	if (!page)
		return 0;
	return page->grains ? page->grains[(address & (PAGE - 1)) >> GRAIN_BITS] : page->all;
}

static void split(struct page *page)
{
	UInt i;

	if (page->grains)
		return;
	page->grains = VG_(malloc)("ccsample.places", GRAINS * sizeof(*page->grains));
	page->grains[0] = page->all;
	for (i = 1; i < GRAINS; i++)
		page->grains[i] = page->all & ~BEGINS;
}

static void set_page(struct page *page, UInt value)
{
	VG_(free)(page->grains);
	page->grains = NULL;
	page->all = value;
}

/* Writes [start, end); only its first place gets BEGINS. */
static void set(struct place_map *map, Addr start, Addr end, UInt value)
{
	Addr at = start, to, grain;

	for (; at < end; at = to) {
		struct page *page = page_at(map, at, value != 0);

		to = (at | (PAGE - 1)) + 1;
		if (!page)
			continue;
		if (!(at & (PAGE - 1)) && to <= end) {
			set_page(page, value);
		} else if (page->grains || page->all != value) {
			split(page);
			for (grain = at; grain < to && grain < end; grain = (grain | 7) + 1) {
				page->grains[(grain & (PAGE - 1)) >> GRAIN_BITS] = value;
				value &= ~BEGINS;
			}
		}
		value &= ~BEGINS;
	}
}

/* The end of a block: where another number stands, or another block begins. */
static Addr end_of(Addr start)
{
	UInt value = get(&blocks, start) & ~BEGINS;
	Addr at = start;

	do {
		const struct page *page = page_at(&blocks, at, False);

		at = page && !page->grains ? (at | (PAGE - 1)) + 1 : (at | 7) + 1;
	} while (get(&blocks, at) == value);
	return at;
}

/* --- blocks --- */

static UInt key_of(UInt stack, UInt kind)
{
	return (stack >> 2) * 2 + kind + 2;	/* stacks are numbered by fours */
}

void places_alloc(Addr start, SizeT size, UInt stack, UInt kind)
{
	places_version++;
	set(&blocks, start, start + size, key_of(stack, kind) << 1 | BEGINS);
}

void places_free(Addr start)
{
	places_version++;
	if (get(&blocks, start) & BEGINS)
		set(&blocks, start, end_of(start), 0);
}

void places_forget(Addr start, SizeT size)
{
	places_version++;
	set(&blocks, start, start + size, 0);
	set(&rest, start, start + size, 0);
}

/* --- questions --- */

static void send_object(UInt number, Addr address)
{
	struct ccs_sim_object *r = record_add(CCS_SIM_OBJECT, 0, sizeof(*r), 0);

	r->time = process_time();
	r->address = address;
	r->number = number;
}

static UInt ask(Addr address, struct ccs_sim_answer *answer)
{
	struct ccs_sim_ask *r = record_add(CCS_SIM_ASK, 0, sizeof(*r), 0);

	r->time = process_time();
	r->address = address;
	records_flush();
	if (!records_on() || !records_answer(answer, sizeof(*answer)))
		return 0;
	send_object(answer->object, address);
	return answer->object;
}

/* As if the block were sent for the moment of the question. */
static UInt ask_block(Addr address, UInt key)
{
	struct ccs_sim_answer answer;
	struct ccs_alloc *alloc = record_add(CCS_ALLOC, 0, sizeof(*alloc), 0);
	struct ccs_free *end;
	UInt object;

	alloc->time = process_time();
	alloc->address = address;
	alloc->size = 1;
	alloc->stack = ((key - 2) >> 1) << 2;
	alloc->kind = (key - 2) & 1;
	object = ask(address, &answer);
	if (!records_on())
		return 0;
	end = record_add(CCS_FREE, 0, sizeof(*end), 0);
	end->time = process_time();
	end->address = address;
	return object;
}

static UInt object_of_key(Addr address, UInt key)
{
	UInt old = key_room;

	if (key >= key_room) {
		key_room = 2 * key + 64;
		key_objects = VG_(realloc)("ccsample.keys", key_objects, key_room * sizeof(UInt));
		VG_(memset)(key_objects + old, 0, (key_room - old) * sizeof(UInt));
	}
	if (!key_objects[key])
		key_objects[key] = ask_block(address, key);
	return key_objects[key];
}

static UInt object_of_rest(Addr address)
{
	UInt object = get(&rest, address) >> 1;
	struct ccs_sim_answer answer;
	Addr low, high;

	if (object)
		return object;
	object = ask(address, &answer);
	if (!object)
		return 0;
	low = answer.low + REACH < address ? address - REACH : answer.low;
	high = answer.high > address + REACH ? address + REACH : answer.high;
	set(&rest, low, high, object << 1);
	return object;
}

static Bool is_whole(struct place_map *map, Addr address)
{
	const struct page *page = page_at(map, address, False);

	return !page || !page->grains;
}

/* Kept apart from places_object(), which saves no registers for it. */
static __attribute__((noinline)) UInt look_up(Addr address, Bool *whole_page)
{
	ULong page = address >> PAGE_BITS;
	UInt key, object;

	key = get(&blocks, address) >> 1;
	object = key ? object_of_key(address, key) : object_of_rest(address);
	*whole_page = is_whole(&blocks, address) && (key || is_whole(&rest, address));
	if (*whole_page && object)
		answers[page % ANSWERS] = (struct answer){ page, places_version, object };
	return object;
}

UInt places_object(Addr address, Bool *whole_page)
{
	ULong page = address >> PAGE_BITS;
	const struct answer *kept = &answers[page % ANSWERS];

	*whole_page = False;
	if (!records_on())
		return 0;
	if (kept->page != page || kept->version != places_version)
		return look_up(address, whole_page);
	*whole_page = True;
	return kept->object;
}
