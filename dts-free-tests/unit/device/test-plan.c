// SPDX-License-Identifier: GPL-2.0-only
/* What a period that adapts makes of a session's events, those with a period of their own too. */
#include "device/plan.h"
#include "tap.h"

static void test_burst(void)
{
	struct ccsample_query query = { .features = CCSAMPLE_BURSTS, .least_burst = 9 };

	ok(device_burst(&query, 0) == 1 && device_burst(&query, 1) == 1, "single samples");
	ok(device_burst(&query, 2) == 9 && device_burst(&query, 8) == 9,
	   "bursts too short for the processor become its shortest");
	ok(device_burst(&query, 9) == 9 && device_burst(&query, 64) == 64, "others stay");
	ok(device_burst(&query, CCSAMPLE_BURST_MAX + 1) == CCSAMPLE_BURST_MAX, "... to the longest");
	query.features = 0;
	ok(device_burst(&query, 64) == 1, "where bursts are not trusted, single samples");
}

int main(void)
{
	struct device_kind kind = {
		.query = { .least_period = 100, .period_bits = 47 },
		.how = { .events = 2, .burst = 2048 },
		.adapts = 1,
	};
	struct ccsample_period periods;
	struct device_periods samples;

	kind.how.event[1].period = 16 * 2048;
	kind.how.event[1].spread = 8 * 2048;
	device_kind_periods(&kind, (uint64_t[]){ 50, 70, 90 }, &periods, &samples);
	ok(periods.period[0] == 50 * 2048 && periods.spread[0] == 25 * 2048, "one event adapts");
	ok(samples.of[0] == 50, "... its samples stand for 50");
	ok(periods.period[1] == 16 * 2048 && periods.spread[1] == 8 * 2048,
	   "the other keeps its period");
	ok(samples.of[1] == 16, "... its samples stand for %llu, 16 expected",
	   (unsigned long long)samples.of[1]);
	ok(!periods.period[2] && !samples.of[2], "of no third event anything is said");
	kind.adapts = 3;
	device_kind_periods(&kind, (uint64_t[]){ 50, 70, 90 }, &periods, &samples);
	ok(periods.period[0] == 50 * 2048 && periods.period[1] == 70 * 2048 && samples.of[1] == 70,
	   "two events that adapt have a period each");
	test_burst();
	return done();
}
