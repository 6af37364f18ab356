// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "tracee/valgrind-lib/schedule.h"
#include "runs.h"

struct sampling {
	const struct exact_stream *stream;
	struct rcd *rcd;
	struct rcd_stream *samples;
	struct rcd_context **contexts;
	uint64_t at;			/* misses that went by */
};

/* Lines sought up to miss number @at of the run. */
static uint64_t accesses_at(const struct exact_stream *stream, uint64_t at)
{
	return at / stream->count * stream->accesses + stream->misses[at % stream->count].accesses;
}

/* Lines brought in before miss number @at of the run; the stream begins anew when it has ended. */
static uint64_t fills_before(const struct exact_stream *stream, uint64_t at)
{
	uint64_t plays = at / stream->count, fills = plays * stream->fills;
	size_t index = at % stream->count;

	return index ? fills + stream->misses[index - 1].fills : fills;
}

static void add(struct sampling *s)
{
	const struct exact_miss *miss = &s->stream->misses[s->at % s->stream->count];
	struct rcd_context **context = &s->contexts[miss->context];

	if (!*context)
		*context = rcd_context_new(s->rcd);
	if (!*context || rcd_add(s->samples, *context, miss->line % s->stream->sets, miss->line,
				 RCD_CLASS_UNKNOWN))
		exit(-fail("out of memory for a run"));
}

static void take_burst(struct sampling *s, uint64_t samples, uint64_t delay)
{
	uint64_t events = (samples - 1) * (delay + 1) + 1;

	rcd_burst(s->samples, events, fills_before(s->stream, s->at + events) -
				      fills_before(s->stream, s->at), samples);
	rcd_accesses(s->samples, accesses_at(s->stream, s->at + events - 1) -
			       accesses_at(s->stream, s->at), samples);
	for (uint64_t i = 0; i < samples; i++) {
		add(s);
		s->at += delay + 1;
	}
}

static void take_run(struct sampling *s, const struct run_plan *plan)
{
	struct schedule schedule;
	uint64_t gap = schedule_begin(&schedule, plan->period, plan->period / 2, plan->burst, false,
				      plan->seed);

	if (plan->burst == 1)
		rcd_spread(s->samples);
	for (;;) {
		s->at += gap;
		if (s->at + schedule.length * (plan->delay + 1) > plan->misses)
			return;
		if (plan->burst > 1) {
			take_burst(s, schedule.length, plan->delay);
		} else {
			add(s);
			s->at++;
		}
		gap = schedule_next(&schedule);
	}
}

void run_sample(const struct exact *exact, const struct exact_stream *stream,
		const struct run_plan *plan, const size_t *wanted, size_t count,
		struct rcd_summary *summaries)
{
	struct sampling s = {
		.stream = stream,
		.rcd = rcd_new_sliced(stream->sets, stream->ways, 1, (double[]){ 1 }),
	};

	s.samples = s.rcd ? rcd_stream_new(s.rcd) : NULL;
	if (!s.samples)
		exit(-fail("out of memory for a run"));
	s.contexts = xcalloc(exact->contexts + 1, sizeof(struct rcd_context *));
	if (stream->count)
		take_run(&s, plan);
	rcd_finish(s.rcd);
	for (size_t i = 0; i < count; i++) {
		summaries[i] = (struct rcd_summary){ .p_value = 1, .reason = RCD_FEW_SAMPLES };
		if (s.contexts[wanted[i]])
			rcd_summarize(s.contexts[wanted[i]], &summaries[i]);
	}
	free(s.contexts);
	rcd_free(s.rcd);
}
