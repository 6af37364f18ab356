// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of somebody else's precise event among a made-up session's: they are dropped and counted,
 * where records name their counter (format 3 and later), and no event goes uncounted for it. The
 * same of a slot that says that its event has moved.
 */
#include "fake-device.h"
#include "tap.h"

#define OURS		0x2000
#define ANOTHERS	0xffff888000001000

/* A burst of 8 with 3 records of others between its own, of which one names no counter at all. */
static void strays(uint32_t format)
{
	static const uint64_t counters[] = { 1, 2, 1, 1ull << 32, 1, 1, 0, 1, 1, 1, 1 };
	struct fake *f = fake_new(0, format, 11, 50);
	struct device_drain drain;
	struct device_run *run;
	size_t samples = 0, wrong = 0;
	uint64_t weight = 0;

	device_drain_begin(&drain, &f->session, 0);
	fake_mark(f, CCSAMPLE_MARK_SWITCH, 7, 7, 0);
	while (!f->published) {
		f->counters = counters[f->count];
		fake_event(f, 0x1000, f->counters == 1 ? OURS : ANOTHERS);
	}
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		for (uint32_t i = 0; i < run->count; i++)
			wrong += run->samples[i].address != OURS;
		samples += run->count;
		weight += run->gap + run->events;
		device_run_free(run);
	}
	ok(samples == 8 && !wrong && drain.strays == 3,
	   "format %u: %zu samples, %llu records of others", format, samples,
	   (unsigned long long)drain.strays);
	ok(weight + drain.carry[0] + f->since == f->total, "... and all events are counted");
	device_drain_free(&drain);
	fake_free(f);
}

/* A burst in which perf has moved the event: none of its records is a sample. */
static void moved(uint32_t format)
{
	struct fake *f = fake_new(0, format, 8, 50);
	struct device_drain drain;
	struct device_run *run;
	size_t samples = 0;
	uint64_t weight = 0;

	device_drain_begin(&drain, &f->session, 0);
	fake_mark(f, CCSAMPLE_MARK_SWITCH, 7, 7, 0);
	while (f->session.control->head < 2)
		fake_event(f, 0x1000, OURS);
	((struct ccsample_slot *)f->session.slots)[0].counter[0] = CCSAMPLE_NO_COUNTER;
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		samples += run->count;
		weight += run->gap + run->events;
		device_run_free(run);
	}
	ok(samples == 8 && drain.strays == 8 && weight + drain.carry[0] + f->since == f->total,
	   "format %u: a moved event's burst is dropped, and its events are counted", format);
	device_drain_free(&drain);
	fake_free(f);
}

int main(void)
{
	for (uint32_t format = 1; format <= 6; format++)
		moved(format);
	for (uint32_t format = 3; format <= 6; format++)
		strays(format);
	return done();
}
