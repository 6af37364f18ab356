// SPDX-License-Identifier: GPL-2.0-only
/* Few lines of parts of made-up blocks, met in any order, and what is no such part. Seed 20261201. */
#include "base/random.h"
#include "rcd/strides.h"
#include "tap.h"

#define LINE	64
#define MOST	(16u << 20)
#define REFERENCES 20000

static uint64_t state = 20261201;

static uint64_t draw(uint64_t least, uint64_t most)
{
	return least + random_below(&state, most - least + 1);
}

static const struct stride_row *row_of(const struct strides *strides, uint64_t bytes)
{
	static struct stride_row rows[STRIDES_ROWS];
	size_t count = strides_rows(strides, 1, LINE, MOST, rows);

	for (size_t i = 0; i < count; i++)
		if (rows[i].bytes == bytes)
			return &rows[i];
	return NULL;
}

static bool has_entries(const struct strides *strides)
{
	struct stride_row rows[STRIDES_ROWS];
	size_t count = strides_rows(strides, 1, LINE, MOST, rows);
	bool entries = false;

	for (size_t i = 0; i < count; i++)
		entries |= rows[i].entries;
	return entries;
}

/* Searches in nodes of a pool that begins with a header: some of the first lines of each. */
static void search_nodes(struct strides *strides, uint64_t bytes, uint64_t nodes, uint64_t lines)
{
	const uint64_t header = 320;

	strides_burst(strides);
	for (uint32_t i = 0; i < REFERENCES / 4; i++) {
		uint64_t node = header + draw(0, nodes - 1) * bytes;

		strides_add(strides, 1, 0, 1, node);
		for (uint32_t site = 1; site < 4; site++)
			strides_add(strides, 1, site, 1, node + LINE * draw(0, lines - 1));
	}
}

/* What is sorted goes to the ends of as many buffers in a block, flushed when one is full. */
static void fill_buffers(struct strides *strides, uint64_t bytes, uint32_t buffers)
{
	uint64_t used[256] = { 0 };

	strides_burst(strides);
	for (uint32_t i = 0; i < REFERENCES; i++) {
		uint32_t to = (uint32_t)draw(0, buffers - 1);

		strides_add(strides, 1, 0, 1, to * bytes + used[to]);
		used[to] += 8;
		for (uint32_t b = 0; used[to] == bytes && b < buffers; b++)
			used[b] = b == to ? bytes : 0;
		used[to] %= bytes;
	}
}

/* The program clears its blocks before. */
static struct strides *cleared(void)
{
	struct strides *strides = strides_new();

	strides_burst(strides);
	for (uint64_t i = 0; i < REFERENCES / 4; i++)
		strides_add(strides, 1, 9, 1, 8 * i);
	return strides;
}

static void test_nodes(void)
{
	static const uint64_t bytes[] = { 1024, 2048, 4096, 12288, 16384, 40960, 65536 };
	int right = 0, all = 0;

	for (int b = 0; b < 7; b++)
		for (uint64_t nodes = 12; nodes <= 192; nodes *= 2)
			for (uint64_t lines = 2; lines <= 7; lines++) {
				struct strides *strides = cleared();
				const struct stride_row *row;

				search_nodes(strides, bytes[b], nodes, lines);
				row = row_of(strides, bytes[b]);
				right += row && row->entries;
				all++;
				strides_free(strides);
			}
	ok(right == all, "nodes that are met in any order, two to seven lines of each used: %d of %d",
	   right, all);
}

static void test_buffers(void)
{
	int right = 0, all = 0;

	for (uint64_t bytes = 2048; bytes <= 65536; bytes *= 2)
		for (uint32_t buffers = 16; buffers <= 256; buffers *= 2) {
			struct strides *strides = cleared();
			const struct stride_row *row;

			fill_buffers(strides, bytes, buffers);
			row = row_of(strides, bytes);
			right += row && row->entries;
			all++;
			strides_free(strides);
		}
	ok(right == all, "buffers that are filled in any order, of powers of two: %d of %d", right, all);
}

static void test_others(void)
{
	struct strides *strides = strides_new();
	const struct stride_row *row;

	strides_burst(strides);
	for (uint32_t i = 0; i < REFERENCES; i++)
		strides_add(strides, 1, 0, 1, draw(0, (1 << 20) - 1));
	ok(!has_entries(strides), "all of a block, in any order: no entries");
	strides_free(strides);

	strides = strides_new();
	strides_burst(strides);
	for (uint64_t i = 0; i < REFERENCES; i++)
		strides_add(strides, 1, 0, 1, 24 * i);
	ok(!has_entries(strides), "... nor along it");
	strides_free(strides);

	strides = strides_new();
	strides_burst(strides);
	for (uint64_t i = 0; i < REFERENCES; i++)
		strides_add(strides, 1, 0, 1, i % 200 * 1000 + i / 200 * 8);
	ok(!has_entries(strides), "... nor columns of odd rows");
	strides_free(strides);

	strides = strides_new();
	strides_burst(strides);
	for (uint64_t i = 0; i < REFERENCES; i++)
		strides_add(strides, 1, 0, 1, i % 64 * 4096 + i / 64 * 8);
	row = row_of(strides, 4096);
	ok(row && !row->entries, "what goes down columns has rows, no entries");
	strides_free(strides);

	strides = strides_new();
	strides_burst(strides);
	for (uint64_t half = 8; half < 1 << 19; half *= 2)
		for (uint64_t i = 0; i < 4096; i++) {
			uint64_t at = (i * 2 * half % (1 << 20)) + i * 2 * half / (1 << 20) * 8 % half;

			strides_add(strides, 1, 0, 1, at);
			strides_add(strides, 1, 1, 1, at + half);
		}
	ok(!has_entries(strides), "... nor what a transform's stages go through");
	strides_free(strides);

	strides = strides_new();
	strides_burst(strides);
	for (uint64_t i = 0; i < REFERENCES; i++)
		strides_add(strides, 1, (uint32_t)(i % 16), 1, i % 16 * 65536 + i / 16 * 8);
	ok(!has_entries(strides), "... nor arrays side by side in a block");
	strides_free(strides);

	strides = strides_new();
	for (uint64_t i = 0; i < REFERENCES; i++) {
		if (!(i % 8))
			strides_burst(strides);
		strides_add(strides, 1, 0, 1, draw(0, 63) * 4096 + LINE * draw(0, 3));
	}
	ok(!has_entries(strides), "bursts of eight references say nothing");
	strides_free(strides);
}

int main(void)
{
	test_nodes();
	test_buffers();
	test_others();
	return done();
}
