// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds what the device gave (guest/drive.c) against the oracle's file.
 *
 *	check TRUTH MARK DUMP [exact] [owners] [kernel] [task] [lossless] [bursts] [alive] [full]
 *	      [noticed] [periods]
 *
 * Always: the records are those that the core wrote, in order, none missing but
 * what the device says it dropped; where the core had no room for one, the slot says so, and
 * at least as many are said to be lost; the events counted are those of the counters
 * that recorded. exact: a slot holds its burst, after just the gap that it
 * tells. owners: what one process of the core's (page tables) recorded is one
 * process's by the marks. kernel: the events of the code that begins and ends the session may be
 * missing; what the kernel did before, while perf put the events on counters, is no part of it.
 * task: events are those of the processes that were sampled, whichever counters
 * counted them, to the last one, and no gap is shorter than told: for a filtered
 * session, whatever perf does beside. lossless: nothing was dropped.
 * bursts: as many were dropped as the core's records say. alive: at least half of the records that
 * the events make were published, but for the events that a counter stood until it was re-armed; of
 * the last quarter of the events, too. full: slots had no room, and just as many records are said to
 * be lost. noticed: records without a time have owners that hold once the first was noticed to be
 * late, which then has none; but for more late ones behind a switch than were counted off before.
 * periods: each gap is one of the periods in force, which were changed meanwhile.
 * Where references were counted, they are those of the counter that counted them, or with
 * task those of the processes. Where records hold values of counters, these differ from record to
 * record of a slot by what the core counted in between.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../vcore/oracle-file.h"
#include "../vcore/qemu/vcore-truth.h"
#include "ccsample.h"
#include "guest/dump.h"

#define KERNEL_EVENTS	2000		/* of the code that begins and ends the session; 12 seen */
#define IN_FLIGHT_MOST	8		/* records */
#define RECORD_WITH_TSC	200		/* bytes, of those that are not adaptive: format 3 */
#define RECORD_FIXED	176		/* bytes, of the smallest that is not adaptive */
#define RECORD_ARCHITECTURAL 128	/* bytes */
#define VALUES_AT	64		/* which counters; their values follow 16 bytes behind */
#define EVENT_LOAD	(1 << 0)		/* EV_ bits of vcore-internal.h */
#define EVENT_STORE	(1 << 1)
#define EVENT_L1_MISS	(1 << 5)
#define EVENT_L2_MISS	(1 << 6)
#define EVENT_L3_MISS	(1 << 7)
#define ALL_STORES		0x82d0
#define CR3_PROCESS	0xfffffffffe000ull	/* without PCID and PTI's bit */
#define OWNERS_MOST	64
#define KINDS_MOST	64		/* of complaints */
#define COUNTER_MASK	0xffffffffffffull	/* 48 bits, as all models have */

struct record {
	uint64_t ip, va, mask, source;
	uint64_t slot, offset;
	size_t truth;			/* the core's record */
	const uint8_t *bytes;
	const struct ccsample_slot *first_of;	/* the slot that it begins, or NULL */
};

struct slot {
	struct ccsample_slot s;
	size_t first, nr;		/* records */
};

struct owner {
	uint64_t cr3;
	uint32_t pid;
	size_t records;
	const struct record *last;
	uint64_t from, to;		/* TSC: the page tables are its own; by its marks */
};

static const struct vcore_truth *truth;
static size_t truth_first, truth_end;
static struct ccsample_open ask;
static struct ccsample_control control;
static struct ccsample_read counts;
static struct record *records;
static struct slot *slots;
static struct ccsample_mark *marks;
static struct ccsample_period *periods;
static size_t nr_records, nr_slots, nr_marks, nr_periods;
static unsigned int errors;
static struct owner owners[OWNERS_MOST];
static size_t nr_owners, unowned;
static bool noticed;			/* owners hold once a record was seen to be late */
static bool seen_late;

static void complain(const char *what, uint64_t a, uint64_t b, uint64_t c)
{
	static const char *kinds[KINDS_MOST];
	static unsigned int told[KINDS_MOST];
	unsigned int i = 0;

	errors++;
	while (i < KINDS_MOST - 1 && kinds[i] && kinds[i] != what)
		i++;
	kinds[i] = what;
	if (told[i]++ < 10)
		fprintf(stderr, "check: %s: %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", what, a, b, c);
}

