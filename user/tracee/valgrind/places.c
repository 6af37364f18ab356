// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/places.h"
#include "tracee/valgrind-lib/place-map.h"

#define PAGE_BITS	12
#define PAGE		(1ull << PAGE_BITS)
#define REACH		(256 * PAGE)	/* most of an answer that is noted to each side */

static struct place_map blocks;		/* key << 1 | PLACE_BEGINS: see key_of() */
static struct place_map rest;		/* object << 1 */

static UInt *key_objects;		/* by key */
static UInt key_room;

/* With --blocks: a block that is an object of its own has TOLD and its place here for a key. */
#define TOLD		(1u << 30)

static struct told {
	UInt key;			/* of its place, or of one of the same object */
	UInt block;			/* 1, 2, .. of the object; CCS_SIM_OBJECT_REST */
	Bool sent;
} *told;

static UInt told_count, told_room;

static struct place {
	UInt blocks;			/* that have begun */
	UInt rest;			/* what those after the first few share, 0 = none yet */
} *places;				/* by object */

static UInt place_room;

UInt places_version = 1;

/* The latest pages that were one object's. */
#define ANSWERS		512u

static struct answer {
	ULong page;
	UInt version;		/* places_version then */
	UInt object;
} answers[ANSWERS];

/* --- blocks --- */

static UInt key_of(UInt stack, UInt kind)
{
	return (stack >> 2) * 2 + kind + 2;	/* stacks are numbered by fours */
}

void places_free(Addr start)
{
	places_version++;
	if (place_map_get(&blocks, start) & PLACE_BEGINS)
		place_map_set(&blocks, start, place_map_end(&blocks, start), 0);
}

void places_forget(Addr start, SizeT size)
{
	places_version++;
	place_map_set(&blocks, start, start + size, 0);
	place_map_set(&rest, start, start + size, 0);
}

/* --- questions --- */

static void send_object(UInt number, Addr address, UInt block)
{
	struct ccs_sim_object *r = record_add(CCS_SIM_OBJECT, 0, sizeof(*r), 0);

	r->time = process_time();
	r->address = address;
	r->number = number;
	r->block = block;
}

static UInt ask(Addr address, struct ccs_sim_answer *answer)
{
	struct ccs_sim_ask *r = record_add(CCS_SIM_ASK, 0, sizeof(*r), 0);

	r->time = process_time();
	r->address = address;
	records_flush();
	if (!records_on() || !records_answer(answer, sizeof(*answer)))
		return 0;
	send_object(answer->object, address, 0);
	return answer->object;
}

/* A block is sent for the moment of a question only. */
static void begin_block(Addr address, UInt key)
{
	struct ccs_alloc *alloc = record_add(CCS_ALLOC, 0, sizeof(*alloc), 0);

	alloc->time = process_time();
	alloc->address = address;
	alloc->size = 1;
	alloc->stack = ((key - 2) >> 1) << 2;
	alloc->kind = (key - 2) & 1;
}

static void end_block(Addr address)
{
	struct ccs_free *end = record_add(CCS_FREE, 0, sizeof(*end), 0);

	end->time = process_time();
	end->address = address;
}

static UInt ask_block(Addr address, UInt key)
{
	struct ccs_sim_answer answer;
	UInt object;

	begin_block(address, key);
	object = ask(address, &answer);
	if (!records_on())
		return 0;
	end_block(address);
	return object;
}

/* Makes room for number @last; what is new is zero. */
static void *with_room(void *all, UInt *room, UInt last, SizeT size)
{
	UInt old = *room;

	if (last < old)
		return all;
	*room = 2 * last + 64;
	all = VG_(realloc)("ccsample.keys", all, *room * size);
	VG_(memset)((UChar *)all + old * size, 0, (*room - old) * size);
	return all;
}

static UInt object_of_place(Addr address, UInt key)
{
	key_objects = with_room(key_objects, &key_room, key, sizeof(*key_objects));
	if (!key_objects[key])
		key_objects[key] = ask_block(address, key);
	return key_objects[key];
}

static UInt tell(UInt key, UInt block)
{
	told = with_room(told, &told_room, told_count, sizeof(*told));
	told[told_count] = (struct told){ key, block, False };
	return TOLD | told_count++;
}

/* What stands for a new block of a place: the first few of each object are told apart. */
static UInt block_key(Addr start, UInt key)
{
	UInt object = records_on() ? object_of_place(start, key) : 0;
	struct place *place;

	if (!object)
		return key;
	places = with_room(places, &place_room, object, sizeof(*places));
	place = &places[object];
	if (place->blocks < engine_options.blocks)
		return tell(key, ++place->blocks);
	if (!place->rest)
		place->rest = tell(key, (place->blocks + 1) | CCS_SIM_OBJECT_REST);
	return place->rest;
}

/* Its number: no object of the recorder's has one as large. */
static UInt told_object(Addr address, UInt number)
{
	struct told *block = &told[number & ~TOLD];

	if (!block->sent) {
		begin_block(address, block->key);
		send_object(number, address, block->block);
		end_block(address);
		block->sent = True;
	}
	return number;
}

static UInt object_of_key(Addr address, UInt key)
{
	return key & TOLD ? told_object(address, key) : object_of_place(address, key);
}

void places_alloc(Addr start, SizeT size, UInt stack, UInt kind)
{
	UInt key = key_of(stack, kind);

	if (engine_options.blocks)
		key = block_key(start, key);
	places_version++;
	place_map_set(&blocks, start, start + size, key << 1 | PLACE_BEGINS);
}

static UInt object_of_rest(Addr address)
{
	UInt object = place_map_get(&rest, address) >> 1;
	struct ccs_sim_answer answer;
	Addr low, high;

	if (object)
		return object;
	object = ask(address, &answer);
	if (!object)
		return 0;
	low = answer.low + REACH < address ? address - REACH : answer.low;
	high = answer.high > address + REACH ? address + REACH : answer.high;
	place_map_set(&rest, low, high, object << 1);
	return object;
}

/* Kept apart from places_object(), which saves no registers for it. */
static __attribute__((noinline)) UInt look_up(Addr address, Bool *whole_page)
{
	ULong page = address >> PAGE_BITS;
	UInt key, object;

	key = place_map_get(&blocks, address) >> 1;
	object = key ? object_of_key(address, key) : object_of_rest(address);
	*whole_page = place_map_whole(&blocks, address) && (key || place_map_whole(&rest, address));
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
