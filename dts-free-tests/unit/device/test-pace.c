// SPDX-License-Identifier: GPL-2.0-only
/*
 * Periods that follow what is taken and spent, for programs of our own making: so many misses a
 * second of their own time, of which one in `period` is sampled at a cost; and for a reader that has
 * room for some records and takes so many a second.
 */
#include <math.h>

#include "base/random.h"
#include "device/pace.h"
#include "tap.h"

#define STEP_NS		4e6	/* between two looks */
#define BURST		1024
#define LOADS		0
#define STORES		1

struct program {
	uint32_t events;
	double rate[2];			/* events a second of its own time */
	double kept[2];			/* part of its records */
	double handler_ns;		/* a sample, measured */
	double room;			/* records that wait at most, 0 = any number */
	double reads;			/* records a second that the reader takes */
	double bytes;			/* of the recording's largest size, a sample */
	double misses, own_ns;
	double waits[2], took[2], useful[2];	/* records */
	double waits_for[2], stood_for[2];	/* events, that these stand for */
	struct device_spent spent;
	struct device_pace pace;
	uint64_t changes, said;
};

static uint64_t chance = 1;

static double samples(const struct program *p)
{
	return p->spent.kept[LOADS] + p->spent.kept[STORES];
}

/* What waits is a mix of all events' records; what finds no room is dropped. */
static void read_records(struct program *p, const double *wrote)
{
	double all = wrote[LOADS] + wrote[STORES], waits = p->waits[LOADS] + p->waits[STORES];
	double stay = all && p->room ? fmin(1, fmax(p->room - waits, 0) / all) : 1, part = 1;
	struct device_spent *spent = &p->spent;
	uint32_t i;

	waits += stay * all;
	spent->records += all;
	spent->dropped += all - stay * all;
	if (p->room)
		part = fmin(1, p->reads * STEP_NS / 1e9 / fmax(waits, 1));
	for (i = 0; i < p->events; i++) {
		p->waits[i] += stay * wrote[i];
		p->waits_for[i] += stay * wrote[i] * p->pace.event[i].period;
		p->took[i] += part * p->waits[i];
		p->useful[i] += part * p->waits[i] * p->kept[i];
		p->stood_for[i] += part * p->waits_for[i];
		p->waits[i] -= part * p->waits[i];
		p->waits_for[i] -= part * p->waits_for[i];
		spent->taken[i] = p->took[i];
		spent->stood_for[i] = p->stood_for[i];
		spent->kept[i] = p->useful[i];
	}
	spent->waiting = waits - part * waits;
	spent->full = p->room ? spent->waiting / p->room : 0;
	spent->written = p->bytes * samples(p);
}

/*
 * A look later: the time goes to the program and to its sampling. Bursts come whole, one in a while.
 * @burst: samples that come at once
 */
static void step(struct program *p, double burst)
{
	double each = PACE_RECORD_NS + (p->handler_ns + PACE_INTERRUPT_NS) / burst;
	double a_second = 1e9, own, wrote[2] = { }, all = 0;
	uint64_t period, before = 0;
	uint32_t i;

	for (i = 0; i < p->events; i++) {
		a_second += p->rate[i] / p->pace.event[i].period * each;
		before += p->pace.event[i].period;
	}
	own = STEP_NS / a_second;	/* seconds */
	for (i = 0; i < p->events; i++) {
		double bursts = own * p->rate[i] / p->pace.event[i].period / burst;

		bursts = floor(bursts) + (random_unit(&chance) < bursts - floor(bursts));
		wrote[i] = bursts * burst;
		all += bursts;
		p->misses += own * p->rate[i];
	}
	p->own_ns += own * 1e9;
	p->spent.interrupts += all;
	p->spent.handler_ns += all * p->handler_ns;
	p->spent.cpu_ns += own * 1e9 + all * burst * each;
	read_records(p, wrote);
	p->said += device_pace(&p->pace, &p->spent);
	for (period = 0, i = 0; i < p->events; i++)
		period += p->pace.event[i].period;
	p->changes += period != before;
}

static struct program begin(double rate, double overhead)
{
	struct program p = { .events = 1, .rate = { rate }, .kept = { 1 }, .handler_ns = 400 };

	device_pace_begin(&p.pace, overhead, BURST, 1, 0);
	return p;
}

/* @part: of the stores that miss */
static struct program begin_both(double loads, double stores, double part, double overhead)
{
	struct program p = begin(loads, overhead);

	p.events = 2;
	p.rate[STORES] = stores;
	p.kept[STORES] = part;
	device_pace_begin(&p.pace, overhead, BURST, 2, 1 << STORES);
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

