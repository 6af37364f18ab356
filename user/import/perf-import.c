// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/random.h"
#include "import/perf-images.h"
#include "import/perf-import.h"
#include "import/perf-inside.h"
#include "import/perf-samples.h"

struct perf_work {
	const struct perf_request *request;
	struct perf_input *input;
	struct perf_reader *reader;
	const char *output;
	struct recording_writer *writer;	/* NULL = not begun */
	struct perf_result *result;
	struct perf_periods periods;
	struct perf_plan plan;
	struct perf_images images;
	struct perf_batches batches;
	struct map gaps;		/* thread, event -> a gap, and how much of it has passed */
	uint64_t chance;		/* state of the random gaps */
	uint64_t first, last;		/* times */
	uint64_t lost_records, lost_sums;
	bool failed;
};

/* --- what is read --- */

static void begin(void *context, const struct perf_facts *facts, const struct perf_attrs *attrs)
{
	struct perf_work *work = context;

	work->images.facts = facts;
	if (!perf_plan_make(&work->plan, &work->request->wanted, facts, attrs,
			    perf_input_name(work->input)))
		work->writer = perf_beginning(work->output, work->request, facts, attrs,
					      &work->plan, &work->periods,
					      perf_input_name(work->input));
	work->images.writer = work->batches.writer = work->writer;
	work->failed = !work->writer;
	for (size_t i = 0; i < work->plan.count; i++)
		work->result->varied |= attrs->events[work->plan.outputs[i].event].attr.freq;
}

static void note_time(struct perf_work *work, uint64_t time)
{
	if (!time)
		return;
	work->first = work->first ? work->first : time;
	work->last = time;
}

static bool is_ours(const struct perf_work *work, const struct perf_sample *sample)
{
	uint32_t mode = sample->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_USER || mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN ||
	       (mode == PERF_RECORD_MISC_KERNEL && work->request->kernel);
}

/* Null is no address (an IBS record without a linear address has it, too). */
static bool has_address(const struct perf_work *work, const struct perf_sample *sample)
{
	return sample->fields & PERF_SAMPLE_ADDR && sample->address &&
	       (!(sample->address >> 63) || work->request->kernel);
}

/* Does the data source say that the load missed any level asked for? */
static bool tells_miss(struct perf_work *work, const struct perf_output *nearest,
		       const struct perf_source *source)
{
	if (!nearest->by_source)
		return true;
	if (source->kind == PERF_SOURCE_UNKNOWN)
		work->result->no_source++;
	else if (source->kind == PERF_SOURCE_OTHER || source->missed < nearest->level)
		work->result->no_misses++;
	else
		return true;
	return false;
}

/*
 * Evenly spaced samples can keep in step with a loop; of these one is kept
 * after a gap of 1 .. 2 n - 1, all as likely: period n, spread n - 1 (in samples).
 *
 * Return: samples since the last one kept, this one included; 0 = it is left out.
 */
static uint64_t spread(struct perf_work *work, uint32_t event, uint32_t tid)
{
	uint64_t most = 2 * work->plan.outputs[event - 1].spread - 1;
	uint64_t *state, gap, passed;

	if (most == 1)
		return 1;
	/* The gap asked for, and how many of it have passed. */
	state = map_at(&work->gaps, (uint64_t)event << 32 | tid);
	gap = *state >> 32;
	passed = (uint32_t)*state + 1;
	if (!gap)
		gap = 1 + random_below(&work->chance, most);
	if (passed < gap) {
		*state = gap << 32 | passed;
		work->result->spread_out++;
		return 0;
	}
	*state = (1 + random_below(&work->chance, most)) << 32;
	return passed;
}

