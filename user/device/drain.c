// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/drain.h"
#include "device/spans.h"

#define KERNEL_HALF	(1ull << 63)
#define BURST_NUMBERS	48		/* bits of a burst's number below its session's */
#define RED_ZONE		128		/* below the stack pointer (psABI 3.2.2) */
#define STACK_MOST		(8u << 20)	/* what stacks are limited to (getrlimit(2)) */
#define RECORDS_MOST		8192		/* to be taken in one go, and a slot more */
#define STORE_SAMPLE	0x02cd		/* whose latency means something where that is split */

void device_drain_begin(struct device_drain *drain, const struct device_session *session,
			uint32_t number)
{
	*drain = (struct device_drain){
		.session = session,
		.burst = (number + 1ull) << BURST_NUMBERS,
		.stale = xcalloc(session->control->slots, session->how.record_bytes),
		.before = xcalloc(1, session->how.record_bytes),
	};
	drain->last = &drain->first;
}

void device_drain_periods(struct device_drain *drain, const struct device_periods *periods)
{
	/* None of a session that takes nothing has been in force when the next one comes. */
	while (drain->periods_count &&
	       drain->periods[drain->periods_count - 1].from >= periods->from)
		drain->periods_count--;
	drain->periods = grow(drain->periods, drain->periods_count, &drain->periods_room,
			      sizeof(*drain->periods));
	drain->periods[drain->periods_count++] = *periods;
}

static const uint8_t *slot_memory(const struct device_session *session, uint64_t sequence)
{
	const struct ccsample_control *control = session->control;

	return session->records + (sequence % control->slots) * (uint64_t)control->slot_bytes;
}

/* --- a slot's records --- */

/* The counter goes round. Of an event that has moved the difference is anything. */
static uint64_t accesses_of(struct device_drain *drain, const struct ccsample_slot *slot,
			    const struct pebs_reader *reader, const struct pebs_sample *sample,
			    uint32_t event)
{
	uint32_t by = drain->session->accesses[event];
	uint64_t value;

	if (!by || slot->value[by - 1] == CCSAMPLE_NO_VALUE ||
	    !pebs_counter(reader, sample, slot->value[by - 1], &value))
		return CCS_UNKNOWN;
	drain->accessed[event] += (value - drain->accessed[event]) & drain->session->counter_mask;
	return drain->accessed[event];
}

static size_t decode(struct device_drain *drain, const struct ccsample_slot *slot)
{
	const struct device_session *session = drain->session;
	bool values = session->how.flags & CCSAMPLE_VALUES;
	uint32_t bytes = slot->bytes, event;
	struct pebs_reader reader;
	struct device_record *record;
	size_t count = 0;

	if (bytes > session->control->slot_bytes)
		bytes = session->control->slot_bytes;
	pebs_begin(&reader, session->pebs_format, session->split_latency,
		   slot_memory(session, slot->sequence), bytes);
	for (;;) {
		drain->decoded = grow(drain->decoded, count, &drain->room,
				      sizeof(*drain->decoded));
		record = &drain->decoded[count];
		if (!pebs_next(&reader, &record->sample))
			break;
		record->end = reader.at;
		for (event = 0; values && event < session->how.events; event++)
			record->accesses[event] = accesses_of(drain, slot, &reader,
							      &record->sample, event);
		count++;
	}
	drain->dropped += slot->lost_records;
	drain->damaged += reader.damaged;
	return count;
}

/*
 * Records without a time (formats 1 and 2) lie evenly between what is known: the
 * last time that the slot was seen empty, its marks, and when it was closed.
 */
