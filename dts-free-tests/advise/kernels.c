// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernels over arrays whose rows, or blocks, are so many bytes longer: what the study of expected
 * times tries.
 *
 *	kernels KIND SIZE PAD PASSES
 *
 * Prints a checksum, which does not depend on the pad.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAMS_MOST	64
#define LENGTH		(1 << 15)	/* doubles of a stream */

static long size, pad;

static double *matrix(void)
{
	long pitch = size + pad / 8;
	double *all = malloc(size * pitch * sizeof(double));

	for (long i = 0; i < size * pitch; i++)
		all[i] = 0;
	for (long i = 0; i < size; i++)
		for (long j = 0; j < size; j++)
			all[i * pitch + j] = (i * 7 + j) % 13;
	return all;
}

static double sum_of(const double *all)
{
	long pitch = size + pad / 8;
	double sum = 0;

	for (long i = 0; i < size; i++)
		for (long j = 0; j < size; j++)
			sum += all[i * pitch + j] * (1 + j % 3);
	return sum;
}

static double transpose(long passes)
{
	long pitch = size + pad / 8;
	double *from = matrix(), *to = matrix();

	while (passes-- > 0)
		for (long i = 0; i < size; i++)
			for (long j = 0; j < size; j++)
				to[j * pitch + i] = from[i * pitch + j] + passes;
	return sum_of(to);
}

static double column_sums(long passes)
{
	long pitch = size + pad / 8;
	double *all = matrix(), sum = 0;

	while (passes-- > 0)
		for (long j = 0; j < size; j++)
			for (long i = 0; i < size; i++)
				sum += all[i * pitch + j];
	return sum;
}

static double column_adds(long passes)
{
	long pitch = size + pad / 8;
	double *all = matrix();

	while (passes-- > 0)
		for (long j = 0; j < size; j++)
			for (long i = 0; i < size; i++)
				all[i * pitch + j] += 1;
	return sum_of(all);
}

static double column_roots(long passes)
{
	long pitch = size + pad / 8;
	double *all = matrix(), sum = 0;

	while (passes-- > 0)
		for (long j = 0; j < size; j++)
			for (long i = 0; i < size; i++)
				sum = sqrt(sum + all[i * pitch + j]);
	return sum;
}

static double row_sums(long passes)
{
	long pitch = size + pad / 8;
	double *all = matrix(), sum = 0;

	while (passes-- > 0)
		for (long i = 0; i < size; i++)
			for (long j = 0; j < size; j++)
				sum += all[i * pitch + j];
	return sum;
}

/* Each element waits for the one above. */
static double sweep(long passes)
{
	long pitch = size + pad / 8;
	double *all = matrix();

	while (passes-- > 0)
		for (long j = 0; j < size; j++)
			for (long i = 1; i < size; i++)
				all[i * pitch + j] -= 0.25 * all[(i - 1) * pitch + j];
	return sum_of(all);
}

static double product(long passes)
{
	long pitch = size + pad / 8;
	double *a = matrix(), *b = matrix(), *to = matrix();

	while (passes-- > 0)
		for (long i = 0; i < size; i++)
			for (long j = 0; j < size; j++)
				for (long k = 0; k < size; k++)
					to[i * pitch + j] += a[i * pitch + k] * b[k * pitch + j];
	return sum_of(to);
}

static double stencil(long passes)
{
	long pitch = size + pad / 8;
	double *from = matrix(), *to = matrix();

	while (passes-- > 0)
		for (long j = 1; j < size - 1; j++)
			for (long i = 1; i < size - 1; i++)
				to[i * pitch + j] = from[(i - 1) * pitch + j] + from[(i + 1) * pitch + j] +
						    from[i * pitch + j - 1] + from[i * pitch + j + 1];
	return sum_of(to);
}

/* Butterflies down the columns. */
static double butterflies(long passes)
{
	long pitch = size + pad / 8;
	double *all = matrix();

	while (passes-- > 0)
		for (long j = 0; j < size; j += 2)
			for (long step = 1; step < size; step *= 2)
				for (long i = 0; i < size; i += 2 * step)
					for (long k = i; k < i + step; k++) {
						double a = all[k * pitch + j];
						double b = all[(k + step) * pitch + j];

						all[k * pitch + j] = 0.5 * (a + b);
						all[(k + step) * pitch + j] = 0.5 * (a - b);
					}
	return sum_of(all);
}

