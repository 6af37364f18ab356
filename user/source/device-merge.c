// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/device-merge.h"

#define STRETCH_MAX	1024		/* samples: 64 + 1024 x 40 bytes fit a record */

static const struct ccs_sample *first_sample(const struct device_run *run)
{
	return &run->samples[run->count - run->left];
}

/* When a run's turn comes. */
static uint64_t time_of(const struct device_merge *merge, const struct device_run *run)
{
	return processes_when(merge->processes, run->pid, first_sample(run)->time);
}

static struct device_drain *earliest(const struct device_merge *merge, uint64_t *time)
{
	struct device_drain *found = NULL;
	size_t i;

	*time = CCS_UNKNOWN;
	for (i = 0; i < merge->count; i++) {
		struct device_drain *drain = &merge->drains[i];
		uint64_t own = drain->first ? time_of(merge, drain->first) : CCS_UNKNOWN;

		if (own >= *time)
			continue;
		*time = own;
		found = drain;
	}
	return found;
}

static uint64_t next_told(const struct device_merge *merge)
{
	uint64_t ours = processes_next(merge->processes);
	uint64_t theirs = merge->sideband ? sideband_next(merge->sideband) : CCS_UNKNOWN;

	return ours < theirs ? ours : theirs;
}

static void take_told(struct device_merge *merge, uint64_t until)
{
	if (merge->sideband)
		sideband_take(merge->sideband, until);
	processes_take(merge->processes, until);
}

/* Does this stretch go on where the thread's last one ended? */
static bool goes_on(struct device_merge *merge, const struct device_run *run, uint32_t image)
{
	uint64_t key = ((uint64_t)image * CCSAMPLE_EVENTS_MAX + run->event) << 32 | run->tid;
	uint64_t *last;
	bool same;

	if (!run->burst)
		return false;
	last = map_at(&merge->bursts, key);
	same = *last == run->burst;
	*last = run->burst;
	return same;
}

static uint32_t flags_of(struct device_merge *merge, const struct device_run *run, uint32_t image)
{
	if (goes_on(merge, run, image))
		return CCS_STRETCH_BURST | CCS_STRETCH_CONTINUES;
	return run->burst ? CCS_STRETCH_BURST : 0;
}

/* The first samples of a run, with their share of its events. */
static void write_stretch(struct device_merge *merge, struct device_run *run, uint32_t image,
			  uint32_t count)
{
	size_t bytes = count * sizeof(run->samples[0]);
	struct ccs_samples *stretch = (void *)merge->record;

	*stretch = (struct ccs_samples){
		.record = {
			.size = sizeof(*stretch) + bytes,
			.type = CCS_SAMPLES,
			.tid = run->tid,
		},
		.pid = run->pid,
		.cpu = run->cpu,
		.event = run->event + 1,
		.flags = flags_of(merge, run, image),
		.gap = run->gap,
		.events = (unsigned __int128)run->events * count / run->left,
		.fills = CCS_UNKNOWN,
		.count = count,
		.sample_size = sizeof(run->samples[0]),
	};
	memcpy(stretch + 1, first_sample(run), bytes);
	images_samples(merge->images, image, stretch);
	run->events -= stretch->events;
	run->gap = 0;
	run->left -= count;
}

/* A process that no mark has told of, as marks can be lost: it is recorded from here on. */
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

	while (count < run->left && count < STRETCH_MAX && sample[count].time < time &&
	       sample[count].time <= until)
		count++;
	return count;
}

static void write_run(struct device_merge *merge, struct device_drain *drain, uint64_t until)
{
	struct device_run *run = drain->first;
	uint32_t image = image_of(merge, run);
	uint32_t count = count_before(run, next_told(merge), until);

	if (image) {
		write_stretch(merge, run, image, count);
	} else {
		merge->homeless += count;
		run->left -= count;
	}
	if (!run->left)
		free(device_drain_next(drain));
}

void device_merge(struct device_merge *merge, uint64_t until)
{
	struct device_drain *drain;
	uint64_t time;

	if (!merge->record)
		merge->record = xmalloc(CCS_RECORD_MAX);
	while ((drain = earliest(merge, &time)) && time <= until) {
		if (next_told(merge) <= time)
			take_told(merge, time);
		write_run(merge, drain, until);
	}
	take_told(merge, until);
}

void device_merge_free(struct device_merge *merge)
{
	map_free(&merge->bursts);
	free(merge->record);
}
