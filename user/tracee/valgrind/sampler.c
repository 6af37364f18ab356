// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which misses of a thread are sent, at each level that is sampled, in the
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

#include "tracee/valgrind/caches.h"
#include "tracee/valgrind-lib/counting.h"
#include "tracee/valgrind-lib/tallies.h"

#define BATCH_MAX	1024	/* samples; 64 + 1024 * 56 bytes fit a message */

static ULong taken;		/* samples of the recording so far, as far as is known */
static ULong asked;		/* of them when the recorder was asked last */
static ULong furthest[CACHE_LEVELS];	/* bursts of the ramp so far, by level - 1 */

/* Where the image began, and samples that it took before it began again: they change no period. */
static ULong taken_first, furthest_first[CACHE_LEVELS], taken_before;

#define ASK_LEAST	4096	/* samples before the recorder is asked again */

static Bool adapts(const struct engine_event *event)
{
	return event->id && !event->period;
}

/* Other processes take samples, too. */
static void ask_taken(void)
{
	struct ccs_sim_answer answer;
	struct ccs_sim_ask *r = record_add(CCS_SIM_ASK, 0, sizeof(*r), 0);

	r->address = CCS_UNKNOWN;
	records_flush();
	if (records_on() && records_answer(&answer, sizeof(answer)) &&
	    answer.low > taken + taken_before)
		taken = answer.low - taken_before;
	asked = taken;
}

void sampler_begin(void)
{
	UInt n;

	for (n = 0; n < CACHE_LEVELS; n++)
		if (records_on() && adapts(&engine_options.events[n])) {
			ask_taken();
			break;
		}
	taken_first = taken;
	VG_(memcpy)(furthest_first, furthest, sizeof(furthest));
}

/* What the period is now, if none was given. */
static void adapt(struct sampler *s)
{
	if (!adapts(s->event))
		return;
	if (taken > 2 * asked + ASK_LEAST)
		ask_taken();
	s->schedule.period = schedule_adapted(taken);
	s->schedule.spread = s->schedule.period / 2;
}

static ULong seed_of(UInt n, UInt ordinal)
{
	return engine_options.seed + process_chance() +
	       (ordinal * CACHE_LEVELS + n) * 0xd1342543de82ef95ull;
}

void sampler_ramp(ULong bursts[CACHE_LEVELS], Bool set)
{
	VG_(memcpy)(set ? furthest : bursts, set ? bursts : furthest, sizeof(furthest));
}

/* Of loads and stores. */
static ULong misses_so_far(const struct sampler *s)
{
	return s->misses->loads + s->misses->stores;
}

static Bool bursts(const struct sampler *s)
{
	return s->event->burst > 1 || s->event->period == 1;
}

/* A thread or process begins with a gap; the ramp goes on where others have brought it. */
static void restart(struct sampler *s, UInt n, UInt ordinal)
{
	s->gap = s->skip = schedule_restart(&s->schedule, furthest[n], seed_of(n, ordinal));
	s->left = s->schedule.length;
	s->period = s->schedule.period;
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
	schedule_begin(&s->schedule, adapts(event) ? SCHEDULE_DENSEST : event->period,
		       event->spread, event->burst, adapts(event), 0);
	adapt(s);
	restart(s, n, ordinal);
}

void sampler_open(struct engine_thread *t, UInt ordinal)
{
	UInt n;

	for (n = 0; n < CACHE_LEVELS; n++)
		open_level(t, n, ordinal);
}

