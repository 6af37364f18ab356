// SPDX-License-Identifier: GPL-2.0-only
/* What is saved, by figures worked out by hand; and that made-up references run. No time is asserted. */
#include <math.h>

#include "base/random.h"
#include "gain/what-if.h"
#include "tap.h"

#define SEED	22u

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

static bool is(struct what_if_share share, double low, double middle, double high)
{
	return near(share.low, low) && near(share.share, middle) && near(share.high, high);
}

static void test_share(void)
{
	struct what_if_times times = { 2, 1.5, 1.5, NAN, NAN };

	/* 1.5 of 2 ns, and nothing besides. */
	ok(is(what_if_share(&times, 2, 0.5), 0.75, 0.75, 0.75), "as long as the program");
	/* 1 of the 2 ns is too much, and may be of the 1.5. */
	ok(is(what_if_share(&times, 1, 0.5), 0.25, 0.75, 0.75),
	   "longer: a share of what it took here, or less by what it took too long");
	/* 0.375 of the rerun's time is half way from 0.25 to 0.5: between 0.75 and 0.125. */
	ok(is(what_if_share(&times, 0.75, 0.5), 0.125, 0.4375, 0.75) &&
	   is(what_if_share(&times, 0.4, 0.5), 0, 0, 0.75), "much longer: less is likelier");
	/* 1.5 of 2.5 ns, or of the 2 ns that the rerun took. */
	ok(is(what_if_share(&times, 2.5, 0.5), 0.6, 0.75, 0.75), "shorter: the rest shrinks, or stays");
	/* 0.375 of the program's time is half way from 0.25 to 0.5: of 0.515625 half is likely. */
	times.saved_beside = 0;
	ok(is(what_if_share(&times, 2 / 0.375, 0.5), 0.140625, 0.2578125, 0.75),
	   "still shorter: between nothing and all of it");
	/* But it may be that all of what it takes longer shrinks with the misses. */
	ok(is(what_if_share(&times, 10, 0.5), 0, 0, 0.75), "much shorter: nothing is likelier");
	times.saved_beside = 4;
	ok(is(what_if_share(&times, 10, 0.5), 0.15, 0.15, 0.75), "beside other things no more is saved than alone");
	times = (struct what_if_times){ 1, 0.5, 0.5, 3, 1.5 };
	/* 2 ns are half way from 1 to 3; so is what is saved: 1 of 2. */
	ok(is(what_if_share(&times, 2, 1), 0.5, 0.5, 0.5), "half of the data was far away, by the time");
	/* A quarter: 1.5 ns, of which 0.75; the program took 2.5. */
	ok(is(what_if_share(&times, 2.5, 0.25), 0.3, 0.5, 0.5),
	   "as much of it as there is, and something besides");
	times = (struct what_if_times){ 1, 0.5, 0.5, 1.1, 0.1 };
	ok(is(what_if_share(&times, 1, 0), 0.5, 0.5, 0.5) &&
	   is(what_if_share(&times, 1.1, 1), 0.1 / 1.1, 0.1 / 1.1, 0.1 / 1.1),
	   "near and far take as long: as was said");
	times = (struct what_if_times){ 1, -0.5, -0.5, NAN, NAN };
	ok(is(what_if_share(&times, 1, 0), -0.5, -0.5, -0.5) &&
	   is(what_if_share(&times, 0.8, 0), -0.5, -0.5, -0.3), "slower than before");
}

/* All kinds, sizes and dependences: were anything but zeros loaded, an address would be wrong. */
static void test_rerun(void)
{
	static const uint16_t sizes[] = { 1, 2, 3, 4, 8, 10, 16, 32, 48, 64, 100, 2048 };
	struct rerun_reference references[2000];
	const struct rerun_mix mix = { 1.5, 0.3 };
	uint64_t state = SEED;
	struct rerun_memory *memory = rerun_memory_new();
	struct rerun *rerun;
	bool done = true;

	for (int i = 0; i < 2000; i++)
		references[i] = (struct rerun_reference){
			.address = 0x7ff000000000 + random_below(&state, 8) * 0x123456789 +
				   random_below(&state, 1 << 16),
			.bytes = sizes[random_below(&state, 12)], .kind = 1 + random_below(&state, 3),
			.from = random_below(&state, RERUN_SLOTS + 1),
		};
	for (int i = 0; i < 2000; i++)
		if (references[i].kind == RERUN_LOAD)
			references[i].to = random_below(&state, RERUN_SLOTS + 1);
	rerun = rerun_new(memory, references, 2000, &mix);
	for (int i = 0; rerun && i < 5; i++)
		done &= rerun_once(rerun) > 0 && rerun_cold(rerun, &references[0].address, 1) > 0;
	ok(rerun && done, "references of all kinds run (seed %u)", SEED);
	rerun_free(rerun);
	/* In rounds of five, which wait for the second as long as may be. */
	for (int i = 0; i < 2000; i++) {
		if (i >= 5)
			references[i] = references[i - 5];
		references[i].site = i % 5;
		references[i].from = i < 5 ? 0 : 2;
		references[i].to = i % 5 == 1 ? 2 : 0;
		references[i].delay = i % 5 * 63;
		if (i % 5 == 0)
			references[i].address = 0x10000 + random_below(&state, 1 << 24);
		else
			references[i].address = references[i / 5 * 5].address + i % 5 * 100;
	}
	references[1].kind = RERUN_LOAD;
	for (int i = 6; i < 2000; i += 5)
		references[i].kind = RERUN_LOAD;
	references[5].address = 0x10000 - 4096;
	rerun = rerun_new(memory, references, 2000, &mix);
	ok(rerun && rerun_once(rerun) > 0 && rerun_cold(rerun, &references[5].address, 1) > 0, "... in rounds");
	rerun_free(rerun);
	for (int i = 0; i < 2000; i++)
		references[i].address = (uint64_t)i << 22;
	ok(!rerun_new(memory, references, 2000, &mix), "too far apart: refused");
	rerun = rerun_new(memory, references, 0, &mix);
	ok(rerun && rerun_once(rerun) >= 0, "none at all");
	rerun_free(rerun);
	rerun_memory_free(memory);
}

static void test_what_if(void)
{
	struct rerun_reference references[500] = { { 0 } };
	struct what_if input = {
		.memory = rerun_memory_new(), .before = references, .after = references,
		.count = 500, .own = 50, .instructions = 2, .cycles = 4, .far = true,
	};
	struct what_if_times times;

	for (int i = 0; i < 500; i++)
		references[i] = (struct rerun_reference){
			.address = 0x1000 + i * 8, .bytes = 8, .kind = RERUN_LOAD,
		};
	ok(what_if(&input, &times) && times.rerun > 0 && times.far_rerun > 0 &&
	   isfinite(times.saved) && isfinite(times.saved_beside) && isfinite(times.far_saved),
	   "both addresses are timed, near and far");
	rerun_memory_free(input.memory);
}

int main(void)
{
	test_share();
	test_rerun();
	test_what_if();
	return done();
}
