// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines sought while a burst's events passed, from what the module counts beside
 * them: against a device of our own, and who counts for which event.
 */
#include "fake-device.h"
#include "tap.h"

static struct fake *new_fake(struct device_drain *drain, uint32_t format)
{
	struct fake *f = fake_new(0, format, 8, 50);

	f->session.accesses[0] = DEVICE_REFERENCES;
	device_drain_begin(drain, &f->session, 0);
	fake_mark(f, CCSAMPLE_MARK_SWITCH, 7, 8, 0);
	return f;
}

/* So many slots of events with between 0 and @most references each. */
static void fill(struct fake *f, uint64_t slots, uint64_t most)
{
	uint64_t until = f->session.control->head + slots;

	while (f->session.control->head < until) {
		f->references_each = rnd(most + 1);
		fake_event(f, 0x1000, 0x2000);
	}
}

/* What runs say is what was counted, gaps and dropped slots with it. */
static void adds_up(void)
{
	uint64_t events = 0, lines = 0, references = 0, turn;
	struct device_drain drain;
	struct fake *f = new_fake(&drain, 4);
	struct device_run *run;

	for (turn = 0; turn < 200; turn++) {
		uint64_t until = rnd(3000);

		while (until--) {
			f->references_each = rnd(9);
			references += f->references_each;
			fake_event(f, 0x1000, 0x2000);
		}
		device_drain(&drain, f->clock, 0);
		while ((run = device_drain_next(&drain))) {
			events += run->accesses.events;
			lines += run->accesses.lines;
			device_run_free(run);
		}
	}
	ok(fake_control(f)->head > 1000 && drain.dropped,
	   "%llu bursts, some dropped", (unsigned long long)fake_control(f)->head);
	ok(events + f->since == f->total, "each event is of one run: %llu of %llu, and %llu after",
	   (unsigned long long)events, (unsigned long long)f->total, (unsigned long long)f->since);
	ok(lines + f->references == references, "and so is each reference: %llu",
	   (unsigned long long)lines);
	ok(!drain.no_accesses, "nothing was not counted");
	device_drain_free(&drain);
	fake_free(f);
}

/* While others hold the counter nothing is told; what it had counted comes later. */
static void not_counted(void)
{
	struct device_drain drain;
	struct fake *f = new_fake(&drain, 4);
	struct ccsample_slot *slots = (struct ccsample_slot *)f->session.slots;
	struct device_run *runs[3];
	int i;

	fill(f, 3, 5);
	slots[2].references += slots[1].references;
	slots[1].references = CCSAMPLE_NOT_COUNTED;
	device_drain(&drain, f->clock, 0);
	for (i = 0; i < 3; i++)
		runs[i] = device_drain_next(&drain);
	ok(runs[0]->accesses.events == slots[0].events[0] &&
	   runs[0]->accesses.lines == slots[0].references, "a burst whose references were counted");
	ok(!runs[1]->accesses.events && drain.no_accesses == 1,
	   "one whose were not, which is told");
	ok(runs[2]->accesses.events == slots[1].events[0] + slots[2].events[0] &&
	   runs[2]->accesses.lines == slots[2].references, "the next one tells of both");
	for (i = 0; i < 3; i++)
		device_run_free(runs[i]);
	device_drain_free(&drain);
	fake_free(f);
}

/* The second event's cache is asked by what misses the first's; none of it in slot 0. */
static void another_event(void)
{
	struct device_drain drain;
	struct fake *f = new_fake(&drain, 4);
	struct ccsample_slot *slots = (struct ccsample_slot *)f->session.slots;
	uint8_t *records = (uint8_t *)f->session.records + FAKE_SLOT_BYTES;
	struct device_run *run, *second = NULL;
	size_t runs = 0;
	int i;

	f->session.how.events = 2;
	f->session.how.event[1].plain = 1;
	f->session.accesses[0] = DEVICE_UNCOUNTED;
	f->session.accesses[1] = 1;
	fill(f, 2, 5);
	for (i = 0; i < 2; i++) {
		slots[i].counter[1] = 3;
		slots[i].gap[1] = i ? 0 : 20;
		slots[i].events[1] = 15 + i;
	}
	for (i = 0; i < 4; i++)
		put(records + 64 * i + 16, 1 << 3 | 1);
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		runs++;
		if (run->event == 1 && !second) {
			second = run;
			continue;
		}
		ok(!run->accesses.events, "run %zu: of the first event nothing is known", runs);
		device_run_free(run);
	}
	ok(runs == 3 && second && second->count == 4, "one run is the second event's");
	ok(second && second->accesses.events == 31 &&
	   second->accesses.lines == slots[0].events[0] + slots[1].events[0],
	   "its lines sought are the first's events, in both slots");
	ok(second && second->gap == 19 && second->events == 12,
	   "its gap goes on where the first's burst ended the slot");
	device_run_free(second);
	device_drain_free(&drain);
	fake_free(f);
}

/*
 * Of two events the second's burst is dropped, and its next gap stands in a slot of the first's. What
 * is left of that gap is not known: of its next burst only the records are.
 * @before: it had a burst before, of whose records none is a sample; for what came up to that nothing
 * stands.
 */
