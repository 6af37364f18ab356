// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "advise/keep.h"
#include "advise/sampled.h"
#include "base/memory.h"
#include "bursts/burst-weights.h"
#include "bursts/burst-choice.h"
#include "findings/bursts.h"
#include "findings/contexts.h"
#include "findings/misses.h"
#include "findings/pass.h"
#include "tracee/burst-log/log.h"

#define GRANULE_BITS	4	/* malloc's; no pad moves smaller variables */
#define LEAST_BLOCK	64	/* bytes of what is worth moving */
#define COUNTS_MOST	(1u << 23)	/* of a replay: one a burst and piece of code */

struct keep *keep_new(uint64_t most)
{
	struct keep *keep = xcalloc(1, sizeof(*keep));

	keep->most = most;
	keep->choices[false].every = keep->choices[true].every = 1;
	keep->strides = strides_new();
	keep->blocks = grow(keep->blocks, 0, &keep->block_capacity, sizeof(*keep->blocks));
	keep->blocks[keep->block_count++] = (struct keep_block){ .object = NULL };
	return keep;
}

void keep_free(struct keep *keep)
{
	for (size_t i = 0; i < keep->burst_count; i++)
		free(keep->bursts[i].accesses);
	free(keep->bursts);
	free(keep->blocks);
	free(keep->site);
	map_free(&keep->by_place);
	map_free(&keep->granules);
	map_free(&keep->sites);
	strides_free(keep->strides);
	sampled_drop(keep);
	free(keep);
}

/* User space has addresses of 47 bits; where one has more, two instructions may be one site. */
static uint32_t site_of(struct keep *keep, uint32_t process, uint64_t ip)
{
	uint64_t *site = map_at(&keep->sites, ip ^ (uint64_t)process << 47);

	if (!*site) {
		keep->site = grow(keep->site, keep->site_count, &keep->site_capacity,
				  sizeof(*keep->site));
		keep->site[keep->site_count] = (struct keep_site){ .context = 0 };
		*site = ++keep->site_count;
	}
	return *site - 1;
}

static void take_miss(void *context, const struct miss_row *miss)
{
	struct keep *keep = context;
	uint32_t site = site_of(keep, miss->batch->record.process, miss->sample->ip);

	keep->site[site].context = miss->site->context + 1;
	if (!keep->seen_bursts)
		sampled_take(keep, miss, site);
}

/* --- the block of an address --- */

static uint32_t add_block(struct keep *keep, const struct keep_block *block)
{
	uint64_t key = (block->low + block->object->id) * 0x9e3779b97f4a7c15u + block->process;

	for (;; key++) {
		uint64_t *index = map_at(&keep->by_place, key);
		struct keep_block *known;

		if (!*index) {
			keep->blocks = grow(keep->blocks, keep->block_count, &keep->block_capacity,
					    sizeof(*keep->blocks));
			keep->blocks[keep->block_count] = *block;
			*index = keep->block_count;
			return keep->block_count++;
		}
		known = &keep->blocks[*index];
		if (known->low == block->low && known->process == block->process &&
		    known->object == block->object && known->high == block->high)
			return *index;
	}
}

/* What can be moved as one: a block that the program allocated, a variable, a thread's stack. */
uint32_t keep_block(struct keep *keep, struct space *space, uint32_t process, uint64_t address)
{
	struct keep_block block = { .process = process };
	uint64_t base;

	block.object = space_object_range(space, address, &block.low, &block.high);
	if (block.object->kind == OBJECT_GLOBAL) {
		space_object_base(space, address, &base);
		block.low = base;
		block.high = base + block.object->bytes;
		if (!base)
			return 0;
	} else if (block.object->kind == OBJECT_STACK) {
		if (!space_on_thread(space, address))
			return 0;
	} else if (!block.object->blocks) {
		return 0;
	}
	if (address < block.low || address >= block.high || block.high - block.low < LEAST_BLOCK)
		return 0;
	return add_block(keep, &block);
}

static uint32_t block_of(struct keep *keep, const struct whole_burst *burst,
			 struct keep_site *site, uint64_t address)
{
	const struct keep_block *block = &keep->blocks[site->block];
	uint64_t *known;

	if (block->object && address >= block->low && address < block->high)
		return site->block;
	known = map_at(&keep->granules, address >> GRANULE_BITS);
	if (*known) {
		block = &keep->blocks[*known - 1];
		if (!block->object || (address >= block->low && address < block->high))
			return site->block = *known - 1;
	}
	site->block = keep_block(keep, burst->space, burst->record->record.process, address);
	*known = site->block + 1;
	return site->block;
}

/* --- bursts --- */

