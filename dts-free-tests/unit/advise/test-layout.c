// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where blocks lie after a change, against allocators and linkers that lay everything out anew:
 * every byte of every block.
 */
#include <stdlib.h>
#include <string.h>

#include "advise/layout.h"
#include "draw.h"
#include "tap.h"

#define SEED	20261123u
#define MOST	40u
#define PAGE	4096u

static uint64_t state = SEED;

static uint64_t up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* Blocks 1 to @count, each an object's; [0] is what nobody moves. */
struct fixture {
	struct keep keep;
	struct keep_block blocks[MOST + 1];
	struct object objects[MOST + 1];
	struct remap remaps[MOST + 1];
	uint64_t places[MOST + 1];	/* after the change, by the test's own account */
};

static void begin(struct fixture *fixture, uint32_t sets, uint32_t ways)
{
	memset(fixture, 0, sizeof(*fixture));
	fixture->keep.blocks = fixture->blocks;
	fixture->keep.block_count = 1;
	fixture->keep.geometry = (struct cache_geometry){ sets, ways, 64, 6 };
}

static struct keep_block *add(struct fixture *fixture, enum object_kind kind, uint64_t low,
			      uint64_t bytes)
{
	size_t at = fixture->keep.block_count++;

	fixture->objects[at] = (struct object){ .id = at, .kind = kind, .bytes = bytes, .blocks = 1 };
	fixture->blocks[at] = (struct keep_block){
		.object = &fixture->objects[at], .low = low, .high = low + bytes, .process = 1,
	};
	return &fixture->blocks[at];
}

static uint64_t mapped(const struct fixture *fixture, size_t block, uint64_t offset)
{
	return remap_address(&fixture->remaps[block], fixture->blocks[block].low + offset);
}

/* Blocks that move as one lie as far from one another as the test's account says. */
static bool same_distances(const struct fixture *fixture, size_t first, size_t last)
{
	for (size_t i = first + 1; i <= last; i++)
		if (mapped(fixture, i, 0) - mapped(fixture, first, 0) !=
		    fixture->places[i] - fixture->places[first])
			return false;
	return true;
}

/* Every byte of a block of rows, by row and column. */
static bool same_rows(const struct fixture *fixture, size_t block, const struct layout_change *change)
{
	uint64_t bytes = fixture->blocks[block].high - fixture->blocks[block].low;
	uint64_t at = mapped(fixture, block, 0);

	for (uint64_t row = 0; row * change->from < bytes; row++)
		for (uint64_t column = 0; column < change->from; column++) {
			uint64_t offset = row * change->from + column;

			if (offset < bytes && mapped(fixture, block, offset) - at !=
					      row * change->to + column)
				return false;
		}
	return true;
}

/* No byte of one block lies in another. @growth: of the blocks, at most */
static bool apart(const struct fixture *fixture)
{
	for (size_t i = 1; i < fixture->keep.block_count; i++)
		for (size_t j = 1; j < fixture->keep.block_count; j++) {
			uint64_t bytes = fixture->blocks[i].high - fixture->blocks[i].low;
			uint64_t first = mapped(fixture, i, 0), other = mapped(fixture, j, 0);

			if (i != j && other >= first && other <= mapped(fixture, i, bytes - 1))
				return false;
		}
	return true;
}

/* Variables as a linker places them: arrays at multiples of 32, some at pages. */
static void test_variables(void)
{
	bool rows = true, distances = true, no_overlap = true;

	for (uint32_t round = 0; round < 200; round++) {
		uint32_t count = 2 + draw(MOST - 2), changed = 1 + draw(count);
		uint64_t at = 0x404040, moved = 0x404040;
		struct layout_change change;
		struct fixture f;

		begin(&f, 64, 8);
		for (uint32_t i = 1; i <= count; i++) {
			uint64_t align = draw(5) ? 32 : PAGE, row = 8 * (1 + draw(200));
			uint64_t bytes = align == PAGE ? PAGE * (1 + draw(3)) : row * (4 + draw(20));

			at = up(at, align);
			moved = up(moved, align);
			/* By chance at a page: then it is taken for aligned to it. */
			if (align == 32 && !(at % PAGE)) {
				at += 32;
				moved += 32;
			}
			if (bytes < 32)
				bytes = 32;
			add(&f, OBJECT_GLOBAL, at, bytes);
			f.places[i] = moved;
			at += bytes;
			moved += bytes;
			if (i != changed)
				continue;
			change = (struct layout_change){ .object = &f.objects[i], .from = row, .to = row + 64 };
			if (align == PAGE) {
				change.kind = CHANGE_LENGTHEN;
				change.step = 64 * (1 + draw(8));
				moved += change.step;
			} else {
				moved += bytes / row * 64;
			}
		}
		layout_remaps(&f.keep, &change, 1, f.remaps);
		if (change.kind == CHANGE_ROWS)
			rows = rows && same_rows(&f, changed, &change);
		/* A page keeps what follows it in place, as far as its gap holds the growth. */
		for (uint32_t i = changed; i <= count; i++) {
			if (i > changed && !(f.blocks[i].low % PAGE))
				break;
			distances = distances && same_distances(&f, changed, i);
			distances = distances && (mapped(&f, i, 0) - f.places[i]) % PAGE == 0;
		}
		for (uint32_t i = 1; i < changed; i++)
			distances = distances && !f.remaps[i].shift;
		no_overlap = no_overlap && apart(&f);
	}
	ok(rows, "200 programs' variables, seed %u: longer rows, byte by byte", SEED);
	ok(distances, "... what follows moves as the linker would have it");
	ok(no_overlap, "... and nothing lies on anything else");
}