static UInt batch_flags(const struct sampler *s)
{
	UInt flags = caches_count() ? CCS_BATCH_COUNTED : 0;

	if (bursts(s))
		flags |= CCS_BATCH_BURST | (!s->gap && s->started ? CCS_BATCH_CONTINUES : 0);
	return flags;
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
	struct ccs_accesses_period *r;

	if (!bursts(s))
		return;
	r = record_add(CCS_ACCESSES, t->kernel_tid,
		       adapts(s->event) ? sizeof(*r) : sizeof(r->accesses), 0);
	r->accesses.lines = s->accesses_last - s->accesses_covered;
	if (adapts(s->event))
		r->period = s->period;
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

#define SAVED_MOST	64	/* instructions before they are sent */

static void send_saved(struct engine_thread *t, struct sampler *s)
{
	UInt tail = s->saved_count * sizeof(*s->saved);
	struct ccs_saved *r;

	if (!s->saved_count)
		return;
	r = record_add(CCS_SAVED, t->kernel_tid, sizeof(*r), tail);
	r->event = s->event->id;
	r->count = s->saved_count;
	VG_(memcpy)(r + 1, s->saved, tail);
	s->saved_count = 0;
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
		send_saved(t, s);
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
	ULong *ramp = &furthest[s - t->samplers];

	adapt(s);
	s->skip = schedule_next(&s->schedule);
	s->left = s->schedule.length;
	if (s->schedule.bursts > *ramp)
		*ramp = s->schedule.bursts;
	if (!bursts(s) || !s->skip)
		return;		/* the batch goes on */
	cut(t, s);
	s->gap = s->skip;
	s->period = s->schedule.period;
	records_pace();
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

	if (!frames_find(t, who_ip(miss->who), miss->address, &frame))
		return;
	if (!s->frames)
		s->frames = VG_(malloc)("ccsample.frames", BATCH_MAX * sizeof(*s->frames));
	s->frames[s->frame_count++] = frame;
}

static UInt class_of(enum miss_class class)
{
	static const UChar classes[] = {
		[CLASS_COLD] = CCS_CLASS_COLD, [CLASS_CAPACITY] = CCS_CLASS_CAPACITY,
		[CLASS_CONFLICT] = CCS_CLASS_CONFLICT,
	};

	return classes[class];
}

static void append(struct engine_thread *t, struct sampler *s, const struct sampled *miss)
{
	struct ccs_sample_evicted *evicted = &s->samples[s->count];
	struct ccs_sample *sample = &evicted->sample;

	append_frame(t, s, miss);
	s->count++;
	taken++;
	sample->time = process_time();
	sample->ip = who_ip(miss->who);
	sample->address = miss->address;
	sample->physical = miss->physical;
	sample->weight = 0;
	sample->flags = who_flags(miss->who) |
			class_of(miss->class) << CCS_SAMPLE_CLASS_SHIFT;
	evicted->evictor = miss->evictor.line;
	evicted->evictor_ip = miss->evictor.ip;
	s->events_last = misses_so_far(s);
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
		s->events_covered = misses_so_far(s) - 1;
		s->fills_covered = s->misses->fills - miss->fills;
		s->accesses_covered = accesses(t, s);
	}
	append(t, s, miss);
	if (!--s->left)
		next(t, s);
	if (s->count == BATCH_MAX)
		cut(t, s);
	if (!bursts(s) || s->count % 64 == 1)
		flush_stale(t);
}

void sampler_saved(struct engine_thread *t, struct sampler *s, Addr ip)
{
	UInt i;

	if (caches_outer())
		tallies_of(ip)->levels[s - t->samplers].saved++;
	else if (caches_count())
		counting_saved(ip);
	/* Those from a sample up to the next miss, be it sampled or not. */
	if (!s->samples || !s->events_last || misses_so_far(s) != s->events_last)
		return;
	if (!records_on())
		return;
	if (!s->saved)
		s->saved = VG_(malloc)("ccsample.saved", SAVED_MOST * sizeof(*s->saved));
	for (i = 0; i < s->saved_count && s->saved[i].ip != ip; i++)
		;
	if (i == SAVED_MOST) {
		cut(t, s);
		send_saved(t, s);
		i = 0;
	}
	if (i == s->saved_count)
		s->saved[s->saved_count++] = (struct ccs_saved_hits){ ip, 0 };
	s->saved[i].hits++;
}

void sampler_free(struct engine_thread *t)
{
	UInt n;

	for (n = 0; n < CACHE_LEVELS; n++) {
		VG_(free)(t->samplers[n].samples);
		VG_(free)(t->samplers[n].frames);
		VG_(free)(t->samplers[n].saved);
		t->samplers[n].samples = NULL;
		t->samplers[n].saved = NULL;
		t->samplers[n].saved_count = 0;
		t->samplers[n].frames = NULL;
		t->samplers[n].skip = ~0ull;
	}
}

void sampler_close(struct engine_thread *t)
{
	sampler_cut(t);
	sampler_free(t);
}

void sampler_renew(struct engine_thread *t)
{
	UInt n;

	taken_before += taken - taken_first;
	taken = asked = taken_first;
	VG_(memcpy)(furthest, furthest_first, sizeof(furthest));
	for (n = 0; n < CACHE_LEVELS; n++)
		if (t->samplers[n].samples) {
			adapt(&t->samplers[n]);
			restart(&t->samplers[n], n, 0);
			t->samplers[n].started = False;
		}
}

void sampler_fork(struct engine_thread *t)
{
	UInt n;

	for (n = 0; n < CACHE_LEVELS; n++) {
		struct sampler *s = &t->samplers[n];

		s->count = s->frame_count = s->saved_count = 0;
		if (s->samples) {
			adapt(s);
			restart(s, n, 0);
		}
		s->events_covered = s->events_last = 0;
		s->fills_covered = s->fills_last = 0;
		s->accesses_covered = s->accesses_last = 0;
		s->started = False;
	}
}
