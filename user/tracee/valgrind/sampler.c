// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which load misses of a thread are sent, at each level that is sampled, in the
 * manner of PEBS with its counter reprogrammed at every buffer switch.
 *
 * schedule.h says when. In burst mode a batch is a burst, or a part of one.
 *
 * Spread mode (bursts of 1): a batch covers all misses since the last one, sampled or not.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"

#define BATCH_MAX	1024	/* samples; 64 + 1024 * 40 bytes fit a message */

static Bool bursts(const struct sampler *s)
{
	return s->event->burst > 1 || s->event->period == 1;
}

static void open_level(struct engine_thread *t, UInt n, UInt ordinal)
{
	const struct engine_event *event = &engine_options.events[n];
	struct sampler *s = &t->samplers[n];

	VG_(memset)(s, 0, sizeof(*s));
	s->skip = ~0ull;
	s->event = event;
	s->misses = &t->counts.misses[n];
	if (!records_on() || !event->id)
		return;
	s->samples = VG_(malloc)("ccsample.batch", BATCH_MAX * sizeof(*s->samples));
	s->gap = s->skip = schedule_begin(&s->schedule, event->period, event->spread, event->burst,
		engine_options.seed + (ordinal * CACHE_LEVELS + n) * 0xd1342543de82ef95ull);
	s->left = s->schedule.length;
}

void sampler_open(struct engine_thread *t, UInt ordinal)
{
	UInt n;

	for (n = 0; n < CACHE_LEVELS; n++)
		open_level(t, n, ordinal);
}

static UInt batch_flags(const struct sampler *s)
{
	if (!bursts(s))
		return 0;
	if (!s->gap && s->started)
		return CCS_BATCH_BURST | CCS_BATCH_CONTINUES;
	return CCS_BATCH_BURST;
}

/* Cache accesses at the sampler's level so far. */
static ULong accesses(struct engine_thread *t, const struct sampler *s)
{
	if (s != t->samplers)
		return s->misses[-1].fills;
	shadow_drain(t);
	return t->counts.loads + t->counts.stores;
}

static void send_accesses(struct engine_thread *t, const struct sampler *s)
{
	struct ccs_accesses *r;

	if (!bursts(s))
		return;
	r = record_add(CCS_ACCESSES, t->kernel_tid, sizeof(*r), 0);
	r->lines = s->accesses_last - s->accesses_covered;
}

static void send_frames(struct engine_thread *t, struct sampler *s)
{
	UInt tail = s->frame_count * sizeof(*s->frames);
	struct ccs_frames *r;

	if (!s->frame_count)
		return;
	r = record_add(CCS_FRAMES, t->kernel_tid, sizeof(*r), tail);
	r->count = s->frame_count;
	VG_(memcpy)(r + 1, s->frames, tail);
}

static void cut(struct engine_thread *t, struct sampler *s)
{
	UInt tail = s->count * sizeof(*s->samples);
	struct ccs_samples *r;

	if (!s->count)
		return;
	if (records_on()) {
		send_frames(t, s);
		send_accesses(t, s);
		r = record_add(CCS_SAMPLES, t->kernel_tid, sizeof(*r), tail);
		r->pid = VG_(getpid)();
		r->cpu = ~0u;
		r->event = s->event->id;
		r->flags = batch_flags(s);
		r->gap = bursts(s) ? s->gap : 0;
		r->events = s->events_last - s->events_covered;
		r->fills = s->fills_last - s->fills_covered;
		r->count = s->count;
		r->sample_size = sizeof(*s->samples);
		VG_(memcpy)(r + 1, s->samples, tail);
	}
	s->events_covered = s->events_last;
	s->fills_covered = s->fills_last;
	s->accesses_covered = s->accesses_last;
	s->gap = 0;
	s->count = 0;
	s->frame_count = 0;
	s->started = True;
}

void sampler_cut(struct engine_thread *t)
{
	UInt n;

	for (n = 0; n < CACHE_LEVELS; n++)
		cut(t, &t->samplers[n]);
}

/* A burst ends, or a spread period: decide what comes next. */
static void next(struct engine_thread *t, struct sampler *s)
{
	s->skip = schedule_next(&s->schedule);
	s->left = s->schedule.length;
	if (!bursts(s) || !s->skip)
		return;		/* the batch goes on */
	cut(t, s);
	s->gap = s->skip;
	records_flush();
}

/* Somebody may be watching: nothing is held back for long. */
static void flush_stale(struct engine_thread *t)
{
	if (!records_stale())
		return;
	sampler_cut(t);
	records_flush();
}

/* Notes whose frame the next sample lies in. */
static void append_frame(const struct engine_thread *t, struct sampler *s,
			 const struct sampled *miss)
{
	struct ccs_frame frame = { .sample = s->count };

	if (!frames_find(t, miss->ip, miss->address, &frame))
		return;
	if (!s->frames)
		s->frames = VG_(malloc)("ccsample.frames", BATCH_MAX * sizeof(*s->frames));
	s->frames[s->frame_count++] = frame;
}

static void append(struct engine_thread *t, struct sampler *s, const struct sampled *miss)
{
	struct ccs_sample *sample = &s->samples[s->count];

	append_frame(t, s, miss);
	s->count++;
	sample->time = process_time();
	sample->ip = miss->ip;
	sample->address = miss->address;
	sample->physical = miss->physical;
	sample->weight = 0;
	sample->flags = 0;
	s->events_last = s->misses->loads;
	s->accesses_last = accesses(t, s);
	s->fills_last = s->misses->fills;
}

void sampler_take(struct engine_thread *t, struct sampler *s, const struct sampled *miss)
{
	if (!s->samples || !records_on()) {
		s->skip = ~0ull;
		return;
	}
	if (!s->count && s->gap && bursts(s)) {
		s->events_covered = s->misses->loads - 1;
		s->fills_covered = s->misses->fills - miss->fills;
		s->accesses_covered = accesses(t, s);
	}
	append(t, s, miss);
	if (!--s->left)
		next(t, s);
	if (s->count == BATCH_MAX)
		cut(t, s);
	if (!bursts(s) || s->count % 16 == 1)
		flush_stale(t);
}

void sampler_free(struct engine_thread *t)
{
	UInt n;

	for (n = 0; n < CACHE_LEVELS; n++) {
		VG_(free)(t->samplers[n].samples);
		VG_(free)(t->samplers[n].frames);
		t->samplers[n].samples = NULL;
		t->samplers[n].frames = NULL;
		t->samplers[n].skip = ~0ull;
	}
}

void sampler_close(struct engine_thread *t)
{
	sampler_cut(t);
	sampler_free(t);
}

void sampler_fork(struct engine_thread *t)
{
	UInt n;

	for (n = 0; n < CACHE_LEVELS; n++) {
		struct sampler *s = &t->samplers[n];

		s->count = s->frame_count = 0;
		s->gap = s->skip;
		s->events_covered = s->events_last = 0;
		s->fills_covered = s->fills_last = 0;
		s->accesses_covered = s->accesses_last = 0;
		s->started = False;
	}
}
