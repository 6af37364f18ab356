// SPDX-License-Identifier: GPL-2.0-only
/* Class 3: products and the like by blocks, most of whose lines hit, in rows of a power of two. */
#include "variant.h"

#define N 96	/* of what is multiplied */

struct matrices {
	double *a, *b, *c;
	size_t row;
};

static struct matrices make(size_t row)
{
	return (struct matrices){ variant_pages(N * row * 8), variant_pages(N * row * 8),
				  variant_pages(N * row * 8), row };
}

static void end(struct matrices m)
{
	variant_sink += m.c[5];
	free(m.a);
	free(m.b);
	free(m.c);
}

static NOINLINE void block_product(struct matrices m, unsigned int i0, unsigned int j0,
				   unsigned int k0, unsigned int size)
{
	for (unsigned int i = i0; i < i0 + size; i++)
		for (unsigned int j = j0; j < j0 + size; j++) {
			double sum = m.c[i * m.row + j];

			for (unsigned int k = k0; k < k0 + size; k++)
				sum += m.a[i * m.row + k] * m.b[k * m.row + j];
			m.c[i * m.row + j] = sum;
		}
}

static void product(unsigned int ways, unsigned long repeats)
{
	struct matrices m = make(PAGE / 8);
	unsigned int size = ways == 8 ? 16 : 24;

	while (repeats--)
		for (unsigned int i = 0; i < N; i += size)
			for (unsigned int j = 0; j < N; j += size)
				for (unsigned int k = 0; k < N; k += size)
					block_product(m, i, j, k, size);
	end(m);
}

/* The same, halved until it is small. */
static void halve(struct matrices m, unsigned int i, unsigned int j, unsigned int k, unsigned int size)
{
	if (size <= 24) {
		block_product(m, i, j, k, size);
		return;
	}
	size /= 2;
	for (unsigned int part = 0; part < 8; part++)
		halve(m, i + (part & 1) * size, j + (part >> 1 & 1) * size, k + (part >> 2) * size,
		      size);
}

static void recursive(unsigned int ways, unsigned long repeats)
{
	struct matrices m = make(PAGE / 8);

	(void)ways;
	while (repeats--)
		halve(m, 0, 0, 0, N);
	end(m);
}

/* Rows by columns of a symmetric product; half a page a row. */
static NOINLINE void block_columns(struct matrices m, unsigned int i0, unsigned int j0,
				   unsigned int size)
{
	for (unsigned int k = 0; k < N; k++)
		for (unsigned int i = i0; i < i0 + size; i++)
			for (unsigned int j = j0; j < j0 + size; j++)
				m.c[j * m.row + i] += m.a[i * m.row + k] * m.a[j * m.row + k];
}

static void symmetric(unsigned int ways, unsigned long repeats)
{
	struct matrices m = make(PAGE / 16);
	unsigned int size = ways == 8 ? 16 : 24;

	while (repeats--)
		for (unsigned int i = 0; i < N; i += size)
			for (unsigned int j = 0; j <= i; j += size)
				block_columns(m, i, j, size);
	end(m);
}

/* A transposition by blocks, in place. */
static NOINLINE void block_swap(double *m, size_t row, unsigned int i0, unsigned int j0,
				unsigned int size)
{
	for (unsigned int i = i0; i < i0 + size; i++)
		for (unsigned int j = j0; j < j0 + size; j++) {
			double value = m[i * row + j];

			m[i * row + j] = m[j * row + i];
			m[j * row + i] = value;
		}
}

static void swap_of(unsigned int ways, unsigned long repeats, size_t row)
{
	struct matrices m = make(row);
	unsigned int size = 2 * ways;

	while (repeats--)
		for (unsigned int i = 0; i + size <= N; i += size)
			for (unsigned int j = 0; j < i; j += size)
				block_swap(m.c, m.row, i, j, size);
	end(m);
}

static void swap(unsigned int ways, unsigned long repeats)
{
	swap_of(ways, repeats, PAGE / 8);
}

static void swap_padded(unsigned int ways, unsigned long repeats)
{
	swap_of(ways, repeats, PAGE / 8 + 8);
}

static const struct variant variants[] = {
	{ "product", product }, { "recursive", recursive }, { "symmetric", symmetric },
	{ "swap", swap }, { "swap-padded", swap_padded },
};

VARIANT_MAIN(variants)
