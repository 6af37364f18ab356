// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a session publishes, taken: against a device of our own (fake-device.h)
 * that knows what really happened. Owners, order, numbers of events, losses,
 * and the promise that nothing comes from before the watermark.
 */
#include "fake-device.h"
#include "tap.h"

static void fake_switch(struct fake *f, uint32_t pid, uint32_t tid)
{
	fake_mark(f, CCSAMPLE_MARK_SWITCH, pid, tid, 0);
}

struct checked {
	size_t samples, wrong;		/* against the truth */
	size_t mixed;			/* in a run of another thread */
	size_t joined;			/* over a switch or an interrupt, or parted without one */
	uint64_t interval, true_stay;	/* of the last sample */
	uint64_t weight;		/* gaps and events of runs */
	uint64_t short_events;		/* runs with fewer events than samples */
	uint64_t early;			/* samples from before a watermark told before */
	uint64_t watermark;
	size_t next;			/* in the truth */
	bool exact_times;
};

static bool is_ours(const struct truth *t)
{
	return t->pid && t->address && !(t->address >> 63);
}

static const struct truth *next_truth(const struct fake *f, struct checked *c)
{
	while (c->next < f->published && !is_ours(&f->truth[c->next]))
		c->next++;
	return c->next < f->published ? &f->truth[c->next++] : NULL;
}

static void check_run(const struct fake *f, struct checked *c, const struct device_run *run)
{
	uint32_t i;

	c->weight += run->gap + run->events;
	c->short_events += run->events < run->count || run->left != run->count;
	for (i = 0; i < run->count; i++) {
		const struct ccs_sample *s = &run->samples[i];
		const struct truth *t = next_truth(f, c);

		c->samples++;
		c->early += s->time < c->watermark;
		c->wrong += !t || t->ip != s->ip || t->address != s->address ||
			    s->physical != CCS_UNKNOWN ||
			    (c->exact_times ? t->time != s->time : s->time > f->clock);
		c->mixed += t && (t->pid != run->pid || t->tid != run->tid);
		c->joined += t && (t->interval == c->true_stay) != (run->interval == c->interval);
		c->true_stay = t ? t->interval : 0;
		c->interval = run->interval;
	}
}

static void take_all(struct fake *f, struct device_drain *drain, struct checked *c)
{
	struct device_run *run;

	device_drain(drain, f->clock, 0);
	while ((run = device_drain_next(drain))) {
		check_run(f, c, run);
		device_run_free(run);
	}
	if (drain->watermark > c->watermark)
		c->watermark = drain->watermark;
}

static uint64_t any_address(void)
{
	switch (rnd(50)) {
	case 0:
		return 0;
	case 1:
		return 0xffff888000000000 + rnd(1 << 20);
	default:
		return 0x7f0000000000 + rnd(1 << 30);
	}
}

static void any_switch(struct fake *f)
{
	uint32_t process = rnd(4);

	fake_switch(f, process ? 100 * process : 0, process ? 100 * process + rnd(3) : 0);
}

/* The truth's own losses: records of nobody of ours, and without an address of ours. */
static void count_truth(const struct fake *f, uint64_t *foreign, uint64_t *no_address,
			uint64_t *ours)
{
	size_t i;

	*foreign = *no_address = *ours = 0;
	for (i = 0; i < f->published; i++) {
		*foreign += !f->truth[i].pid;
		*no_address += f->truth[i].pid && !is_ours(&f->truth[i]);
		*ours += is_ours(&f->truth[i]);
	}
}

/* Another event, and something might be lost. */
static bool is_filling(const struct fake *f)
{
	return f->session.control->head - f->reader.tail > FAKE_SLOTS - 3;
}

