// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "findings/evidence.h"
#include "base/latest.h"
#include "findings/meetings.h"
#include "findings/misses.h"
#include "findings/pass.h"
#include "rcd/steps.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/wire-numbers.h"

#define LAST_BUCKETS	64u		/* of a thread: sites, contexts with a last address */
#define LAST_SLOTS	4u		/* of a bucket */
#define THREADS_MOST	512u		/* kept at once: those that were sampled last */
#define OF_CONTEXT	(1ull << 63)	/* in a key: of a context, not a site */
#define WHOLE		720720u		/* weight of a re-miss: divisible by 1 to 16 */

/* The last miss of a site, or of a context, on an object, in this burst. */
struct last {
	uint64_t key;
	uint32_t burst;			/* 0 = none */
	uint64_t address;
};

/* One thread's misses of one event. */
struct thread {
	struct meetings meetings;
	struct last last[LAST_BUCKETS][LAST_SLOTS];	/* latest first */
	uint32_t burst;			/* counted from 1; 0 = none yet */
	bool in_burst;
};

/* Two objects that meet in sets, in a context: @a <= @b, ids. */
struct pair_tally {
	size_t context;
	uint32_t a, b;
	bool blocks;			/* two blocks of one object */
	uint64_t weight;		/* in re-misses times WHOLE */
};

struct evidence {
	struct latest latest;		/* event, process and thread: place in @threads */
	struct thread **threads;
	size_t thread_count, thread_capacity;
	struct thread *now;
	size_t context;			/* of the last sample */
	struct met in;
	struct map steps;		/* site or context, and object -> number in @step + 1 */
	struct steps *step;
	size_t step_count, step_capacity;
	struct map pairs[TALLY_LEVELS];	/* hash -> number in @pair + 1 */
	struct pair_tally *pair[TALLY_LEVELS];
	size_t pair_count[TALLY_LEVELS], pair_capacity[TALLY_LEVELS];
};

struct evidence *evidence_new(void)
{
	return xcalloc(1, sizeof(struct evidence));
}

void evidence_end(struct evidence *evidence)
{
	for (size_t i = 0; i < evidence->thread_count; i++) {
		meetings_drop(&evidence->threads[i]->meetings);
		free(evidence->threads[i]);
	}
	free(evidence->threads);
	evidence->threads = NULL;
	evidence->thread_count = evidence->thread_capacity = 0;
	latest_drop(&evidence->latest);
}

void evidence_free(struct evidence *evidence)
{
	evidence_end(evidence);
	map_free(&evidence->steps);
	for (size_t i = 0; i < TALLY_LEVELS; i++) {
		map_free(&evidence->pairs[i]);
		free(evidence->pair[i]);
	}
	free(evidence->step);
	free(evidence);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	a ^= b * 0x9e3779b97f4a7c15u;
	a = (a ^ a >> 32) * 0xd6e8feb86659fd93u;
	return a ^ a >> 32;
}

static struct thread *thread_of(struct evidence *evidence, size_t event,
				const struct ccs_samples *batch)
{
	uint64_t key = (uint64_t)batch->record.process << 32 | batch->record.tid;
	bool fresh;
	uint32_t at = latest_place(&evidence->latest, mix(key, event), THREADS_MOST, &fresh);
	struct thread *thread;

	if (at == evidence->thread_count) {
		evidence->threads = grow(evidence->threads, at, &evidence->thread_capacity,
					 sizeof(*evidence->threads));
		evidence->threads[evidence->thread_count++] = xcalloc(1, sizeof(*thread));
	}
	thread = evidence->threads[at];
	if (fresh) {
		meetings_burst(&thread->meetings);
		thread->burst++;
	}
	return thread;
}

void evidence_batch(struct evidence *evidence, size_t event, const struct ccs_samples *batch,
		      const struct cache_level *cache)
{
	struct thread *thread = thread_of(evidence, event, batch);
	double brought = batch->events;

	evidence->now = thread;
	thread->in_burst = batch->flags & CCS_BATCH_BURST;
	if (!thread->in_burst || !ccs_batch_joins(batch->flags)) {
		meetings_burst(&thread->meetings);
		thread->burst++;
	}
	if (!cache || !batch->count)
		return;
	if (batch->fills != CCS_UNKNOWN && batch->fills > brought)
		brought = batch->fills;
	if (brought < batch->count)
		brought = batch->count;
	thread->meetings.ways = cache->geometry.ways;
	thread->meetings.lines = (double)cache_level_sets(cache) * cache->geometry.ways *
				 batch->count / brought;
}

static struct steps *steps_of(struct evidence *evidence, uint64_t key)
{
	uint64_t *value = map_at(&evidence->steps, key);

