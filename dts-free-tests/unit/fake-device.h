/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device of the tests' own: memory as uapi/ccsample.h has it, into which events
 * are counted and records written as the contract says, and what the truth is.
 */
#ifndef CCSAMPLE_FAKE_DEVICE_H
#define CCSAMPLE_FAKE_DEVICE_H

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "device/drain.h"

#define FAKE_SLOTS	8
#define FAKE_MARKS	4096	/* at most; a test may lower control->marks */
#define FAKE_SLOT_BYTES	16384
#define FAKE_COUNTER_MASK	0xffffffffffffull
#define FAKE_LATENCY		0x123	/* the cache's part; the instruction's is 7 */
#define FAKE_COUNTER		2	/* of the references, in records with values */

/* What really happened: a record that was published. */
struct truth {
	uint32_t pid, tid;
	uint64_t time, ip, address;
	uint64_t slot;
	uint64_t referred;		/* up to it */
	/* of the thread: switches and interrupts before it */
	uint64_t interval;
};

struct fake {
	struct device_session session;
	struct ccsample_reader reader;
	uint64_t clock;
	uint64_t total;			/* events */
	uint64_t since;			/* ... since the last slot published */
	uint64_t references;		/* what was referred to since then */
	uint64_t referred;		/* ... all in all, from close to where a counter goes round on */
	uint64_t references_each;	/* by an event, and before it since the last one */
	uint64_t gap, left;		/* drawn; events until the next record, that one included */
	uint32_t bytes, count;		/* in the slot at hand */
	uint64_t lost_records;		/* to be told in the next slot */
	bool after_loss;
	bool marks_lost;
	uint32_t pid, tid;		/* running now */
	uint64_t interval;
	uint32_t burst;
	uint64_t counters;		/* that records are of; the session's is the first */
	uint64_t mean;			/* of the gaps */
	struct truth *truth;
	size_t published, known, room;
};

static uint64_t fake_seed = 0x9e3779b97f4a7c15;

static uint64_t rnd(uint64_t below)
{
	return random_below(&fake_seed, below);
}

static struct ccsample_control *fake_control(struct fake *f)
{
	return (struct ccsample_control *)f->session.control;
}

static void fake_draw(struct fake *f)
{
	f->gap = f->left = 1 + rnd(2 * f->mean);
	f->bytes = f->count = 0;
}

static struct fake *fake_new(uint32_t cpu, uint32_t format, uint32_t burst, uint64_t mean)
{
	size_t size = sizeof(struct ccsample_control) + FAKE_SLOTS * sizeof(struct ccsample_slot) +
		      FAKE_MARKS * sizeof(struct ccsample_mark);
	static const uint32_t bytes[] = { 0, 176, 192, 200, 64, 64, 112 };
	struct ccsample_control *control = calloc(1, size);
	struct fake *f = calloc(1, sizeof(*f));

	*control = (struct ccsample_control){
		.size = sizeof(*control),
		.cpu = cpu,
		.slots = FAKE_SLOTS,
		.slot_bytes = FAKE_SLOT_BYTES,
		.marks = FAKE_MARKS,
	};
	*f = (struct fake){
		.session = {
			.fd = -1,
			.cpu = cpu,
			.pebs_format = format,
			.counter_mask = FAKE_COUNTER_MASK,
			.how = {
				.flags = CCSAMPLE_USER | (format == 6 ? CCSAMPLE_VALUES : 0),
				.events = 1,
				.burst = burst,
				.record_bytes = bytes[format],
				.event[0] = { .config = 0x8d1, .plain = 1 },
			},
			.reader = &f->reader,
			.control = control,
			.records = calloc(FAKE_SLOTS, FAKE_SLOT_BYTES),
		},
		.clock = 1000000,
		.referred = FAKE_COUNTER_MASK - 1000,
		.burst = burst,
		.counters = 1,
		.mean = mean,
	};
	device_session_attach(&f->session);
	fake_draw(f);
	return f;
}

static void fake_free(struct fake *f)
{
	free((void *)f->session.control);
	free((void *)f->session.records);
	free(f->truth);
	free(f);
}