static void random_life(uint32_t format, uint32_t burst, uint64_t mean)
{
	struct fake *f = fake_new(3, format, burst, mean);
	struct checked c = { .exact_times = format >= 3 };
	uint64_t foreign, no_address, ours;
	struct device_drain drain;
	size_t i;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 100, 101);
	for (i = 0; i < 60000; i++) {
		fake_event(f, 0x400000 + rnd(4096), any_address());
		if (!rnd(97))
			any_switch(f);
		if (!rnd(120))	/* an interrupt: the same thread again */
			fake_switch(f, f->pid, f->tid);
		if (!rnd(40) || is_filling(f))
			take_all(f, &drain, &c);
		if (!rnd(5000))
			fake_publish(f, CCSAMPLE_SLOT_PARTIAL);
	}
	fake_publish(f, CCSAMPLE_SLOT_PARTIAL);
	device_drain_ended(&drain);
	take_all(f, &drain, &c);
	count_truth(f, &foreign, &no_address, &ours);
	ok(ours > 100 && c.samples == ours && !c.wrong && !c.mixed,
	   "format %u, bursts of %u: %zu samples, each its owner's, %zu wrong", format, burst,
	   c.samples, c.wrong + c.mixed);
	ok(drain.foreign == foreign && drain.no_address == no_address && !drain.unowned &&
	   !drain.dropped && !drain.damaged && !drain.marks.lost, "... %llu foreign, %llu without "
								  "address",
	   (unsigned long long)foreign, (unsigned long long)no_address);
	ok(c.weight + drain.carry[0] + f->since == f->total && !c.short_events,
	   "... gaps, events and the rest are the %llu events", (unsigned long long)f->total);
	ok(!c.joined, "... behind each switch and interrupt another stay begins, and nowhere else");
	ok(!c.early, "... nothing comes from before the watermark");
	ok(drain.watermark == CCS_UNKNOWN, "... which is at the end of time at the end");
	device_drain_free(&drain);
	fake_free(f);
}

/* The gap ends with the burst's first record: the numbers of one plain burst. */
static void one_burst(void)
{
	struct fake *f = fake_new(0, 4, 8, 50);
	struct device_drain drain;
	struct device_run *run;
	uint64_t gap = f->gap;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 7, 8);
	while (!f->published)
		fake_event(f, 0x1000, 0x2000);
	device_drain(&drain, f->clock, 0);
	run = device_drain_next(&drain);
	ok(run && run->gap == gap - 1 && run->events == 8 && run->count == 8 && run->pid == 7 &&
	   run->tid == 8 && run->burst, "a burst of 8 behind a gap of %llu",
	   (unsigned long long)gap);
	device_run_free(run);
	ok(!device_drain_next(&drain), "is one run");
	device_drain_free(&drain);
	fake_free(f);
}

/* A burst under two threads in turn: the first's return goes on with its burst, in another stay. */
static void shared_burst(void)
{
	struct fake *f = fake_new(0, 3, 30, 5);
	struct device_drain drain;
	struct device_run *run;
	uint64_t burst = 0, stay = 0, events = 0;
	size_t runs = 0, good = 0;
	int i;

	device_drain_begin(&drain, &f->session, 0);
	for (i = 0; !f->published; i++) {
		if (f->count % 10 == 0)
			fake_switch(f, 50, 51 + f->count / 10 % 2);
		fake_event(f, 0x1000 + i, 0x2000);
	}
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		good += run->count == 10 && run->tid == 51 + runs % 2 &&
			(!burst || (burst == run->burst && stay != run->interval));
		burst = run->burst;
		stay = run->interval;
		events += run->events;
		runs++;
		device_run_free(run);
	}
	ok(runs == 3 && good == 3 && events == 30, "a burst of 30 under threads in turn: %zu runs",
	   runs);
	device_drain_free(&drain);
	fake_free(f);
}

static void short_gap(void)
{
	struct fake *f = fake_new(0, 4, 8, 50);
	struct device_drain drain;
	struct device_run *run;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 7, 8);
	f->gap = 1000;
	f->left = 4;
	while (f->count < 7)
		fake_event(f, 0x1000, 0x2000);
	f->burst = 100;
	fake_event(f, 0x1000, 0x2000);
	fake_publish(f, CCSAMPLE_SLOT_SHORT_GAP);
	device_drain(&drain, f->clock, 0);
	run = device_drain_next(&drain);
	ok(run && run->gap == 3 && run->events == 8, "a gap cut short: what was counted holds");
	device_run_free(run);
	device_drain_free(&drain);
	fake_free(f);
}

