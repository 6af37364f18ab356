// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words of a text counted in a hash table of -n entries of 32 bytes: strings
 * hashed and compared.
 */
#include "kernel.h"

#include <string.h>

struct entry {
	char word[24];
	uint64_t count;
};

static void count_words(struct entry *table, size_t size, const char *text)
{
	while (*text) {
		size_t length = 0, slot = 5381;

		for (; text[length] != ' '; length++)
			slot = slot * 33 + (unsigned char)text[length];
		for (slot %= size; table[slot].count; slot = slot + 1 < size ? slot + 1 : 0)
			if (!strncmp(table[slot].word, text, length) && !table[slot].word[length])
				break;
		memcpy(table[slot].word, text, length);
		table[slot].count++;
		text += length + 1;
	}
}

#define WORD	12

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 4, 1, 32768, 1 << 20);
	size_t words = 100000;
	struct entry *table = kernel_require(calloc(run.size, sizeof(*table)));
	char *text = kernel_require(calloc(words * (WORD + 1) + 1, 1)), *end = text;
	uint64_t state = 88172645463325252ull;
	double sum = 0;

	for (size_t i = 0; i < words; i++) {
		uint64_t word = kernel_random(&state) % (run.size / 2) * 0x9e3779b97f4a7c15ull >> 8;

		for (size_t c = 0; c < 5 + word % (WORD - 5); c++)
			*end++ = 'a' + (word >> 4 * c) % 16;
		*end++ = ' ';
	}
	for (unsigned long r = 0; r < run.repeats; r++)
		count_words(table, run.size, text);
	for (size_t i = 0; i < run.size; i++)
		sum += (double)table[i].count * kernel_value(i);
	kernel_checksum(sum);
	free(text);
	free(table);
	return 0;
}