/* Chunks as glibc cuts them off the top: 8 bytes in front, multiples of 16. */
static uint64_t chunk(uint64_t bytes)
{
	return up(bytes + 8, 16);
}

static void test_heap(void)
{
	bool rows = true, distances = true, no_overlap = true, own = true;

	for (uint32_t round = 0; round < 200; round++) {
		uint32_t count = 2 + draw(MOST - 2), changed = 1 + draw(count);
		uint64_t at = 0x55550010, moved = at, far = 0x7ffff0000000;
		struct layout_change change = { .kind = CHANGE_ROWS };
		struct fixture f;

		begin(&f, 64, 12);
		for (uint32_t i = 1; i <= count; i++) {
			bool large = !draw(4);
			uint64_t row = 8 * (9 + draw(100)), bytes = row * (4 + draw(20));

			if (large)
				bytes = row * ((256 << 10) / row);
			if (large) {
				far -= up(bytes + 16, PAGE);
				add(&f, OBJECT_HEAP, far + 16, bytes);
				f.places[i] = far + 16;
			} else {
				/* A page's beginning would be taken for an alignment. */
				if (!(at % PAGE)) {
					at += 16;
					moved += 16;
				}
				add(&f, OBJECT_HEAP, at, bytes);
				f.places[i] = moved;
				at += chunk(bytes);
				moved += chunk(bytes);
			}
			if (i != changed)
				continue;
			change.object = &f.objects[i];
			change.from = row;
			change.to = row + 16 * (1 + draw(8));
			bytes = bytes / row * (change.to - row);
			moved += large ? 0 : up(bytes, 16);
		}
		layout_remaps(&f.keep, &change, 1, f.remaps);
		rows = rows && same_rows(&f, changed, &change);
		no_overlap = no_overlap && apart(&f);
		for (uint32_t i = 1; i <= count; i++) {
			uint64_t place = mapped(&f, i, 0);
			bool large = f.blocks[i].low > 0x7f0000000000;

			if (large)
				own = own && place % PAGE == 16;
			else
				distances = distances && (place - f.places[i]) % PAGE == 0;
		}
	}
	ok(rows, "200 heaps, seed %u: longer rows, byte by byte", SEED);
	ok(distances, "... what follows in the heap moves");
	ok(own, "... large blocks stay at their place in a page, and move nothing");
	ok(no_overlap, "... and nothing lies on anything else");
}

/* A block that grows over malloc's threshold is mapped: 16 bytes into a page. */
static void test_threshold(void)
{
	struct layout_change change = { .kind = CHANGE_ROWS, .from = 1000, .to = 1064 };
	struct fixture f;

	begin(&f, 64, 8);
	change.object = add(&f, OBJECT_HEAP, 0x5555000a30, 125000)->object;
	add(&f, OBJECT_HEAP, 0x555501f2a0, 5000);
	layout_remaps(&f.keep, &change, 1, f.remaps);
	ok(mapped(&f, 1, 0) % PAGE == 16, "a pad that makes malloc map the block is seen");
	change.to = 1032;
	layout_remaps(&f.keep, &change, 1, f.remaps);
	ok(mapped(&f, 1, 0) % PAGE == 0xa30, "... and one that does not");
	ok(layout_cost(&f.keep, &change, 1) == 125 * 32, "a pad costs its bytes");
}

