// SPDX-License-Identifier: GPL-2.0-only
/* Classes of references, and shares by hand-made costs. No time is asserted. */
#include <math.h>
#include <stdio.h>

#include "advise/model.h"
#include "made-calibration.h"
#include "tap.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

static void test_share(void)
{
	struct calibration calibration = made_calibration();
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

int main(void)
{
	test_share();
	test_classes();
	return done();
}
