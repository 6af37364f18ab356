// SPDX-License-Identifier: GPL-2.0-only
/*
 * docs/reference/verdicts.md says which misses are certain, and from when on in a burst they count.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bursts/pack.h"
#include "findings/burst-cache.h"
#include "findings/burst-weights.h"
#include "findings/bursts.h"
#include "findings/pass.h"
#include "tracee/bursts/log.h"

#define REFERENCES_MOST	(1u << 24)	/* of a burst: its bytes may claim any number */
#define REFERENCE_MOST	(1u << 16)	/* bytes; XSAVE has the largest */
#define LINES_MOST	(1u << 20)	/* of an L1 */
#define BATCH_MOST	4096u		/* misses handed on at a time */

struct batch {
	struct ccs_samples head;
	struct classed_sample samples[BATCH_MOST];
};
_Static_assert(offsetof(struct batch, samples) == sizeof(struct ccs_samples), "batch");

struct bursts {
	struct ccs_burst burst;		/* whose pieces come */
	bool gathering;
	uint8_t *bytes;
	size_t size, capacity;
	struct burst_cache cache;
	struct event_totals *event;	/* NULL = none yet */
	struct batch batch;
	uint64_t *saved;		/* instructions that hit where the shadow misses */
	size_t saved_count, saved_capacity;
	struct burst_weights *weights;
	struct burst_totals totals;
};

struct bursts *bursts_new(void)
{
	struct bursts *bursts = xcalloc(1, sizeof(*bursts));

	bursts->capacity = 1;	/* a burst without a byte has a place, too */
	bursts->bytes = xcalloc(1, bursts->capacity);
	bursts->weights = burst_weights_new();
	return bursts;
}

void bursts_free(struct bursts *bursts)
{
	burst_weights_free(bursts->weights);
	burst_cache_close(&bursts->cache);
	free(bursts->bytes);
	free(bursts->saved);
	free(bursts);
}

struct burst_totals bursts_totals(struct bursts *bursts)
{
	burst_weights_settle(bursts->weights, &bursts->totals);
	return bursts->totals;
}

void bursts_miss(struct bursts *bursts, size_t context)
{
	burst_weights_miss(bursts->weights, context);
}

double bursts_share(const struct bursts *bursts, size_t context)
{
	return burst_weights_share(bursts->weights, context);
}

static void is_bad(struct bursts *bursts, const char *why)
{
	bursts->totals.bad++;
	bursts->totals.why = why;
	bursts->gathering = false;
}

/* --- what a recording says of misses, and here is made from its references --- */

/* The event, again in each recording. Return: false if its misses cannot be counted. */
static bool open_event(struct pass *pass)
{
	static const struct ccs_event l1_miss = {
		.id = UINT32_MAX, .level = 1, .period = 1, .burst = UINT32_MAX, .name = "l1-miss",
	};
	struct bursts *bursts = pass->bursts;

	if (!bursts->event && pass->levels[1].rcd)
		return false;
	if (bursts->event && pass->event_here[bursts->event - pass->events])
		return pass->levels[1].cache;
	pass_burst_caches(pass);
	pass_event(pass, &l1_miss);
	if (!bursts->event && pass->event_count) {
		bursts->event = &pass->events[pass->event_count - 1];
		bursts->event->classes = true;
		bursts->totals.known = true;
	}
	return pass->levels[1].cache;
}

static bool open_cache(struct pass *pass)
{
	const struct cache_geometry *geometry;

	if (!open_event(pass))
		return false;
	geometry = &pass->levels[1].cache->geometry;
	if ((uint64_t)geometry->sets * geometry->ways > LINES_MOST)
		return false;
	burst_cache_begin(&pass->bursts->cache, geometry);
	return true;
}

/* --- a burst that is all there --- */

struct run {
	struct pass *pass;
	struct bursts *bursts;
	uint64_t number;		/* of the reference */
	uint64_t half;			/* from here on at the latest they count */
	struct burst_tally tally;
	uint64_t misses;
	bool counts;
};

