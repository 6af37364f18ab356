// SPDX-License-Identifier: GPL-2.0-only
/* Lengths of rows by how made-up loops walk through them. */
#include <stdio.h>

#include "rcd/strides.h"
#include "tap.h"

#define LINE 64

static bool has_row(struct strides *strides, uint32_t object, uint64_t bytes)
{
	struct stride_row rows[STRIDES_ROWS];
	size_t count = strides_rows(strides, object, LINE, 1 << 20, rows);

	for (size_t i = 0; i < count; i++)
		if (rows[i].bytes == bytes)
			return true;
	return false;
}

/* b[j][i] = a[i][j], the loop over i unrolled: each instruction steps over so many rows of a. */
static void transpose(struct strides *strides, uint64_t row, uint32_t unrolled, bool one_object)
{
	strides_burst(strides);
	for (uint32_t j = 0; j < 4; j++)
		for (uint32_t i = 0; i < 64; i++) {
			strides_add(strides, 0, i % unrolled, 0, i * row + 8 * j);
			strides_add(strides, !one_object, unrolled + i % unrolled, 1,
				    j * row + 8 * i);
		}
}

static void test_unrolled(void)
{
	bool alone = true, together = true, turns = true;

	for (uint32_t unrolled = 1; unrolled <= 8; unrolled++)
		for (uint64_t row = 1024; row <= 16384; row += 1032) {
			struct strides *apart = strides_new(), *both = strides_new();

			transpose(apart, row, unrolled, false);
			alone &= has_row(apart, 0, row);
			transpose(both, row, unrolled, true);
			together &= has_row(both, 0, row);
			strides_free(apart);
			strides_free(both);
		}
	ok(alone, "a loop unrolled up to eight times: the row's length is among the answers");
	ok(together, "... and where both blocks are of one object");
	for (uint32_t blocks = 1; blocks <= 4; blocks++) {
		struct strides *strides = strides_new();

		strides_burst(strides);
		for (uint32_t i = 0; i < 256; i++)
			for (uint32_t block = 0; block < blocks; block++)
				strides_add(strides, 0, (i % 8) * 4 + block, block, i * 4160ull);
		turns &= has_row(strides, 0, 4160);
		strides_free(strides);
	}
	ok(turns, "... and where up to four blocks take turns");
}

static void test_none(void)
{
	struct strides *strides = strides_new();
	struct stride_row rows[STRIDES_ROWS];

	for (uint32_t i = 0; i < 256; i++) {
		strides_burst(strides);
		strides_add(strides, 0, 0, 0, i * 4160ull);
	}
	ok(!strides_rows(strides, 0, LINE, 1 << 20, rows),
	   "from burst to burst there are no steps");
	ok(!strides_rows(strides, 7, LINE, 1 << 20, rows), "of an object not met there are no rows");
	strides_free(strides);
}

/* Tiles of 17 x 17 integers out of rows of 2,049, of which the whole was cleared byte by byte. */
static void test_cleared(void)
{
	struct strides *strides = strides_new();
	struct stride_row rows[STRIDES_ROWS];
	size_t count, likeliest = 0;

	strides_burst(strides);
	for (uint32_t i = 0; i < 100000; i++)
		strides_add(strides, 0, 0, 0, i);
	for (uint32_t tile = 0; tile < 20; tile++)
		for (uint32_t i = 0; i < 17; i++)
			for (uint32_t j = 0; j < 17; j++)
				strides_add(strides, 0, 1, 0, tile * 64 + i * 8196 + j * 4);
	count = strides_rows(strides, 0, LINE, 1 << 20, rows);
	for (size_t i = 1; i < count; i++)
		if (rows[i].weight > rows[likeliest].weight)
			likeliest = i;
	ok(count && rows[likeliest].bytes == 8196,
	   "a block that was cleared byte by byte: the rows of its tiles");
	ok(!has_row(strides, 0, 8132), "... and not what is between their ends and beginnings");
	strides_free(strides);

	/* In steps of rows. */
	strides = strides_new();
	strides_burst(strides);
	for (uint32_t i = 0; i < 100000; i++)
		strides_add(strides, 0, 0, 0, i);
	for (uint32_t i = 0; i < 256; i++)
		strides_add(strides, 0, 1, 0, i * 4160ull);
	ok(has_row(strides, 0, 4160), "... and of a column of a matrix");
	strides_free(strides);
}

/* An array of three dimensions, down each of them, its rows in steps of up to three elements. */
static void walk_dimensions(struct strides *strides, uint32_t object, uint64_t row, uint64_t rows)
{
	const uint64_t steps[] = { 8, 16, 24, row, row * rows };

	strides_burst(strides);
	for (uint32_t d = 0; d < 5; d++)
		for (uint64_t first = 0; first < 64; first++)
			for (uint64_t i = 0; i < 32; i++)
				strides_add(strides, object, d, 0, 8 * first + i * steps[d]);
}

/* Stages of a transform, from pairs @least bytes apart on, the first ones as often as others. */
static void walk_stages(struct strides *strides, uint32_t object, uint64_t least, int stages)
{
	strides_burst(strides);
	for (int stage = 0; stage < stages; stage++)
		for (uint64_t i = 0; i < 64; i++)
			strides_add(strides, object, 0, 0, i * (least << stage));
}

static void test_doubles(void)
{
	struct strides *strides = strides_new();
	bool never = true, always = true;
	uint32_t object = 0;

	for (uint64_t row = 128; row <= 8192; row *= 2)
		for (uint64_t rows = 2; rows <= 64; rows *= 2) {
			walk_dimensions(strides, ++object, row, rows);
			never &= !strides_doubles(strides, object, LINE);
		}
	ok(never, "an array of three dimensions is not stepped through by many powers of two");
	for (uint64_t least = 128; least <= 8192; least *= 2)
		for (int stages = 4; stages <= 11; stages++) {
			walk_stages(strides, ++object, least, stages);
			always &= strides_doubles(strides, object, LINE) == least;
		}
	ok(always, "... what four to eleven stages go through is, from the first one's steps on");
	walk_stages(strides, ++object, 136, 8);
	ok(!strides_doubles(strides, object, LINE), "... by other steps not");
	ok(!strides_doubles(strides, ++object, LINE), "... nor what was not met");
	strides_free(strides);
}

/* A transform down the columns by recursion: every fourth row first, of these again every fourth. */
static void gather(struct strides *strides, uint64_t at, uint64_t row, uint64_t rows)
{
	for (uint64_t i = 0; i < 4; i++)
		if (rows == 4)
			strides_add(strides, 0, (uint32_t)i, 0, at + i * row);
		else
			gather(strides, at + i * row, 4 * row, rows / 4);
}

static void test_recursion(void)
{
	bool found = true;

	for (uint64_t rows = 16; rows <= 1024; rows *= 4)
		for (uint64_t row = 1024; row <= 4096; row *= 2) {
			struct strides *strides = strides_new();

			strides_burst(strides);
			for (uint64_t column = 0; column < 32; column++)
				gather(strides, 8 * column, row, rows);
			found &= has_row(strides, 0, row);
			strides_free(strides);
		}
	ok(found, "16 to 1,024 rows in the order of a transform by recursion: rows, not only several of them");
}

int main(void)
{
	test_recursion();
	test_unrolled();
	test_cleared();
	test_none();
	test_doubles();
	return done();
}