static void make_times(struct device_drain *drain, const struct ccsample_slot *slot, size_t count)
{
	uint64_t from = drain->watermark < slot->tsc ? drain->watermark : slot->tsc;
	size_t mark = 0, begin = 0, end, i;

	while (begin < count) {
		uint64_t to = slot->tsc;

		end = count;
		while (mark < drain->marks.count &&
		       drain->marks.pending[mark].slot < slot->sequence)
			mark++;
		if (mark < drain->marks.count &&
		    drain->marks.pending[mark].slot == slot->sequence) {
			to = drain->marks.pending[mark].tsc;
			for (end = begin; end < count &&
			     drain->decoded[end].end <= drain->marks.pending[mark].offset; end++)
				;
			mark++;
		}
		if (to < from)
			to = from;
		for (i = begin; i < end; i++)
			drain->decoded[i].sample.tsc = from + (to - from) / (end - begin + 1) *
						       (i - begin + 1);
		begin = end;
		from = to;
	}
}

/*
 * Time never goes back, and a closed slot holds nothing from after its end. What
 * landed late comes as soon as it may.
 */
static void settle_times(struct device_drain *drain, const struct ccsample_slot *slot, size_t count)
{
	size_t i;

	if (drain->time < drain->watermark)
		drain->time = drain->watermark;

	for (i = 0; i < count; i++) {
		uint64_t *time = &drain->decoded[i].sample.tsc;

		if (*time > slot->tsc && slot->tsc > drain->time)
			*time = slot->tsc;
		if (*time < drain->time)
			*time = drain->time;
		drain->time = *time;
	}
}

/*
 * A slot that was dropped is filled again under the same number, so that places
 * may go back: of marks before such a step, those beyond it mean nothing. Where
 * the mark of the step may be among the lost ones, none before it does.
 */
static void order_marks(struct device_drain *drain, const struct ccsample_slot *slot)
{
	struct device_marks *marks = &drain->marks;
	bool lost = marks->missing;
	uint32_t least = UINT32_MAX;
	size_t m;

	for (m = marks->count; m--; ) {
		struct ccsample_mark *mark = &marks->pending[m];

		if (mark->slot == slot->sequence) {
			if (lost && slot->flags & CCSAMPLE_SLOT_AFTER_LOSS)
				least = 0;
			if (mark->offset > least)
				mark->offset = least;
			least = mark->offset;
		}
		lost = mark->flags & CCSAMPLE_MARK_AFTER_LOSS;
	}
}

/* --- runs --- */

static bool is_usable(const struct device_drain *drain, const struct pebs_sample *sample)
{
	bool kernel = sample->address & KERNEL_HALF;

	return sample->address && (!kernel || drain->session->how.flags & CCSAMPLE_KERNEL);
}

/* An event of all stores has records of those that hit, too. */
static bool is_miss(const struct device_session *session, uint32_t event,
		    const struct pebs_sample *sample)
{
	return !(session->stores >> event & 1) || !(sample->source & PEBS_STORE_HIT);
}

/* In format 1 the instruction sampled is the one before: a byte of it will do. */
static uint64_t ip_of(const struct device_session *session, const struct pebs_sample *sample)
{
	return session->pebs_format == 1 ? sample->ip - 1 : sample->ip;
}

static struct device_run *new_run(const struct device_drain *drain, uint32_t event, size_t most)
{
	struct device_run *run = xmalloc(sizeof(*run) + most * sizeof(run->samples[0]));

	*run = (struct device_run){
		.pid = drain->marks.owner.pid,
		.tid = drain->marks.owner.tid,
		.cpu = drain->session->cpu,
		.event = event,
		.burst = drain->session->how.burst > 1 ? drain->burst : 0,
		.interval = drain->marks.owner.interval,
	};
	if (drain->session->how.flags & CCSAMPLE_VALUES)
		run->accessed = xmalloc(most * sizeof(*run->accessed));
	return run;
}

/* The innermost call, where the address may lie in its frame; which the analysis finds out. */
static void add_frame(const struct device_session *session, struct device_run *run, size_t most,
		      const struct pebs_sample *from)
{
	if (!from->sp || from->address - (from->sp - RED_ZONE) >= STACK_MOST)
		return;
	if (!run->frames)
		run->frames = xmalloc(most * sizeof(*run->frames));
	run->frames[run->frame_count++] = (struct ccs_frame){
		.sample = run->count,
		.ip = ip_of(session, from),
		.sp = from->sp,
		.bp = from->bp,
	};
}

