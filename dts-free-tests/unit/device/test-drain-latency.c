// SPDX-License-Identifier: GPL-2.0-only
/* Whose latency becomes a sample's weight: a made-up session's, each record with both parts. */
#include "fake-device.h"
#include "tap.h"

static uint32_t weight_of(uint64_t config, bool split)
{
	struct fake *f = fake_new(0, 4, 8, 5);
	struct device_drain drain;
	struct device_run *run;
	uint32_t weight = 0;

	f->session.how.event[0].config = config;
	f->session.split_latency = split;
	device_drain_begin(&drain, &f->session, 0);
	fake_mark(f, CCSAMPLE_MARK_SWITCH, 7, 7, 0);
	while (!f->published)
		fake_event(f, 0x1000, 0x2000);
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		if (run->count)
			weight = run->samples[0].weight;
		device_run_free(run);
	}
	device_drain_free(&drain);
	fake_free(f);
	return weight;
}

int main(void)
{
	ok(weight_of(0x02cd, true) == FAKE_LATENCY, "a store's: the cache's part");
	ok(!weight_of(0x02cd, false), "where it is not split, a store has none");
	ok(!weight_of(0x08d1, true), "nor has a miss");
	return done();
}
