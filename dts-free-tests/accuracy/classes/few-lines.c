// SPDX-License-Identifier: GPL-2.0-only
/* Class 2: one or two lines more in a set than it has ways. */
#include "variant.h"

static NOINLINE double read_sets(const double *data, unsigned int lines, unsigned int sets)
{
	double sum = 0;

	for (unsigned int s = 0; s < sets; s++)
		for (int again = 0; again < 4; again++)
			for (unsigned int k = 0; k < lines; k++)
				sum += data[k * (PAGE / 8) + s * (LINE / 8)];
	return sum;
}

static void sets_of(unsigned int lines, unsigned int sets, unsigned long repeats)
{
	double *data = variant_pages((size_t)lines * PAGE);

	while (repeats--)
		variant_sink += read_sets(data, lines, sets);
	free(data);
}

static void one_more(unsigned int ways, unsigned long repeats)
{
	sets_of(ways + 1, 1, repeats);
}

static void two_more(unsigned int ways, unsigned long repeats)
{
	sets_of(ways + 2, 24, repeats);
}

static void everywhere(unsigned int ways, unsigned long repeats)
{
	sets_of(ways + 1, SETS, repeats);
}

/* The vertical pass of a filter with one row more than ways. */
static NOINLINE void filter_down(float *to, const float *from, unsigned int taps, unsigned int length,
				 size_t row)
{
	for (unsigned int x = 0; x < length; x++) {
		float sum = 0;

		for (unsigned int k = 0; k < taps; k++)
			sum += from[k * row + x];
		to[x] = sum;
	}
}

static void filter_of(unsigned int ways, unsigned long repeats, size_t row)
{
	unsigned int taps = ways + 1;
	float *from = variant_pages((taps + 16) * row * 4), *to = variant_pages(row * 4);

	while (repeats--) {
		filter_down(to, from + repeats % 16 * row, taps, PAGE / 4, row);
		variant_changed(to);
	}
	free(from);
	free(to);
}

static void filter(unsigned int ways, unsigned long repeats)
{
	filter_of(ways, repeats, PAGE / 4);
}

static void filter_near(unsigned int ways, unsigned long repeats)
{
	filter_of(ways, repeats, PAGE / 4 + 1);
}

static void filter_padded(unsigned int ways, unsigned long repeats)
{
	filter_of(ways, repeats, PAGE / 4 + 16);
}

/* One line more than ways, at random. */
static NOINLINE double look_up(const double *data, unsigned int lines, uint64_t *state)
{
	double sum = 0;

	for (unsigned int i = 0; i < 1000; i++) {
		uint64_t r = variant_random(state);

		sum += data[r % lines * (PAGE / 8) + (r >> 32) % 16 * (LINE / 8)];
	}
	return sum;
}

static void random_lines(unsigned int ways, unsigned long repeats)
{
	double *data = variant_pages((size_t)(ways + 2) * PAGE);
	uint64_t state = 88172645463325252;

	while (repeats--)
		variant_sink += look_up(data, ways + 2, &state);
	free(data);
}

static const struct variant variants[] = {
	{ "one-more", one_more }, { "two-more", two_more }, { "everywhere", everywhere },
	{ "filter", filter }, { "filter-near", filter_near }, { "filter-padded", filter_padded },
	{ "random-lines", random_lines },
};

VARIANT_MAIN(variants)