static void test_blocks(void)
{
	struct layout_change stagger = { .kind = CHANGE_STAGGER, .step = 64, .first = 3 };
	struct layout_change resize = { .kind = CHANGE_RESIZE, .from = PAGE, .to = PAGE + 48 };
	bool later = true, apart_by = true;
	struct fixture f;

	begin(&f, 64, 8);
	for (uint32_t i = 1; i <= 30; i++) {
		add(&f, OBJECT_HEAP, 0x7ff000000010 + i * 0x40000ull, 0x3fff0);
		f.blocks[i].object = &f.objects[1];
		f.blocks[i].rank = i - 1;
	}
	stagger.object = &f.objects[1];
	layout_remaps(&f.keep, &stagger, 1, f.remaps);
	for (uint32_t i = 1; i <= 30; i++)
		later = later && (mapped(&f, i, 5) - (16 + (i + 2) * 64 + 5)) % PAGE == 0;
	ok(later && apart(&f), "staggered blocks begin a line later each");

	stagger.kind = CHANGE_HUGE;
	stagger.first = 0;
	layout_remaps(&f.keep, &stagger, 1, f.remaps);
	later = true;
	for (uint32_t i = 1; i <= 30; i++)
		later = later && mapped(&f, i, 5) % (2u << 20) == (i > 1 ? i - 1 : 1) * 64 + 5 &&
			f.remaps[i].huge;
	ok(later && apart(&f), "... and in huge pages, by a line at least");

	begin(&f, 64, 8);
	for (uint32_t i = 1; i <= 30; i++) {
		add(&f, OBJECT_HEAP, 0x10 + i * PAGE, PAGE - 16);
		f.blocks[i].object = &f.objects[1];
		f.blocks[i].rank = i - 1;
	}
	stagger.object = &f.objects[1];
	stagger.kind = CHANGE_STAGGER;
	layout_remaps(&f.keep, &stagger, 1, f.remaps);
	later = true;
	for (uint32_t i = 2; i <= 30; i++)
		later = later && (mapped(&f, i, 0) - mapped(&f, i - 1, 0) - 64) % PAGE == 0;
	ok(later && apart(&f), "those one behind the other in the heap begin a line later each, too");
	ok(layout_cost(&f.keep, &stagger, 1) == 30 * PAGE, "... which take a page more each");

	begin(&f, 64, 8);
	for (uint32_t i = 1; i <= 30; i++) {
		add(&f, OBJECT_STACK, 0x7ff000000000 + i * 0x801000ull, 0x800000);
		f.blocks[i].object = &f.objects[1];
		f.blocks[i].rank = i - 1;
	}
	add(&f, OBJECT_HEAP, 0x7ff000000010 + 31 * 0x801000ull, 0x3fff0);
	stagger.kind = CHANGE_STACKS;
	layout_remaps(&f.keep, &stagger, 1, f.remaps);
	later = mapped(&f, 31, 0) == f.blocks[31].low;
	for (uint32_t i = 1; i <= 30; i++)
		later = later && (mapped(&f, i, 0x7ff123) + (i - 1) * 64 - f.blocks[i].low - 0x7ff123) %
			PAGE == 0;
	ok(later, "threads begin a line later each on their stacks, and nothing else moves");

	begin(&f, 64, 8);
	for (uint32_t i = 1; i <= 30; i++) {
		add(&f, OBJECT_HEAP, 0x55550000 + i * 2ull * PAGE, PAGE);
		f.blocks[i].object = &f.objects[1];
	}
	resize.object = &f.objects[1];
	layout_remaps(&f.keep, &resize, 1, f.remaps);
	for (uint32_t i = 2; i <= 30; i++)
		apart_by = apart_by && mapped(&f, i, 0) - mapped(&f, i - 1, 0) == chunk(PAGE + 48);
	ok(apart_by && mapped(&f, 1, 0) % 16 == 0, "nodes from malloc follow one another");
}

/* Sets that are no power of two: a place in memory of its own is of the same set. */
static void test_odd_sets(void)
{
	struct layout_change change = { .kind = CHANGE_ROWS, .from = 1024, .to = 1088 };
	struct fixture f;

	begin(&f, 96, 8);
	change.object = add(&f, OBJECT_HEAP, 0x7ff000123010, 512 << 10)->object;
	layout_remaps(&f.keep, &change, 1, f.remaps);
	ok((mapped(&f, 1, 0) - f.blocks[1].low) % (96 * 64) == 0, "96 sets: the same set as before");
}

int main(void)
{
	test_variables();
	test_heap();
	test_threshold();
	test_blocks();
	test_odd_sets();
	return done();
}