/* Rows in an order that is read from a table. */
static double gather(long passes)
{
	long pitch = size + pad / 8;
	int *order = malloc(size * sizeof(*order));
	double *all = matrix(), sum = 0;

	for (long i = 0; i < size; i++)
		order[i] = (i * 7 + 3) % size;
	while (passes-- > 0)
		for (long j = 0; j < size; j += 8)
			for (long i = 0; i < size; i++)
				sum += all[order[i] * pitch + j];
	return sum;
}

static double scatter(long passes)
{
	long pitch = size + pad / 8;
	double *all = matrix();
	unsigned int state = 1;

	while (passes-- > 0)
		for (long j = 0; j < size * 16; j++) {
			state = state * 1664525u + 1013904223u;
			all[(state >> 8) % 24 * pitch] += j;
		}
	return sum_of(all);
}

/* A list of nodes, 4 KiB and the pad apart, in an order that jumps. */
static double list(long passes)
{
	size_t apart = 4096 + pad;
	char *nodes = aligned_alloc(4096, (size * apart + 4095) / 4096 * 4096), *at = nodes;
	double sum = 0;

	memset(nodes, 0, size * apart);
	for (long i = 0; i < size; i++) {
		long *node = (long *)(nodes + i * 17 % size * apart);

		*(char **)node = nodes + (i + 1) * 17 % size * apart;
		node[1] = i;
	}
	for (passes *= 1000; passes-- > 0; at = *(char **)at)
		sum += ((long *)at)[1];
	return sum;
}

/* --- blocks --- */

static double *streams[STREAMS_MOST];

static void make_streams(void)
{
	for (long s = 0; s < size; s++) {
		char *block = malloc(LENGTH * sizeof(double) + s * pad);

		streams[s] = (double *)(block + s * pad);
		for (long i = 0; i < LENGTH; i++)
			streams[s][i] = (s + i) % 7;
	}
}

static double sum_streams(void)
{
	double sum = 0;

	for (long s = 0; s < size; s++)
		for (long i = 0; i < LENGTH; i++)
			sum += streams[s][i];
	return sum;
}

static double lockstep(long passes)
{
	make_streams();
	while (passes-- > 0)
		for (long i = 0; i < LENGTH; i++)
			for (long s = 0; s < size; s++)
				streams[s][i] += 1;
	return sum_streams();
}

static double writers(long passes)
{
	make_streams();
	while (passes-- > 0)
		for (long i = 0; i < LENGTH; i++)
			for (long s = 0; s < size; s++)
				streams[s][i] = passes;
	return sum_streams();
}

static double readers(long passes)
{
	double sum = 0;

	make_streams();
	while (passes-- > 0)
		for (long i = 0; i < LENGTH; i++)
			for (long s = 0; s < size; s++)
				sum += streams[s][i];
	return sum;
}

/* All but the last are read. */
static double merge(long passes)
{
	make_streams();
	while (passes-- > 0)
		for (long i = 0; i < LENGTH; i++) {
			double sum = 0;

			for (long s = 0; s < size - 1; s++)
				sum += streams[s][i] * s;
			streams[size - 1][i] = sum;
		}
	return sum_streams();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		double (*run)(long passes);
	} kinds[] = {
		{ "transpose", transpose }, { "column-sums", column_sums }, { "column-adds", column_adds },
		{ "column-roots", column_roots }, { "row-sums", row_sums }, { "sweep", sweep },
		{ "product", product }, { "stencil", stencil }, { "butterflies", butterflies },
		{ "gather", gather }, { "scatter", scatter }, { "list", list },
		{ "lockstep", lockstep }, { "writers", writers }, { "readers", readers },
		{ "merge", merge },
	};

	if (argc < 5)
		return 2;
	size = atol(argv[2]);
	pad = atol(argv[3]);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(argv[1], kinds[i].name)) {
			printf("%.17g\n", kinds[i].run(atol(argv[4])));
			return 0;
		}
	return 2;
}