			p.bytes = PACE_SAMPLE_BYTES / 20e6;
			for (i = 0; i < 30000; i++)
				step(&p, 1024);
			/* What the first moments may take: twice the start, as looks come late. */
			ok(device_spent_ns(&p.spent) <= most * p.own_ns + 2.0 * PACE_START_NS,
			   "%.0e misses a second at %g%%: %.3g%% spent of %.0f s", rates[r],
			   100 * budgets[b], 100 * overhead(&p), p.own_ns / 1e9);
			ok(p.spent.written < 1, "... %.0f misses: %llu samples", p.misses,
			   (unsigned long long)p.spent.kept[0]);
			ok(p.changes < 400, "... %llu changes", (unsigned long long)p.changes);
		}
	}
}

/* It is spent where there is something to sample. */
static void test_spends(void)
{
	struct program p = begin(5e7, 0.001);
	unsigned int i;

	for (i = 0; i < 30000; i++)
		step(&p, 1024);
	ok(overhead(&p) > 0.0009, "%.3g%% spent of 0.1%% where more would be sampled",
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
		ok(p.spent.kept[0] >= 1500 && p.pace.event[0].period <= 16,
		   "20000 misses at %.0e a second: %llu samples, the last of one in %llu",
		   rates[r], (unsigned long long)p.spent.kept[0],
		   (unsigned long long)p.pace.event[0].period);
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
	p.rate[LOADS] = 1e8;
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
	struct device_spent spent = {
		.records = 100, .taken = { 100 }, .stood_for = { 400 }, .kept = { 100 },
		.interrupts = 2,
	};
	struct device_pace pace;

	device_pace_begin(&pace, 0.02, BURST, 1, 0);
	ok(!device_pace(&pace, &spent) && pace.event[0].period == PACE_DENSEST,
	   "without any CPU time the period is the least");
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
	ok(stolen.pace.event[0].period <= 2 * p.pace.event[0].period,
	   "handlers of 5 ms: one in %llu, of 5 us: one in %llu",
	   (unsigned long long)stolen.pace.event[0].period, (unsigned long long)p.pace.event[0].period);
}

/* Stores, most of which hit: the rarer their misses, the fewer of their records, by the root. */
static void test_stores(double part)
{
	struct program p = begin_both(2e6, 5e7, part, 0.02);
	double ratio, most;
	unsigned int i;

	ok(p.pace.event[LOADS].period == PACE_DENSEST &&
	   p.pace.event[STORES].period == PACE_DENSEST * PACE_SPARSE,
	   "loads begin at %u, stores at %u", PACE_DENSEST, PACE_DENSEST * PACE_SPARSE);
	for (i = 0; i < 5000; i++)
		step(&p, 1024);
	ratio = (double)p.spent.taken[STORES] / p.spent.taken[LOADS];
	ok(fabs(ratio / (25 * sqrt(part)) - 1) < 0.3,
	   "25 stores a load miss, %.2g%% of them misses: %.1f records a load's", 100 * part,
	   ratio);
	ok(p.spent.kept[LOADS] > 100000, "... %llu load misses, and %llu stores",
	   (unsigned long long)p.spent.kept[LOADS], (unsigned long long)p.spent.kept[STORES]);
	most = 1.1 * 0.02 * p.own_ns + 2.0 * PACE_START_NS;
	ok(device_spent_ns(&p.spent) <= most, "... %.2g%% spent of 2%% by both",
	   100 * overhead(&p));
}

/* Stores that hit for long, and then all miss: they are sampled as loads are, soon. */
static void test_hits(void)
{
	struct program p = begin_both(1e7, 1e8, 0, 0.02);
	double records, ratio;
	unsigned int i;

	for (i = 0; i < 2500; i++)
		step(&p, 1024);
	records = p.spent.taken[LOADS] + p.spent.taken[STORES];
	ok(p.spent.taken[STORES] < 0.2 * records,
	   "stores that hit, ten a load miss: %.1f%% of the records",
	   100 * p.spent.taken[STORES] / records);
	ratio = (double)p.pace.event[STORES].period / p.pace.event[LOADS].period;
	ok(ratio > 50 && ratio < 80, "... one in %.0f times as many, no fewer", ratio);
	p.kept[STORES] = 1;
	for (i = 0; i < 500; i++)
		step(&p, 1024);
	ok(p.pace.event[STORES].period < 1.5 * p.pace.event[LOADS].period,
	   "... 2 s behind where they begin to miss: one in %llu, of load misses one in %llu",
	   (unsigned long long)p.pace.event[STORES].period,
	   (unsigned long long)p.pace.event[LOADS].period);
}

/* Stores that all miss are as dear as loads: none are thinned for what is thrown away. */
static void test_all_miss(void)
{
	struct program p = begin_both(1, 1e5, 1, 0.02);

	while (p.misses < 20000)
		step(&p, 64);
	ok(p.spent.kept[STORES] >= 1500 && p.pace.event[STORES].period <= 16,
	   "20000 stores, all of them misses: %llu samples",
	   (unsigned long long)p.spent.kept[STORES]);
}

/*
 * A reader that is slow, as where a host keeps the CPU from it: room for so many records, so many taken a
 * second. What it takes is used; little is dropped.
 */
static void test_slow_reader(double loads, double stores, double reads)
{
	struct program p = begin_both(loads, stores, 1.0 / 8, 1);
	double takes, taken;
	unsigned int i;

	p.room = 65536;
	p.reads = reads;
	for (i = 0; i < 500; i++)
		step(&p, 64);
	takes = reads * i * STEP_NS / 1e9;
	taken = p.spent.taken[LOADS] + p.spent.taken[STORES];
	ok(p.spent.dropped < 0.07 * p.spent.records,
	   "%.0e loads, %.0e stores, a reader of %.0e records a second: %.1f%% of %llu dropped",
	   loads, stores, reads, 100.0 * p.spent.dropped / p.spent.records,
	   (unsigned long long)p.spent.records);
	ok(taken > takes / 4, "... %.0f taken, of %.0f that there was time for", taken, takes);
	ok(p.spent.taken[LOADS] > taken / 100, "... %.1f%% of them loads",
	   100.0 * p.spent.taken[LOADS] / taken);
}

/* A reader that stops for a moment, and loses: it is thinned at once, by what was dropped. */
static void test_stopped_reader(void)
{
	struct program p = begin_both(1e6, 1e7, 1.0 / 8, 1);
	uint64_t before;
	unsigned int i;

	p.room = 8192;
	p.reads = 1e6;
	step(&p, 64);
	before = p.pace.event[STORES].period;
	p.spent.records += 100000;
	p.spent.dropped += 90000;
	p.spent.waiting = p.waits[STORES] = 8192;
	p.waits_for[STORES] = 8192 * before;
	p.spent.cpu_ns += 1e9;
	device_pace(&p.pace, &p.spent);
	ok(p.pace.event[STORES].period >= 9 * before && p.pace.event[STORES].period < 20 * before,
	   "nine of ten dropped: one store in %llu, before in %llu",
	   (unsigned long long)p.pace.event[STORES].period, (unsigned long long)before);
	for (i = 0; i < 1000; i++)
		step(&p, 64);
	ok(p.pace.thin < 2, "... and not for good: %.2f", p.pace.thin);
}

/* A gap drawn in a bad moment goes on: none passes by as much as there was before. */
static void test_gaps(void)
{
	struct program p = begin_both(1e6, 1e7, 1.0 / 8, 1);
	double events, longest = 0;
	unsigned int i, e;

	p.room = 65536;
	p.reads = 1e6;
	for (i = 0; i < 200; i++) {
		step(&p, 64);
		if (i % 2 || i < 20)
			continue;
		p.spent.records += 50;
		p.spent.dropped += 50;
		p.spent.cpu_ns += 1e10;
		device_pace(&p.pace, &p.spent);
		for (e = 0; e < 2; e++) {
			events = p.pace.event[e].seen;
			longest = fmax(longest, p.pace.event[e].period * (double)BURST / events);
		}
	}
	ok(p.pace.thin > 16 && longest <= 0.27,
	   "a few records dropped, again and again: gaps of at most %.2f of what happened before",
	   longest);
}

/* The size is not reached, whatever the period. */
static void test_size(void)
{
	struct program p = begin_both(1e10, 1e10, 1, 1);
	unsigned int i;

	p.bytes = PACE_SAMPLE_BYTES / 20e6;
	for (i = 0; i < 20000; i++)
		step(&p, 1024);
	ok(p.spent.written > 0.5 && p.spent.written < 1, "%.0f samples: %.3f of the size",
	   samples(&p), p.spent.written);
}

/* So many bursts more, whose gaps were drawn of a period. */
static void add_bursts(struct device_spent *spent, double bursts, uint64_t period)
{
	uint64_t records = bursts * BURST;

	spent->records += records;
	spent->taken[0] += records;
	spent->kept[0] += records;
	spent->stood_for[0] += records * period;
}

/* Behind a change each of 16 sessions has a gap that was drawn before it, and counts by that. */
static void test_change(void)
{
	struct device_spent spent = { .cpu_ns = 1000000, .interrupts = 100 };
	struct device_pace pace;
	uint64_t before, after;
	double seen;

	device_pace_begin(&pace, 0.02, BURST, 1, 0);
	before = pace.event[0].period;
	add_bursts(&spent, 100, before);
	device_pace(&pace, &spent);
	after = pace.event[0].period;
	ok(after > 2 * before, "a change from one in %llu to one in %llu",
	   (unsigned long long)before, (unsigned long long)after);
	seen = pace.event[0].seen;
	add_bursts(&spent, 15.5, before);
	spent.cpu_ns += 1000;
	device_pace(&pace, &spent);
	seen = pace.event[0].seen - seen;
	ok(seen == 15.5 * BURST * before, "... 15 bursts and a half behind it stand for %g events",
	   seen);
	seen = pace.event[0].seen;
	after = pace.event[0].period;
	add_bursts(&spent, 0.5, before);
	add_bursts(&spent, 0.5, after);
	spent.cpu_ns += 1000;
	device_pace(&pace, &spent);
	seen = pace.event[0].seen - seen;
	ok(fabs(seen - BURST / 2.0 * (before + after)) < 1, "... a whole one more for %g", seen);
	seen = pace.event[0].seen;
	spent.records += BURST;
	device_pace(&pace, &spent);
	seen = pace.event[0].seen - seen;
	ok(fabs(seen - BURST / 2.0 * (before + after)) < 1,
	   "... and one that waits for as many: %g", seen);
}

/* Interrupts may be seen before their records: what they took is the records' all the same. */
static void test_interrupts(void)
{
	struct device_spent spent = { .cpu_ns = 1000000 };
	struct device_pace at_once, later;

	device_pace_begin(&at_once, 0.02, BURST, 1, 0);
	later = at_once;
	spent.interrupts = 1000;
	spent.handler_ns = 1000 * PACE_HANDLER_MOST_NS / 4;
	device_pace(&later, &spent);
	spent.cpu_ns += 1e9;
	add_bursts(&spent, 10, at_once.event[0].period);
	device_pace(&later, &spent);
	device_pace(&at_once, &spent);
	ok(later.event[0].demand == at_once.event[0].demand &&
	   later.event[0].period == at_once.event[0].period,
	   "interrupts a look before their records: a demand of %g, at once %g",
	   later.event[0].demand, at_once.event[0].demand);
}

/* An event with a period of its own keeps it; the other has what that leaves, and a quarter at least. */
static void test_given(double loads, uint64_t period, double part)
{
	struct program p = begin_both(loads, 1e8, 1, 0.02);
	double paid;
	unsigned int i;

	device_pace_give(&p.pace, LOADS, period);
	for (i = 0; i < 3000; i++)
		step(&p, 1024);
	ok(p.pace.event[LOADS].period == period, "one in %llu of %.0e loads a second: it stays",
	   (unsigned long long)p.pace.event[LOADS].period, loads);
	ok(p.said == p.changes, "... no change is said but of the stores' (%llu, %llu)",
	   (unsigned long long)p.said, (unsigned long long)p.changes);
	paid = device_spent_ns(&p.spent) * p.spent.taken[STORES] /
	       (p.spent.taken[LOADS] + p.spent.taken[STORES]) / p.own_ns;
	ok(paid < 1.1 * part + 2.0 * PACE_START_NS / p.own_ns && paid > 0.7 * part,
	   "... stores cost %.2g%%, of %.2g%% that they may", 100 * paid, 100 * part);
}

static void run_for(struct program *p, double seconds)
{
	double until = p->own_ns + seconds * 1e9;

	while (p->own_ns < until)
		step(p, 1024);
}

/* What a given period cost, more than the overhead, is not the other event's to pay back. */
static void test_given_ends(void)
{
	struct program p = begin_both(1e7, 1e8, 1, 0.02);
	double least = 1e8 * PACE_RECORD_NS / 1e9 / 0.02;

	device_pace_give(&p.pace, LOADS, 30);
	run_for(&p, 4.5);
	ok(overhead(&p) > 0.08, "given loads cost %.2g%%, where all may cost 2%%",
	   100 * overhead(&p));
	p.rate[LOADS] = 0;
	run_for(&p, 5);
	ok(p.pace.event[STORES].period < 1.5 * least,
	   "... 5 s behind their end one store in %llu, of %.0f that 2%% pay",
	   (unsigned long long)p.pace.event[STORES].period, least);
}

int main(void)
{
	test_change();
	test_interrupts();
	test_given_ends();
	/* A record of 301 ns, one in 30 of a million: 1%. */
	test_given(1e6, 30, 0.01);
	test_given(1e7, 30, 0.005);
	test_stores(1.0 / 16);
	test_stores(1.0 / 1024);
	test_hits();
	test_all_miss();
	test_slow_reader(1e6, 1e7, 1e5);
	test_slow_reader(1e6, 1e7, 1e4);
	test_slow_reader(1e5, 1e8, 1e5);
	test_slow_reader(1e7, 1e4, 1e5);
	test_stopped_reader();
	test_gaps();
	test_size();
	test_stolen();
	test_rates();
	test_spends();
	test_short();
	test_phases();
	test_no_time();
	return done();
}