static void add_sample(const struct device_session *session, struct device_run *run,
		       const struct device_record *record)
{
	const struct pebs_sample *from = &record->sample;
	bool latency = session->split_latency &&
		       session->how.event[run->event].config == STORE_SAMPLE;
	bool store = session->stores >> run->event & 1;

	if (run->accessed)
		run->accessed[run->count] = record->accesses[run->event];
	run->samples[run->count++] = (struct ccs_sample){
		.time = from->tsc,
		.ip = ip_of(session, from),
		.address = from->address,
		.physical = CCS_UNKNOWN,
		.weight = latency ? from->latency : 0,
		.flags = (from->ip & KERNEL_HALF ? CCS_SAMPLE_KERNEL : 0) |
			 (store ? CCS_SAMPLE_STORE : 0),
	};
}

/*
 * How many misses a burst had is known only of the stores that it recorded, so those between bursts
 * are unknown. @own: records of the run's owner, @missed: those of them that did not hit
 */
static void settle_stores(struct device_run *run, size_t own, size_t missed)
{
	run->events = (unsigned __int128)run->events * missed / own;
	run->accesses.events = (unsigned __int128)run->accesses.events * missed / own;
	run->gap = CCS_UNKNOWN;
}

/* Records of one owner, of one event. */
static void add_run(struct device_drain *drain, uint32_t event, struct device_span *span,
		    const struct device_record *records, size_t count)
{
	const struct device_session *session = drain->session;
	const struct device_owner *owner = &drain->marks.owner;
	struct device_run *run = new_run(drain, event, count);
	size_t i, own = 0, missed = 0;
	uint64_t events;

	for (i = 0; i < count; i++) {
		if (!device_span_has(session, &records[i].sample, event, span))
			continue;
		own++;
		if (!is_miss(session, event, &records[i].sample))
			continue;
		missed++;
		if (!owner->known || !owner->pid || !is_usable(drain, &records[i].sample))
			continue;
		add_frame(session, run, count, &records[i].sample);
		add_sample(session, run, &records[i]);
	}
	if (session->stores >> event & 1) {
		drain->stores += own;
		drain->stores_missed += missed;
	}
	drain->taken[event] += own;
	drain->stood_for[event] += own * drain->period[event];
	events = own ? device_span_share(span, own) : 0;
	if (!owner->known)
		drain->unowned += missed;
	else if (!owner->pid)
		drain->foreign += missed;
	else
		drain->no_address += missed - run->count;
	if (!run->count) {
		drain->carry[event] += events;
		if (own)
			drain->carry_seen[event] = drain->carry[event];
		device_run_free(run);
		return;
	}
	run->left = run->count;
	run->period = drain->stands_for[event];
	drain->samples[event] += run->count;
	run->events = events;
	run->accesses = span->accesses;
	run->gap = drain->carry[event];
	drain->carry[event] = drain->carry_seen[event] = 0;
	if (session->stores >> event & 1)
		settle_stores(run, own, missed);
	run->fills = device_fills(&drain->fills, session, event, events, run->events);
	*drain->last = run;
	drain->last = &run->next;
}

static void add_runs(struct device_drain *drain, struct device_part *part, size_t begin, size_t end)
{
	uint32_t event;

	for (event = 0; begin < end && event < drain->session->how.events; event++)
		add_run(drain, event, &part->spans[event], part->records + begin, end - begin);
	/* What we do not see of a burst may be anybody's: it does not go on behind that. */
	if (begin < end && !drain->marks.owner.known)
		drain->burst++;
}

