// SPDX-License-Identifier: GPL-2.0-only
/* Class 7: short runs; the repeats are chosen for about 20,000 misses of a loop. */
#include "variant.h"

static NOINLINE double read_column(const double *m, unsigned int lines, unsigned long repeats)
{
	double sum = 0;

	while (repeats--)
		for (unsigned int k = 0; k < lines; k++)
			sum += m[k * (PAGE / 8)];
	return sum;
}

static void column(unsigned int ways, unsigned long repeats)
{
	double *m = variant_pages(2 * ways * PAGE);

	variant_sink += read_column(m, 2 * ways, repeats * 20000 / (2 * ways));
	free(m);
}

static NOINLINE void write_column(double *m, unsigned int lines, unsigned long repeats)
{
	while (repeats--)
		for (unsigned int k = 0; k < lines; k++)
			m[k * (PAGE / 8)] = k;
}

static void written(unsigned int ways, unsigned long repeats)
{
	double *m = variant_pages(2 * ways * PAGE);

	write_column(m, 2 * ways, repeats * 20000 / (2 * ways));
	variant_sink += m[0];
	free(m);
}

static NOINLINE double read_row(const double *m, size_t length)
{
	double sum = 0;

	for (size_t i = 0; i < length; i++)
		sum += m[i];
	return sum;
}

static void row(unsigned int ways, unsigned long repeats)
{
	size_t length = (size_t)20000 * (LINE / 8);
	double *m = variant_pages(length * 8);

	(void)ways;
	while (repeats--)
		variant_sink += read_row(m, length);
	free(m);
}

/* Half of the misses are conflicts. */
static NOINLINE double read_both(const double *m, const double *stream, unsigned int lines, size_t length)
{
	double sum = 0;

	for (size_t i = 0; i < length; i++)
		sum += m[i % lines * (PAGE / 8)] + stream[i * (LINE / 8)];
	return sum;
}

static void both(unsigned int ways, unsigned long repeats)
{
	double *m = variant_pages(2 * ways * PAGE), *stream = variant_pages((size_t)10000 * LINE);

	while (repeats--)
		variant_sink += read_both(m, stream, 2 * ways, 10000);
	free(m);
	free(stream);
}

/* Clean: random look-ups in much more than the cache. */
static NOINLINE double look_up(const double *m, unsigned int lines, uint64_t *state, unsigned int count)
{
	double sum = 0;

	while (count--)
		sum += m[variant_random(state) % lines * (LINE / 8)];
	return sum;
}

static void random_lines(unsigned int ways, unsigned long repeats)
{
	unsigned int lines = 16 * SETS * ways;
	double *m = variant_pages((size_t)lines * LINE);
	uint64_t state = 88172645463325252;

	while (repeats--)
		variant_sink += look_up(m, lines, &state, 21000);
	free(m);
}

static const struct variant variants[] = {
	{ "column", column }, { "written", written }, { "row", row }, { "both", both },
	{ "random-lines", random_lines },
};

VARIANT_MAIN(variants)
