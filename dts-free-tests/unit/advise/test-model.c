// SPDX-License-Identifier: GPL-2.0-only
/*
 * Classes of references, shares by hand-made costs, and files of these: random ones, too. No time is
 * asserted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advise/calibration.h"
#include "advise/model.h"
#include "base/random.h"
#include "tap.h"

#define SEED	20261127u

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

static struct calibration made(void)
{
	struct calibration calibration = { .cpu = "A processor" };

	for (int level = 0; level < PRICE_LEVELS; level++)
		for (int class = 0; class < PRICE_CLASSES; class++)
			calibration.cost[level][class] = (struct price){ 1 + class, 2 + class, 4 + class };
	return calibration;
}

static void test_share(void)
{
	struct calibration calibration = made();
	struct replay before = { .bursts = 0 }, after = { .bursts = 0 };
	struct time_share share;

	before.all.classes[0][PRICE_STORE] = 10;
	before.all.classes[1][PRICE_NEAR] = 4;
	share = model_share(&calibration, &before, &after, 200);
	/* 10 x 5 + 4 x 2 of 200 ns; 10 x 4 + 4 x 1; 10 x 7 + 4 x 4 */
	ok(near(share.share, 0.29) && near(share.low, 0.22 - 0.2) && near(share.high, 0.43 + 0.2) &&
	   !share.pieces, "misses by class and level, times their costs");
	share = model_share(&calibration, &after, &before, 200);
	ok(near(share.share, -0.29) && near(share.low, -0.43 - 0.2) && near(share.high, -0.22 + 0.2),
	   "more misses take as much longer");
	share = model_share(&calibration, &before, &after, 50);
	ok(share.share == 1 && share.high == 1, "no more than all of the time");
	before.all.misses = 40;
	after.all.misses = 10;
	share = model_share(&calibration, &before, &after, 200);
	ok(near(share.share, 0.29) && near(share.high, 0.75 + 0.2),
	   "perhaps as much of the time as of the misses");
	ok(isnan(model_share(&calibration, &before, &after, 0).share), "of an unknown time nothing is said");
}

static void test_classes(void)
{
	struct keep_access accesses[80];
	struct keep_site site[1] = { { .context = 0 } };
	struct keep_block blocks[1] = { { .object = NULL } };
	struct keep_burst bursts[2] = {
		{ .accesses = accesses, .count = 80, .weight = 2, .own = 3 },
		{ .accesses = accesses, .count = 80, .weight = 5, .own = 0 },
	};
	struct keep keep = {
		.geometry = { 64, 8, 64, 6 }, .bursts = bursts, .burst_count = 2, .blocks = blocks,
		.block_count = 1, .site = site, .site_count = 1,
	};

	/* Lines 0 to 39 in turn: the same line 40 references ago; then line 100 again and again. */
	for (uint32_t i = 0; i < 80; i++)
		accesses[i] = (struct keep_access){
			.address = i < 60 ? i % 40 * 64 : 6400, .last = 7, .kind = i % 40 == 5 ? 2 : i == 79 ? 3 : 1,
		};
	model_classes(&keep);
	ok(accesses[5].class == PRICE_STORE && accesses[45].class == PRICE_STORE &&
	   accesses[79].class == PRICE_UPDATE, "stores and updates");
	ok(accesses[44].class == PRICE_FAR && accesses[0].class == PRICE_FAR &&
	   accesses[60].class == PRICE_FAR && accesses[61].class == PRICE_NEAR, "near loads and others");
	/* 3 ns for each of the counted halves: 2 x 40 and 5 x 40. */
	ok(near(model_time(&keep), 3.0 * (2 + 5) * 40), "bursts without a time take as long as the others");
	bursts[0].own = 0;
	ok(model_time(&keep) == 0, "... and where none has one it is unknown");
}

static bool same(const struct calibration *a, const struct calibration *b)
{
	return !strcmp(a->cpu, b->cpu) && !memcmp(a->cost, b->cost, sizeof(a->cost));
}