static void dropped_burst(bool before)
{
	struct device_drain drain;
	struct fake *f = new_fake(&drain, 4);
	struct ccsample_slot *slots = (struct ccsample_slot *)f->session.slots;
	uint8_t *first = (uint8_t *)f->session.records, *records = first + 2 * FAKE_SLOT_BYTES;
	static const uint64_t gap[] = { 100, 50, 0 }, events[] = { 20, 200, 30 };
	struct device_run *run, *second = NULL;
	int i;

	f->session.how.events = 2;
	f->session.how.event[1].plain = 1;
	device_drain_periods(&drain, &(struct device_periods){ .of = { 4, 4 } });
	fill(f, 3, 5);
	for (i = 0; i < 3; i++) {
		slots[i].counter[1] = 3;
		slots[i].gap[1] = gap[i];
		slots[i].events[1] = events[i];
	}
	slots[1].flags |= CCSAMPLE_SLOT_AFTER_LOSS;
	for (i = 0; i < 4; i++)
		put(records + 64 * i + 16, 1 << 3);
	for (i = 0; i < 4 && before; i++) {
		put(first + 64 * i + 16, 1 << 3);
		put(first + 64 * i + 32, 0);
	}
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		if (run->event == 1 && !second)
			second = run;
		else
			device_run_free(run);
	}
	ok(second && second->count == 4 && second->events == 4 && second->gap == 246,
	   "a burst behind one that was dropped has the events recorded of it: %llu, and %llu before",
	   second ? (unsigned long long)second->events : 0,
	   second ? (unsigned long long)second->gap : 0);
	ok(second && second->period == (before ? 57 : 62), "... and stands for all of them: %llu a sample",
	   second ? (unsigned long long)second->period : 0);
	if (second)
		device_run_free(second);
	device_drain_free(&drain);
	fake_free(f);
}

/* Runs of records that hold the counter's value: the references between any two are the truth's. */
static void values(void)
{
	uint64_t samples = 0, wrong = 0, turn;
	struct device_drain drain;
	struct fake *f = new_fake(&drain, 6);
	struct device_run *run;
	uint32_t i;

	for (turn = 0; turn < 1000; turn++) {
		uint64_t until = rnd(100);

		while (until--) {
			f->references_each = rnd(9);
			fake_event(f, 0x1000, 0x2000);
		}
		if (!rnd(3))
			fake_mark(f, CCSAMPLE_MARK_SWITCH, 7, 8 + rnd(2), 0);
		device_drain(&drain, f->clock, 0);
		while ((run = device_drain_next(&drain))) {
			for (i = 0; i < run->count; i++, samples++)
				wrong += f->truth[samples].time != run->samples[i].time ||
					 (i && run->accessed[i] - run->accessed[i - 1] !=
					  f->truth[samples].referred - f->truth[samples - 1].referred);
			device_run_free(run);
		}
	}
	ok(samples > 1000 && f->referred > FAKE_COUNTER_MASK && !wrong && !drain.dropped,
	   "values: the references between %llu records, over the counter's end: %llu wrong",
	   (unsigned long long)samples, (unsigned long long)wrong);
	device_drain_free(&drain);
	fake_free(f);
}

/* A slot during which the event was moved says nothing, and neither does a record without values. */
static void values_unknown(void)
{
	struct device_drain drain;
	struct fake *f = new_fake(&drain, 6);
	struct ccsample_slot *slots = (struct ccsample_slot *)f->session.slots;
	uint8_t *records = (uint8_t *)f->session.records;
	struct device_run *run;
	uint64_t known = 0, run_number = 0;
	uint32_t i;

	fill(f, 4, 5);
	slots[1].value[CCSAMPLE_EVENTS_MAX] = CCSAMPLE_NO_VALUE;
	slots[2].value[CCSAMPLE_EVENTS_MAX] = 63;
	put(records + 3 * FAKE_SLOT_BYTES + 64, 1);	/* one counter's, another's */
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		for (i = 0; i < run->count; i++)
			known += (run->accessed[i] != CCS_UNKNOWN) << (8 * run_number);
		run_number++;
		device_run_free(run);
	}
	ok(run_number == 4 && known == (8 | 7 << 24), "where they are unknown: %llx",
	   (unsigned long long)known);
	device_drain_free(&drain);
	fake_free(f);
}

/* @expected: by event */
static void seeks(const char *what, struct ccsample_open how, const uint32_t *codes, uint32_t first,
		  uint32_t second, uint32_t third)
{
	struct device_session session = { .fd = -1, .how = how };

	device_session_find_counters(&session, codes);
	ok(session.accesses[0] == first && session.accesses[1] == second &&
	   session.accesses[2] == third,
	   "%s: %u %u %u", what, session.accesses[0], session.accesses[1], session.accesses[2]);
}

static void who_counts(void)
{
	const uint32_t codes[CCSAMPLE_EVENTS_MAX] = { 0x83d0, 0x08d1, 0x10d1 }, none[3] = { 0 };
	struct ccsample_open how = {
		.events = 1,
		.burst = 64,
		.references = 0x83d0,
		.event = { { .config = 0x08d1, .plain = 1 }, { .config = 0x10d1, .plain = 1 },
			   { .config = 0x20d1 } },
	};

	seeks("one event, references", how, codes, DEVICE_REFERENCES, 0, 0);
	seeks("an event of which nothing is known", how, none, 0, 0, 0);
	how.burst = 1;
	seeks("single samples", how, codes, 0, 0, 0);
	how.burst = 64;
	how.references = 0;
	seeks("no counter for references", how, codes, 0, 0, 0);
	how.events = 2;
	seeks("two events: the first counts for the second", how, codes, 0, 1, 0);
	how.events = 3;
	how.event[1].plain = 0;
	seeks("three: the second is not counted itself", how, codes, 0, 1, 0);
}

int main(void)
{
	adds_up();
	not_counted();
	another_event();
	dropped_burst(false);
	dropped_burst(true);
	values();
	values_unknown();
	who_counts();
	return done();
}