	if (!*value) {
		evidence->step = grow(evidence->step, evidence->step_count,
				      &evidence->step_capacity, sizeof(*evidence->step));
		memset(&evidence->step[evidence->step_count], 0, sizeof(*evidence->step));
		*value = ++evidence->step_count;
	}
	return &evidence->step[*value - 1];
}

static void take_step(struct evidence *evidence, uint64_t key, uint64_t address)
{
	struct thread *thread = evidence->now;
	struct last *bucket = thread->last[mix(key, 0) % LAST_BUCKETS], found;
	uint32_t i;

	for (i = 0; i + 1 < LAST_SLOTS && bucket[i].key != key; i++)
		;
	found = bucket[i];
	for (; i; i--)
		bucket[i] = bucket[i - 1];
	bucket[0] = (struct last) { key, thread->burst, address };
	if (found.burst == thread->burst && found.key == key)
		steps_add(steps_of(evidence, key), found.address, address);
}

static uint64_t step_key(size_t number, uint32_t object)
{
	return (uint64_t)number << 32 | object;
}

void evidence_sample(struct evidence *evidence, size_t context, struct met in, uint64_t address)
{
	evidence->context = context;
	evidence->in = in;
	if (!evidence->now->in_burst || address == CCS_UNKNOWN)
		return;
	take_step(evidence, step_key(in.site, in.object), address);
	take_step(evidence, step_key(context, in.object) | OF_CONTEXT, address);
}

static struct pair_tally pair_of(size_t context, struct met x, struct met y)
{
	bool swap = x.object > y.object;

	return (struct pair_tally) {
		.context = context,
		.a = swap ? y.object : x.object, .b = swap ? x.object : y.object,
		.blocks = x.object == y.object && x.block != y.block,
	};
}

static bool same_pair(const struct pair_tally *a, const struct pair_tally *b)
{
	return a->context == b->context && a->a == b->a && a->b == b->b && a->blocks == b->blocks;
}

static void add_pair(struct evidence *evidence, uint32_t level, const struct pair_tally *wanted)
{
	struct map *map = &evidence->pairs[level];
	struct pair_tally *pair;
	uint64_t hash, *value;

	hash = mix((uint64_t)wanted->a << 32 | wanted->b, wanted->context + wanted->blocks);
	for (; ; hash++) {
		value = map_at(map, hash);
		if (!*value)
			break;
		pair = &evidence->pair[level][*value - 1];
		if (same_pair(pair, wanted)) {
			pair->weight += wanted->weight;
			return;
		}
	}
	evidence->pair[level] = grow(evidence->pair[level], evidence->pair_count[level],
				     &evidence->pair_capacity[level], sizeof(*pair));
	pair = &evidence->pair[level][evidence->pair_count[level]];
	*pair = *wanted;
	*value = ++evidence->pair_count[level];
}

/* Those that evicted the line, together. Most are of one object. */
static void add_pairs(struct evidence *evidence, struct miss_row *row, const struct met *evictors,
		      int count)
{
	uint64_t each = count > 0 ? WHOLE / count : 0;
	struct pair_tally pair;

	for (int i = 0, first = 0; i < count; i++) {
		row->evictors[row->evictor_count++] = evictors[i].site;
		if (i + 1 < count && evictors[i + 1].object == evictors[i].object &&
		    evictors[i + 1].block == evictors[i].block)
			continue;
		pair = pair_of(evidence->context, evidence->in, evictors[i]);
		pair.weight = (i + 1 - first) * each;
		add_pair(evidence, row->level, &pair);
		first = i + 1;
	}
}

bool evidence_place(struct evidence *evidence, struct miss_row *row, uint64_t line)
{
	struct meetings *meetings = &evidence->now->meetings;
	struct met evictors[MEETINGS_MOST];
	bool again;
	int count;

	if (!evidence->now->in_burst && row->class != RCD_CLASS_CONFLICT)
		return false;
	/* What is known to be a conflict was evicted by others however long ago it was. */
	if (row->class != RCD_CLASS_UNKNOWN)
		meetings->lines = INFINITY;
	count = meetings_add(meetings, row->set, line, evidence->in, evictors);
	again = row->class == RCD_CLASS_UNKNOWN ? count >= 0 : row->class == RCD_CLASS_CONFLICT;
	if (row->evictor.object) {
		evictors[0] = row->evictor;
		count = 1;
	}
	if (again)
		add_pairs(evidence, row, evictors, count);
	return again;
}

/* --- from one process to another --- */