static uint64_t product(uint64_t a, uint64_t b)
{
	return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static void add_sample(struct perf_work *work, uint32_t event, const struct perf_sample *sample,
		       const struct perf_source *source)
{
	bool kernel = (sample->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	uint64_t period = sample->period ? sample->period : 1;
	uint64_t passed = spread(work, event, sample->tid);
	uint32_t image;

	if (!passed)
		return;
	image = perf_images_of(&work->images, sample->pid, sample->time);
	perf_batches_add(&work->batches, image, event,
			   product(period, work->plan.outputs[event - 1].spread),
			   product(period, passed),
			   (source->store ? CCS_SAMPLE_STORE : 0) |
			   (kernel ? CCS_SAMPLE_KERNEL : 0), sample);
}

/* Those of one event stand together, the nearest level first. */
static uint32_t first_output(const struct perf_plan *plan, uint32_t event)
{
	uint32_t i = 0;

	while (i < plan->count && plan->outputs[i].event != event)
		i++;
	return i;
}

static void take_sample(void *context, const struct perf_event *event,
			const struct perf_sample *sample)
{
	struct perf_work *work = context;
	uint32_t number = event - perf_reader_attrs(work->reader)->events;
	const struct perf_source source = perf_source_of(sample->data_source);
	const struct perf_plan *plan = &work->plan;
	uint32_t i = first_output(plan, number);

	if (work->failed)
		return;
	note_time(work, sample->time);
	if (i == plan->count)
		return;
	if (!is_ours(work, sample)) {
		work->result->foreign++;
		return;
	}
	if (!tells_miss(work, &plan->outputs[i], &source))
		return;
	if (!has_address(work, sample)) {
		work->result->no_address++;
		return;
	}
	for (; i < plan->count && plan->outputs[i].event == number; i++)
		if (!plan->outputs[i].by_source || source.missed >= plan->outputs[i].level)
			add_sample(work, i + 1, sample, &source);
}

/* The kernel reports at once, perf (which stamps no time) in a sum at the end. */
static void take_lost(struct perf_work *work, const struct side_event *side)
{
	if (side->kind == SIDE_EVENT_LOST)
		work->lost_records += side->count;
	else if (side->kind == SIDE_EVENT_LOST_SAMPLES && side->time)
		work->result->lost += side->count;
	else if (side->kind == SIDE_EVENT_LOST_SAMPLES)
		work->lost_sums += side->count;
	else
		work->result->throttled++;
}

static void take_side_event(void *context, const struct side_event *side)
{
	struct perf_work *work = context;

	if (work->failed)
		return;
	note_time(work, side->time);
	if (side->kind >= SIDE_EVENT_LOST)
		take_lost(work, side);
	else
		perf_images_side_event(&work->images, side);
}

static void settle(void *context, uint32_t image)
{
	struct perf_work *work = context;

	perf_batches_settle(&work->batches, image);
}

/* --- the way through --- */

static bool stop(void *context, double position)
{
	struct perf_work *work = context;

	if (!work->request->quiet && progress_due()) {
		if (position < 0)
			progress("reading: %llu samples",
				 (unsigned long long)work->batches.samples);
		else
			progress("reading %s: %.0f%%%s", perf_input_name(work->input),
				 100 * position, progress_left(position));
	}
	return work->failed;
}

static void write_lost(struct recording_writer *writer, enum ccs_lost_kind kind, uint64_t count)
{
	const struct ccs_lost lost = {
		.record = { .size = sizeof(lost), .type = CCS_LOST },
		.kind = kind,
		.count = count,
	};

	if (count)
		recording_write(writer, &lost.record);
}

/* Of what found no room perf's sums, where there are any, say the same once more. */
static void write_losses(struct perf_work *work)
{
	struct perf_result *result = work->result;

	result->lost += work->lost_records > work->lost_sums ? work->lost_records :
								work->lost_sums;
	result->lost += result->totals.strays + result->totals.bad;
	write_lost(work->writer, CCS_LOST_SAMPLES, result->lost);
	write_lost(work->writer, CCS_LOST_FOREIGN, result->foreign);
	write_lost(work->writer, CCS_LOST_NO_ADDRESS, result->no_address);
	write_lost(work->writer, CCS_LOST_EVENTS, work->images.bad);
	write_lost(work->writer, CCS_LOST_THROTTLED, result->throttled);
}

static void finish(struct perf_work *work)
{
	struct perf_result *result = work->result;

	perf_images_end(&work->images);
	perf_batches_settle(&work->batches, 0);
	result->totals = perf_reader_totals(work->reader);
	result->taken = work->batches.samples;
	result->images = work->images.count;
	result->duration_ns = work->last > work->first ? work->last - work->first : 0;
	write_losses(work);
}

struct recording_writer *perf_import(struct perf_input *input, const struct perf_request *request,
				     const char *output, struct perf_result *result)
{
	struct perf_work work = {
		.request = request, .input = input, .output = output, .result = result,
		.images = { .settle = settle, .context = &work },
	};
	const struct perf_listener listener = { &work, begin, take_sample, take_side_event };
	int status;

	*result = (struct perf_result){ .taken = 0 };
	progress_start();
	status = perf_periods_find(&work.periods, input);
	work.reader = perf_reader_new(&listener);
	if (!status)
		status = perf_input_read(input, work.reader, stop, &work, &result->end);
	progress_clear();
	if (work.writer)
		finish(&work);
	perf_plan_drop(&work.plan);
	perf_periods_drop(&work.periods);
	free(work.batches.all);
	map_free(&work.gaps);
	perf_reader_free(work.reader);
	if (status && work.writer) {
		recording_discard(work.writer);
		work.writer = NULL;
	}
	return work.writer;
}
