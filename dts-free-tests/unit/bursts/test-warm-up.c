// SPDX-License-Identifier: GPL-2.0-only
/* References until as many lines were touched as an L1 holds. */
#include "base/random.h"
#include "bursts/warm-up.h"
#include "tap.h"

/* A burst that goes over so many bytes by a stride, again and again. */
static uint64_t walk(struct warm_up *warm_up, uint64_t bytes, uint64_t stride, uint64_t references)
{
	uint64_t i;

	warm_up_begin(warm_up);
	for (i = 0; i < references; i++) {
		struct burst_reference reference = {
			.ip = 1, .address = 0x7f0000000000 + i * stride % bytes, .size = 8, .kind = 1,
		};

		warm_up_add(warm_up, &reference);
	}
	return warm_up->references;
}

/* Lines are counted to about 1% of what is looked for; four times that is allowed. */
static bool about(uint64_t is, uint64_t exact)
{
	uint64_t off = WARM_UP_LINES / 25;

	return is + off >= exact && is <= exact + off;
}

/* Lines that differ, at random places (seed 61), by eights: of a page or of one row. */
static bool fills_about(struct warm_up *warm_up, uint32_t lines)
{
	uint64_t seed = 61, eight = 0;
	uint32_t touched;

	warm_up_open(warm_up, lines, UINT64_MAX);
	warm_up_begin(warm_up);
	for (touched = 0; !warm_up_done(warm_up); touched++) {
		if (touched % 8 == 0)
			eight = random_next(&seed) & ~7ull;
		warm_up_line(warm_up, eight + touched % 8);
	}
	warm_up_close(warm_up);
	return touched > lines * 0.96 && touched < lines * 1.04;
}

int main(void)
{
	struct warm_up opened, *warm_up = &opened;
	uint32_t lines;

	warm_up_open(warm_up, WARM_UP_LINES, UINT64_MAX);
	ok(about(walk(warm_up, 1 << 20, 64, 100000), WARM_UP_LINES) && warm_up_done(warm_up),
	   "a line a reference: as many as there are lines (%llu)",
	   (unsigned long long)warm_up->references);
	ok(about(walk(warm_up, 1 << 20, 8, 100000) / 8, WARM_UP_LINES),
	   "eight references a line: eight times as many (%llu)",
	   (unsigned long long)warm_up->references);
	ok(walk(warm_up, 1 << 15, 64, 50000) == 50000 && !warm_up_done(warm_up) &&
	   about(warm_up_lines(warm_up), (1 << 15) / 64), "half as many lines: it never ends");
	ok(about(walk(warm_up, 1 << 24, 4096, 4096), WARM_UP_LINES),
	   "lines that are a page apart are told apart (%llu)",
	   (unsigned long long)warm_up->references);
	walk(warm_up, 64 * 5, 64, 20);
	ok(walk(warm_up, 64 * 5, 64, 20) == 20 && warm_up_lines(warm_up) == 5,
	   "lines of the burst before count again");
	warm_up_close(warm_up);
	warm_up_open(warm_up, WARM_UP_LINES, 3000);
	ok(walk(warm_up, 1 << 15, 64, 50000) == 3000 && warm_up_done(warm_up),
	   "no more references than asked for are looked at");
	ok(about(walk(warm_up, 1 << 20, 64, 50000), WARM_UP_LINES) && warm_up_done(warm_up),
	   "... of the next burst, too");
	warm_up_close(warm_up);
	for (lines = 2048; lines <= 65536; lines *= 2)
		ok(fills_about(warm_up, lines), "random lines of an L2 of %u", lines);
	return done();
}
