// SPDX-License-Identifier: GPL-2.0-only
/*
 * Periods that change while slots are taken, against a device of our own (fake-device.h): each run has
 * the period that its gap was drawn of, and what runs stand for by it is what happened, dropped slots
 * too.
 */
#include <math.h>

#include "fake-device.h"
#include "tap.h"

#define PERIODS	400
#define BURST	32

struct change {
	uint64_t from, period;
};

/* The device's next gaps are of another period. */
static void change(struct fake *f, struct device_drain *drain, struct change *log, size_t number,
		   uint64_t period)
{
	struct device_periods periods = { .from = f->session.control->head + 1, .of = { period } };

	if (!number)
		periods.from = 0;
	/* The fake's gaps are uniform up to twice their mean; the burst's others come behind. */
	f->mean = period * BURST - BURST;
	if (!number)
		fake_draw(f);
	device_drain_periods(drain, &periods);
	log[number] = (struct change){ periods.from, period };
}

static uint64_t period_at(const struct change *log, size_t count, uint64_t slot)
{
	size_t i = count;

	while (i && log[i - 1].from > slot)
		i--;
	return i ? log[i - 1].period : 0;
}

/* Which slot a sample was in is in the truth. */
static void test_changes(bool lag)
{
	static struct change log[PERIODS];
	struct fake *f = fake_new(0, 4, BURST, 100);
	size_t number = 0, next = 0, wrong = 0, runs = 0, seen = 0, i;
	uint64_t last = 0, events = 0;
	struct device_drain drain;
	struct device_run *run;
	double stands_for = 0;

	device_drain_begin(&drain, &f->session, 0);
	fake_mark(f, CCSAMPLE_MARK_SWITCH, 100, 101, 0);
	change(f, &drain, log, number++, 8);
	for (i = 0; i < 3000000 && number < PERIODS; i++) {
		fake_event(f, 0x400000 + rnd(4096), 0x7f0000000000 + rnd(1 << 30));
		events++;
		if (!rnd(3000))
			change(f, &drain, log, number++, 2 + rnd(40));
		if (lag && f->session.control->head - f->reader.tail < FAKE_SLOTS - 3)
			continue;
		device_drain(&drain, f->clock, 0);
		for (; (run = device_drain_next(&drain)); device_run_free(run), runs++) {
			uint64_t period = period_at(log, number, f->truth[next].slot);

			wrong += run->period != period;
			seen += period != last;
			last = period;
			stands_for += (double)run->period * run->count;
			next += run->count;
		}
	}
	ok(runs > 1000 && !wrong, "%s: %zu runs, %zu with another period than their gap's",
	   lag ? "a late reader" : "a reader in time", runs, wrong);
	ok(seen > PERIODS / 4, "... %zu of %zu periods were in force", seen, number);
	/* Gaps are uniform: 2,500 bursts leave a part in 90 to chance; six times that. */
	ok(fabs(stands_for / events - 1) < 0.07, "... samples stand for %.3f of %llu events",
	   stands_for / events, (unsigned long long)events);
	ok(drain.samples[0] == next, "... %zu samples were counted", next);
	ok(drain.taken[0] == next && drain.stood_for[0] == stands_for,
	   "... and that they stand for %llu", (unsigned long long)drain.stood_for[0]);
	device_drain_free(&drain);
	fake_free(f);
}

/* A reader that comes rarely: most slots are dropped, and what is left stands for them. */
static void test_losses(void)
{
	struct fake *f = fake_new(0, 4, BURST, 100);
	double stands_for = 0, samples = 0;
	struct device_drain drain;
	struct device_run *run;
	uint64_t events = 0;

	device_drain_begin(&drain, &f->session, 0);
	fake_mark(f, CCSAMPLE_MARK_SWITCH, 100, 101, 0);
	device_drain_periods(&drain, &(struct device_periods){ .of = { 10 } });
	f->mean = 9 * BURST;
	fake_draw(f);
	for (; events < 2000000; events++) {
		fake_event(f, 0x400000, 0x7f0000000000 + rnd(1 << 30));
		if (rnd(20000))
			continue;
		device_drain(&drain, f->clock, 0);
		for (; (run = device_drain_next(&drain)); device_run_free(run)) {
			samples += run->count;
			stands_for += (double)run->period * run->count;
		}
	}
	ok(drain.dropped > samples, "%.0f samples, %llu dropped", samples,
	   (unsigned long long)drain.dropped);
	ok(fabs(stands_for / events - 1) < 0.1, "... they stand for %.3f of the events",
	   stands_for / events);
	ok(drain.stood_for[0] == 10 * drain.taken[0],
	   "... but for what was dropped: %llu records, %llu events",
	   (unsigned long long)drain.taken[0], (unsigned long long)drain.stood_for[0]);
	device_drain_free(&drain);
	fake_free(f);
}

/* Of a session whose period stays nothing is said. */
static void test_none(void)
{
	struct fake *f = fake_new(0, 4, BURST, 100);
	struct device_drain drain;
	struct device_run *run;
	size_t runs = 0, wrong = 0, i;

	device_drain_begin(&drain, &f->session, 0);
	fake_mark(f, CCSAMPLE_MARK_SWITCH, 100, 101, 0);
	for (i = 0; i < 3000; i++) {
		fake_event(f, 0x400000, 0x7f0000000000 + 64 * i);
		device_drain(&drain, f->clock, 0);
		for (; (run = device_drain_next(&drain)); device_run_free(run), runs++)
			wrong += run->period != 0;
	}
	ok(runs > 5 && !wrong, "a period that stays: %zu runs without one of their own", runs);
	device_drain_free(&drain);
	fake_free(f);
}

/* A session that takes nothing gets one period after the other, all from the same slot on. */
static void test_idle(void)
{
	struct fake *f = fake_new(0, 4, BURST, 100);
	struct device_drain drain;
	uint64_t period;

	device_drain_begin(&drain, &f->session, 0);
	for (period = 4; period < 100; period++)
		device_drain_periods(&drain, &(struct device_periods){
			.from = period < 50, .of = { period } });
	ok(drain.periods_count == 1 && drain.periods[0].of[0] == 99,
	   "of periods from one slot on the last is kept: %zu, of %llu", drain.periods_count,
	   (unsigned long long)drain.periods[0].of[0]);
	device_drain_free(&drain);
	fake_free(f);
}

int main(void)
{
	test_changes(false);
	test_changes(true);
	test_losses();
	test_none();
	test_idle();
	return done();
}