/* Keys by number. */
static uint64_t *list_steps(const struct evidence *evidence)
{
	uint64_t *keys = xcalloc(evidence->step_count + 1, sizeof(*keys));
	const struct map *map = &evidence->steps;

	for (size_t i = 0; map->entries && i <= map->mask; i++)
		if (map->entries[i].value)
			keys[map->entries[i].value - 1] = map->entries[i].key;
	return keys;
}

static uint64_t wire_key(uint64_t key, struct wire *wire, const struct wire_numbers *numbers)
{
	bool of_context = wire_flag(wire, key & OF_CONTEXT);
	uint64_t number = (key & ~OF_CONTEXT) >> 32;

	number = of_context ? wire_context(wire, number, numbers) :
		 wire_site(wire, number, numbers);
	return step_key(number, wire_object(wire, key, numbers)) | (of_context ? OF_CONTEXT : 0);
}

static void wire_pair(struct evidence *evidence, struct wire *wire, uint32_t level, size_t i,
		      const struct wire_numbers *numbers)
{
	struct pair_tally pair = { .context = 0 };
	uint32_t a;

	if (!wire->reads)
		pair = evidence->pair[level][i];
	pair.context = wire_context(wire, pair.context, numbers);
	a = wire_object(wire, pair.a, numbers);
	pair.b = wire_object(wire, pair.b, numbers);
	pair.a = a < pair.b ? a : pair.b;
	pair.b = a < pair.b ? pair.b : a;
	pair.blocks = wire_flag(wire, pair.blocks);
	pair.weight = wire_number(wire, pair.weight, UINT64_MAX);
	if (wire->reads && !wire->wrong && pair.context != WIRE_NO_CONTEXT)
		add_pair(evidence, level, &pair);
}

void evidence_wire(struct evidence *evidence, struct wire *wire,
		   const struct wire_numbers *numbers)
{
	size_t count = wire_number(wire, evidence->step_count, UINT32_MAX);
	uint64_t *keys = wire->reads ? NULL : list_steps(evidence), key;

	for (size_t i = 0; i < count && !wire->wrong; i++) {
		key = wire_key(keys ? keys[i] : 0, wire, numbers);
		if (!wire->wrong)
			steps_wire(steps_of(evidence, key), wire);
	}
	free(keys);
	for (uint32_t level = 0; level < TALLY_LEVELS; level++) {
		count = wire_number(wire, evidence->pair_count[level], UINT32_MAX);
		for (size_t i = 0; i < count && !wire->wrong; i++)
			wire_pair(evidence, wire, level, i, numbers);
	}
}

/* --- findings --- */

/* Samples by line, of one context. */
struct line_tally {
	const char *file;
	uint32_t line;
	uint64_t samples;
};

