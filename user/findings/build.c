// SPDX-License-Identifier: GPL-2.0-only
/* From what a pass has counted to what a report shows. */
#include <stdlib.h>
#include <string.h>

#include "findings/build.h"
#include "findings/nest-findings.h"
#include "findings/recordings.h"
#include "findings/remarks.h"
#include "rcd/set-map.h"
#include "base/array.h"
#include "base/memory.h"

#define CDF_POINTS 256
#define INTERVAL_LEAST	0.01	/* of the misses: each interval is a walk over all bursts */
#define WHOLE	0.5	/* of the misses that samples stand for, all together: none was lost */

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / whole : 0;
}

static uint64_t tally_samples(const struct tally *tally)
{
	uint64_t samples = 0;
	size_t i;

	for (i = 0; i < TALLY_LEVELS; i++)
		samples += tally->samples[i];
	return samples;
}

/* Most contexts have few distances: each keeps no more room than it has. */
static void fill_cdf(struct level_findings *level, const struct rcd_context *context)
{
	struct rcd_point points[CDF_POINTS];

	level->cdf_points = rcd_cdf(context, points, CDF_POINTS);
	level->cdf = xcalloc(level->cdf_points + 1, sizeof(*level->cdf));
	memcpy(level->cdf, points, level->cdf_points * sizeof(*level->cdf));
}

static void fill_periods(struct level_findings *level, const struct rcd_context *context)
{
	struct rcd_period periods[RCD_PERIODS];

	level->period_count = rcd_periods(context, periods);
	level->periods = xcalloc(level->period_count + 1, sizeof(*level->periods));
	memcpy(level->periods, periods, level->period_count * sizeof(*level->periods));
}

/* Hands over what was counted, and whether that is all of it. */
static void set_counted(struct pass *pass, uint32_t level)
{
	struct rcd *rcd = pass->levels[level].rcd;
	double counted = 0, sampled = 0;

	for (size_t i = 0; i < contexts_count(pass->contexts); i++) {
		const struct tally *tally = contexts_tally(pass->contexts, i);

		counted += tally->counted[level].misses;
		if (!tally->rcd[level])
			continue;
		rcd_set_counted(tally->rcd[level], &tally->counted[level]);
		sampled += rcd_counted_weight(tally->rcd[level]);
	}
	if (rcd && counted >= WHOLE * sampled)
		rcd_counts_are_whole(rcd);
}

static void fill_level(struct level_findings *level, const struct tally *tally, uint32_t number)
{
	level->level = number;
	level->samples = tally->samples[number];
	level->writes = ratio(tally->writes[number], level->samples);
	level->both = ratio(tally->both[number], level->samples);
	rcd_summarize(tally->rcd[number], &level->summary);
	fill_cdf(level, tally->rcd[number]);
	fill_periods(level, tally->rcd[number]);
	level->by_set = rcd_sets(tally->rcd[number]);
}

static double level_share(const double *weight, const struct pass *pass, uint32_t level)
{
	return pass->weight[level] > 0 ? weight[level] / pass->weight[level] : 0;
}

/* Of the samples of all levels. */
static double share_of(const double *weight, const struct pass *pass)
{
	double own = 0, all = 0;

	for (uint32_t level = 0; level < TALLY_LEVELS; level++) {
		own += weight[level];
		all += pass->weight[level];
	}
	return all > 0 ? own / all : 0;
}

static void fill_context(struct context *context, const struct tally *tally,
			 const struct pass *pass)
{
	uint32_t number, count = 0;

	context->region = tally->region;
	context->samples = tally_samples(tally);
	context->share = share_of(tally->weight, pass);
	for (number = 1; number < TALLY_LEVELS; number++)
		count += tally->samples[number] && tally->rcd[number];
	if (count)
		context->levels = xcalloc(count, sizeof(*context->levels));
	for (number = 1; number < TALLY_LEVELS; number++)
		if (tally->samples[number] && tally->rcd[number])
			fill_level(&context->levels[context->level_count++], tally, number);
	for (number = 0; number < context->level_count; number++)
		context->levels[number].share =
			level_share(tally->weight, pass, context->levels[number].level);
}

/* Of bursts, shares are weighted; that of all levels is L1's, which more bursts answer for. */
static void weigh_context(struct context *context, const struct bursts *bursts, size_t number)
{
	context->share = bursts_share(bursts, 1, number);
	for (size_t i = 0; i < context->level_count; i++) {
		struct level_findings *level = &context->levels[i];

		level->share = bursts_share(bursts, level->level, number);
		if (level->share >= INTERVAL_LEAST)
			level->share_interval = bursts_share_interval(bursts, level->level, number);
	}
}

