// SPDX-License-Identifier: GPL-2.0-only

#include "base/memory.h"
#include "import/perf-samples.h"

static void write_batch(struct perf_batches *batches, struct perf_batch *batch)
{
	struct ccs_samples *head = &batch->head;

	if (!head->count)
		return;
	head->record.size = sizeof(*head) + head->count * sizeof(batch->samples[0]);
	recording_write(batches->writer, &head->record);
	head->count = 0;
}

static struct perf_batch *batch_of(struct perf_batches *batches, uint32_t image,
				       uint32_t event, uint32_t tid)
{
	uint64_t key = ((uint64_t)image << 32 | tid) * 31 + event;

	if (!batches->all)
		batches->all = xcalloc(PERF_BATCHES, sizeof(*batches->all));
	return &batches->all[(key * 0x9e3779b97f4a7c15u >> 32) % PERF_BATCHES];
}

static bool is_of(const struct ccs_samples *head, const struct ccs_samples *other)
{
	return head->record.process == other->record.process &&
	       head->record.tid == other->record.tid && head->pid == other->pid &&
	       head->cpu == other->cpu && head->event == other->event;
}

void perf_batches_add(struct perf_batches *batches, uint32_t image, uint32_t event,
			uint64_t period, uint64_t events, uint32_t flags,
			const struct perf_sample *sample)
{
	struct perf_batch *batch = batch_of(batches, image, event, sample->tid);
	const struct ccs_samples head = {
		.record = { .type = CCS_SAMPLES, .process = image, .tid = sample->tid },
		.pid = sample->pid,
		.cpu = sample->fields & PERF_SAMPLE_CPU ? sample->cpu : ~0u,
		.event = event,
		.fills = CCS_UNKNOWN,
		.sample_size = sizeof(struct ccs_sample),
	};

	if (batch->head.count == PERF_BATCH_MAX || batch->period != period ||
	    !is_of(&batch->head, &head))
		write_batch(batches, batch);
	if (!batch->head.count) {
		batch->head = head;
		batch->period = period;
	}
	if (__builtin_add_overflow(batch->head.events, events, &batch->head.events))
		batch->head.events = UINT64_MAX;
	batch->samples[batch->head.count++] = (struct ccs_sample){
		.time = sample->time,
		.ip = sample->ip,
		.address = sample->address,
		.physical = sample->physical ? sample->physical : CCS_UNKNOWN,
		.weight = sample->weight,
		.flags = flags,
	};
	batches->samples++;
}

void perf_batches_settle(struct perf_batches *batches, uint32_t image)
{
	size_t i;

	for (i = 0; batches->all && i < PERF_BATCHES; i++)
		if (!image || batches->all[i].head.record.process == image)
			write_batch(batches, &batches->all[i]);
}
