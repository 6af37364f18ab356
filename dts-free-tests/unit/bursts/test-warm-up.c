// SPDX-License-Identifier: GPL-2.0-only
/* References until as many lines were touched as an L1 holds. */
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

int main(void)
{
	struct warm_up opened, *warm_up = &opened;
	uint64_t bursts;

	warm_up_open(warm_up, WARM_UP_LINES, UINT64_MAX);
	ok(walk(warm_up, 1 << 20, 64, 100000) == WARM_UP_LINES && warm_up_done(warm_up),
	   "a line a reference: as many as there are lines");
	ok(walk(warm_up, 1 << 20, 8, 100000) == 8 * WARM_UP_LINES - 7,
	   "eight references a line: eight times as many (%llu)",
	   (unsigned long long)warm_up->references);
	ok(walk(warm_up, 1 << 15, 64, 50000) == 50000 && !warm_up_done(warm_up) &&
	   warm_up->lines == (1 << 15) / 64, "half as many lines: it never ends");
	ok(walk(warm_up, 1 << 24, 4096, 4096) == WARM_UP_LINES,
	   "lines that are a page apart are told apart");
	walk(warm_up, 64 * 5, 64, 20);
	ok(walk(warm_up, 64 * 5, 64, 20) == 20 && warm_up->lines == 5,
	   "lines of the burst before count again");
	for (bursts = 0; bursts < 70000; bursts++)
		walk(warm_up, 64 * (1 + bursts % 5), 64, 7);
	ok(walk(warm_up, 1 << 15, 64, 50000) == 50000 && warm_up->lines == (1 << 15) / 64,
	   "70,000 bursts later nothing of those before is left");
	warm_up_close(warm_up);
	warm_up_open(warm_up, WARM_UP_LINES, 3000);
	ok(walk(warm_up, 1 << 15, 64, 50000) == 3000 && warm_up_done(warm_up),
	   "no more references than asked for are looked at");
	ok(walk(warm_up, 1 << 20, 64, 50000) == WARM_UP_LINES && warm_up_done(warm_up),
	   "... of the next burst, too");
	warm_up_close(warm_up);
	return done();
}