/* The first 2 records of the second slot are the end of the first burst. */
static void late_records(void)
{
	struct fake *f = fake_new(0, 4, 6, 50);
	struct device_drain drain;
	struct device_run *run, *next;
	struct ccsample_slot *slot;
	uint64_t first;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 7, 8);
	while (!f->published)
		fake_event(f, 0x1000, 0x2000);
	/* As the device counts: what came late was counted with its burst. */
	slot = (struct ccsample_slot *)&f->session.slots[0];
	slot->events[0] += 2;
	f->total += 2;
	fake_record(f, 0x1000, 0x3000);
	fake_record(f, 0x1000, 0x3000);
	f->burst = 8;
	while (f->published < 14)
		fake_event(f, 0x1000, 0x2000);
	slot[1].late = 2;
	slot[1].flags = CCSAMPLE_SLOT_IN_FLIGHT;
	device_drain(&drain, f->clock, 0);
	run = device_drain_next(&drain);
	first = run->burst;
	ok(run->count == 6 && run->events == 8, "a burst of 8, 2 of them to come late");
	next = device_drain_next(&drain);
	ok(next->count == 2 && next->burst == first && next->gap == 0 && next->events == 2,
	   "which go on with it");
	free(next);
	next = device_drain_next(&drain);
	ok(next->count == 6 && next->burst != first && next->gap == slot[1].gap[0] - 1 - 2 &&
	   next->events == 6, "before the next burst, whose gap is the shorter by them");
	ok(run->gap + run->events + 2 + next->gap + next->events + drain.carry[0] + f->since ==
	   f->total, "all in all the events");
	device_run_free(run);
	free(next);
	device_drain_free(&drain);
	fake_free(f);
}

/* Records tell their counter; one event has no counter beside it. */
static void several_events(void)
{
	struct fake *f = fake_new(0, 4, 4, 10);
	struct ccsample_slot *slot = (struct ccsample_slot *)f->session.slots;
	uint8_t *records = (uint8_t *)f->session.records;
	struct device_drain drain;
	struct device_run *one, *two;
	uint64_t gap;
	int i;

	f->session.how.events = 2;
	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 7, 8);
	while (!f->published)
		fake_event(f, 0x1000, 0x2000);
	gap = slot->gap[0];
	slot->counter[0] = 2;
	slot->counter[1] = 5;
	slot->gap[1] = 31;
	/* Records 0 and 3 by both counters, 1 and 2 by the second. */
	for (i = 0; i < 4; i++)
		put(records + 64 * i + 16, i % 3 ? 1 << 5 : 1 << 5 | 1 << 2);
	device_drain(&drain, f->clock, 0);
	one = device_drain_next(&drain);
	two = device_drain_next(&drain);
	ok(one && two && one->event == 0 && one->count == 2 && two->event == 1 && two->count == 4,
	   "two events in one slot");
	ok(one && two && one->gap + one->events == gap + 3 && two->gap == 30 && two->events == 4,
	   "the one counted, the other taken to be what was recorded");
	free(one);
	free(two);
	ok(!device_drain_next(&drain), "no other runs");
	device_drain_free(&drain);
	fake_free(f);
}

/* Of all stores the misses are samples, with their share of what was counted in the burst. */
static void stores(uint32_t format)
{
	struct fake *f = fake_new(0, format, 40, 50);
	size_t source = format >= 4 ? 40 : 0xa0, i, wrong = 0;
	struct device_drain drain;
	struct device_run *run;

	f->session.stores = 1;
	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 7, 8);
	while (!f->published) {
		fake_event(f, 0x1000, 0x2000 + 64 * f->count);
		f->since += f->count > 0;	/* half of the stores have no record */
	}
	/* Every fourth misses; what else the source says does not matter. */
	for (i = 0; i < 40; i++)
		put((uint8_t *)f->session.records + i * f->session.how.record_bytes + source,
		    (i % 4 ? 1 : 0) | rnd(8) << 4);
	device_drain(&drain, f->clock, 0);
	run = device_drain_next(&drain);
	for (i = 0; run && i < run->count; i++)
		wrong += run->samples[i].address != 0x2000 + 64 * 4 * i ||
			 run->samples[i].flags != CCS_SAMPLE_STORE;
	ok(run && run->count == 10 && !wrong, "format %u: of 40 stores the 10 that missed", format);
	ok(run && run->gap == CCS_UNKNOWN && run->events == 79 / 4 && !drain.no_address,
	   "... of twice as many, and nothing is said of the gap");
	device_run_free(run);
	ok(!device_drain_next(&drain), "... no other run");
	device_drain_free(&drain);
	fake_free(f);
}