/* Hands the misses so far on, then the hits that make up for conflicts. */
static void flush(struct run *run)
{
	struct bursts *bursts = run->bursts;
	struct ccs_samples *head = &bursts->batch.head;

	if (!head->count && !bursts->saved_count && head->flags & CCS_BATCH_CONTINUES)
		return;
	head->events = head->count;
	pass_batch(run->pass, bursts->event, head);
	for (size_t i = 0; i < bursts->saved_count; i++)
		pass_saved(run->pass, bursts->event, head, bursts->saved[i]);
	head->flags |= CCS_BATCH_CONTINUES;
	head->count = 0;
	bursts->saved_count = 0;
}

static uint64_t time_of(const struct run *run)
{
	const struct ccs_burst *burst = &run->bursts->burst;

	if (burst->end <= burst->time)
		return burst->time;
	return burst->time + (double)(burst->end - burst->time) * run->number / burst->references;
}

static void add_miss(struct run *run, const struct burst_reference *reference, uint64_t address,
		     enum rcd_class class)
{
	struct bursts *bursts = run->bursts;
	struct ccs_samples *head = &bursts->batch.head;
	uint32_t flags = 0;

	if (reference->kind & BURST_LOAD)
		flags |= CCS_SAMPLE_LOAD;
	if (reference->kind & BURST_STORE)
		flags |= CCS_SAMPLE_STORE;
	bursts->batch.samples[head->count++] = (struct classed_sample){
		.sample = {
			.time = time_of(run), .ip = reference->ip, .address = address,
			.physical = CCS_UNKNOWN, .flags = flags,
		},
		.class = class,
	};
	run->misses++;
	run->tally.misses[reference->kind]++;
	bursts->totals.misses[reference->kind]++;
	if (head->count == BATCH_MOST)
		flush(run);
}

static void add_saved(struct bursts *bursts, uint64_t ip)
{
	bursts->saved = grow(bursts->saved, bursts->saved_count, &bursts->saved_capacity,
			     sizeof(*bursts->saved));
	bursts->saved[bursts->saved_count++] = ip;
}

/* As many references as elsewhere in the project: a read-modify-write is a load and a store. */
static uint32_t accesses_of(const struct burst_reference *reference)
{
	return reference->kind == BURST_LOAD_STORE ? 2 : 1;
}

static void take_reference(void *context, const struct burst_reference *reference)
{
	static const enum rcd_class classes[] = {
		[OUTCOME_OPEN] = RCD_CLASS_OPEN, [OUTCOME_OTHER] = RCD_CLASS_OTHER,
		[OUTCOME_CONFLICT] = RCD_CLASS_CONFLICT,
	};
	struct run *run = context;
	struct bursts *bursts = run->bursts;
	struct burst_totals *totals = &bursts->totals;
	uint64_t lines = bursts->cache.lines, address;
	enum burst_outcome outcome;

	run->counts = run->counts || run->number >= run->half || burst_cache_warm(&bursts->cache);
	outcome = burst_cache_use(&bursts->cache, reference->address, reference->size,
				  reference->kind & BURST_STORE, &address);
	totals->references[reference->kind]++;
	run->number++;
	if (!run->counts)
		return;
	run->tally.counted += accesses_of(reference);
	totals->first += bursts->cache.lines > lines;
	run->tally.unknown += outcome == OUTCOME_UNKNOWN;
	if (outcome >= OUTCOME_OPEN)
		add_miss(run, reference, address, classes[outcome]);
	else if (outcome == OUTCOME_SAVED)
		add_saved(bursts, reference->ip);
}

/* For those who asked. */
static void give_burst(struct pass *pass)
{
	const struct bursts *bursts = pass->bursts;
	const struct whole_burst whole = {
		.record = &bursts->burst, .bytes = bursts->bytes, .size = bursts->size,
		.weight = pass->burst_weight,
		.space = spaces_get(pass->spaces, bursts->burst.record.process),
		.geometry = &pass->levels[1].cache->geometry,
	};

	pass->options->burst(pass->options->context, &whole);
}