static int by_context_and_line(const void *left, const void *right, void *contexts)
{
	const struct code_site *a = contexts_site(contexts, *(const size_t *)left);
	const struct code_site *b = contexts_site(contexts, *(const size_t *)right);
	int order;

	if (a->context != b->context)
		return a->context < b->context ? -1 : 1;
	order = strcmp(a->file ? a->file : "", b->file ? b->file : "");
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void insert_line(struct context *context, const struct line_tally *tally)
{
	double share = context->samples ? (double)tally->samples / context->samples : 0;
	size_t i = context->line_count;

	if (!tally->line || !tally->samples)
		return;
	if (i == FINDINGS_LINES) {
		if (context->lines[--i].share >= share)
			return;
	} else {
		context->lines = xrealloc(context->lines,
					  ++context->line_count * sizeof(*context->lines));
	}
	for (; i && context->lines[i - 1].share < share; i--)
		context->lines[i] = context->lines[i - 1];
	context->lines[i] = (struct line_share) { tally->file, tally->line, share };
}

/* Samples of all levels, by site. */
static uint64_t *count_sites(const struct pass *pass)
{
	uint64_t *samples = xcalloc(contexts_sites(pass->contexts) + 1, sizeof(*samples));

	for (uint32_t level = 0; level < TALLY_LEVELS; level++) {
		const struct places *places = &pass->places[level];

		for (size_t i = 0; i < places->count; i++)
			samples[places->all[i].site] += places->all[i].samples;
	}
	return samples;
}

static void fill_lines(struct pass *pass, struct context **by_number)
{
	size_t count = contexts_sites(pass->contexts), i, j;
	size_t *sites = xcalloc(count + 1, sizeof(*sites));
	uint64_t *samples = count_sites(pass);

	for (i = 0; i < count; i++)
		sites[i] = i;
	qsort_r(sites, count, sizeof(*sites), by_context_and_line, pass->contexts);
	for (i = 0; i < count; i = j) {
		const struct code_site *first = contexts_site(pass->contexts, sites[i]), *site;
		struct line_tally tally = { first->file, first->line, 0 };

		for (j = i; j < count; j++) {
			site = contexts_site(pass->contexts, sites[j]);
			if (site->context != first->context || site->line != first->line ||
			    !same_text(site->file, first->file))
				break;
			tally.samples += samples[sites[j]];
		}
		insert_line(by_number[first->context], &tally);
	}
	free(samples);
	free(sites);
}

static struct object_share *share_of(struct object_share *shares, size_t count, uint32_t object)
{
	for (size_t i = 0; i < count; i++)
		if (shares[i].object->id == object)
			return &shares[i];
	return NULL;
}

static void set_stride(struct object_share *share, const struct steps *steps, uint64_t stride)
{
	if (!share || steps->total <= share->steps)
		return;
	share->steps = steps->total;
	share->stride = stride;
}

/*
 * A loop that was unrolled has several instructions where the source has one, and each steps over
 * the others' rows: together they step by one, or from line to line.
 */
static uint64_t refine(const struct evidence *evidence, size_t context, uint32_t object,
		       const struct steps *one, uint32_t line)
{
	uint64_t number = map_get(&evidence->steps, step_key(context, object) | OF_CONTEXT);
	const struct steps *all = number ? &evidence->step[number - 1] : one;
	uint64_t stride = steps_stride(one, line), together = steps_stride(all, line);

	if (together && stride % together == 0)
		return together;
	return stride > line && steps_fill(all, one, stride, line) ? line : stride;
}

/* An object's stride in a context is that of the instruction that steps most. */
static void fill_strides(const struct evidence *evidence, struct pass *pass,
			 struct context **by_number)
{
	uint32_t line = pass->cache_count ? pass->caches[0].geometry.line : 64, object;
	const struct map *map = &evidence->steps;

	for (size_t i = 0; map->entries && i <= map->mask; i++) {
		const struct map_entry *entry = &map->entries[i];
		const struct steps *steps;
		struct context *context;
		uint64_t stride;
		size_t number;

		if (!entry->value || entry->key & OF_CONTEXT)
			continue;
		object = entry->key;
		steps = &evidence->step[entry->value - 1];
		number = contexts_site(pass->contexts, entry->key >> 32)->context;
		context = by_number[number];
		stride = refine(evidence, number, object, steps, line);
		set_stride(share_of(context->objects, context->object_count, object), steps,
			   stride);
		for (size_t l = 0; l < context->level_count; l++)
			set_stride(share_of(context->levels[l].objects,
					    context->levels[l].object_count, object), steps,
				   stride);
	}
}

/* Larger shares first, of equal ones the objects that were there first. */
static bool pair_comes_before(const struct pair_share *one, const struct pair_share *other)
{
	if (one->share != other->share)
		return one->share > other->share;
	if (one->a != other->a)
		return one->a->id < other->a->id;
	if (one->b != other->b)
		return one->b->id < other->b->id;
	return one->blocks < other->blocks;
}

static void insert_pair(struct level_findings *level, struct pair_share pair)
{
	size_t i = level->pair_count;

	if (i == FINDINGS_PAIRS) {
		if (!pair_comes_before(&pair, &level->pairs[--i]))
			return;
	} else {
		level->pairs = xrealloc(level->pairs, ++level->pair_count * sizeof(*level->pairs));
	}
	for (; i && pair_comes_before(&pair, &level->pairs[i - 1]); i--)
		level->pairs[i] = level->pairs[i - 1];
	level->pairs[i] = pair;
}

static void fill_pairs(const struct evidence *evidence, struct pass *pass,
		       struct context **by_number, uint32_t level)
{
	uint64_t *all = xcalloc(contexts_count(pass->contexts) + 1, sizeof(*all));
	size_t i;

	for (i = 0; i < evidence->pair_count[level]; i++)
		all[evidence->pair[level][i].context] += evidence->pair[level][i].weight;
	for (i = 0; i < evidence->pair_count[level]; i++) {
		const struct pair_tally *pair = &evidence->pair[level][i];
		struct level_findings *found = (struct level_findings *)
			context_level(by_number[pair->context], level);

		double share = (double)pair->weight / all[pair->context];

		if (!found)
			continue;
		if (pair->a != pair->b || pair->blocks)
			found->between += share;
		insert_pair(found, (struct pair_share) {
			spaces_object(pass->spaces, pair->a), spaces_object(pass->spaces, pair->b),
			share, pair->blocks,
		});
	}
	free(all);
}

void evidence_fill(struct findings *findings, struct pass *pass, struct context **by_number)
{
	uint32_t level;

	fill_lines(pass, by_number);
	fill_strides(pass->evidence, pass, by_number);
	for (level = 1; level < TALLY_LEVELS; level++)
		fill_pairs(pass->evidence, pass, by_number, level);
}
