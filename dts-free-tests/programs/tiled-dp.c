// SPDX-License-Identifier: GPL-2.0-only
/*
 * tiled-dp: aligns two sequences by dynamic programming over tiles of 32 x 16
 * cells. A tile of the scores (with its upper and left border) and one of the
 * similarities are copied to local arrays, worked on there and copied back.
 *
 * Shape: Needleman-Wunsch of Rodinia, CCProf's NW case.
 * Conflict: a row of either matrix is 4096 bytes, so the 33 + 32 lines of a
 * tile's column meet in one set. The local tiles hold a column together, so
 * the copies go down columns and each line is wanted sixteen times. Heap
 * blocks `scores` and `similarity`, on the two lines of copy_in().
 * Pad: bytes a row of either matrix. 288, one of the paper's two, spread a
 * tile over all sets. Its other, 32, is not enough here: a tile then meets 17
 * sets of each matrix, and the same ones.
 * Verdict: conflict; none with -p 288; fewer with -i, which copies along rows.
 */
#include "kernel.h"

#define ROWS	256
#define COLUMNS	1024
#define HIGH	32
#define WIDE	16
#define GAP	3

struct tile {
	int score[WIDE + 1][HIGH + 1];		/* column by column, borders first */
	int similar[WIDE][HIGH];
};

static __attribute__((noinline)) void copy_in(struct tile *tile, const int *scores,
					      const int *similarity, size_t row)
{
	for (size_t j = 0; j <= WIDE; j++)
		for (size_t i = 0; i <= HIGH; i++)
			tile->score[j][i] = scores[i * row + j];
	for (size_t j = 0; j < WIDE; j++)
		for (size_t i = 0; i < HIGH; i++)
			tile->similar[j][i] = similarity[i * row + j];
}

static int best(int a, int b)
{
	return a > b ? a : b;
}

static __attribute__((noinline)) void align(struct tile *tile)
{
	for (size_t j = 1; j <= WIDE; j++) {
		for (size_t i = 1; i <= HIGH; i++) {
			int match = tile->score[j - 1][i - 1] + tile->similar[j - 1][i - 1];
			int gap = best(tile->score[j - 1][i], tile->score[j][i - 1]) - GAP;

			tile->score[j][i] = best(match, gap);
		}
	}
}

static __attribute__((noinline)) void copy_out(const struct tile *tile, int *scores, size_t row)
{
	for (size_t i = 1; i <= HIGH; i++)
		for (size_t j = 1; j <= WIDE; j++)
			scores[i * row + j] = tile->score[j][i];
}

/* Row by row of the matrices. */
static __attribute__((noinline)) void copy_in_interchanged(struct tile *tile, const int *scores,
							   const int *similarity, size_t row)
{
	for (size_t i = 0; i <= HIGH; i++)
		for (size_t j = 0; j <= WIDE; j++)
			tile->score[j][i] = scores[i * row + j];
	for (size_t i = 0; i < HIGH; i++)
		for (size_t j = 0; j < WIDE; j++)
			tile->similar[j][i] = similarity[i * row + j];
}

static void align_all(int *scores, const int *similarity, size_t row, int interchange)
{
	struct tile tile;

	for (size_t i = 0; i < ROWS; i += HIGH) {
		for (size_t j = 0; j + WIDE < COLUMNS; j += WIDE) {
			int *corner = scores + i * row + j;

			(interchange ? copy_in_interchanged : copy_in)(&tile, corner,
								       similarity + i * row + j,
								       row);
			align(&tile);
			copy_out(&tile, corner, row);
		}
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options_interchange(argc, argv, 45, sizeof(int));
	size_t row = COLUMNS + run.pad / sizeof(int);
	int *scores = kernel_require(calloc((ROWS + 1) * row, sizeof(int)));
	int *similarity = kernel_require(malloc(ROWS * row * sizeof(int)));

	for (size_t i = 0; i <= ROWS; i++)
		scores[i * row] = -GAP * (int)i;
	for (size_t j = 0; j < COLUMNS; j++)
		scores[j] = -GAP * (int)j;
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < COLUMNS; j++)
			similarity[i * row + j] = kernel_value(i * i + j);
	for (unsigned long r = 0; r < run.repeats; r++) {
		align_all(scores, similarity, row, run.interchange);
		similarity[r % COLUMNS]++;
	}
	kernel_checksum(scores[ROWS * row + COLUMNS - WIDE]);
	free(scores);
	free(similarity);
	return 0;
}