static int by_share(const void *a, const void *b)
{
	const struct context *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return x->number < y->number ? -1 : 1;
}

bool object_comes_before(const struct object_share *one, const struct object_share *other)
{
	return one->share != other->share ? one->share > other->share :
	       one->object->id < other->object->id;
}

/* Puts an object among the largest. Most contexts have one: room is made as they come. */
static void insert_share(struct object_share **objects, size_t *count, const struct object *object,
			 double share)
{
	const struct object_share added = { .object = object, .share = share };
	size_t i = *count;

	if (i == FINDINGS_OBJECTS) {
		if (!object_comes_before(&added, &(*objects)[--i]))
			return;
	} else {
		*objects = xrealloc(*objects, ++*count * sizeof(**objects));
	}
	for (; i && object_comes_before(&added, &(*objects)[i - 1]); i--)
		(*objects)[i] = (*objects)[i - 1];
	(*objects)[i] = added;
}

/* One level's samples by context and object. */
static struct map by_context(const struct pass *pass, uint32_t number)
{
	const struct places *places = &pass->places[number];
	struct map map = { .entries = NULL };

	for (size_t i = 0; i < places->count; i++) {
		const struct miss_place *place = &places->all[i];
		uint64_t context = contexts_site(pass->contexts, place->site)->context;

		*map_at(&map, context << 32 | place->object) += place->samples;
	}
	return map;
}

static void fill_re_misses(struct pass *pass, uint32_t number, struct context **by_number)
{
	const struct places *places = &pass->places[number];

	for (size_t i = 0; i < places->count; i++) {
		const struct miss_place *place = &places->all[i];
		size_t context = contexts_site(pass->contexts, place->site)->context;
		struct level_findings *level = (struct level_findings *)
			context_level(by_number[context], number);

		if (level)
			level->re_misses += place->again;
	}
}

/* One level's samples on objects, added to @all. */
static void fill_level_objects(struct pass *pass, uint32_t number, struct context **by_number,
			       struct map *all)
{
	struct map map = by_context(pass, number);

	for (size_t i = 0; map.entries && i <= map.mask; i++) {
		const struct map_entry *entry = &map.entries[i];
		struct level_findings *level;

		if (!entry->value)
			continue;
		*map_at(all, entry->key) += entry->value;
		level = (struct level_findings *)context_level(by_number[entry->key >> 32],
							       number);
		if (level)
			insert_share(&level->objects, &level->object_count,
				     spaces_object(pass->spaces, (uint32_t)entry->key),
				     ratio(entry->value, level->samples));
	}
	map_free(&map);
}

static void fill_context_objects(struct pass *pass, struct context **by_number)
{
	struct map all = { .entries = NULL };
	uint32_t number;
	size_t i;

	for (number = 0; number < TALLY_LEVELS; number++)
		fill_level_objects(pass, number, by_number, &all);
	for (number = 1; number < TALLY_LEVELS; number++)
		fill_re_misses(pass, number, by_number);
	for (i = 0; all.entries && i <= all.mask; i++) {
		const struct map_entry *entry = &all.entries[i];
		struct context *context;

		if (!entry->value)
			continue;
		context = by_number[entry->key >> 32];
		insert_share(&context->objects, &context->object_count,
			     spaces_object(pass->spaces, (uint32_t)entry->key),
			     ratio(entry->value, context->samples));
	}
	map_free(&all);
}

/* Its misses were counted, none was sampled: nothing else is known of them. */
static bool unsampled(const struct tally *tally)
{
	for (uint32_t level = 0; level < TALLY_LEVELS; level++)
		if (tally->samples[level] || tally->around[level])
			return false;
	return true;
}

/* How sure it is that so many of the misses are not conflicts. */
static void fill_clean(struct findings *findings, const struct pass *pass)
{
	bool *clean = xcalloc(contexts_count(pass->contexts) + 1, sizeof(*clean)), any;

	for (uint32_t level = 1; level <= ARRAY_SIZE(findings->clean); level++) {
		any = false;
		for (size_t i = 0; i < findings->context_count; i++) {
			const struct context *context = &findings->contexts[i];
			const struct level_findings *at = context_level(context, level);

			clean[context->number] = at && at->summary.verdict == RCD_NONE;
			any |= clean[context->number] && at->share > 0;
		}
		if (any)
			findings->clean[level - 1] =
				bursts_shares_interval(pass->bursts, level, clean);
	}
	free(clean);
}

static void fill_program(struct findings *findings, const struct pass *pass)
{
	for (uint32_t level = 1; level <= ARRAY_SIZE(findings->program); level++) {
		const struct pass_level *from = &pass->levels[level];

		if (!from->all)
			continue;
		rcd_set_counted(from->all, &from->counted);
		rcd_summarize(from->all, &findings->program[level - 1]);
	}
}