static void *more(void *at, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return at;
	at = realloc(at, (nr ? 2 * nr : 1) * size);
	if (!at)
		exit(2);
	return at;
}

static void load_truth(const char *path, uint64_t mark)
{
	size_t size, i = 0;

	truth = map_file(path, &size);
	truth_end = size / sizeof(*truth);
	while (i < truth_end && !(truth[i].kind == 'M' && truth[i].extra == mark))
		i++;
	truth_first = i;
	while (++i < truth_end && truth[i].kind != 'M')
		;
	truth_end = i;
}

static uint64_t word(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, 8);
	return value;
}

static void add_slot(const uint8_t *data, size_t bytes)
{
	struct slot *slot;
	static const struct layout {
		uint32_t ip, va, mask, source;
	} fixed = { 0xb0, 0x98, 0x90, 0xa0 }, adaptive = { 8, 0x20, 0x10, 0x28 },
	  architectural = { 0x10, 0x40, 0x18, 0x68 };
	const struct layout *l = ask.record_bytes == RECORD_ARCHITECTURAL ? &architectural :
				 ask.record_bytes < RECORD_FIXED ? &adaptive : &fixed;

	slots = more(slots, nr_slots, sizeof(*slots));
	slot = &slots[nr_slots++];
	memcpy(&slot->s, data, sizeof(slot->s));
	slot->first = nr_records;
	if (sizeof(slot->s) + slot->s.bytes != bytes || slot->s.bytes % ask.record_bytes)
		complain("a slot's bytes", slot->s.sequence, slot->s.bytes, bytes);
	for (size_t at = 0; at < slot->s.bytes; at += ask.record_bytes) {
		const uint8_t *r = data + sizeof(slot->s) + at;

		records = more(records, nr_records, sizeof(*records));
		records[nr_records++] = (struct record){
			.ip = word(r + l->ip),
			.va = word(r + l->va),
			.mask = word(r + l->mask),
			.source = word(r + l->source),
			.slot = slot->s.sequence,
			.offset = at,
			.bytes = r,
		};
	}
	slot->nr = nr_records - slot->first;
}

/* Once the arrays stay where they are. */
static void link_slots(void)
{
	for (size_t i = 0; i < nr_slots; i++) {
		if (slots[i].nr)
			records[slots[i].first].first_of = &slots[i].s;
	}
}

static void load_dump(const char *path)
{
	size_t size, at = 0;
	const uint8_t *bytes = map_file(path, &size);
	struct piece piece;

	while (at + sizeof(piece) <= size) {
		const uint8_t *data = bytes + at + sizeof(piece);

		memcpy(&piece, bytes + at, sizeof(piece));
		if (piece.kind == 'O')
			memcpy(&ask, data, sizeof(ask));
		else if (piece.kind == 'C')
			memcpy(&control, data, sizeof(control));
		else if (piece.kind == 'R')
			memcpy(&counts, data, sizeof(counts));
		else if (piece.kind == 'S')
			add_slot(data, piece.bytes);
		else if (piece.kind == 'P') {
			periods = more(periods, nr_periods, sizeof(*periods));
			memcpy(&periods[nr_periods++], data, sizeof(*periods));
		}
		else if (piece.kind == 'M') {
			marks = more(marks, nr_marks, sizeof(*marks));
			memcpy(&marks[nr_marks++], data, sizeof(*marks));
		}
		at += sizeof(piece) + piece.bytes;
	}
	if (!counts.size)
		complain("the dump is cut off", size, 0, 0);
	link_slots();
}

static bool is_record(const struct vcore_truth *t)
{
	return t->kind == 'R' && t->cpu == ask.cpu;
}

/* The owner by the marks: the last in the ring that stands at or before; anybody before a loss. */
static const struct ccsample_mark *owner_of(const struct record *r)
{
	const struct ccsample_mark *found = NULL;

	for (size_t i = 0; i < nr_marks && marks[i].slot <= r->slot; i++) {
		if (marks[i].kind == CCSAMPLE_MARK_SWITCH &&
		    (marks[i].slot < r->slot || marks[i].offset <= r->offset))
			found = &marks[i];
	}
	return found;
}