static void test_file(void)
{
	struct calibration calibration = made(), read;
	const struct calibration *found;
	char path[64];

	snprintf(path, sizeof(path), "calibration-%d", (int)getpid());
	ok(!calibration_keep(path, &calibration), "a calibration is kept");
	ok(!calibration_find(path, "A processor", &read, &found) && found == &read && same(&read, &calibration),
	   "... and found again");
	ok(calibration_find(path, "Another", &read, &found) && !found, "... not for another processor");
	ok(calibration_find("/nowhere/at/all", "A processor", &read, &found), "what is asked for has to be there");
	setenv("XDG_CONFIG_HOME", "/nowhere/at/all", 1);
	ok(!calibration_find(NULL, "A processor", &read, &found) && !found, "... what is not asked for has not");
	unlink(path);
}

#define GOOD "cpu = x\nl1.near = 1 2 3\nl1.far = 1 2 3\nl1.chained = 1 2 3\nl1.store = 1 2 3\nl1.update = 1 2 3\n" \
	     "l2.near = 1 2 3\nl2.far = 1 2 3\nl2.chained = 1 2 3\nl2.store = 1 2 3\n"

static int parse(const char *text, struct calibration *calibration)
{
	char copy[1024];

	snprintf(copy, sizeof(copy), "%s", text);
	return calibration_parse("a file", copy, calibration);
}

static void test_text(void)
{
	static const char *const bad[] = {
		"", GOOD, GOOD "l2.update = 1 2", GOOD "l2.update = 3 2 1", GOOD "l2.update = 1 2 3 4",
		GOOD "l2.update = 1 2 nan", GOOD "l2.update = -1 2 3", GOOD "l2.update = 1 2 1e9",
		GOOD "l3.update = 1 2 3", GOOD "l2.updates = 1 2 3", GOOD "l2update = 1 2 3", GOOD "l2.update",
		GOOD "l2.update =", "x\n" GOOD "l2.update = 1 2 3",
	};
	struct calibration calibration;
	uint64_t state = SEED;
	bool refused = true, sane = true;

	freopen("/dev/null", "w", stderr);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refused = refused && parse(bad[i], &calibration);
	ok(refused, "what is no calibration is refused");
	ok(!parse("# a comment\n" GOOD "\n l2.update = 0 0.5 1e3 # and one\n", &calibration) &&
	   calibration.cost[1][PRICE_UPDATE].high == 1e3, "one with comments and blanks is not");
	/* One, changed at random: what is taken can be used. */
	for (uint32_t round = 0; round < 20000; round++) {
		char text[1024];
		size_t size;

		snprintf(text, sizeof(text), "%s", GOOD "l2.update = 1 2 3\n");
		size = strlen(text);
		for (uint32_t i = random_below(&state, 4); i-- > 0; )
			text[random_below(&state, size)] = random_below(&state, 3) ? '0' + random_below(&state, 10) :
							   random_below(&state, 256);
		if (calibration_parse("a file", text, &calibration))
			continue;
		for (int class = 0; class < PRICE_CLASSES; class++) {
			const struct price *cost = &calibration.cost[0][class];

			sane = sane && cost->low >= 0 && cost->low <= cost->middle && cost->middle <= cost->high &&
			       cost->high <= 1e6;
		}
	}
	ok(sane, "20,000 changed ones, seed %u", SEED);
}

/* Whatever it costs here: no cost is below 0, and the middle lies between. */
static void test_run(void)
{
	struct calibration calibration = { .cpu = "this" };
	bool sane = calibrate(&calibration, 1);

	for (int level = 0; level < PRICE_LEVELS; level++)
		for (int class = 0; class < PRICE_CLASSES; class++) {
			const struct price *cost = &calibration.cost[level][class];

			sane = sane && cost->low >= 0 && cost->low <= cost->middle && cost->middle <= cost->high;
		}
	ok(sane, "kernels run here");
}

int main(void)
{
	test_share();
	test_classes();
	test_file();
	test_run();
	test_text();
	return done();
}