static void simulate(struct pass *pass)
{
	struct bursts *bursts = pass->bursts;
	const struct ccs_burst *burst = &bursts->burst;
	struct run run = { .pass = pass, .bursts = bursts, .half = burst->references / 2 };

	bursts->batch.head = (struct ccs_samples){
		.record = burst->record, .pid = map_get(&pass->pids, burst->record.process),
		.cpu = UINT32_MAX, .event = UINT32_MAX, .flags = CCS_BATCH_BURST,
		.gap = CCS_UNKNOWN, .fills = CCS_UNKNOWN,
		.sample_size = sizeof(struct classed_sample),
	};
	pass->burst_weight = burst_weights_now(bursts->weights, burst);
	burst_unpack(bursts->bytes, bursts->size, burst->references, take_reference, &run);
	flush(&run);
	burst_weights_end(bursts->weights, burst, &run.tally);
	bursts->totals.counted += run.tally.counted;
	bursts->totals.unknown += run.tally.unknown;
	bursts->totals.bursts++;
	bursts->totals.lines += bursts->cache.lines;
	bursts->totals.cpu_ns += burst->interval_ns;
	bursts->totals.instructions += burst->instructions;
	if (pass->options->burst)
		give_burst(pass);
	if (run.misses > bursts->totals.longest)
		bursts->totals.longest = run.misses;
}

/* A first look at the references: nothing of a burst counts that does not hold together. */
struct look {
	uint64_t references;
	bool impossible;
};

static void look_at(void *context, const struct burst_reference *reference)
{
	struct look *look = context;

	look->references++;
	look->impossible |= !reference->size || reference->size > REFERENCE_MOST ||
			    reference->kind < BURST_LOAD || reference->kind > BURST_LOAD_STORE;
}

static const char *check(const struct bursts *bursts)
{
	struct look look = { 0 };
	const char *wrong = burst_unpack(bursts->bytes, bursts->size, bursts->burst.references,
					 look_at, &look);

	if (wrong)
		return wrong;
	if (look.references != bursts->burst.references)
		return "fewer references than it says";
	return look.impossible ? "an impossible reference" : NULL;
}

static void finish(struct pass *pass)
{
	struct bursts *bursts = pass->bursts;
	const char *wrong = check(bursts);

	bursts->gathering = false;
	if (wrong)
		is_bad(bursts, wrong);
	else if (open_cache(pass))
		simulate(pass);
	else
		bursts->totals.no_cache++;
}

/* --- its records --- */

void bursts_take(struct pass *pass, const struct ccs_burst *burst)
{
	struct bursts *bursts = pass->bursts;

	if (bursts->gathering)
		is_bad(bursts, "pieces are missing");
	bursts->burst = *burst;
	bursts->size = 0;
	bursts->gathering = true;
	if (burst->bytes > CCS_BURST_MAX || burst->references > REFERENCES_MOST)
		is_bad(bursts, "more than a burst can hold");
	else if (!burst->bytes)
		finish(pass);
}

void bursts_take_piece(struct pass *pass, const struct ccs_burst_piece *piece)
{
	struct bursts *bursts = pass->bursts;

	if (!bursts->gathering)
		return;
	if (piece->record.process != bursts->burst.record.process ||
	    piece->record.tid != bursts->burst.record.tid) {
		is_bad(bursts, "a piece of another thread");
		return;
	}
	if (piece->bytes > bursts->burst.bytes - bursts->size) {
		is_bad(bursts, "more bytes than it says");
		return;
	}
	if (bursts->capacity < bursts->size + piece->bytes) {
		bursts->capacity = bursts->burst.bytes;
		bursts->bytes = xrealloc(bursts->bytes, bursts->capacity);
	}
	memcpy(bursts->bytes + bursts->size, piece + 1, piece->bytes);
	bursts->size += piece->bytes;
	if (bursts->size == bursts->burst.bytes)
		finish(pass);
}

void bursts_end(struct pass *pass)
{
	if (pass->bursts->gathering)
		is_bad(pass->bursts, "pieces are missing");
	if (pass->source && !strcmp(pass->source, "bursts"))
		open_event(pass);
}
