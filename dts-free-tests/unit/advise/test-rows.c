// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lengths of rows of made-up blocks, walked along and down, straight and askew; pieces of what is
 * transformed, in caches of all kinds of geometry, simulated. Seed 20261126.
 */
#include <stdlib.h>
#include <string.h>

#include "advise/rows.h"
#include "advise/remap.h"
#include "base/memory.h"
#include "base/random.h"
#include "cachesim/lru.h"
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

/* A matrix whose index is computed by hand, in a variable of one dimension. */
static void test_plain_variable(void)
{
	const struct matrix matrix = { .row = 4160, .rows = 64 };
	const struct object object = {
		.id = 1, .kind = OBJECT_GLOBAL, .type = "char[266240]", .bytes = 266240,
	};
	struct keep_block blocks[2] = { { .object = NULL }, {
		.object = &object, .low = BLOCK, .high = BLOCK + object.bytes,
	} };
	struct keep keep = {
		.geometry = { 64, 8, 64, 6 }, .blocks = blocks, .block_count = 2,
		.strides = strides_new(),
	};
	struct row_length rows[ROWS_MOST];
	size_t count;

	strides_burst(keep.strides);
	walk(keep.strides, &matrix, 1024, 0);
	count = rows_of(&keep, &object, rows);
	ok(count == 1 && rows[0].bytes == matrix.row,
	   "a variable of one dimension has the rows that are walked");
	strides_free(keep.strides);
}

/*
 * Members of entries of a page, 128 bytes apart, in entries in any order, behind a header of a pool.
 * @element: by the type
 */
