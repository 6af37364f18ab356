// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bursts/burst-weights.h"
#include "findings/burst-misses.h"
#include "findings/pass.h"
#include "tracee/bursts/log.h"

#define BATCH_MOST	4096u		/* misses handed on at a time */

struct instruction_hits {
	uint64_t ip;
	struct rcd_hits all;
};

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
	free(misses->hits);
	map_free(&misses->hits_of);
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

void burst_misses_begin(struct burst_misses *misses, struct pass *pass,
			const struct ccs_burst *burst)
{
	misses->batch->head = (struct ccs_samples){
		.record = burst->record, .pid = map_get(&pass->pids, burst->record.process),
		.cpu = UINT32_MAX, .event = UINT32_MAX, .flags = CCS_BATCH_BURST,
		.gap = CCS_UNKNOWN, .fills = CCS_UNKNOWN,
		.sample_size = sizeof(struct classed_sample),
	};
	misses->count = 0;
	pass->burst_weight = burst_weights_now(misses->weights, burst);
}

/* Hands the misses so far on, then what may make up for conflicts, or be some. */
static void flush(struct burst_misses *misses, struct pass *pass)
{
	struct ccs_samples *head = &misses->batch->head;
	const struct instruction_hits *hits = misses->hits;
	size_t context;

	if (!head->count && !misses->hits_count && head->flags & CCS_BATCH_CONTINUES)
		return;
	head->events = head->count;
	pass_batch(pass, misses->event, head);
	for (size_t i = 0; i < misses->hits_count; i++) {
		context = pass_hits(pass, misses->event, &head->record, hits[i].ip, &hits[i].all);
		burst_weights_unknown(misses->weights, context,
				      hits[i].all.unknown + hits[i].all.open);
	}
	map_clear(&misses->hits_of);
	head->flags |= CCS_BATCH_CONTINUES;
	head->count = 0;
	misses->hits_count = 0;
}

void burst_misses_add(struct burst_misses *misses, struct pass *pass,
		      const struct burst_reference *reference, struct ccs_sample at,
		      enum burst_outcome outcome)
{
	static const enum rcd_class classes[] = {
		[OUTCOME_OPEN] = RCD_CLASS_OPEN, [OUTCOME_OTHER] = RCD_CLASS_OTHER,
		[OUTCOME_CONFLICT] = RCD_CLASS_CONFLICT,
	};
	struct ccs_samples *head = &misses->batch->head;

	at.ip = reference->ip;
	if (reference->kind & BURST_LOAD)
		at.flags |= CCS_SAMPLE_LOAD;
	if (reference->kind & BURST_STORE)
		at.flags |= CCS_SAMPLE_STORE;
	misses->batch->samples[head->count++] = (struct classed_sample){
		.sample = at, .class = classes[outcome],
	};
	misses->count++;
	if (head->count == BATCH_MOST)
		flush(misses, pass);
}

static struct rcd_hits *hits_at(struct burst_misses *misses, uint64_t ip)
{
	uint64_t *number = map_at(&misses->hits_of, ip);

	if (!*number) {
		misses->hits = grow(misses->hits, misses->hits_count, &misses->hits_capacity,
				    sizeof(*misses->hits));
		misses->hits[misses->hits_count++] = (struct instruction_hits){ .ip = ip };
		*number = misses->hits_count;
	}
	return &misses->hits[*number - 1].all;
}

void burst_misses_hit(struct burst_misses *misses, const struct burst_cache *cache, uint64_t ip,
		      enum burst_outcome outcome)
{
	if (outcome == OUTCOME_SAVED)
		hits_at(misses, ip)->saved++;
	else if (outcome == OUTCOME_UNKNOWN && burst_cache_was_warm(cache))
		hits_at(misses, ip)->unknown++;
	else if (outcome == OUTCOME_UNKNOWN)
		hits_at(misses, ip)->open++;
}

void burst_misses_end(struct burst_misses *misses, struct pass *pass)
{
	flush(misses, pass);
}