/* The plain counter saw more than the records show: the captured fraction is known. */
static void hidden_events(void)
{
	struct fake *f = fake_new(0, 4, 8, 50);
	struct device_drain drain;
	struct device_run *run;
	uint64_t gap = f->gap;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 7, 8);
	while (!f->published) {
		fake_event(f, 0x1000, 0x2000);
		f->since += f->count > 0;
		f->total += f->count > 0;
	}
	device_drain(&drain, f->clock, 0);
	run = device_drain_next(&drain);
	ok(run && run->gap == gap - 1 && run->events == 15 && run->count == 8,
	   "8 of a burst's 15 events recorded: %llu", run ? (unsigned long long)run->events : 0);
	device_run_free(run);
	device_drain_free(&drain);
	fake_free(f);
}

/* A burst goes on in the next slot, but not over records that were lost for want of room. */
static void full_slot(uint32_t flags, bool together)
{
	struct fake *f = fake_new(0, 4, 8, 50);
	struct device_run *run, *next;
	struct device_drain drain;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 7, 8);
	while (f->count < 4)
		fake_event(f, 0x1000, 0x2000);
	fake_publish(f, flags);
	f->gap = 0;
	f->left = 1;
	for (int i = 0; i < 8; i++)
		fake_event(f, 0x1000, 0x2000);
	device_drain(&drain, f->clock, 0);
	run = device_drain_next(&drain);
	next = device_drain_next(&drain);
	ok(run && next && run->count == 4 && next->count == 8 &&
	   (run->burst == next->burst) == together,
	   "a burst over two slots, the first %s, is %s", together ? "closed early" : "full",
	   together ? "one" : "two");
	device_run_free(run);
	device_run_free(next);
	device_drain_free(&drain);
	fake_free(f);
}

static void overruns(void)
{
	struct fake *f = fake_new(0, 4, 4, 10);
	struct checked c = { .exact_times = true };
	uint64_t foreign, no_address, ours, lost = 0;
	struct device_drain drain;
	size_t i;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 100, 101);
	for (i = 0; i < 30000; i++) {
		uint64_t before = f->lost_records;

		fake_event(f, 0x400000 + rnd(4096), any_address());
		lost += f->lost_records > before ? f->lost_records - before : 0;
		if (!rnd(300))
			take_all(f, &drain, &c);
	}
	take_all(f, &drain, &c);
	count_truth(f, &foreign, &no_address, &ours);
	ok(lost && drain.dropped + f->lost_records == lost,
	   "a slow reader: the %llu records dropped are told", (unsigned long long)lost);
	ok(c.samples == ours && !c.wrong && !c.mixed, "... the %zu others are right (%zu, %zu "
						      "wrong)",
	   c.samples, c.wrong, c.mixed);
	ok(c.weight + drain.carry[0] + f->since == f->total && !c.short_events,
	   "... and gaps, events and the rest are the %llu events", (unsigned long long)f->total);
	device_drain_free(&drain);
	fake_free(f);
}

/* More switches than the ring has room for: nothing may be given to the wrong thread. */
static void lost_marks(void)
{
	struct fake *f = fake_new(0, 4, 16, 20);
	uint64_t foreign, no_address, ours;
	struct device_drain drain;
	struct device_run *run;
	size_t i, given = 0, wrong = 0, at = 0, burst = 0;

	fake_control(f)->marks = 16;
	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 100, 101);
	for (i = 0; i < 200000; i++) {
		fake_event(f, 0x400000 + i, 0x10000 + i);
		if (!rnd(burst ? 2 : 60))
			any_switch(f);
		if (!rnd(200))
			burst = !rnd(4);
		if (rnd(50))
			continue;
		device_drain(&drain, f->clock, 0);
		while ((run = device_drain_next(&drain))) {
			for (uint32_t n = 0; n < run->count; n++, given++) {
				while (at < f->published && f->truth[at].ip != run->samples[n].ip)
					at++;
				wrong += at == f->published || f->truth[at].pid != run->pid ||
					 f->truth[at].tid != run->tid;
			}
			device_run_free(run);
		}
	}
	fake_publish(f, CCSAMPLE_SLOT_PARTIAL);
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		given += run->count;
		device_run_free(run);
	}
	count_truth(f, &foreign, &no_address, &ours);
	ok(drain.marks.lost == fake_control(f)->lost_marks && drain.marks.lost > 100,
	   "%llu marks lost are told", (unsigned long long)drain.marks.lost);
	ok(!wrong && given > ours / 4, "... %zu of %llu samples have an owner, %zu a wrong one",
	   given, (unsigned long long)ours, wrong);
	ok(given + drain.foreign + drain.unowned == f->published, "... the others are told");
	device_drain_free(&drain);
	fake_free(f);
}

