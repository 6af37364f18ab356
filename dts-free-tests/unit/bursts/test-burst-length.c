// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long bursts are to be: by how soon code touches 1,024 lines, within bounds, and by how many
 * references a word of the log stands for. No geometry, no page model, no chance.
 */
#include "bursts/burst-length.h"
#include "tap.h"

#define WORDS	50000u

/* Bursts of code that touches a new line every @step references. Return: words of the next one. */
static uint32_t after(unsigned int bursts, uint64_t step, double density, enum burst_reason reason)
{
	const struct burst burst = { .log_begin = 100, .log_end = 100 + WORDS, .reason = reason };
	struct burst_length length;
	uint64_t references = WORDS * density, i;
	uint32_t words;

	burst_length_open(&length);
	for (; bursts; bursts--) {
		for (i = 0; i < references && burst_length_asks(&length); i++)
			burst_length_add(&length, &(struct burst_reference){
				.address = i / step * 64 }, 1);
		burst_length_end(&length, &burst, references);
	}
	words = burst_length_words(&length);
	burst_length_close(&length);
	return words;
}

/* Lines are counted to about 1% (warm-up.h). */
static bool about(uint32_t words, uint32_t exact)
{
	return words > exact * 0.96 && words < exact * 1.04;
}

int main(void)
{
	/* 1,024 lines at 10 references a line, 4 times */
	ok(about(after(10, 10, 1, BURST_FULL), 40910), "four times what fills a cache");
	ok(about(after(15, 10, 2, BURST_FULL), 20450), "half as many words at two references a word");
	ok(after(13, 2, 1, BURST_FULL) == 20000, "at least 20,000 references");
	ok(after(13, 40, 1, BURST_FULL) == 100000, "at most 100,000");
	ok(after(13, 2, 10, BURST_FULL) == 8192, "at least 8,192 words");
	ok(after(13, 10, 1, BURST_SYSTEM_CALL) == 20000, "bursts that were cut say nothing");
	ok(about(after(9, 10, 1, BURST_FULL), 20455), "the first ten are half as long");
	ok(after(3, 40, 1, BURST_FULL) == 50000, "... as the longest, too");
	ok(after(3, 2, 1, BURST_FULL) == 20000, "... but no shorter than the least");
	return done();
}