static void take_reference(struct keep *keep, const struct whole_burst *burst,
			   const struct burst_reference *reference, struct keep_access *access)
{
	struct keep_site *site;
	struct keep_block *block;

	access->address = reference->address;
	access->last = reference->size - 1;
	access->kind = reference->kind;
	access->site = site_of(keep, burst->record->record.process, reference->ip);
	site = &keep->site[access->site];
	if (!site->code.address)
		site->code = space_code(burst->space, reference->ip);
	access->block = block_of(keep, burst, site, reference->address);
	if (!access->block)
		return;
	block = &keep->blocks[access->block];
	block->references++;
	block->stores += !!(access->kind & BURST_STORE);
	strides_add(keep->strides, block->object->id, access->site, access->block,
		    reference->address - block->low);
}

/* Keeps every second burst of those kept, with or without misses. */
static void thin(struct keep *keep)
{
	bool misses = keep->choices[true].accesses >= keep->choices[false].accesses;
	struct keep_choice *choice = &keep->choices[misses];
	size_t left = 0, number = 0;

	for (size_t i = 0; i < keep->burst_count; i++) {
		struct keep_burst *burst = &keep->bursts[i];

		if (burst->misses == misses && number++ % 2) {
			keep->accesses -= burst->count;
			choice->accesses -= burst->count;
			free(burst->accesses);
		} else {
			keep->bursts[left++] = *burst;
		}
	}
	keep->burst_count = left;
	choice->every *= 2;
}

static void take_burst(void *context, const struct whole_burst *burst)
{
	struct keep *keep = context;
	struct keep_choice *choice = &keep->choices[burst->misses];
	struct keep_burst *to;

	keep->geometry = *burst->geometry;
	sampled_drop(keep);
	keep->seen_bursts++;
	if (choice->seen++ % choice->every || !burst->record->references ||
	    burst->record->references > keep->most)
		return;
	keep->bursts = grow(keep->bursts, keep->burst_count, &keep->burst_capacity,
			    sizeof(*keep->bursts));
	to = &keep->bursts[keep->burst_count++];
	*to = (struct keep_burst){
		.accesses = xcalloc(burst->record->references, sizeof(struct keep_access)),
		.number = keep->seen_bursts - 1, .own = burst_weights_own(burst->record),
		.time = burst->record->interval_ns, .misses = burst->misses,
		.instructions = (double)burst->record->instructions / burst->record->references,
	};
	map_clear(&keep->granules);
	for (size_t i = 0; i < keep->site_count; i++)
		keep->site[i].block = 0;
	strides_burst(keep->strides);
	for (uint64_t i = 0; i < burst->record->references; i++)
		take_reference(keep, burst, &burst->references[i], &to->accesses[to->count++]);
	keep->accesses += to->count;
	choice->accesses += to->count;
	while (keep->accesses > keep->most && keep->burst_count > 1)
		thin(keep);
}

void keep_attach(struct keep *keep, struct analysis_options *options)
{
	if (keep->most > BURSTS_READ_MOST && options->read_most != BURSTS_READ_ALL)
		options->read_most = keep->most;
	options->each = take_miss;
	options->burst = take_burst;
	options->context = keep;
}

struct block_place {
	const struct keep_block *block;
	uint32_t index;
};

static int by_object_and_place(const void *a, const void *b)
{
	const struct keep_block *x = ((const struct block_place *)a)->block;
	const struct keep_block *y = ((const struct block_place *)b)->block;

	if (x->object != y->object)
		return x->object->id < y->object->id ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->low > y->low) - (x->low < y->low);
}

size_t keep_contexts(const struct keep *keep)
{
	size_t most = 0;

	for (size_t i = 0; i < keep->site_count; i++)
		if (keep->site[i].context > most)
			most = keep->site[i].context;
	return most + 1;
}

void keep_end(struct keep *keep, const struct findings *findings)
{
	const struct cache_level *outer = findings_cache(findings, 2);
	const struct cache_level *inner = findings_cache(findings, 1);
	const struct pass *pass = findings->owner;
	size_t contexts = keep_contexts(keep), count = keep->block_count - 1;
	struct block_place *places = xcalloc(count + 1, sizeof(*places));
	uint32_t rank = 0;

	if (!keep->seen_bursts && inner)
		keep->geometry = inner->geometry;
	if (outer && outer->slices == 1)
		keep->outer = outer->geometry;
	for (size_t i = 0; i < count; i++)
		places[i] = (struct block_place){ &keep->blocks[i + 1], i + 1 };
	qsort(places, count, sizeof(*places), by_object_and_place);
	for (size_t i = 0; i < count; i++) {
		const struct keep_block *block = places[i].block;

		if (!i || places[i - 1].block->object != block->object ||
		    places[i - 1].block->process != block->process)
			rank = 0;
		else if (places[i - 1].block->low != block->low)
			rank++;
		keep->blocks[places[i].index].rank = rank;
	}
	free(places);
	while (keep->burst_count > 1 && keep->burst_count > COUNTS_MOST / contexts)
		thin(keep);
	for (size_t i = 0; i < keep->burst_count; i++) {
		struct keep_burst *burst = &keep->bursts[i];
		double stands = keep->choices[burst->misses].every;

		burst->time *= stands;
		burst->weight = stands / burst->count *
				bursts_references(pass->bursts, burst->number);
	}
}
