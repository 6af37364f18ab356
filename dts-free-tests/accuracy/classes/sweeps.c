// SPDX-License-Identifier: GPL-2.0-only
/* Class 5: a little more than the cache holds. Some sets overflow, but so does a fully associative cache. */
#include "variant.h"

static NOINLINE double sweep(const double *data, unsigned int lines)
{
	double sum = 0;

	for (unsigned int i = 0; i < lines; i++)
		sum += data[i * (LINE / 8)];
	return sum;
}

static void sweep_of(unsigned int lines, unsigned long repeats)
{
	double *data = variant_pages((size_t)lines * LINE);

	while (repeats--)
		variant_sink += sweep(data, lines);
	free(data);
}

static void ninth(unsigned int ways, unsigned long repeats)
{
	sweep_of(SETS * ways * 9 / 8, repeats);
}

static void few_sets(unsigned int ways, unsigned long repeats)
{
	sweep_of(SETS * ways + 20, repeats);
}

static NOINLINE void sweep_writing(double *data, unsigned int lines)
{
	for (unsigned int i = 0; i < lines; i++)
		data[i * (LINE / 8)] += 1;
}

static void writing(unsigned int ways, unsigned long repeats)
{
	unsigned int lines = SETS * ways + 48;
	double *data = variant_pages((size_t)lines * LINE);

	while (repeats--)
		sweep_writing(data, lines);
	free(data);
}

/* In an order of its own, the same each time. */
static NOINLINE double chase(const uint32_t *next, unsigned int count)
{
	uint32_t at = 0;

	while (count--)
		at = next[at * (LINE / 4)];
	return at;
}

static void list(unsigned int ways, unsigned long repeats)
{
	unsigned int lines = SETS * ways + 32;
	uint32_t *next = variant_pages((size_t)lines * LINE), *order = malloc(lines * 4);
	uint64_t state = 88172645463325252;

	for (unsigned int i = 0; i < lines; i++)
		order[i] = i;
	for (unsigned int i = lines - 1; i; i--) {
		unsigned int j = variant_random(&state) % (i + 1);
		uint32_t other = order[i];

		order[i] = order[j];
		order[j] = other;
	}
	for (unsigned int i = 0; i < lines; i++)
		next[order[i] * (LINE / 4)] = order[(i + 1) % lines];
	while (repeats--)
		variant_sink += chase(next, lines);
	free(next);
	free(order);
}

/* Two arrays in turn, that begin in different sets. */
static NOINLINE double sweep_two(const double *a, const double *b, unsigned int lines)
{
	double sum = 0;

	for (unsigned int i = 0; i < lines; i++)
		sum += a[i * (LINE / 8)] * b[i * (LINE / 8)];
	return sum;
}

static void two(unsigned int ways, unsigned long repeats)
{
	unsigned int lines = SETS * ways * 17 / 32;
	double *data = variant_pages(2 * (size_t)lines * LINE);

	while (repeats--)
		variant_sink += sweep_two(data, data + lines * (LINE / 8), lines);
	free(data);
}

static const struct variant variants[] = {
	{ "ninth", ninth }, { "few-sets", few_sets }, { "writing", writing }, { "list", list }, { "two", two },
};

VARIANT_MAIN(variants)
