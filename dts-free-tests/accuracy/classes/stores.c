// SPDX-License-Identifier: GPL-2.0-only
/* Class 1: lines that are only written, or mostly. */
#include "variant.h"

/* A table of flags a page apart. */
static NOINLINE void write_flags(uint64_t *flags, unsigned int count, unsigned long r)
{
	for (unsigned int i = 0; i < count; i++)
		flags[i * (PAGE / 8)] = r;
}

static void flags(unsigned int ways, unsigned long repeats)
{
	uint64_t *table = variant_pages((size_t)(ways + 6) * PAGE);

	while (repeats--) {
		write_flags(table, ways + 6, repeats);
		variant_changed(table);
	}
	free(table);
}

/* Buffers that begin alike, written side by side. */
static NOINLINE void write_lockstep(uint32_t **buffer, unsigned int count, unsigned int length,
				    uint32_t value)
{
	for (unsigned int i = 0; i < length; i++)
		for (unsigned int b = 0; b < count; b++)
			buffer[b][i] = value + b;
}

static void lockstep(unsigned int ways, unsigned long repeats)
{
	uint32_t *buffer[64];

	for (unsigned int b = 0; b < ways + 3; b++)
		buffer[b] = variant_pages(2 * PAGE);
	while (repeats--)
		write_lockstep(buffer, ways + 3, 2 * PAGE / 4, repeats);
	for (unsigned int b = 0; b < ways + 3; b++)
		free(buffer[b]);
}

/* A transposition that reads along rows and writes down columns; @row: elements. */
static NOINLINE void write_columns(double *to, const double *from, unsigned int rows, size_t row)
{
	for (unsigned int i = 0; i < 256; i++)
		for (unsigned int j = 0; j < rows; j++)
			to[j * row + i] = from[i * rows + j];
}

static void transpose_of(unsigned int ways, unsigned long repeats, size_t row)
{
	unsigned int rows = 3 * ways;
	double *to = variant_pages(rows * row * 8), *from = variant_pages(256 * rows * 8);

	while (repeats--) {
		write_columns(to, from, rows, row);
		variant_changed(to);
	}
	free(to);
	free(from);
}

static void columns(unsigned int ways, unsigned long repeats)
{
	transpose_of(ways, repeats, PAGE / 8);
}

static void padded(unsigned int ways, unsigned long repeats)
{
	transpose_of(ways, repeats, PAGE / 8 + 8);
}

/* Counters at the heads of pages, added to at random. */
static NOINLINE void count_up(uint64_t *counter, unsigned int pages, uint64_t *state)
{
	for (unsigned int i = 0; i < 1000; i++)
		counter[variant_random(state) % pages * (PAGE / 8)]++;
}

static void counters(unsigned int ways, unsigned long repeats)
{
	uint64_t *counter = variant_pages(2 * ways * PAGE), state = 88172645463325252;

	while (repeats--)
		count_up(counter, 2 * ways, &state);
	free(counter);
}

/* Values to as many parts as a digit has values, by way of a line for each, a page apart. */
static NOINLINE void scatter(uint32_t *lines, uint32_t *fill, unsigned int parts, uint64_t *state)
{
	for (unsigned int i = 0; i < 1000; i++) {
		uint32_t value = variant_random(state) >> 32, p = value % parts;

		lines[p * (PAGE / 4) + (fill[p]++ & 15)] = value;
	}
}

static void parts(unsigned int ways, unsigned long repeats)
{
	uint32_t *lines = variant_pages(2 * ways * PAGE), *fill = calloc(2 * ways, 4);
	uint64_t state = 88172645463325252;

	while (repeats--)
		scatter(lines, fill, 2 * ways, &state);
	free(lines);
	free(fill);
}

/* Clean: a long buffer, line by line. */
static NOINLINE void write_through(uint64_t *buffer, size_t length, uint64_t value)
{
	for (size_t i = 0; i < length; i++)
		buffer[i] = value;
}

static void through(unsigned int ways, unsigned long repeats)
{
	size_t length = 8 * ways * PAGE / 8;
	uint64_t *buffer = variant_pages(length * 8);

	while (repeats--) {
		write_through(buffer, length, repeats);
		variant_changed(buffer);
	}
	free(buffer);
}

static const struct variant variants[] = {
	{ "flags", flags }, { "lockstep", lockstep }, { "columns", columns }, { "padded", padded },
	{ "counters", counters }, { "parts", parts }, { "through", through },
};

VARIANT_MAIN(variants)