static size_t find_entries(uint64_t element, uint64_t header, struct row_length rows[ROWS_MOST])
{
	const struct object object = { .id = 1, .kind = OBJECT_HEAP, .element = element };
	struct keep_block blocks[2] = { { .object = NULL }, {
		.object = &object, .low = BLOCK, .high = BLOCK + header + (1 << 20),
	} };
	struct keep keep = {
		.geometry = { 64, 8, 64, 6 }, .blocks = blocks, .block_count = 2,
		.strides = strides_new(),
	};
	size_t count;

	strides_burst(keep.strides);
	for (uint32_t i = 0; i < 2000; i++) {
		uint64_t entry = header + draw(0, 255) * 4096;

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
	size_t count = find_entries(4096, 0, rows);

	ok(count && count_of(rows, count, 4096) == 1 && rows[count - 1].nature == ROWS_ENTRIES,
	   "entries of a type are rows that may be longer, once (%zu rows)", count);
	ok(!count_of(rows, count, 128), "... and from member to member of them is none");
	for (uint64_t header = 0; header <= 1024; header += 512) {
		const struct row_length *row;

		count = find_entries(0, header, rows);
		for (row = rows; row < rows + count && row->bytes != 4096; row++)
			;
		ok(count_of(rows, count, 4096) == 1 && row->nature == ROWS_ENTRIES,
		   "without a type walks say it, behind a header of %lu B", header);
	}
}

/* Large elements in as many dimensions as a type may have: no more rows than there is room for. */
static void test_dimensions(void)
{
	const struct object object = {
		.id = 1, .kind = OBJECT_GLOBAL, .bytes = 128 << 8,
		.type = "struct large[2][2][2][2][2][2][2][2]",
	};
	struct keep_block blocks[2] = { { .object = NULL }, {
		.object = &object, .low = BLOCK, .high = BLOCK + object.bytes,
	} };
	struct keep keep = {
		.geometry = { 64, 8, 64, 6 }, .blocks = blocks, .block_count = 2,
		.strides = strides_new(),
	};
	struct row_length rows[ROWS_MOST + 1] = { [ROWS_MOST] = { .bytes = 1 } };
	size_t count;

	strides_burst(keep.strides);
	count = rows_of(&keep, &object, rows);
	ok(count == ROWS_MOST && rows[ROWS_MOST].bytes == 1, "eight dimensions have %zu rows", count);
	ok(rows[0].bytes == 128 && rows[1].bytes == 256, "... inner ones first");
	strides_free(keep.strides);
}

/* --- planes --- */

#define ROW	1088u
#define PLANE	(96 * ROW)

/* A block of 40 planes of 96 rows, along all three dimensions. Return: the row of so many bytes. */
static struct row_length find_row(const char *type, uint64_t bytes)
{
	const struct object object = {
		.id = 1, .kind = OBJECT_HEAP, .type = type, .element = 8, .block_most = 40 * PLANE,
	};
	struct keep_block blocks[2] = { { .object = NULL }, {
		.object = &object, .low = BLOCK, .high = BLOCK + 40 * PLANE,
	} };
	struct keep keep = {
		.geometry = { 64, 8, 64, 6 }, .blocks = blocks, .block_count = 2,
		.strides = strides_new(),
	};
	struct row_length rows[ROWS_MOST], found = { .bytes = 0 };
	size_t count;

	strides_burst(keep.strides);
	for (uint64_t i = 0; i < 40; i++)
		for (uint64_t r = 0; r < 96; r++)
			strides_add(keep.strides, 1, 1, 1, i * PLANE + r * ROW);
	for (uint64_t at = 0; at < ROW; at += 8)
		for (uint64_t i = 0; i < 40; i++)
			strides_add(keep.strides, 1, 2, 1, i * PLANE + at);
	count = rows_of(&keep, &object, rows);
	for (size_t i = 0; i < count; i++)
		if (rows[i].bytes == bytes)
			found = rows[i];
	strides_free(keep.strides);
	return found;
}

/* Is each element of an array of 96 x 136 at its own place, in planes of 97 rows of 144? */
static bool find_both(void)
{
	const struct row_length row = find_row("double[][96][136]", PLANE);
	const struct remap map = {
		.low = BLOCK, .row = PLANE, .to = 97 * 144 * 8, .inner = row.inner, .inner_to = 144 * 8,
	};
	bool right = row.inner == ROW && row.unit == 8;

	for (uint64_t i = 0; right && i < 3 * 96 * 136; i++)
		right = remap_address(&map, BLOCK + 8 * i) ==
			BLOCK + 8 * (i / (96 * 136) * 97 * 144 + i / 136 % 96 * 144 + i % 136);
	return right;
}

static void test_planes(void)
{
	struct row_length row = find_row("double[]", ROW), plane = find_row("double[]", PLANE);

	ok(row.spans == 1 && plane.spans == 2 && plane.unit == 8,
	   "what holds whole rows is a plane of them, of any length where an index is computed");
	plane = find_row("real(kind=8)(:,:,:)", PLANE);
	ok(plane.spans == 2 && plane.unit == ROW, "... of whole rows where the type has three dimensions");
	plane = find_row("real(kind=8)(:,:)", PLANE);
	ok(plane.spans < 2, "... and none where it has two");
	row = find_row("double[][96][136]", ROW);
	plane = find_row("double[][96][136]", PLANE);
	ok(row.spans == 1 && row.unit == 8 && row.dimension == 3 && plane.spans == 2 && plane.dimension == 2,
	   "the type of what is pointed to says it");
	ok(!find_row("double[][96][128]", PLANE).bytes && find_row("double[][96][128]", 96 * 1024).spans == 2,
	   "... whatever the steps");
	ok(find_both(), "... and rows and planes of it may become longer together");
	ok(find_row("double[][96000000]", ROW).bytes == ROW, "... but not where it is larger than a block");
}

/* --- transforms --- */

struct transform {
	uint64_t values, bytes;		/* their number, and of each */
	uint64_t often;			/* half of the stage that bursts met most, 0 = none */
	struct cache_geometry l1;
	struct strides *strides;	/* receives the references, or NULL */
	struct remap map;		/* where they go */
	uint64_t *sets, *all;		/* lines of the cache, and of one that is fully associative */
	uint64_t misses, capacity;	/* of them */
};

static void use(struct transform *t, uint32_t site, uint64_t offset)
{
	uint64_t line = remap_address(&t->map, BLOCK + offset) / t->l1.line, left;

	if (t->strides) {
		strides_add(t->strides, 1, site, 1, offset);
		return;
	}
	t->misses += !lru_access(t->sets + line % t->l1.sets * t->l1.ways, t->l1.ways, line, &left);
	t->capacity += !lru_access(t->all, t->l1.sets * t->l1.ways, line, &left);
}

/* One place of all its blocks after the other. */
static void run_stage(struct transform *t, uint64_t half)
{
	for (uint64_t first = 0; first < half; first++)
		for (uint64_t i = first; i < t->values; i += 2 * half) {
			use(t, 0, i * t->bytes);
			use(t, 1, (i + half) * t->bytes);
		}
}

/* All stages in place; one of them several times. */
static void run(struct transform *t)
{
	for (uint64_t half = 1; half < t->values; half *= 2)
		run_stage(t, half);
	for (int i = 0; t->often && i < 8; i++)
		run_stage(t, t->often);
}

/* Misses more than of a fully associative cache, as a part of these. */
static double simulate(struct transform *t)
{
	size_t bytes = (size_t)t->l1.sets * t->l1.ways * sizeof(uint64_t);

	t->sets = xmalloc(bytes);
	t->all = xmalloc(bytes);
	memset(t->sets, 0xff, bytes);
	memset(t->all, 0xff, bytes);
	t->misses = t->capacity = 0;
	run(t);
	free(t->sets);
	free(t->all);
	return (double)t->misses / t->capacity - 1;
}

/* The last of the rows that it has. @object: of such values. */
static struct row_length find_piece(struct transform *t, const struct object *object)
{
	struct keep_block blocks[2] = { { .object = NULL }, {
		.object = object, .low = BLOCK, .high = BLOCK + t->values * t->bytes,
	} };
	struct keep keep = {
		.geometry = t->l1, .blocks = blocks, .block_count = 2, .strides = strides_new(),
	};
	struct row_length rows[ROWS_MOST];
	size_t count;

	strides_burst(keep.strides);
	t->strides = keep.strides;
	run(t);
	t->strides = NULL;
	count = rows_of(&keep, object, rows);
	strides_free(keep.strides);
	return count ? rows[count - 1] : (struct row_length){ .bytes = 0 };
}

/* Lines that are no power of two in all, as of 48 KiB, are drawn, too. */
static struct transform draw_transform(void)
{
	struct transform t = {
		.bytes = 8 << draw(0, 1),
		.l1 = { .sets = 8 << draw(0, 2), .ways = draw(2, 8), .line = 64, .line_bits = 6 },
		.map = { .low = BLOCK },
	};

	t.values = (64 * t.l1.sets * 8 << draw(0, 3)) / t.bytes;
	return t;
}

static void test_pieces(void)
{
	struct object object = { .id = 1, .kind = OBJECT_HEAP, .type = "double[]" };
	size_t conflicts = 0, cured = 0;

	for (int i = 0; i < 24; i++) {
		struct transform t = draw_transform();
		struct row_length row = find_piece(&t, &object);
		double before = simulate(&t), after;

		t.map.row = row.bytes;
		t.map.to = row.bytes + t.l1.line;
		after = row.bytes ? simulate(&t) : before;
		if (before < 0.05)
			continue;
		conflicts++;
		cured += after < 0.02;
		if (after >= 0.02)
			ok(false, "# %u sets, %u ways, %lu values of %lu: %lu, %g to %g", t.l1.sets,
			   t.l1.ways, t.values, t.bytes, row.bytes, before, after);
	}
	ok(conflicts > 12 && cured == conflicts,
	   "a line after each piece of a transform's values cures it: %zu of %zu", cured, conflicts);
}

/* Whose index is not of one dimension, or not the program's own. */
static void test_no_pieces(void)
{
	struct object of_rows = { .id = 1, .kind = OBJECT_HEAP, .type = "double[][128]" };
	struct object fortran = { .id = 1, .kind = OBJECT_HEAP, .type = "real(kind=8)(:,:)" };
	struct object plain = { .id = 1, .kind = OBJECT_GLOBAL, .type = "double[131072]", .bytes = 1 << 20 };
	struct object declared = { .id = 1, .kind = OBJECT_GLOBAL, .type = "double[128][1024]", .bytes = 1 << 20 };
	struct object heap = { .id = 1, .kind = OBJECT_HEAP, .type = "double[]" };
	size_t others = 0;
	struct transform t = {
		.values = 1 << 17, .bytes = 8, .l1 = { .sets = 64, .ways = 8, .line = 64, .line_bits = 6 },
		.map = { .low = BLOCK },
	};

	ok(find_piece(&t, &plain).nature == ROWS_PIECES && find_piece(&t, &plain).odd,
	   "a variable of one dimension has pieces, and pads of odd numbers of lines");
	for (t.often = 8; t.often < t.values; t.often *= 2)
		others += find_piece(&t, &heap).nature != ROWS_PIECES;
	t.often = 0;
	ok(!others, "... a block, whichever stage bursts met most: %zu of them have rows", others);
	ok(find_piece(&t, &of_rows).nature != ROWS_PIECES && find_piece(&t, &fortran).nature != ROWS_PIECES,
	   "... blocks of rows none");
	ok(find_piece(&t, &declared).nature != ROWS_PIECES && find_piece(&t, &declared).bytes == 8192,
	   "... a matrix none but its rows");
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
	test_dimensions();
	test_plain_variable();
	test_entries();
	test_planes();
	test_pieces();
	test_no_pieces();
	return done();
}