/* The owners of the session's first records are among those that the device says it has lost. */
static bool first_after_loss(void)
{
	for (size_t i = 0; i < nr_marks; i++) {
		if (marks[i].kind == CCSAMPLE_MARK_SWITCH)
			return marks[i].flags & CCSAMPLE_MARK_AFTER_LOSS;
	}
	return false;
}

static bool is_behind(const struct ccsample_mark *mark, const struct record *r)
{
	return mark->slot > r->slot || (mark->slot == r->slot && mark->offset > r->offset);
}

/* Has a process page tables of which it had records behind the mark? */
static bool has_some_behind(uint32_t pid, const struct ccsample_mark *mark)
{
	for (size_t i = 0; i < nr_owners; i++) {
		if (owners[i].pid == pid && owners[i].last && !is_behind(mark, owners[i].last))
			return true;
	}
	return false;
}

/*
 * Since its last record: has it gone on to other page tables, or ended, or does @pid, who made the
 * record, get new ones by its exec? These were free then, whoever had them before, a process outside
 * of the filter too, of which no mark tells.
 */
static bool has_left(const struct owner *o, uint32_t pid, const struct record *r)
{
	for (size_t i = 0; i < nr_marks; i++) {
		const struct ccsample_mark *mark = &marks[i];

		if (!is_behind(mark, o->last) || is_behind(mark, r))
			continue;
		if (mark->pid == o->pid && (mark->kind == CCSAMPLE_MARK_EXEC ||
					    (mark->kind == CCSAMPLE_MARK_EXIT && mark->other)))
			return true;
		if (mark->pid == pid && mark->kind == CCSAMPLE_MARK_EXEC &&
		    !has_some_behind(pid, mark))
			return true;
	}
	return false;
}

/* Who has the page tables; NULL: too many have some. */
static struct owner *owner_with(uint64_t cr3, uint32_t pid, const struct record *r)
{
	size_t i = nr_owners;

	while (i && owners[i - 1].cr3 != cr3)
		i--;
	if (i && (owners[i - 1].pid == pid || !has_left(&owners[i - 1], pid, r)))
		return &owners[i - 1];
	if (nr_owners == OWNERS_MOST)
		return NULL;
	owners[nr_owners] = (struct owner){ .cr3 = cr3, .pid = pid };
	return &owners[nr_owners++];
}

/* For who looks for the cause: the first time, the marks around that which a record has. */
static void tell_marks(const struct vcore_truth *t, const struct record *r,
		       const struct ccsample_mark *mark)
{
	const struct ccsample_mark *m = mark - marks < 3 ? marks : mark - 3;
	static bool told;

	if (told)
		return;
	told = true;
	fprintf(stderr, "check: slot %" PRIu64 " at %" PRIu64 ", TSC %" PRIu64 ", mark %zu:\n", r->slot,
		r->offset, t->tsc, (size_t)(mark - marks));
	for (; m < marks + nr_marks && m < mark + 4; m++)
		fprintf(stderr, "check:   kind %u slot %llu at %u, TSC %llu, process %u thread %u flags %u\n",
			m->kind, m->slot, m->offset, m->tsc, m->pid, m->tid, m->flags);
}

/* A run interval, whose marks have one TSC: late records that were counted off, and others. */
static struct {
	uint64_t tsc;
	size_t counted, others;
	bool own;			/* it has a mark of its owner's, so that all were counted off */
} interval;
static size_t counted_most, beyond;	/* in the intervals before; late ones that were more */

static void enter_interval(const struct ccsample_mark *mark)
{
	if (mark->tsc == interval.tsc)
		return;
	/* Outside of the filter what comes has no owner, either: nothing says how many were late. */
	if (interval.own && interval.counted > counted_most)
		counted_most = interval.counted;
	interval.tsc = mark->tsc;
	interval.counted = interval.others = 0;
	interval.own = false;
}

/*
 * From before the interval of the mark, and not counted off: as many as were seen to be late at once
 * are (docs/kmod.md, "Whose a late record is"), so that more may be taken for the interval's.
 */
static bool is_late_beyond(const struct vcore_truth *t, const struct ccsample_mark *mark)
{
	enter_interval(mark);
	interval.own = true;
	if (t->tsc >= mark->tsc)
		return false;
	interval.others++;
	if (interval.counted + interval.others <= counted_most)
		return false;
	beyond++;
	return true;
}

