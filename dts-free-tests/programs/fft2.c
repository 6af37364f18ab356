// SPDX-License-Identifier: GPL-2.0-only
/*
 * fft2: Fourier transforms of 256 rows, then of 256 columns, of a grid of
 * complex doubles, in place.
 *
 * Shape: the 2-D transform of CCProf's MKL case.
 * Conflict: a row is 4096 bytes, so a column's 256 lines meet in one set, and
 * each of its eight stages wants all of them; four columns share them. Heap
 * block `grid`, on the line of `double re` in transform(), as called for a
 * column; the calls for a row hardly miss.
 * Pad: bytes a row. 64 give each row of a column the next set.
 * Verdict: conflict; none with -p 64.
 */
#include <math.h>
#include "kernel.h"

#define N	256
#define HALF	(N / 2)

struct complex {
	double re, im;
};

static struct complex roots[HALF];

/* Of the N values that lie @stride apart; the result stays in bit-reversed order. */
static __attribute__((noinline)) void transform(struct complex *x, size_t stride)
{
	for (size_t half = HALF, turn = 1; half; half /= 2, turn *= 2) {
		for (size_t i = 0; i < HALF; i++) {
			size_t at = i / half * 2 * half + i % half;
			struct complex *a = &x[at * stride], *b = &x[(at + half) * stride];
			struct complex *root = &roots[i % half * turn];
			double re = a->re - b->re, im = a->im - b->im;

			a->re += b->re;
			a->im += b->im;
			b->re = re * root->re - im * root->im;
			b->im = re * root->im + im * root->re;
		}
	}
}

static void scale(struct complex *grid, size_t row)
{
	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < N; j++) {
			grid[i * row + j].re /= N;
			grid[i * row + j].im /= N;
		}
	}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 40, sizeof(struct complex), 0, 0);
	size_t row = N + run.pad / sizeof(struct complex);
	struct complex *grid = kernel_require(malloc(N * row * sizeof(struct complex)));
	double sum = 0;

	for (size_t i = 0; i < HALF; i++)
		roots[i] = (struct complex){ cos(2 * M_PI * i / N), -sin(2 * M_PI * i / N) };
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			grid[i * row + j] = (struct complex){ kernel_value(i * N + j), 0 };
	for (unsigned long r = 0; r < run.repeats; r++) {
		for (size_t i = 0; i < N; i++)
			transform(grid + i * row, 1);
		for (size_t j = 0; j < N; j++)
			transform(grid + j, row);
		scale(grid, row);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			sum += grid[i * row + j].re * kernel_value(i + j);
	kernel_checksum(sum);
	free(grid);
	return 0;
}
