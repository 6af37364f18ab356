// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page models: offsets kept, no frame given twice, the same seed the same
 * frames, all low bits of frames alike often, unmapped pages forgotten.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache-memory.h"
#include "cachesim/pages.h"
#include "tap.h"

#define MANY	200000u

static uint64_t at(struct pages *pages, uint64_t address)
{
	uint64_t physical = ~0ull;

	return pages_translate(pages, address, &physical) ? physical : ~0ull;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static struct pages opened(const char *text)
{
	struct page_plan plan;
	struct pages pages;

	if (page_plan_parse(&plan, text) || !pages_open(&pages, &plan, &libc_allocator))
		exit(1);
	return pages;
}

/* Pages with gaps of all sizes between them, as address spaces have. */
static uint64_t page_number(uint64_t n)
{
	return (n & 1023) + (n >> 10) * 0x40201;
}

static void check_frames(const char *text, uint32_t bits, uint32_t many)
{
	uint64_t *frames = malloc(many * sizeof(*frames)), n, mask = (1ull << bits) - 1;
	uint64_t low[64] = { 0 };
	struct pages pages = opened(text), shadow = opened(text);
	bool kept = true, steady = true, same = true, below = true, distinct = true;
	double chi = 0;

	for (n = 0; n < many; n++) {
		uint64_t address = page_number(n) << bits | (n * 977 & mask);

		frames[n] = at(&pages, address);
		kept &= (frames[n] & mask) == (address & mask);
		below &= frames[n] < 1ull << 38;
		same &= at(&shadow, address) == frames[n];
		frames[n] >>= bits;
		low[frames[n] & 63]++;
	}
	for (n = 0; n < many; n++)
		steady &= at(&pages, page_number(n) << bits) >> bits == frames[n];
	qsort(frames, many, sizeof(*frames), by_value);
	for (n = 1; n < many; n++)
		distinct &= frames[n] != frames[n - 1];
	for (n = 0; n < 64; n++)
		chi += (low[n] - many / 64.0) * (low[n] - many / 64.0) / (many / 64.0);
	ok(kept, "%s: the offset in the page stays", text);
	ok(below, "%s: frames lie below 2^38", text);
	ok(same, "%s: the same seed and order give the same frames", text);
	ok(steady, "%s: a page keeps its frame while the table grows", text);
	ok(distinct, "%s: no two of %u pages share a frame", text, many);
	/* 63 degrees of freedom: 0.1% lie above 103. A permutation is more even, never less. */
	ok(chi < 103, "%s: the low six bits of frames are even (chi^2 %.1f)", text, chi);
	pages_close(&pages);
	pages_close(&shadow);
	free(frames);
}

static void check_order(const char *text, uint32_t bits)
{
	struct pages pages = opened(text);
	uint64_t n, neighbours = 0, last = 0;

	for (n = 0; n < 10000; n++) {
		uint64_t frame = at(&pages, n << bits) >> bits;

		neighbours += n && (frame == last + 1 || frame + 1 == last);
		last = frame;
	}
	ok(neighbours < 20, "%s: neighbouring pages seldom get neighbouring frames (%llu)", text,
	   (unsigned long long)neighbours);
	pages_close(&pages);
}

static void check_forget(void)
{
	struct pages pages = opened("random:3");
	uint64_t first = at(&pages, 0x5000), second = at(&pages, 0x6000), n;

	pages_forget(&pages, 0x5000, 0x6000);
	pages_forget(&pages, 0x900000, 0x900000);
	ok(at(&pages, 0x5000) != first, "a page that was unmapped gets another frame");
	ok(at(&pages, 0x6000) == second, "the page behind the range keeps its own");
	for (n = 0; n < 5000; n++)
		at(&pages, 0x10000000 + (n << 12));
	first = at(&pages, 0x5000);
	second = at(&pages, 0x10000000 + (5000ull << 12));
	pages_forget(&pages, 0x10000000, 0x10000000 + (5000ull << 12));
	ok(at(&pages, 0x5000) == first && at(&pages, 0x10000000 + (5000ull << 12)) == second,
	   "a long range is forgotten, and nothing beside it");
	pages_forget(&pages, 0, 1ull << 47);
	ok(at(&pages, 0x5000) != first && at(&pages, 0x10000000 + (5000ull << 12)) != second,
	   "an endless range is forgotten");
	pages_close(&pages);
	pages = opened("huge");
	first = at(&pages, 0x200000);
	pages_forget(&pages, 0x3ff000, 0x400000);
	ok(at(&pages, 0x200000) != first, "part of a huge page takes all of it");
	pages_close(&pages);
}

static void check_identity(void)
{
	struct pages pages = opened("identity");

	ok(at(&pages, 0x7fff12345678) == 0x7fff12345678 && at(&pages, 5) == 5,
	   "identity: addresses are themselves, wherever");
	pages_close(&pages);
}

static void check_words(void)
{
	static const char *const bad[] = {
		"", "rand", "randomly", "random:", "random:x", "random:-1", "random:1 ",
		"identity:1", "real:", "huge:18446744073709551616", "hugepages",
	};
	struct page_plan plan = { PAGES_REAL, 7 };
	size_t i;

	ok(!page_plan_parse(&plan, "random:42") && plan.kind == PAGES_RANDOM && plan.seed == 42,
	   "random:42 is read");
	ok(!page_plan_parse(&plan, "huge") && plan.kind == PAGES_HUGE && plan.seed == 1,
	   "a seed is 1 unless given");
	ok(!page_plan_parse(&plan, "real") && plan.kind == PAGES_REAL, "real is read");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(page_plan_parse(&plan, bad[i]) && plan.kind == PAGES_REAL,
		   "'%s' is refused, and changes nothing", bad[i]);
}

static void check_seeds(void)
{
	struct pages one = opened("random:1"), two = opened("random:2");
	uint64_t n, same = 0;

	for (n = 0; n < 1000; n++)
		same += at(&one, n << 12) == at(&two, n << 12);
	ok(same < 5, "another seed gives other frames (%llu alike)", (unsigned long long)same);
	pages_close(&one);
	pages_close(&two);
}

int main(void)
{
	check_frames("random:1", 12, MANY);
	check_frames("random:987654321", 12, MANY);
	check_frames("huge:5", 21, 1u << 17);
	check_order("random:1", 12);
	check_order("huge:1", 21);
	check_forget();
	check_identity();
	check_words();
	check_seeds();
	return done();
}