static void own(const struct vcore_truth *t, const struct record *r)
{
	const struct ccsample_mark *mark = owner_of(r);
	struct owner *owner;

	if (!mark && !first_after_loss()) {
		complain("a record without an owner", r->slot, r->offset, 0);
		return;
	}
	/*
	 * What may be late has no owner where records have no time; nor has what perf's enabling the
	 * counter made before the session began, of the very program, too (the first mark).
	 */
	if (!mark || (!mark->pid && (mark == marks || (ask.record_bytes >= RECORD_FIXED &&
	     ask.record_bytes < RECORD_WITH_TSC))) ||
	    (mark + 1 < marks + nr_marks && mark[1].flags & CCSAMPLE_MARK_AFTER_LOSS)) {
		unowned++;
		if (!mark || mark->pid || mark == marks)
			return;
		seen_late = true;
		enter_interval(mark);
		interval.counted++;
		return;
	}
	if (noticed && (!seen_late || is_late_beyond(t, mark)))
		return;
	owner = owner_with(t->cr3 & CR3_PROCESS, mark->pid, r);
	if (!owner)
		return;
	if (owner->pid != mark->pid) {
		complain("a record with two owners", r->slot, owner->pid, mark->pid);
		tell_marks(t, r, mark);
	}
	owner->records++;
	owner->last = r;
}

/* The core had no room behind @last, which nobody has where its slot was dropped. */
static void match_loss(const struct vcore_truth *t, const struct record *last)
{
	const struct slot *slot = slots;

	if (!last)
		return;
	while (slot->s.sequence != last->slot)
		slot++;
	if (!(slot->s.flags & CCSAMPLE_SLOT_FULL))
		complain("the core lost a record, and the slot does not say so", t->ip, t->va,
			 last->slot);
}

/*
 * As many at least as the core's, where all events are counted. @lost: in slots without room;
 * @in_flight: when the session ended by itself, which no slot tells
 */
static void match_full(uint64_t lost, uint64_t in_flight, bool full)
{
	uint64_t slots_full = 0;

	for (size_t i = 0; i < nr_slots; i++)
		slots_full += !!(slots[i].s.flags & CCSAMPLE_SLOT_FULL);
	if (slots_full > control.full_slots || (lost && !control.full_slots) ||
	    (!slots_full && !control.overruns && control.full_slots))
		complain("slots full, by themselves, by the device", slots_full,
			 control.full_slots, lost);
	for (unsigned int e = 0; e < ask.events; e++) {
		if (!ask.event[e].plain)
			return;
	}
	lost += in_flight;
	if (control.full_records < lost || (full && (!lost || control.full_records != lost)))
		complain("records without room by the core, by the device", lost,
			 control.full_records, slots_full);
	if (lost)
		printf("records without room %" PRIu64 ", at most %llu by the device\n", lost,
		       control.full_records);
}

/* A store's record says whether it hit L1: SDM volume 3, data source of stores. */
static void match_store(const struct vcore_truth *t, const struct record *r)
{
	if (ask.event[0].config == ALL_STORES && (r->source & 1) != (t->level == 1))
		complain("a store that hit or missed, by the record, by the core", t->ip,
			 r->source, t->level);
}

/* One after the other; between them only what was dropped. */
static void match_records(bool check_owners, bool full)
{
	const struct record *last = NULL;
	size_t r = 0, missing = 0, total = 0, lost = 0, in_flight = 0;

	for (size_t i = truth_first; i < truth_end; i++) {
		const struct vcore_truth *t = &truth[i];

		if (t->kind == 'L' && t->cpu == ask.cpu) {
			lost++;
			match_loss(t, last);
		}
		if (!is_record(t))
			continue;
		total++;
		last = NULL;
		if (r < nr_records && t->ip == records[r].ip && t->va == records[r].va &&
		    t->counters == records[r].mask) {
			if (check_owners)
				own(t, &records[r]);
			match_store(t, &records[r]);
			last = &records[r];
			records[r++].truth = i;
		} else {
			missing++;
		}
	}
	if (r != nr_records)
		complain("records that the core did not write", nr_records - r, records[r].slot,
			 records[r].offset);
	/* What was in flight when the session ended by itself is among what may be lost. */
	if (control.reason && missing > control.overrun_records &&
	    missing - control.overrun_records <= IN_FLIGHT_MOST) {
		in_flight = missing - control.overrun_records;
		missing = control.overrun_records;
	}
	if (missing != control.overrun_records)
		complain("records missing, dropped", missing, control.overrun_records, total);
	if (nr_records != control.records)
		complain("records read, published", nr_records, control.records, 0);
	if (!nr_records)
		complain("no records", 0, 0, 0);
	match_full(lost, in_flight, full);
}