/* Marks of forks and the like come through as they are, and cut runs. */
static void news(void)
{
	struct fake *f = fake_new(0, 4, 12, 3);
	struct device_drain drain;
	struct device_run *run;
	size_t runs = 0, samples = 0;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 60, 60);
	while (!f->published) {
		if (f->count == 5)
			fake_mark(f, CCSAMPLE_MARK_EXEC, 60, 60, 0);
		fake_event(f, 0x1000, 0x2000);
	}
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		samples += run->count;
		runs++;
		device_run_free(run);
	}
	ok(drain.marks.life_count == 1 && drain.marks.life_events[0].kind == CCSAMPLE_MARK_EXEC &&
	   runs == 2 && samples == 12, "an exec in a burst cuts it in %zu", runs);
	device_drain_free(&drain);
	fake_free(f);
}

static void spread_mode(void)
{
	struct fake *f = fake_new(0, 4, 1, 40);
	struct checked c = { .exact_times = true };
	struct device_drain drain;
	struct device_run *run;
	bool bursts = false, gaps = false;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 5, 5);
	while (f->published < 400) {
		fake_event(f, 0x1000, 0x2000 + rnd(99));
		device_drain(&drain, f->clock, 0);
		while ((run = device_drain_next(&drain))) {
			bursts |= run->burst != 0;
			gaps |= run->gap != 0;
			check_run(f, &c, run);
			device_run_free(run);
		}
	}
	ok(c.samples == 400 && !c.wrong && !bursts && !gaps && !c.short_events,
	   "single samples: no bursts, no gaps");
	ok(c.weight + f->since == f->total, "... events over them are the %llu",
	   (unsigned long long)f->total);
	device_drain_free(&drain);
	fake_free(f);
}

/* Dropped records stand in the slot at hand: only a flush tells that it is empty. */
static void dropped_slot(void)
{
	struct fake *f = fake_new(0, 4, 8, 5);
	struct device_drain drain;
	uint64_t head;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 7, 7);
	while (f->count < 3)
		fake_event(f, 0x1000, 0x2000);
	f->bytes = f->count = 0;
	device_drain(&drain, f->clock, 0);
	ok(drain.begun && !drain.watermark,
	   "records that were dropped look like a slot's beginning");
	device_drain_before_flush(&drain);
	device_drain_flushed(&drain);
	device_drain(&drain, f->clock, 0);
	ok(!drain.begun && drain.watermark == f->clock, "... until a flush publishes nothing");
	while (f->count < 3)
		fake_event(f, 0x1000, 0x2000);
	device_drain_before_flush(&drain);
	head = f->session.control->head;
	fake_publish(f, CCSAMPLE_SLOT_PARTIAL);
	device_drain_flushed(&drain);
	device_drain(&drain, f->clock, 0);
	ok(f->session.control->head == head + 1 && !drain.begun && drain.first &&
	   drain.first->count == 3, "a flush that publishes: its records are taken");
	device_drain_free(&drain);
	fake_free(f);
}

/* A slot that promises more than it may have, records that are none. */
static void hostile_memory(void)
{
	struct fake *f = fake_new(0, 4, 8, 5);
	struct device_drain drain;
	struct device_run *run;
	size_t samples = 0;

	device_drain_begin(&drain, &f->session, 0);
	fake_switch(f, 7, 7);
	while (!f->published)
		fake_event(f, 0x1000, 0x2000);
	((struct ccsample_slot *)f->session.slots)[0].bytes = ~0u;
	device_drain(&drain, f->clock, 0);
	while ((run = device_drain_next(&drain))) {
		samples += run->count;
		device_run_free(run);
	}
	ok(samples == 8 && drain.damaged == 1, "a slot larger than it can be");
	device_drain_free(&drain);
	fake_free(f);
}

int main(void)
{
	one_burst();
	shared_burst();
	short_gap();
	hidden_events();
	stores(2);
	stores(3);
	stores(4);
	late_records();
	several_events();
	news();
	for (uint32_t format = 1; format <= 5; format++)
		random_life(format, 16, 30);
	random_life(4, 64, 1000);
	random_life(3, 2, 3);
	spread_mode();
	full_slot(CCSAMPLE_SLOT_PARTIAL, true);
	full_slot(CCSAMPLE_SLOT_FULL, false);
	overruns();
	lost_marks();
	dropped_slot();
	hostile_memory();
	return done();
}
