// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bursts/burst-weights.h"
#include "findings/burst-misses.h"
#include "findings/pass.h"
#include "tracee/burst-log/log.h"

#define BATCH_MOST	4096u		/* misses handed on at a time */

struct burst_batch {
	struct ccs_samples head;
	struct classed_sample samples[BATCH_MOST];
};
_Static_assert(offsetof(struct burst_batch, samples) == sizeof(struct ccs_samples), "batch");

void burst_misses_open(struct burst_misses *misses)
{
	memset(misses, 0, sizeof(*misses));
	misses->weights = burst_weights_new();
	misses->batch = xcalloc(1, sizeof(*misses->batch));
}

void burst_misses_close(struct burst_misses *misses)
{
	burst_weights_free(misses->weights);
	free(misses->batch);
}

bool burst_misses_event(struct burst_misses *misses, struct pass *pass,
			const struct ccs_event *event)
{
	struct pass_level *level = &pass->levels[event->level];

	if (!misses->event && level->rcd)
		return false;
	if (misses->event && pass->event_here[misses->event - pass->events])
		return level->cache;
	pass_event(pass, event);
	if (!misses->event && pass->event_count) {
		misses->event = &pass->events[pass->event_count - 1];
		misses->event->made = misses->event->classes = true;
	}
	return level->cache;
}

static void begin(struct burst_misses *misses, struct pass *pass, const struct ccs_burst *burst)
{
	misses->batch->head = (struct ccs_samples){
		.record = burst->record, .pid = map_get(&pass->pids, burst->record.process),
		.cpu = UINT32_MAX, .event = UINT32_MAX, .flags = CCS_BATCH_BURST,
		.gap = CCS_UNKNOWN, .fills = CCS_UNKNOWN,
		.sample_size = sizeof(struct classed_sample),
	};
	pass->burst_weight = burst_weights_now(misses->weights, burst);
}

/* Hands the misses so far on. */
static void flush(struct burst_misses *misses, struct pass *pass)
{
	struct ccs_samples *head = &misses->batch->head;

	head->events = head->count;
	pass_batch(pass, misses->event, head);
	head->flags |= CCS_BATCH_CONTINUES;
	head->count = 0;
}

/* Of reference number @number of @count. */
static uint64_t time_of(const struct ccs_burst *burst, uint64_t number, uint64_t count)
{
	if (burst->end <= burst->time)
		return burst->time;
	return burst->time + (unsigned __int128)(burst->end - burst->time) * number / count;
}

static void add(struct burst_misses *misses, const struct burst_miss *miss, uint64_t time)
{
	static const enum rcd_class classes[] = {
		[OUTCOME_OPEN] = RCD_CLASS_OPEN, [OUTCOME_OTHER] = RCD_CLASS_OTHER,
		[OUTCOME_CONFLICT] = RCD_CLASS_CONFLICT,
	};
	struct classed_sample *sample = &misses->batch->samples[misses->batch->head.count++];

	*sample = (struct classed_sample){
		.sample = {
			.time = time, .ip = miss->ip, .address = miss->address,
			.physical = miss->physical,
		},
		.class = classes[miss->outcome],
	};
	if (miss->kind & BURST_LOAD)
		sample->sample.flags |= CCS_SAMPLE_LOAD;
	if (miss->kind & BURST_STORE)
		sample->sample.flags |= CCS_SAMPLE_STORE;
}

/* What may make up for conflicts, or be some. */
static void give_hits(struct burst_misses *misses, struct pass *pass,
		      const struct burst_hits *hits)
{
	const struct ccs_record *thread = &misses->batch->head.record;
	size_t context = pass_hits(pass, misses->event, thread, hits->ip, &hits->all);

	bursts_unknown(pass->bursts, misses->event->level, context,
		       hits->all.unknown + hits->all.open);
}

void burst_misses_give(struct burst_misses *misses, struct pass *pass,
		       const struct ccs_burst *burst, const struct burst_outcomes *outcomes)
{
	uint64_t count = burst_sum(outcomes->references);

	begin(misses, pass, burst);
	for (size_t i = 0; i < outcomes->miss_count; i++) {
		const struct burst_miss *miss = &outcomes->misses[i];

		if (misses->batch->head.count == BATCH_MOST)
			flush(misses, pass);
		add(misses, miss, time_of(burst, miss->number, count));
	}
	flush(misses, pass);
	for (size_t i = 0; i < outcomes->hits_count; i++)
		give_hits(misses, pass, &outcomes->hits[i]);
}

void burst_misses_total(struct burst_totals *totals, const struct ccs_burst *burst,
			const struct burst_outcomes *outcomes, const struct burst_tally *tally)
{
	for (size_t kind = 0; kind < BURST_KINDS; kind++)
		totals->misses[kind] += tally->misses[kind];
	totals->counted += tally->counted;
	totals->unknown += tally->unknown;
	totals->first += outcomes->first;
	totals->lines += outcomes->lines;
	totals->warm += outcomes->warm;
	totals->bursts++;
	totals->cpu_ns += burst->interval_ns;
	totals->instructions += burst->instructions;
	if (outcomes->miss_count > totals->longest)
		totals->longest = outcomes->miss_count;
}