static uint64_t bits_of(uint64_t config)
{
	switch (config) {
	case 0x81d0:
		return EVENT_LOAD;
	case ALL_STORES:
		return EVENT_STORE;
	case 0x83d0:
		return EVENT_LOAD | EVENT_STORE;
	case 0x08d1:
		return EVENT_L1_MISS;
	case 0x10d1:
		return EVENT_L2_MISS;
	case 0x20d1:
		return EVENT_L3_MISS;
	}
	complain("no such event", config, 0, 0);
	return 0;
}

/* Page tables that one process leaves serve the next. */
static void date_owners(void)
{
	for (size_t i = 0; i < nr_owners; i++) {
		struct owner *o = &owners[i];

		o->to = UINT64_MAX;
		for (size_t m = 0; m < nr_marks; m++) {
			if (marks[m].pid != o->pid)
				continue;
			if (marks[m].kind == CCSAMPLE_MARK_FORK ||
			    marks[m].kind == CCSAMPLE_MARK_EXEC)
				o->from = marks[m].tsc;
			else if (marks[m].kind == CCSAMPLE_MARK_EXIT && marks[m].other)
				o->to = marks[m].tsc;
		}
	}
}

static bool is_task_event(const struct vcore_truth *t, uint64_t bits)
{
	size_t i = 0;

	/* Records without an owner come where perf has enabled the counter outside of the filter. */
	if (t->kind != 'E' || t->cpu != ask.cpu || t->cpl != 3 || !(t->extra & bits))
		return false;
	while (i < nr_owners && (owners[i].cr3 != (t->cr3 & CR3_PROCESS) || !owners[i].pid ||
				 t->tsc < owners[i].from || t->tsc > owners[i].to))
		i++;
	return i < nr_owners;
}

static void match_task_events(void)
{
	for (unsigned int e = 0; e < ask.events; e++) {
		uint64_t events = 0;

		for (size_t i = truth_first; i < truth_end; i++)
			events += is_task_event(&truth[i], bits_of(ask.event[e].config));
		if (ask.event[e].plain && events != counts.events[e])
			complain("the task's events by the core, by the device", events,
				 counts.events[e], e);
		printf("event %u: %" PRIu64 " events of the task\n", e, events);
	}
}

/* Of one event: perf, reprogramming, may lengthen a gap and must not shorten it. */
static void match_task_gaps(void)
{
	uint64_t passed = 0, event = 0, bits = bits_of(ask.event[0].config);
	bool late = false, before;
	size_t r = 0;

	for (size_t i = truth_first; i < truth_end && r < nr_records; i++) {
		const struct ccsample_slot *s = records[r].first_of;

		passed += is_task_event(&truth[i], bits);
		if (truth[i].kind == 'E' && truth[i].cpu == ask.cpu)
			event = truth[i].insns;
		if (!is_record(&truth[i]))
			continue;
		/* One that was in flight stands where it landed, not at its event. */
		before = late;
		late = truth[i].insns < event;
		if (records[r].truth == i) {
			if (s && !late && !before && !(s->flags & CCSAMPLE_SLOT_SHORT_GAP) &&
			    passed < s->gap[0])
				complain("a gap cut short and not told", s->sequence, passed,
					 s->gap[0]);
			r++;
		}
		passed = 0;
	}
}

/* Where the kernel is sampled: the counter begins anew with the first slot's gap. */
static size_t beginning(unsigned int event)
{
	uint64_t value = -slots[0].s.gap[event] & COUNTER_MASK;

	for (size_t i = truth_first; i < truth_end; i++) {
		if (truth[i].kind == 'A' && truth[i].cpu == ask.cpu && truth[i].va == value &&
		    truth[i].counters & 1 << slots[0].s.counter[event])
			return i;
	}
	return truth_first;
}

