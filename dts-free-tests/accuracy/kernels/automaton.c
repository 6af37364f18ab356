// SPDX-License-Identifier: GPL-2.0-only
/*
 * A finite automaton of -n states over lower-case text: its table has a row of
 * 256 next states, 512 bytes, of which letters use one or two lines: an eighth
 * of the sets. -p: each row longer.
 */
#include "kernel.h"

#define LETTERS	256

static uint64_t match(const uint16_t *table, size_t row, const unsigned char *text, size_t length)
{
	uint64_t seen = 0;
	size_t state = 0;

	for (size_t i = 0; i < length; i++) {
		state = table[state * row + text[i]];
		seen += !state;
	}
	return seen;
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 8, sizeof(uint16_t), 240, 4096);
	size_t row = LETTERS + run.pad / sizeof(uint16_t), length = 1 << 19;
	uint16_t *table = kernel_require(calloc(run.size * row, sizeof(uint16_t)));
	unsigned char *text = kernel_require(malloc(length));
	uint64_t random = 88172645463325252ull;
	double sum = 0;

	for (size_t s = 0; s < run.size; s++)
		for (size_t c = 0; c < LETTERS; c++)
			table[s * row + c] = kernel_random(&random) % run.size;
	for (size_t i = 0; i < length; i++)
		text[i] = 'a' + kernel_random(&random) % 26;
	for (unsigned long r = 0; r < run.repeats; r++)
		sum += match(table, row, text, length);
	kernel_checksum(sum);
	free(text);
	free(table);
	return 0;
}
