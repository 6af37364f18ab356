// SPDX-License-Identifier: GPL-2.0-only
/*
 * fdtd3: electric and magnetic fields in turn on a grid of 16 x 64 x 64
 * floats, seven global arrays.
 *
 * Shape: 3-D FDTD of C2Sim, cured there by a pad between arrays.
 * Conflict: the seven arrays begin a multiple of 4096 bytes apart and planes
 * are 16 KiB, so one index of each, with two of the plane before, is nine
 * lines for the eight ways of one set; the set moves on with the index. All
 * seven evict, on the three lines of update_e(), but those read several times
 * an index stay: the victims are `ex` on the first line, `ey` and `hz` (of the
 * plane before) on the second, `ez` and `hy` on the third.
 * Pad: array number M begins M * PAD bytes later; 576 = 64 * floor(64 / 7).
 * Verdict: conflict; none with -p 576.
 */
#include "kernel.h"

#define NX	16
#define NY	64
#define NZ	64
#define DY	((size_t)NZ)
#define DX	((size_t)NY * NZ)
#define CELLS	(NX * DX)
#define ROOM	(CELLS + 7 * KERNEL_MAX_PAD / sizeof(float))

static float ex[ROOM] __attribute__((aligned(KERNEL_PAGE)));
static float ey[ROOM] __attribute__((aligned(KERNEL_PAGE)));
static float ez[ROOM] __attribute__((aligned(KERNEL_PAGE)));
static float hx[ROOM] __attribute__((aligned(KERNEL_PAGE)));
static float hy[ROOM] __attribute__((aligned(KERNEL_PAGE)));
static float hz[ROOM] __attribute__((aligned(KERNEL_PAGE)));
static float rate[ROOM] __attribute__((aligned(KERNEL_PAGE)));

struct fields {
	float *ex, *ey, *ez, *hx, *hy, *hz;
	const float *rate;
};

static __attribute__((noinline)) void update_e(const struct fields *f, size_t from, size_t to)
{
	float *x = f->ex, *y = f->ey, *z = f->ez;
	const float *u = f->hx, *v = f->hy, *w = f->hz, *k = f->rate;

	for (size_t i = from; i < to; i++) {
		x[i] += k[i] * (w[i] - w[i - DY] - v[i] + v[i - 1]);
		y[i] += k[i] * (u[i] - u[i - 1] - w[i] + w[i - DX]);
		z[i] += k[i] * (v[i] - v[i - DX] - u[i] + u[i - DY]);
	}
}

static __attribute__((noinline)) void update_h(const struct fields *f, size_t from, size_t to)
{
	const float *x = f->ex, *y = f->ey, *z = f->ez;
	float *u = f->hx, *v = f->hy, *w = f->hz;

	for (size_t i = from; i < to; i++) {
		u[i] -= 0.25f * (z[i + DY] - z[i] - y[i + 1] + y[i]);
		v[i] -= 0.25f * (x[i + 1] - x[i] - z[i + DX] + z[i]);
		w[i] -= 0.25f * (y[i + DX] - y[i] - x[i + DY] + x[i]);
	}
}

static void step(const struct fields *f)
{
	for (size_t x = 1; x < NX - 1; x++)
		for (size_t y = 1; y < NY - 1; y++)
			update_e(f, x * DX + y * DY + 1, x * DX + y * DY + NZ - 1);
	for (size_t x = 1; x < NX - 1; x++)
		for (size_t y = 1; y < NY - 1; y++)
			update_h(f, x * DX + y * DY + 1, x * DX + y * DY + NZ - 1);
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 64, sizeof(float), 0, 0);
	size_t apart = run.pad / sizeof(float);
	struct fields f = {
		ex, ey + apart, ez + 2 * apart, hx + 3 * apart, hy + 4 * apart, hz + 5 * apart,
		rate + 6 * apart,
	};
	double sum = 0;

	for (size_t i = 0; i < CELLS; i++) {
		f.ex[i] = kernel_value(i);
		rate[6 * apart + i] = 0.25f;
	}
	for (unsigned long r = 0; r < run.repeats; r++)
		step(&f);
	for (size_t i = 0; i < CELLS; i++)
		sum += (f.ez[i] + f.hy[i]) * kernel_value(i);
	kernel_checksum(sum);
	return 0;
}