static bool far_apart(uint64_t a, uint64_t b, uint64_t few)
{
	return (a > b ? a - b : b - a) > few;
}

/* The events of the counter that recorded (of the event's, as its slots tell). */
static void match_events(uint64_t few)
{
	for (unsigned int e = 0; e < ask.events; e++) {
		uint64_t sum = counts.unpublished[e], bit, events = 0;

		for (size_t i = 0; i < nr_slots; i++)
			sum += slots[i].s.events[e];
		if (sum != counts.events[e])
			complain("events of slots and unpublished, all", sum, counts.events[e], e);
		if (!ask.event[e].plain || !nr_slots)
			continue;
		bit = 1 << slots[0].s.counter[e];
		for (size_t i = few ? beginning(e) : truth_first; i < truth_end; i++)
			events += truth[i].kind == 'E' && truth[i].cpu == ask.cpu &&
				  truth[i].counters & bit;
		if (far_apart(events, counts.events[e], few))
			complain("events by the core, by the device", events, counts.events[e], e);
		printf("event %u: %" PRIu64 " events\n", e, events);
	}
}

/* What the core counted on whichever counters had the references' code. */
static uint64_t core_references(void)
{
	uint64_t events = 0, counters = 0;

	for (size_t i = truth_first; i < truth_end; i++) {
		const struct vcore_truth *t = &truth[i];
		bool code = t->cpu == ask.cpu && (t->extra & 0xffff) == ask.references;

		if (t->kind == 'A' && code)
			counters |= t->counters;
		else if (t->kind == 'V' && code)
			counters &= ~t->counters;
		events += t->kind == 'E' && t->cpu == ask.cpu && t->counters & counters;
	}
	return events;
}

static void match_references(bool task)
{
	uint64_t sum = counts.references_unpublished, events = 0, untold = 0;

	if (!ask.references)
		return;
	for (size_t i = 0; i < nr_slots; i++) {
		if (slots[i].s.references == CCSAMPLE_NOT_COUNTED)
			untold++;
		else
			sum += slots[i].s.references;
	}
	if (sum != counts.references)
		complain("references of slots and unpublished, all", sum, counts.references, 0);
	for (size_t i = truth_first; task && i < truth_end; i++)
		events += is_task_event(&truth[i], bits_of(ask.references));
	if (!task)
		events = core_references();
	if (!events || events != counts.references)
		complain("references by the core, by the device", events, counts.references, 0);
	printf("references %" PRIu64 ", slots that do not tell them %" PRIu64 "\n", events, untold);
}

static uint64_t value_of(const struct record *r, unsigned int counter)
{
	uint64_t counters = word(r->bytes + VALUES_AT);

	if (!(counters >> counter & 1))
		complain("a record without the counter's value", r->slot, counter, counters);
	counters &= (1ull << counter) - 1;
	return word(r->bytes + VALUES_AT + 16 + 8 * __builtin_popcountll(counters));
}

static uint64_t events_between(const struct record *a, const struct record *b, unsigned int counter)
{
	uint64_t events = 0;

	for (size_t i = a->truth; i < b->truth; i++)
		events += truth[i].kind == 'E' && truth[i].cpu == ask.cpu &&
			  truth[i].counters & 1 << counter;
	return events;
}

static void match_values(void)
{
	size_t matched = 0, untold = 0;

	for (size_t s = 0; s < nr_slots; s++) {
		for (unsigned int i = 0; i <= CCSAMPLE_EVENTS_MAX; i++) {
			unsigned int counter = slots[s].s.value[i];
			bool counted = i < CCSAMPLE_EVENTS_MAX ? ask.event[i].plain :
								 ask.references;

			untold += counted && counter == CCSAMPLE_NO_VALUE;
			for (size_t n = 1; counter != CCSAMPLE_NO_VALUE && n < slots[s].nr; n++) {
				const struct record *r = &records[slots[s].first + n];
				uint64_t passed = value_of(r, counter) - value_of(r - 1, counter);
				uint64_t events = events_between(r - 1, r, counter);

				matched++;
				if ((passed & COUNTER_MASK) != events)
					complain("events between records by the core, by values",
						 r->slot, events, passed);
			}
		}
	}
	if (!matched || untold > nr_slots / 2)
		complain("values told, slots without", matched, untold, nr_slots);
	printf("values %zu, slots without %zu\n", matched, untold);
}