static void fill_contexts(struct findings *findings, struct pass *pass)
{
	size_t count = contexts_count(pass->contexts), kept = 0, i;
	struct context **by_number = xcalloc(count + 1, sizeof(*by_number));

	findings->contexts = xcalloc(count + 1, sizeof(*findings->contexts));
	for (uint32_t level = 1; level < TALLY_LEVELS; level++)
		set_counted(pass, level);
	for (i = 0; i < count; i++) {
		const struct tally *tally = contexts_tally(pass->contexts, i);
		size_t at = unsampled(tally) ? count - 1 - (i - kept) : kept++;
		struct context *context = &findings->contexts[at];

		fill_context(context, tally, pass);
		if (findings->bursts.known)
			weigh_context(context, pass->bursts, i);
		context->number = i;
	}
	findings->context_count = kept;
	qsort(findings->contexts, kept, sizeof(*findings->contexts), by_share);
	for (i = 0; i < count; i++) {
		by_number[findings->contexts[i].number] = &findings->contexts[i];
		findings->contexts[i].region.id = i + 1;
	}
	fill_context_objects(pass, by_number);
	parts_fill(pass, by_number);
	evidence_fill(findings, pass, by_number);
	nests_fill(pass, by_number);
	regions_tell_apart(&findings->contexts->region, kept, sizeof(*findings->contexts));
	recordings_fill(findings, pass, by_number);
	fill_program(findings, pass);
	if (findings->bursts.known)
		fill_clean(findings, pass);
	/* What another process counted may not hold together: objects of what was not sampled. */
	for (i = kept; i < count; i++)
		context_drop(&findings->contexts[i]);
	free(by_number);
}

static int objects_by_samples(const void *a, const void *b)
{
	const struct object_findings *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return x->object->id < y->object->id ? -1 : 1;
}

static uint32_t count_sets(const uint8_t *bits, uint32_t sets)
{
	uint32_t used = 0, set;

	for (set = 0; bits && set < sets; set++)
		used += bits[set / 8] >> set % 8 & 1;
	return used;
}

double findings_stands_for(const struct findings *findings, uint32_t level, size_t context)
{
	const struct pass *pass = findings->owner;
	uint64_t samples = contexts_tally(pass->contexts, context)->samples[level];
	double all = pass->weight[level];

	if (!findings->bursts.known || level > ARRAY_SIZE(findings->clean) || !samples)
		return 1;
	if (level <= findings_burst_levels(findings))
		all = findings_bursts(findings, level)->weighted_misses;
	return bursts_share(pass->bursts, level, context) * all / samples;
}

/* Of bursts, only contexts' weights are known: objects have theirs from these. */
static void weigh_objects(const struct findings *findings, struct pass *pass, uint32_t level)
{
	const struct places *places = &pass->places[level];
	double all = 0;

	for (size_t id = 0; id < pass->object_count; id++)
		pass->objects[id].weight[level] = 0;
	for (size_t i = 0; i < places->count; i++) {
		const struct miss_place *place = &places->all[i];
		size_t context = contexts_site(pass->contexts, place->site)->context;
		double weight = place->samples * findings_stands_for(findings, level, context);

		pass->objects[place->object].weight[level] += weight;
		all += weight;
	}
	pass->weight[level] = all;
}

static void fill_object(struct object_findings *object, const struct object_tally *tally,
			const struct pass *pass, bool bursts)
{
	uint32_t number;

	for (number = 0; number < TALLY_LEVELS; number++)
		object->samples += tally->samples[number];
	object->share = bursts ? level_share(tally->weight, pass, 1) :
				 share_of(tally->weight, pass);
	for (number = 1; number < TALLY_LEVELS; number++) {
		const struct cache_level *cache = pass->levels[number].cache;
		struct object_level *level = &object->levels[number - 1];

		level->samples = tally->samples[number];
		level->share = level_share(tally->weight, pass, number);
		level->sets_used = cache ? count_sets(tally->sets[number],
						      cache_level_sets(cache)) : 0;
	}
}

static void fill_objects(struct findings *findings, struct pass *pass)
{
	size_t id;

	findings->objects = xcalloc(pass->object_count + 1, sizeof(*findings->objects));
	for (uint32_t level = 1; findings->bursts.known && level < TALLY_LEVELS; level++)
		weigh_objects(findings, pass, level);
	for (id = 0; id < pass->object_count; id++) {
		struct object_findings *object = &findings->objects[findings->object_count];

		fill_object(object, &pass->objects[id], pass, findings->bursts.known);
		if (!object->samples)
			continue;
		object->object = spaces_object(pass->spaces, id);
		findings->object_count++;
	}
	qsort(findings->objects, findings->object_count, sizeof(*findings->objects),
	      objects_by_samples);
}