/* A run ends where a mark stands. */
static void take_part(struct device_drain *drain, struct device_part *part,
		      const struct ccsample_slot *slot)
{
	struct device_marks *marks = &drain->marks;
	size_t begin = 0, i;

	for (i = 0; i < part->count; i++) {
		const struct ccsample_mark *next = device_marks_next(marks, slot->sequence);

		if (!next || next->offset >= part->records[i].end)
			continue;
		add_runs(drain, part, begin, i);
		device_marks_reach(marks, slot->sequence, part->records[i].end - 1);
		begin = i;
	}
	add_runs(drain, part, begin, part->count);
}

static bool goes_on(const struct device_drain *drain, const struct ccsample_slot *slot)
{
	uint32_t event;

	if (slot->flags & (CCSAMPLE_SLOT_AFTER_LOSS | CCSAMPLE_SLOT_SHORT_GAP))
		return false;
	for (event = 0; event < drain->session->how.events; event++)
		if (slot->gap[event])
			return false;
	return true;
}

/* Those in force at the slot go to the front. An event without a new gap keeps its period. */
static void reach_periods(struct device_drain *drain, const struct ccsample_slot *slot)
{
	size_t passed = 0;
	uint32_t event;

	while (passed + 1 < drain->periods_count &&
	       drain->periods[passed + 1].from <= slot->sequence)
		passed++;
	drain->periods_count -= passed;
	if (passed)
		memmove(drain->periods, drain->periods + passed,
			drain->periods_count * sizeof(*drain->periods));
	if (!drain->periods_count || drain->periods->from > slot->sequence)
		return;
	for (event = 0; event < drain->session->how.events; event++)
		if (slot->gap[event])
			drain->period[event] = drain->periods->of[event];
}

/* What was dropped before a burst is of its samples, as nothing else is known of it. */
static uint64_t stands_for(const struct device_drain *drain, const struct device_span *span,
			   uint32_t event)
{
	uint64_t period = drain->period[event], all;

	if (!period || !span->count || !span->after_loss)
		return period;
	all = (drain->carry[event] - drain->carry_seen[event] + span->events) / span->count;
	return all > period ? all : period;
}

static void take_slot(struct device_drain *drain, const struct ccsample_slot *slot)
{
	const struct device_session *session = drain->session;
	size_t count = decode(drain, slot), late = slot->late < count ? slot->late : count;
	struct device_part part = { .records = drain->decoded, .count = late };
	uint32_t event;

	drain->records += count;
	drain->no_accesses += slot->references == CCSAMPLE_NOT_COUNTED;
	order_marks(drain, slot);
	if (session->pebs_format < PEBS_FORMAT_COUNTER)
		make_times(drain, slot, count);
	settle_times(drain, slot, count);
	device_marks_reach(&drain->marks, slot->sequence, 0);
	for (event = 0; event < session->how.events; event++)
		device_span_late(drain, &part, slot, event);
	drain->strays += device_spans_strays(session, &part);
	take_part(drain, &part, slot);
	device_fills_count(&drain->fills, session, slot);
	drain->burst += !goes_on(drain, slot);
	reach_periods(drain, slot);
	part = (struct device_part){ .records = drain->decoded + late, .count = count - late };
	for (event = 0; event < session->how.events; event++) {
		device_span_begin(drain, &part, slot, event);
		drain->stands_for[event] = stands_for(drain, &part.spans[event], event);
	}
	drain->strays += device_spans_strays(session, &part);
	for (event = 0; event < session->how.events; event++)
		if (part.spans[event].count)
			device_fills_burst(&drain->fills, session, event);
	take_part(drain, &part, slot);
	device_fills_stores(&drain->fills, drain->stores, drain->stores_missed);
	drain->stores = drain->stores_missed = 0;
	drain->burst += !!(slot->flags & CCSAMPLE_SLOT_FULL);
	device_marks_reach(&drain->marks, slot->sequence, UINT32_MAX);
}

/* --- the current slot --- */

static uint8_t *stale_record(const struct device_drain *drain, uint64_t sequence)
{
	uint32_t size = drain->session->how.record_bytes;

	return drain->stale + sequence % drain->session->control->slots * size;
}