static void fake_mark(struct fake *f, uint16_t kind, uint32_t pid, uint32_t tid, uint32_t other)
{
	struct ccsample_control *control = fake_control(f);
	struct ccsample_mark *mark = (void *)&f->session.marks[control->mark_head % control->marks];

	if (kind == CCSAMPLE_MARK_SWITCH) {
		f->pid = pid;
		f->tid = tid;
		f->interval++;
	}
	if (control->mark_head - f->reader.mark_tail == control->marks) {
		control->lost_marks++;
		f->marks_lost = true;
		return;
	}
	*mark = (struct ccsample_mark){
		.tsc = f->clock,
		.slot = control->head,
		.offset = f->bytes,
		.kind = kind,
		.flags = f->marks_lost ? CCSAMPLE_MARK_AFTER_LOSS : 0,
		.pid = pid,
		.tid = tid,
		.other = other,
	};
	f->marks_lost = false;
	control->mark_head++;
}

static void fake_publish(struct fake *f, uint32_t flags)
{
	struct ccsample_control *control = fake_control(f);
	struct ccsample_slot *slot = (void *)&f->session.slots[control->head % FAKE_SLOTS];

	if (control->head + 1 - f->reader.tail == FAKE_SLOTS) {
		f->lost_records += f->count;
		f->after_loss = true;
		f->known = f->published;
		fake_draw(f);
		fake_mark(f, CCSAMPLE_MARK_SWITCH, f->pid, f->tid, 0);
		return;
	}
	*slot = (struct ccsample_slot){
		.sequence = control->head,
		.tsc = f->clock,
		.bytes = f->bytes,
		.flags = flags | (f->after_loss ? CCSAMPLE_SLOT_AFTER_LOSS : 0),
		.lost_records = f->lost_records,
		.gap[0] = f->gap,
		.events[0] = f->since,
		.burst = f->burst,
		.references = f->references,
		.value = { 1, CCSAMPLE_NO_VALUE, CCSAMPLE_NO_VALUE, FAKE_COUNTER },
	};
	f->after_loss = false;
	f->lost_records = f->since = f->references = 0;
	f->published = f->known;
	control->head++;
	fake_draw(f);
}

static void put(uint8_t *to, uint64_t value)
{
	memcpy(to, &value, sizeof(value));
}

/* Two of three records are of data on the stack; rbp tells the test which record it is. */
static uint64_t fake_sp(uint64_t ip, uint64_t address)
{
	return ip % 3 ? address - ip % 100 : address + 4096;
}

static void fake_record(struct fake *f, uint64_t ip, uint64_t address)
{
	struct ccsample_control *control = fake_control(f);
	uint8_t *to = (uint8_t *)f->session.records +
		      control->head % FAKE_SLOTS * FAKE_SLOT_BYTES + f->bytes;
	uint32_t format = f->session.pebs_format, size = f->session.how.record_bytes;

	memset(to, 0, size);
	if (format >= 4) {
		put(to, (format == 6 ? 1 | 1 << 4 : 1) | (uint64_t)size << 48);
		put(to + 8, ip);
		put(to + 16, f->counters);
		put(to + 24, f->clock);
		put(to + 32, address);
		put(to + 48, (uint64_t)FAKE_LATENCY << 32 | 7);
		if (format == 6) {
			put(to + 64, 0xf);
			put(to + 80 + 8 * FAKE_COUNTER, f->referred & FAKE_COUNTER_MASK);
		}
	} else {
		put(to + 8, format == 1 ? ip + 1 : ip);
		put(to + 0x40, ip + 5);
		put(to + 0x48, fake_sp(ip, address));
		put(to + 0x90, f->counters);
		put(to + 0x98, address);
		if (format >= 2)
			put(to + 0xb0, ip);
		if (format >= 3)
			put(to + 0xc0, f->clock);
	}
	f->bytes += size;
	f->count++;
	if (f->known == f->room) {
		f->room = f->room ? 2 * f->room : 1024;
		f->truth = realloc(f->truth, f->room * sizeof(*f->truth));
	}
	f->truth[f->known++] = (struct truth){ f->pid, f->tid, f->clock, ip, address,
					       control->head, f->referred, f->interval };
}

/* One event of the counter. */
static void fake_event(struct fake *f, uint64_t ip, uint64_t address)
{
	f->clock += 1 + rnd(20);
	f->total++;
	f->since++;
	f->references += f->references_each;
	f->referred += f->references_each;
	if (--f->left)
		return;
	f->left = f->burst == 1 ? f->gap : 1;
	fake_record(f, ip, address);
	if (f->count >= (f->burst == 1 ? 4 : f->burst))
		fake_publish(f, 0);
}

#endif /* CCSAMPLE_FAKE_DEVICE_H */