static void fill_counts(struct findings *findings, const struct pass *pass)
{
	findings->instructions = pass->totals.instructions;
	findings->loads = pass->totals.loads;
	findings->stores = pass->totals.stores;
	findings->load_misses = pass->totals.load_misses;
	findings->store_misses = pass->totals.store_misses;
	memcpy(findings->outer, pass->totals.outer, sizeof(findings->outer));
}

/* The total number of misses is not known. */
static void fill_made(struct event_totals *event, const struct burst_totals *bursts)
{
	event->period = 0;
	event->events = 0;
	event->burst = bursts->longest < 2 ? 2 : bursts->longest;
}

/*
 * Only the counts know what came after an event's last batch. Losses are not known by
 * event: they stand with the first one.
 */
static void fill_events(struct findings *findings, struct pass *pass)
{
	uint64_t counted;

	findings->event_count = pass->event_count;
	findings->events = xcalloc(pass->event_count + 1, sizeof(*findings->events));
	memcpy(findings->events, pass->events, pass->event_count * sizeof(*pass->events));
	for (size_t i = 0; i < pass->event_count; i++) {
		if (findings->events[i].made) {
			fill_made(&findings->events[i], findings->events[i].level > 1 ?
				  &findings->long_bursts : &findings->bursts);
			continue;
		}
		findings->events[i].covered = findings->events[i].events;
		/* Not what was counted: the gaps of stores' misses are unknown. */
		if (!findings->events[i].period && findings->events[i].samples)
			findings->events[i].period = findings->events[i].stands_for /
						     findings->events[i].samples;
		/* ... and what is counted is loads'. */
		if (findings->events[i].no_loads)
			findings->events[i].events = 0;
		else if (findings_counted(findings, findings->events[i].level, &counted) &&
			 counted > findings->events[i].events)
			findings->events[i].events = counted;
	}
	findings->events[0].lost = pass->lost[CCS_LOST_SAMPLES];
	findings->events[0].foreign = pass->lost[CCS_LOST_FOREIGN];
	findings->events[0].no_address = pass->lost[CCS_LOST_NO_ADDRESS];
}

static const char *text_or_unknown(const char *text)
{
	return text ? text : "unknown";
}

/* What the totals of bursts that were read do not have of all. */
static void add_passed(struct burst_totals *totals, const struct burst_choice *choice)
{
	totals->recorded = choice->seen;
	totals->passed = choice->passed;
	totals->recorded_cpu_ns = totals->cpu_ns + choice->passed_ns;
}

struct findings *findings_build(char *path, struct pass *pass)
{
	struct findings *findings = xcalloc(1, sizeof(*findings));

	findings->owner = pass;
	findings->path = path;
	findings->version = text_or_unknown(pass->version);
	findings->source = text_or_unknown(pass->source);
	findings->cpu = text_or_unknown(pass->cpu);
	findings->kernel = text_or_unknown(pass->kernel);
	findings->start = text_or_unknown(pass->start);
	findings->clock = text_or_unknown(pass->clock);
	findings->overhead = pass->overhead;
	findings->pages = pass->pages;
	findings->lab = pass->lab;
	findings->lab_count = pass->lab_count;
	if (!pass->command)
		pass->command = xcalloc(1, sizeof(*pass->command));
	findings->command = pass->command;
	findings->whole = !pass->incomplete;
	findings->duration_ns = pass->duration_ns;
	findings->baseline = pass->baseline;
	findings->recorded = pass->recorded;
	findings->samples = pass->samples;
	findings->processes = pass->processes;
	findings->caches = pass->caches;
	findings->cache_count = pass->cache_count;
	findings->bursts = bursts_totals(pass->bursts, 1);
	add_passed(&findings->bursts, &pass->choices.bursts);
	findings->long_bursts = bursts_totals(pass->bursts, 2);
	add_passed(&findings->long_bursts, &pass->choices.long_ones);
	findings->recorded_l1 = pass->recorded_l1.level ? &pass->recorded_l1 : NULL;
	fill_counts(findings, pass);
	fill_events(findings, pass);
	fill_contexts(findings, pass);
	fill_objects(findings, pass);
	remarks_fill(findings, pass);
	if (pass->map.counts)
		set_map_settle(&pass->map);
	findings->map = pass->map;
	pass->map.counts = NULL;
	pass->map.samples = pass->map.near = NULL;
	findings->threshold = pass->options->threshold;
	return findings;
}
