// SPDX-License-Identifier: GPL-2.0-only
/*
 * stencil19: relaxation with a 19-point stencil over seven grids of
 * 18 x 64 x 128 floats.
 *
 * Shape: Himeno (CCProf, C2Sim): planes and grids a power of two apart.
 * Conflict: three planes of the pressure and one each of the six other grids
 * have their lines of one index in one set: nine for eight ways; the set moves
 * on with the index. The grids' heap blocks `now`, `next`, `a`, `b`, `c`,
 * `work` and `bound`, on the line of `next[i] =`. (`now` and `next` change
 * places each repeat, so loads miss in both.)
 * Pad: grid number M begins M * PAD bytes later; 576 = 64 * floor(64 / 7).
 * Verdict: conflict; none with -p 576.
 */
#include "kernel.h"

#define NX	18
#define NY	64
#define NZ	128
#define DY	((size_t)NZ)
#define DX	((size_t)NY * NZ)
#define CELLS	(NX * DX)

struct grids {
	float *now, *next;
	const float *a, *b, *c, *work, *bound;
};

static __attribute__((noinline)) void relax_row(const struct grids *g, size_t from, size_t to)
{
	const float *p = g->now, *a = g->a, *b = g->b, *c = g->c;
	const float *work = g->work, *bound = g->bound;
	float *next = g->next;

	for (size_t i = from; i < to; i++) {
		float faces = p[i - DX] + p[i + DX] + p[i - DY] + p[i + DY] + p[i - 1] + p[i + 1];
		float edges = p[i - DX - DY] - p[i - DX + DY] - p[i + DX - DY] + p[i + DX + DY] +
			      p[i - DY - 1] - p[i - DY + 1] - p[i + DY - 1] + p[i + DY + 1] +
			      p[i - DX - 1] - p[i - DX + 1] - p[i + DX - 1] + p[i + DX + 1];

		next[i] = p[i] + bound[i] * (a[i] * faces + b[i] * edges + c[i] * p[i] + work[i]);
	}
}

static void relax(const struct grids *g)
{
	for (size_t x = 1; x < NX - 1; x++)
		for (size_t y = 1; y < NY - 1; y++)
			relax_row(g, x * DX + y * DY + 1, x * DX + y * DY + NZ - 1);
}

static void fill(float *grid, float scale)
{
	for (size_t i = 0; i < CELLS; i++)
		grid[i] = scale * kernel_value(i);
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 24, sizeof(float), 0, 0);
	size_t bytes = CELLS * sizeof(float) + 6 * run.pad, step = run.pad / sizeof(float);
	float *now = kernel_require(aligned_alloc(KERNEL_PAGE, bytes));
	float *next = kernel_require(aligned_alloc(KERNEL_PAGE, bytes));
	float *a = kernel_require(aligned_alloc(KERNEL_PAGE, bytes));
	float *b = kernel_require(aligned_alloc(KERNEL_PAGE, bytes));
	float *c = kernel_require(aligned_alloc(KERNEL_PAGE, bytes));
	float *work = kernel_require(aligned_alloc(KERNEL_PAGE, bytes));
	float *bound = kernel_require(aligned_alloc(KERNEL_PAGE, bytes));
	struct grids g = {
		now, next + step, a + 2 * step, b + 3 * step, c + 4 * step, work + 5 * step,
		bound + 6 * step,
	};
	double sum = 0;

	fill(g.now, 1);
	fill(g.next, 1);
	fill(a + 2 * step, 1.0f / 256);
	fill(b + 3 * step, 1.0f / 256);
	fill(c + 4 * step, 1.0f / 256);
	fill(work + 5 * step, 1);
	fill(bound + 6 * step, 1.0f / 256);
	for (unsigned long r = 0; r < run.repeats; r++) {
		float *done = g.next;

		relax(&g);
		g.next = g.now;
		g.now = done;
	}
	for (size_t i = 0; i < CELLS; i++)
		sum += g.now[i] * kernel_value(i);
	kernel_checksum(sum);
	return 0;
}
