// SPDX-License-Identifier: GPL-2.0-only
/* Lengths of rows of made-up blocks, walked along and down, straight and askew. Seed 20261126. */
#include "advise/rows.h"
#include "base/random.h"
#include "tap.h"

#define ROUNDS	300
#define BLOCK	0x7ff000000010ull

static uint64_t state = 20261126;

static uint64_t draw(uint64_t least, uint64_t most)
{
	return least + random_below(&state, most - least + 1);
}

struct matrix {
	uint64_t row, rows, rest;	/* bytes, their number, bytes behind them */
};

static struct matrix draw_matrix(void)
{
	return (struct matrix){
		.row = draw(40, 600) * 8, .rows = draw(20, 200), .rest = draw(0, 3) * 16,
	};
}

/* Parts of rows, each @skew bytes farther right than the one above. */
static void walk(struct strides *strides, const struct matrix *matrix, uint64_t width, uint64_t skew)
{
	uint64_t bytes = matrix->row * matrix->rows;

	for (uint64_t r = 0; r < matrix->rows; r++)
		for (uint64_t i = 0; i < width; i += 8) {
			uint64_t at = r * (matrix->row + skew) + i;

			if (at < bytes)
				strides_add(strides, 1, 1, 1, at);
		}
}

/* @right: the true length is found; @sound: the block holds whole ones of all that are said to be
 * of rows, and not of what is used.
 */
static void find(const struct matrix *matrix, uint64_t width, uint64_t skew, bool *right,
		 bool *sound)
{
	const struct object object = { .id = 1, .kind = OBJECT_HEAP };
	struct keep_block blocks[2] = { { .object = NULL }, {
		.object = &object, .low = BLOCK,
		.high = BLOCK + matrix->row * matrix->rows + matrix->rest,
	} };
	struct keep keep = {
		.geometry = { 64, 8, 64, 6 }, .blocks = blocks, .block_count = 2,
		.strides = strides_new(),
	};
	struct row_length rows[ROWS_MOST];
	size_t count;

	strides_burst(keep.strides);
	walk(keep.strides, matrix, width, skew);
	count = rows_of(&keep, &object, rows);
	*right = false;
	*sound = true;
	for (size_t i = 0; i < count; i++) {
		*right |= rows[i].bytes == matrix->row;
		*sound &= (matrix->row * matrix->rows + matrix->rest) % rows[i].bytes < 64 ||
			  rows[i].nature != ROWS_PROVEN;
	}
	strides_free(keep.strides);
}

/* Members of entries of a page, 128 bytes apart, in entries in any order. @element: by the type */
static size_t find_entries(uint64_t element, struct row_length rows[ROWS_MOST])
{
	const struct object object = { .id = 1, .kind = OBJECT_HEAP, .element = element };
	struct keep_block blocks[2] = { { .object = NULL }, {
		.object = &object, .low = BLOCK, .high = BLOCK + (1 << 20),
	} };
	struct keep keep = {
		.geometry = { 64, 8, 64, 6 }, .blocks = blocks, .block_count = 2,
		.strides = strides_new(),
	};
	size_t count;

	strides_burst(keep.strides);
	for (uint32_t i = 0; i < 2000; i++) {
		uint64_t entry = draw(0, 255) * 4096;

		for (uint64_t at = 0; at < 1024; at += 128)
			strides_add(keep.strides, 1, 1, 1, entry + at);
	}
	count = rows_of(&keep, &object, rows);
	strides_free(keep.strides);
	return count;
}

static size_t count_of(const struct row_length *rows, size_t count, uint64_t bytes)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += rows[i].bytes == bytes;
	return found;
}

static void test_entries(void)
{
	struct row_length rows[ROWS_MOST];
	size_t count = find_entries(4096, rows);

	ok(count && count_of(rows, count, 4096) == 1 && rows[count - 1].nature == ROWS_ENTRIES,
	   "entries of a type are rows that may be longer, once (%zu rows)", count);
	ok(!count_of(rows, count, 128), "... and from member to member of them is none");
	count = find_entries(0, rows);
	ok(count_of(rows, count, 4096) <= 1, "without a type walks say it");
}

int main(void)
{
	size_t found = 0, unsound = 0;
	bool right, sound;

	for (int i = 0; i < ROUNDS; i++) {
		struct matrix matrix = draw_matrix();

		find(&matrix, draw(2, matrix.row / 16) * 8, 0, &right, &sound);
		found += right;
		unsound += !sound;
	}
	ok(found > 0.95 * ROUNDS, "rows that are walked are found: %zu of %u", found, ROUNDS);
	for (int i = 0; i < ROUNDS; i++) {
		struct matrix matrix = draw_matrix();

		find(&matrix, draw(2, matrix.row / 16) * 8, draw(1, matrix.row / 8) * 8, &right,
		     &sound);
		unsound += !sound;
	}
	ok(!unsound, "no length that the block does not hold whole rows of: %zu", unsound);
	test_entries();
	return done();
}
