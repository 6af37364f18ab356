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
	return done();
}
