// SPDX-License-Identifier: GPL-2.0-only
/*
 * The period that follows what is taken and spent, for programs of our own making: so many misses a
 * second of their own time, of which one in `period` is sampled at a cost.
 */
#include <math.h>

#include "base/random.h"
#include "device/pace.h"
#include "tap.h"

#define STEP_NS		4e6	/* between two looks */

struct program {
	double rate;			/* misses a second of its own time */
	double handler_ns;		/* a sample, measured */
	double misses, samples, own_ns;
	struct device_spent spent;
	struct device_pace pace;
	uint64_t changes;
};

static uint64_t chance = 1;

/*
 * A look later: the time goes to the program and to its sampling. Bursts come whole, one in a while.
 * @burst: samples that come at once
 */
static void step(struct program *p, double burst)
{
	double each = PACE_RECORD_NS + (p->handler_ns + PACE_INTERRUPT_NS) / burst;
	double a_miss = 1e9 / p->rate + each / p->pace.period;
	double misses = STEP_NS / a_miss, bursts = misses / p->pace.period / burst;
	double whole = floor(bursts) + (random_unit(&chance) < bursts - floor(bursts));
	uint64_t before = p->pace.period;

	p->misses += misses;
	p->own_ns += misses * 1e9 / p->rate;
	p->spent.samples += whole * burst;
	p->spent.records += whole * burst;
	p->spent.interrupts += whole;
	p->spent.handler_ns += whole * p->handler_ns;
	p->spent.cpu_ns += misses * 1e9 / p->rate + whole * burst * each;
	device_pace(&p->pace, &p->spent);
	p->changes += p->pace.period != before;
}

static struct program begin(double rate, double overhead)
{
	struct program p = { .rate = rate, .handler_ns = 400 };

	device_pace_begin(&p.pace, overhead);
	return p;
}

static double overhead(const struct program *p)
{
	return device_spent_ns(&p->spent) / p->own_ns;
}

static void test_rates(void)
{
	static const double rates[] = { 1e4, 1e6, 1e7, 1e8, 1e9 };
	static const double budgets[] = { 0.002, 0.02, 0.1 };
	unsigned int r, b, i;

	for (r = 0; r < 5; r++) {
		for (b = 0; b < 3; b++) {
			struct program p = begin(rates[r], budgets[b]);
			double most = budgets[b] * 1.1;

			for (i = 0; i < 30000; i++)
				step(&p, 1024);
			/* What the first moments may take: twice the start, as looks come late. */
			ok(device_spent_ns(&p.spent) <= most * p.own_ns + 2.0 * PACE_START_NS,
			   "%.0e misses a second at %g%%: %.3g%% spent of %.0f s", rates[r],
			   100 * budgets[b], 100 * overhead(&p), p.own_ns / 1e9);
			/* 20 MB at 7.7 bytes a sample; a regular program takes 3.6 in a recording. */
			ok(p.spent.samples < 2600000, "... %.0f misses: %llu samples", p.misses,
			   (unsigned long long)p.spent.samples);
			ok(p.changes < 400, "... %llu changes", (unsigned long long)p.changes);
		}
	}
}

/* It is spent where there is something to sample, and the rule for samples does not want less. */
static void test_spends(void)
{
	struct program p = begin(5e7, 0.001);
	unsigned int i;

	for (i = 0; i < 30000; i++)
		step(&p, 1024);
	ok(overhead(&p) > 0.0007, "%.3g%% spent of 0.1%% where more would be sampled",
	   100 * overhead(&p));
}

/* 20,000 misses, at whatever rate: as dense as it goes, or over before anybody could look. */
static void test_short(void)
{
	static const double rates[] = { 1e5, 1e6, 1e7 };
	unsigned int r;

	for (r = 0; r < 3; r++) {
		struct program p = begin(rates[r], 0.02);

		while (p.misses < 20000)
			step(&p, 64);
		ok(p.spent.samples >= 1500 && p.pace.period <= 16,
		   "20000 misses at %.0e a second: %llu samples, the last of one in %llu",
		   rates[r], (unsigned long long)p.spent.samples,
		   (unsigned long long)p.pace.period);
	}
}

/* A long phase without misses is not saved up for. */
static void test_phases(void)
{
	struct program p = begin(1e3, 0.01);
	double spent, own;
	unsigned int i;

	for (i = 0; i < 5000; i++)
		step(&p, 64);
	p.rate = 1e8;
	spent = device_spent_ns(&p.spent);
	own = p.own_ns;
	for (i = 0; i < 500; i++)
		step(&p, 1024);
	spent = device_spent_ns(&p.spent) - spent;
	own = p.own_ns - own;
	ok(spent <= 0.011 * own + 2.0 * PACE_START_NS,
	   "20 s without misses, then %.1f s of them: %.0f ms spent there", own / 1e9, spent / 1e6);
}

/* Nobody says how much CPU time there was: nothing is thinned for that, and nothing divides by it. */
static void test_no_time(void)
{
	struct device_spent spent = { .samples = 100, .records = 100, .interrupts = 2 };
	struct device_pace pace;

	device_pace_begin(&pace, 0.02);
	ok(device_pace(&pace, &spent) == pace.period && pace.period >= 1 && pace.period < 100,
	   "without any CPU time the period is that of the samples");
}

/* A hypervisor that keeps the CPU while handlers run is none of the period's doing. */
static void test_stolen(void)
{
	struct program p = begin(1e6, 0.02), stolen = begin(1e6, 0.02);
	unsigned int i;

	stolen.handler_ns = 5e6;
	p.handler_ns = PACE_HANDLER_MOST_NS;
	for (i = 0; i < 2000; i++) {
		step(&p, 64);
		step(&stolen, 64);
	}
	ok(stolen.pace.period <= 2 * p.pace.period,
	   "handlers of 5 ms: one in %llu, of 5 us: one in %llu",
	   (unsigned long long)stolen.pace.period, (unsigned long long)p.pace.period);
}

int main(void)
{
	test_stolen();
	test_rates();
	test_spends();
	test_short();
	test_phases();
	test_no_time();
	return done();
}
