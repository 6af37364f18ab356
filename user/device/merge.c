// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/merge.h"

#define BATCH_MAX	1024		/* samples: 64 + 1024 x 40 bytes fit a record */
#define ACCESS_EIGHTHS	9		/* of the mean */
#define ACCESSES_MOST	(1ull << 40)	/* in a batch; more: another counter's value */

static const struct ccs_sample *first_sample(const struct device_run *run)
{
	return &run->samples[run->count - run->left];
}

/* --- whose turn it is --- */

static bool is_earlier(const struct device_turn *a, const struct device_turn *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void swap(struct device_turn *a, struct device_turn *b)
{
	struct device_turn other = *a;

	*a = *b;
	*b = other;
}

/* A run of a process that was not known at once comes when it was. */
static void add_turn(struct device_merge *merge, struct device_run *run, uint64_t number)
{
	struct device_turn *turns;
	size_t at = merge->turn_count, parent;

	merge->turns = turns = grow(merge->turns, merge->turn_count, &merge->turn_room,
				    sizeof(*merge->turns));
	turns[merge->turn_count++] = (struct device_turn){
		.time = processes_when(merge->processes, run->pid, first_sample(run)->time),
		.number = number,
		.run = run,
	};
	for (; at && is_earlier(&turns[at], &turns[parent = (at - 1) / 2]); at = parent)
		swap(&turns[at], &turns[parent]);
}

static struct device_turn take_turn(struct device_merge *merge)
{
	struct device_turn *turns = merge->turns, first = turns[0];
	size_t count = --merge->turn_count, at = 0, child;

	turns[0] = turns[count];
	while ((child = 2 * at + 1) < count) {
		child += child + 1 < count && is_earlier(&turns[child + 1], &turns[child]);
		if (!is_earlier(&turns[child], &turns[at]))
			break;
		swap(&turns[child], &turns[at]);
		at = child;
	}
	return first;
}

/* Whose process any run is of is known up to @until. */
static void add_turns(struct device_merge *merge, uint64_t until)
{
	size_t i;

	for (i = 0; i < merge->count; i++) {
		struct device_drain *drain = &merge->drains[i];

		while (drain->first && first_sample(drain->first)->time <= until)
			add_turn(merge, device_drain_next(drain), merge->numbered++);
	}
}

/* --- records of processes --- */

static uint64_t next_record(const struct device_merge *merge)
{
	uint64_t ours = processes_next(merge->processes);
	uint64_t theirs = merge->sideband ? sideband_next(merge->sideband) : CCS_UNKNOWN;

	return ours < theirs ? ours : theirs;
}

static void take_records(struct device_merge *merge, uint64_t until)
{
	if (merge->sideband)
		sideband_take(merge->sideband, until);
	processes_take(merge->processes, until);
}

/* --- batches --- */

/* Image, thread and event. */
static uint64_t key_of(const struct device_run *run, uint32_t image)
{
	return ((uint64_t)image * CCSAMPLE_EVENTS_MAX + run->event) << 32 | run->tid;
}

/* Does this batch go on where the thread's last one ended, and did anything come between? */
static uint32_t flags_of(struct device_merge *merge, const struct device_run *run, uint32_t image)
{
	uint64_t key = key_of(run, image);
	uint64_t *burst, *interval;
	uint32_t flags = CCS_BATCH_BURST;

	if (!run->burst)
		return 0;
	burst = map_at(&merge->bursts, key);
	interval = map_at(&merge->intervals, key);
	if (*burst == run->burst)
		flags |= CCS_BATCH_CONTINUES | (*interval == run->interval ? 0 : CCS_BATCH_CUT);
	*burst = run->burst;
	*interval = run->interval;
	return flags;
}

/* Of the next @count samples of a run, those that may lie on the stack. */
static void write_frames(struct device_merge *merge, struct device_run *run, uint32_t image,
			 uint32_t count)
{
	uint32_t first = run->count - run->left, from = run->frames_written, i;
	struct ccs_frames *frames = (void *)merge->record;
	struct ccs_frame *frame = (void *)(frames + 1);

	while (from < run->frame_count && run->frames[from].sample < first)
		from++;
	for (i = from; i < run->frame_count && run->frames[i].sample < first + count; i++) {
		*frame = run->frames[i];
		frame++->sample -= first;
	}
	run->frames_written = i;
	if (i == from)
		return;
	*frames = (struct ccs_frames){
		.record = {
			.size = sizeof(*frames) + (i - from) * sizeof(*frame),
			.type = CCS_FRAMES,
			.tid = run->tid,
		},
		.count = i - from,
	};
	images_record(merge->images, image, &frames->record);
}

/*
 * As records with values of counters say it: from the end of the batch that this one joins, or from
 * its own first sample. Return: CCS_UNKNOWN where one of the two has none, or the event has moved
 * to another counter in between.
 */
static uint64_t counted_accesses(struct device_merge *merge, const struct device_run *run,
				 uint32_t image, const struct ccs_samples *batch)
{
	uint64_t *last, first, lines;
	const uint64_t *up_to;

	if (!run->accessed)
		return CCS_UNKNOWN;
	last = map_at(&merge->accessed, key_of(run, image));
	first = *last;
	up_to = &run->accessed[run->count - run->left];
	if (!ccs_batch_joins(batch->flags))
		first = up_to[0];
	*last = up_to[batch->count - 1];
	lines = *last - first;
	return first == CCS_UNKNOWN || *last == CCS_UNKNOWN || lines >= ACCESSES_MOST ?
	       CCS_UNKNOWN : lines;
}

/*
 * Cache accesses while the events of a batch passed, as in the mean over gap and burst, and an
 * eighth more: it is to be a bound, and interrupts in the gap make events that no reference of the
 * program's own made. Before the first miss of a burst, or behind a cut, nothing is of it.
 */
static uint64_t mean_accesses(const struct device_run *run, const struct ccs_samples *batch)
{
	uint64_t events = batch->events - !ccs_batch_joins(batch->flags);
	unsigned __int128 whole = (unsigned __int128)ACCESS_EIGHTHS * run->accesses.lines * events;

	if (!run->accesses.events)
		return CCS_UNKNOWN;
	return (whole + 8 * run->accesses.events - 1) / (8 * run->accesses.events);
}

/* And the period, where the event has none of its own. */
static void write_accesses(struct device_merge *merge, const struct device_run *run, uint32_t image,
			 const struct ccs_samples *batch)
{
	struct ccs_accesses_period record = {
		.accesses = {
			.record = {
				.size = run->period ? sizeof(record) : sizeof(record.accesses),
				.type = CCS_ACCESSES,
				.tid = run->tid,
			},
			.lines = counted_accesses(merge, run, image, batch),
		},
		.period = run->period,
	};

	if (record.accesses.lines == CCS_UNKNOWN)
		record.accesses.lines = mean_accesses(run, batch);
	if (record.accesses.lines != CCS_UNKNOWN || run->period)
		images_record(merge->images, image, &record.accesses.record);
}

static uint64_t share_of_fills(const struct device_run *run, uint32_t count)
{
	return run->fills == CCS_UNKNOWN ? CCS_UNKNOWN :
	       (unsigned __int128)run->fills * count / run->left;
}

/* The first samples of a run, with their share of its events. */
static void write_batch(struct device_merge *merge, struct device_run *run, uint32_t image,
			  uint32_t count)
{
	size_t bytes = count * sizeof(run->samples[0]);
	struct ccs_samples *batch = (void *)merge->record;

	write_frames(merge, run, image, count);
	*batch = (struct ccs_samples){
		.record = {
			.size = sizeof(*batch) + bytes,
			.type = CCS_SAMPLES,
			.tid = run->tid,
		},
		.pid = run->pid,
		.cpu = run->cpu,
		.event = run->event + 1,
		.flags = flags_of(merge, run, image),
		.gap = run->gap,
		.events = (unsigned __int128)run->events * count / run->left,
		.fills = share_of_fills(run, count),
		.count = count,
		.sample_size = sizeof(run->samples[0]),
	};
	write_accesses(merge, run, image, batch);
	memcpy(batch + 1, first_sample(run), bytes);
	images_record(merge->images, image, &batch->record);
	run->events -= batch->events;
	run->fills -= batch->fills == CCS_UNKNOWN ? 0 : batch->fills;
	run->gap = 0;
	run->left -= count;
}

/* A process without a mark, as marks can be lost: it is recorded from here on. */
static uint32_t image_of(struct device_merge *merge, const struct device_run *run)
{
	uint64_t time = first_sample(run)->time;
	uint32_t image = processes_image(merge->processes, run->pid, time);

	if (image)
		return image;
	processes_add(merge->processes, run->pid, time);
	processes_take(merge->processes, time);
	return processes_image(merge->processes, run->pid, time);
}

static uint32_t count_before(const struct device_run *run, uint64_t time, uint64_t until)
{
	const struct ccs_sample *sample = first_sample(run);
	uint32_t count = 1;

	while (count < run->left && count < BATCH_MAX && sample[count].time < time &&
	       sample[count].time <= until)
		count++;
	return count;
}

static void write_run(struct device_merge *merge, const struct device_turn *turn, uint64_t until)
{
	struct device_run *run = turn->run;
	uint32_t image = image_of(merge, run);
	uint32_t count = count_before(run, next_record(merge), until);

	if (image) {
		write_batch(merge, run, image, count);
	} else {
		merge->unattributed += count;
		run->left -= count;
	}
	if (run->left)
		add_turn(merge, run, turn->number);
	else
		device_run_free(run);
}

void device_merge(struct device_merge *merge, uint64_t until)
{
	struct device_turn turn;

	if (!merge->record)
		merge->record = xmalloc(CCS_RECORD_MAX);
	add_turns(merge, until);
	while (merge->turn_count && merge->turns[0].time <= until) {
		turn = take_turn(merge);
		if (next_record(merge) <= turn.time)
			take_records(merge, turn.time);
		write_run(merge, &turn, until);
	}
	take_records(merge, until);
}

void device_merge_free(struct device_merge *merge)
{
	while (merge->turn_count)
		device_run_free(merge->turns[--merge->turn_count].run);
	free(merge->turns);
	map_free(&merge->bursts);
	map_free(&merge->intervals);
	map_free(&merge->accessed);
	free(merge->record);
}
