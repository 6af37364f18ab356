// SPDX-License-Identifier: GPL-2.0-only
/*
 * nw: aligns two sequences of 2048 letters by dynamic programming over tiles of 16 x 16 cells, in
 * the order of the anti-diagonals. A tile of the scores with its halo (17 x 17) and one of the
 * similarities are copied row by row to local arrays, worked on there, and the scores copied back.
 *
 * Shape: CCProf's listing 1 (NW of Rodinia), written after the paper's description: rows of 2049
 * integers, 8,196 bytes.
 * Conflict: two rows are 128 lines and 4 bytes apart, so the 17 rows of a tile lie in two or three
 * sets: a tile is gone when it is written back. Heap block `input_itemsets`, with itself; the misses
 * are those of stores. The copies in, of `input_itemsets` and `referrence`, miss on few sets at a
 * time, each line once a tile.
 * Pad: bytes a row of either. With 60 a row is 129 lines, and a tile lies in as many sets as rows.
 * Verdict: copy_back() conflict, copy_scores() and copy_similar() concentrated; none with -p 60.
 */
#include "kernel.h"

#define LETTERS	2048
#define TILES	(LETTERS / TILE)
#define TILE	16
#define HALO	(TILE + 1)
#define GAP	10

struct tile {
	int scores[HALO * HALO];
	int similar[TILE * TILE];
};

static __attribute__((noinline)) void copy_similar(struct tile *tile, const int *referrence,
						   size_t row)
{
	for (size_t i = 0; i < TILE; i++)
		for (size_t j = 0; j < TILE; j++)
			tile->similar[i * TILE + j] = referrence[(i + 1) * row + j + 1];
}

static __attribute__((noinline)) void copy_scores(struct tile *tile, const int *input_itemsets,
						  size_t row)
{
	for (size_t i = 0; i < HALO; i++)
		for (size_t j = 0; j < HALO; j++)
			tile->scores[i * HALO + j] = input_itemsets[i * row + j];
}

static int best(int a, int b)
{
	return a > b ? a : b;
}

static __attribute__((noinline)) void align(struct tile *tile)
{
	int *scores = tile->scores;

	for (size_t i = 1; i < HALO; i++) {
		for (size_t j = 1; j < HALO; j++) {
			int match = scores[(i - 1) * HALO + j - 1] +
				    tile->similar[(i - 1) * TILE + j - 1];
			int gap = best(scores[(i - 1) * HALO + j], scores[i * HALO + j - 1]) - GAP;

			scores[i * HALO + j] = best(match, gap);
		}
	}
}

static __attribute__((noinline)) void copy_back(const struct tile *tile, int *input_itemsets,
						size_t row)
{
	for (size_t i = 1; i < HALO; i++)
		for (size_t j = 1; j < HALO; j++)
			input_itemsets[i * row + j] = tile->scores[i * HALO + j];
}

/* Tiles whose row and column add up to the same: they need only those before them. */
static void align_diagonal(int *input_itemsets, const int *referrence, size_t row, size_t diagonal)
{
	size_t first = diagonal < TILES ? 0 : diagonal - TILES + 1;
	struct tile tile;

	for (size_t x = first; x <= diagonal - first; x++) {
		size_t corner = (diagonal - x) * TILE * row + x * TILE;

		copy_similar(&tile, referrence + corner, row);
		copy_scores(&tile, input_itemsets + corner, row);
		align(&tile);
		copy_back(&tile, input_itemsets + corner, row);
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 16, sizeof(int), 0, 0);
	size_t row = LETTERS + 1 + run.pad / sizeof(int), rows = LETTERS + 1;
	int *input_itemsets = kernel_require(calloc(rows * row, sizeof(int)));
	int *referrence = kernel_require(malloc(rows * row * sizeof(int)));

	for (size_t i = 0; i < rows; i++)
		input_itemsets[i * row] = input_itemsets[i] = -GAP * (int)i;
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < rows; j++)
			referrence[i * row + j] = kernel_value(i * i + j);
	for (unsigned long r = 0; r < run.repeats; r++) {
		for (size_t diagonal = 0; diagonal < 2 * TILES - 1; diagonal++)
			align_diagonal(input_itemsets, referrence, row, diagonal);
		referrence[row + 1 + r % LETTERS]++;
	}
	kernel_checksum(input_itemsets[LETTERS * row + LETTERS]);
	free(input_itemsets);
	free(referrence);
	return 0;
}
