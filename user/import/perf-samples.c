// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/memory.h"
#include "import/perf-samples.h"

static void write_stretch(struct perf_stretches *stretches, struct perf_stretch *stretch)
{
	struct ccs_samples *head = &stretch->head;

	if (!head->count)
		return;
	head->record.size = sizeof(*head) + head->count * sizeof(stretch->samples[0]);
	recording_write(stretches->writer, &head->record);
	head->count = 0;
}

static struct perf_stretch *stretch_of(struct perf_stretches *stretches, uint32_t image,
				       uint32_t event, uint32_t tid)
{
	uint64_t key = ((uint64_t)image << 32 | tid) * 31 + event;

	if (!stretches->all)
		stretches->all = xcalloc(PERF_STRETCHES, sizeof(*stretches->all));
	return &stretches->all[(key * 0x9e3779b97f4a7c15u >> 32) % PERF_STRETCHES];
}

static bool is_of(const struct ccs_samples *head, const struct ccs_samples *other)
{
	return head->record.process == other->record.process &&
	       head->record.tid == other->record.tid && head->pid == other->pid &&
	       head->cpu == other->cpu && head->event == other->event;
}

void perf_stretches_add(struct perf_stretches *stretches, uint32_t image, uint32_t event,
			uint64_t period, uint64_t events, uint32_t flags,
			const struct perf_sample *sample)
{
	struct perf_stretch *stretch = stretch_of(stretches, image, event, sample->tid);
	const struct ccs_samples head = {
		.record = { .type = CCS_SAMPLES, .process = image, .tid = sample->tid },
		.pid = sample->pid,
		.cpu = sample->fields & PERF_SAMPLE_CPU ? sample->cpu : ~0u,
		.event = event,
		.fills = CCS_UNKNOWN,
		.sample_size = sizeof(struct ccs_sample),
	};

	if (stretch->head.count == PERF_STRETCH || stretch->period != period ||
	    !is_of(&stretch->head, &head))
		write_stretch(stretches, stretch);
	if (!stretch->head.count) {
		stretch->head = head;
		stretch->period = period;
	}
	if (__builtin_add_overflow(stretch->head.events, events, &stretch->head.events))
		stretch->head.events = UINT64_MAX;
	stretch->samples[stretch->head.count++] = (struct ccs_sample){
		.time = sample->time,
		.ip = sample->ip,
		.address = sample->address,
		.physical = sample->physical ? sample->physical : CCS_UNKNOWN,
		.weight = sample->weight,
		.flags = flags,
	};
	stretches->samples++;
}

void perf_stretches_settle(struct perf_stretches *stretches, uint32_t image)
{
	size_t i;

	for (i = 0; stretches->all && i < PERF_STRETCHES; i++)
		if (!image || stretches->all[i].head.record.process == image)
			write_stretch(stretches, &stretches->all[i]);
}
