// SPDX-License-Identifier: GPL-2.0-only
/* Files of what misses cost: random ones, too; and the kernels that find it. No time is asserted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "gain/calibrate.h"
#include "gain/calibration.h"
#include "made-calibration.h"
#include "tap.h"

#define SEED	20261127u

static bool same(const struct calibration *a, const struct calibration *b)
{
	return !strcmp(a->cpu, b->cpu) && !memcmp(a->cost, b->cost, sizeof(a->cost));
}

static void test_file(void)
{
	struct calibration calibration = made_calibration(), read;
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
	test_file();
	test_run();
	test_text();
	return done();
}