/* The first event, as match_events() and match_task_events() count it. */
static bool is_first_event(const struct vcore_truth *t, bool task)
{
	if (task)
		return is_task_event(t, bits_of(ask.event[0].config));
	return t->kind == 'E' && t->cpu == ask.cpu && t->counters & 1 << slots[0].s.counter[0];
}

static int longer(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/*
 * A counter that a switch of PEBS has disarmed stands until the next tick, which counts it as
 * re-armed: how often that comes in a session is the host's chance. Return: events beyond @longest,
 * a period, of the longest stretches without a record, one for each re-arming.
 */
static uint64_t stood(bool task, uint64_t longest)
{
	uint64_t *stretches = NULL, events = 0, sum = 0;
	size_t nr = 0;

	for (size_t i = truth_first; i < truth_end; i++) {
		events += is_first_event(&truth[i], task);
		if (!is_record(&truth[i]) && i + 1 < truth_end)
			continue;
		stretches = more(stretches, nr, sizeof(*stretches));
		stretches[nr++] = events;
		events = 0;
	}
	if (nr)
		qsort(stretches, nr, sizeof(*stretches), longer);
	for (size_t i = 0; i < nr && i < control.rearmed; i++)
		sum += stretches[i] > longest ? stretches[i] - longest : 0;
	if (sum && stretches[0] > counts.events[0] / 2)
		complain("events without a record, of all", stretches[0], counts.events[0], 0);
	free(stretches);
	return sum;
}

/* Of the first event: a session that has ceased to sample goes on counting, at the end too. */
static void match_rate(bool task)
{
	uint64_t longest = ask.event[0].period + ask.event[0].spread;
	uint64_t slots_left = ask.batch ? ask.batch : 1, events = counts.events[0], without = stood(task, longest);
	uint64_t least = (events > without ? events - without : 0) / longest * ask.burst / 2;
	uint64_t behind = 4 * longest * slots_left;

	if (nr_records + control.overrun_records < least)
		complain("too few records of so many events", nr_records, least, events);
	if (behind < events / 4)
		behind = events / 4;
	if (counts.unpublished[0] > behind && !control.overruns)
		complain("events behind the last slot", counts.unpublished[0], longest, events);
	printf("re-armed %llu times, after %" PRIu64 " events in all\n", control.rearmed, without);
}

/*
 * One event, bursts of one length: those that the core's records make, less those
 * that were published, are those that the device says it dropped.
 */
static void match_bursts(void)
{
	uint64_t bursts = 0, passed = 0, published = 0;

	for (size_t i = truth_first; i < truth_end; i++) {
		passed += truth[i].kind == 'E' && truth[i].cpu == ask.cpu &&
			  truth[i].counters & 1 << slots[0].s.counter[0];
		if (!is_record(&truth[i]))
			continue;
		bursts += ask.burst == 1 || passed != 1;
		passed = 0;
	}
	for (size_t i = 0; i < nr_slots; i++)
		published += ask.burst == 1 ? slots[i].nr : slots[i].s.gap[0] != 0;
	if (bursts - published != control.overruns)
		complain("bursts by the core, published, dropped", bursts, published,
			 control.overruns);
	printf("bursts %" PRIu64 " published %" PRIu64 "\n", bursts, published);
}

/* What the core did around an entry: a PMI that came late is seen by the instructions between. */
static void tell_core(size_t at)
{
	for (size_t i = at > 6 ? at - 6 : 0; i < at + 4 && i < truth_end; i++)
		fprintf(stderr, "check:  %s%c cpu %u cpl %u instruction %" PRIu64 " tsc %" PRIu64
			" ip %" PRIx64 "\n", i == at ? "*" : " ", truth[i].kind, truth[i].cpu,
			truth[i].cpl, truth[i].insns, truth[i].tsc, truth[i].ip);
}

/* One event: the events between a slot's first record and the record before it. */
static void match_gaps(void)
{
	size_t slot = 0, record = 0;
	uint64_t passed = 0;

	for (size_t i = truth_first; i < truth_end && slot < nr_slots; i++) {
		const struct ccsample_slot *s = &slots[slot].s;

		passed += truth[i].kind == 'E' && truth[i].cpu == ask.cpu &&
			  truth[i].counters & 1 << s->counter[0];
		if (!is_record(&truth[i]))
			continue;
		if (!record && passed != s->gap[0])
			complain("events in a gap, told", s->sequence, passed, s->gap[0]);
		if (record && passed != (s->burst == 1 ? s->gap[0] : 1))
			complain("events between records", s->sequence, record, passed);
		passed = 0;
		if (++record < slots[slot].nr)
			continue;
		if (s->burst > 1 && record != s->burst && !(s->flags & CCSAMPLE_SLOT_PARTIAL)) {
			complain("records in a burst", s->sequence, record, s->burst);
			tell_core(i);
		}
		slot++;
		record = 0;
	}
}

/* A ramp's short bursts have their part of period and spread. */
static bool is_of(const struct ccsample_slot *s, unsigned int e, uint64_t period, uint64_t spread)
{
	uint64_t mean = period * s->burst / ask.burst, gap = s->gap[e] + s->burst - 1;

	spread = spread * s->burst / ask.burst;
	return gap >= mean - spread && gap <= mean + spread;
}

static void match_periods(void)
{
	size_t now = 0, seen = 0, last = 0;

	for (size_t i = 0; i < nr_slots; i++) {
		const struct ccsample_slot *s = &slots[i].s;

		while (now < nr_periods && periods[now].from <= s->sequence)
			now++;
		for (unsigned int e = 0; e < ask.events; e++) {
			const struct ccsample_period *p = now ? &periods[now - 1] : NULL;

			if (s->gap[e] && !(s->flags & CCSAMPLE_SLOT_AFTER_LOSS) &&
			    !is_of(s, e, p ? p->period[e] : ask.event[e].period,
				   p ? p->spread[e] : ask.event[e].spread))
				complain("a gap of another period than was told", s->sequence,
					 s->gap[e], now);
		}
		seen += now != last;
		last = now;
	}
	if (control.rearmed)
		complain("a gap was drawn again", control.rearmed, 0, 0);
	/* Each is to be in force for a slot at least. */
	if (seen < nr_periods / 2 || !seen)
		complain("periods that slots showed, changes", seen, nr_periods, 0);
	printf("periods %zu seen %zu\n", nr_periods, seen);
}

int main(int argc, char **argv)
{
	bool by_period = false, exact = false, by_owner = false, kernel = false, task = false;
	bool lossless = false, bursts = false, alive = false, full = false;

	if (argc < 4)
		return 2;
	for (int i = 4; i < argc; i++) {
		exact |= !strcmp(argv[i], "exact");
		by_owner |= !strcmp(argv[i], "owners");
		kernel |= !strcmp(argv[i], "kernel");
		task |= !strcmp(argv[i], "task");
		lossless |= !strcmp(argv[i], "lossless");
		bursts |= !strcmp(argv[i], "bursts");
		alive |= !strcmp(argv[i], "alive");
		full |= !strcmp(argv[i], "full");
		noticed |= !strcmp(argv[i], "noticed");
		by_period |= !strcmp(argv[i], "periods");
	}
	load_dump(argv[3]);
	load_truth(argv[1], strtoull(argv[2], NULL, 0));
	if (errors)
		return 1;
	match_records(by_owner || task, full);
	match_events(task ? UINT64_MAX : kernel ? KERNEL_EVENTS : 0);
	date_owners();
	if (task)
		match_task_events();
	if (task && ask.events == 1)
		match_task_gaps();
	match_references(task);
	if (ask.flags & CCSAMPLE_VALUES)
		match_values();
	if (bursts)
		match_bursts();
	if (alive)
		match_rate(task);
	if (lossless && (control.overruns || control.lost_marks || control.lost_tasks))
		complain("dropped: slots, marks, tasks", control.overruns, control.lost_marks,
			 control.lost_tasks);
	if (exact)
		match_gaps();
	if (by_period)
		match_periods();
	for (size_t i = 0; i < nr_owners; i++)
		printf("process %u: %zu records\n", owners[i].pid, owners[i].records);
	if (unowned)
		printf("unowned: %zu records; at most %zu counted off at once, %zu late beyond that\n",
		       unowned, counted_most, beyond);
	printf("slots %zu records %zu marks %zu short %llu errors %u\n", nr_slots, nr_records,
	       nr_marks, control.short_gaps, errors);
	return errors != 0;
}