/* The processor has written to it since we took it the last time round. */
static bool has_begun(const struct device_drain *drain, uint64_t head)
{
	return memcmp(stale_record(drain, head), slot_memory(drain->session, head),
		      drain->session->how.record_bytes);
}

static uint64_t take_slots(struct device_drain *drain)
{
	const struct device_session *session = drain->session;
	uint64_t head = __atomic_load_n(&session->control->head, __ATOMIC_ACQUIRE);
	uint64_t tail = session->reader->tail, most = drain->records + RECORDS_MOST;

	device_marks_read(&drain->marks, session);
	for (; tail != head && drain->records < most; tail++) {
		struct ccsample_slot slot = session->slots[tail % session->control->slots];

		slot.sequence = tail;
		take_slot(drain, &slot);
		memcpy(stale_record(drain, tail), slot_memory(session, tail),
		       session->how.record_bytes);
		if (drain->watermark < slot.tsc)
			drain->watermark = slot.tsc;
		__atomic_store_n(&session->reader->tail, tail + 1, __ATOMIC_RELEASE);
	}
	return tail;
}

size_t device_drain(struct device_drain *drain, uint64_t now, uint64_t slack)
{
	const struct device_session *session = drain->session;
	uint64_t before = session->reader->tail + session->reader->mark_tail, head;

	head = take_slots(drain);
	drain->begun = has_begun(drain, head);
	drain->behind = __atomic_load_n(&session->control->head, __ATOMIC_ACQUIRE) != head;
	/* What is there may be of a slot that was published since. */
	drain->begun |= drain->behind;
	drain->marked = drain->ended ? CCS_UNKNOWN : now > slack ? now - slack : 0;
	if (drain->ended && !drain->behind)
		drain->watermark = CCS_UNKNOWN;
	else if (!drain->begun && now > slack && drain->watermark < now - slack)
		drain->watermark = now - slack;
	return session->reader->tail + session->reader->mark_tail - before;
}

void device_drain_ended(struct device_drain *drain)
{
	drain->ended = true;
}

void device_drain_before_flush(struct device_drain *drain)
{
	const struct device_session *session = drain->session;

	drain->flushed = __atomic_load_n(&session->control->head, __ATOMIC_ACQUIRE);
	memcpy(drain->before, slot_memory(session, drain->flushed), session->how.record_bytes);
}

void device_drain_flushed(struct device_drain *drain)
{
	const struct device_session *session = drain->session;

	if (__atomic_load_n(&session->control->head, __ATOMIC_ACQUIRE) == drain->flushed)
		memcpy(stale_record(drain, drain->flushed), drain->before,
		       session->how.record_bytes);
}

size_t device_drain_peek(const struct device_drain *drain, uint64_t *addresses, size_t most)
{
	const struct device_session *session = drain->session;
	struct pebs_sample sample;
	struct pebs_reader reader;
	size_t count = 0;

	pebs_begin(&reader, session->pebs_format, session->split_latency,
		   slot_memory(session, session->reader->tail), session->control->slot_bytes);
	while (count < most && pebs_next(&reader, &sample))
		if (sample.address && !(sample.address & KERNEL_HALF))
			addresses[count++] = sample.address;
	return count;
}

struct device_run *device_drain_next(struct device_drain *drain)
{
	struct device_run *run = drain->first;

	if (!run)
		return NULL;
	drain->first = run->next;
	if (!drain->first)
		drain->last = &drain->first;
	return run;
}

void device_run_free(struct device_run *run)
{
	free(run->frames);
	free(run->accessed);
	free(run);
}

void device_drain_free(struct device_drain *drain)
{
	struct device_run *run;

	while ((run = device_drain_next(drain)))
		device_run_free(run);
	device_marks_free(&drain->marks);
	free(drain->periods);
	free(drain->stale);
	free(drain->before);
	free(drain->decoded);
}
