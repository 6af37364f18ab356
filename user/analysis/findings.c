// SPDX-License-Identifier: GPL-2.0-only
/* From what a pass has counted to what a report shows. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pass.h"
#include "analysis/set-map.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"
#include "data/recording.h"

#define CDF_POINTS 256

static void remark(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void remark(struct findings *findings, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	findings->remarks = xrealloc(findings->remarks, (findings->remark_count + 1) *
							sizeof(*findings->remarks));
	findings->remarks[findings->remark_count++].text = text ? text : xstrdup("?");
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / whole : 0;
}

static uint64_t tally_samples(const struct tally *tally)
{
	uint64_t samples = 0;
	size_t i;

	for (i = 0; i < CACHE_LEVELS; i++)
		samples += tally->samples[i];
	return samples;
}

static uint64_t level_samples(const struct findings *findings, uint32_t level)
{
	uint64_t samples = 0;
	size_t i;

	for (i = 0; i < findings->event_count; i++)
		if (findings->events[i].level == level)
			samples += findings->events[i].samples;
	return samples;
}

static void fill_level(struct level_findings *level, const struct tally *tally, uint32_t number,
		       const struct findings *findings)
{
	level->level = number;
	level->samples = tally->samples[number];
	level->share = ratio(level->samples, level_samples(findings, number));
	rcd_summarize(tally->rcd[number], &level->summary);
	level->cdf = xcalloc(CDF_POINTS, sizeof(*level->cdf));
	level->cdf_points = rcd_cdf(tally->rcd[number], level->cdf, CDF_POINTS);
}

static void fill_context(struct context *context, const struct tally *tally,
			 const struct findings *findings)
{
	uint32_t number;

	context->function = tally->function;
	context->file = tally->file;
	context->line = tally->line;
	context->end_line = tally->line;
	context->module = tally->module;
	context->dso = tally->dso;
	context->address = tally->address;
	context->samples = tally_samples(tally);
	context->share = ratio(context->samples, findings->samples);
	context->levels = xcalloc(CACHE_LEVELS, sizeof(*context->levels));
	for (number = 1; number < CACHE_LEVELS; number++)
		if (tally->rcd[number])
			fill_level(&context->levels[context->level_count++], tally, number,
				   findings);
}

/* While contexts are sorted, id holds their number in the pass, counted from 1. */
static int by_samples(const void *a, const void *b)
{
	const struct context *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return x->id < y->id ? -1 : 1;
}

/* Puts an object among a context's largest. */
static void insert_share(struct context *context, const struct object *object, double share)
{
	size_t i = context->object_count;

	if (i == FINDINGS_OBJECTS) {
		if (context->objects[--i].share >= share)
			return;
	} else {
		context->object_count++;
	}
	for (; i && context->objects[i - 1].share < share; i--)
		context->objects[i] = context->objects[i - 1];
	context->objects[i].object = object;
	context->objects[i].share = share;
}

static void fill_context_objects(struct findings *findings, struct pass *pass,
				 struct context **by_number)
{
	const struct map *map = &pass->context_objects;
	size_t i;

	for (i = 0; map->entries && i <= map->mask; i++) {
		const struct map_entry *entry = &map->entries[i];
		struct context *context;

		if (!entry->value)
			continue;
		context = by_number[entry->key >> 32];
		insert_share(context, spaces_object(pass->spaces, (uint32_t)entry->key),
			     ratio(entry->value, context->samples));
	}
}

/* numbers[i]: number in the pass of the context that became findings->contexts[i]. */
static void fill_contexts(struct findings *findings, struct pass *pass, size_t *numbers)
{
	size_t count = contexts_count(pass->contexts), i;
	struct context **by_number = xcalloc(count + 1, sizeof(*by_number));

	findings->contexts = xcalloc(count + 1, sizeof(*findings->contexts));
	findings->context_count = count;
	for (i = 0; i < count; i++) {
		fill_context(&findings->contexts[i], contexts_tally(pass->contexts, i), findings);
		findings->contexts[i].id = i + 1;
	}
	qsort(findings->contexts, count, sizeof(*findings->contexts), by_samples);
	for (i = 0; i < count; i++) {
		numbers[i] = findings->contexts[i].id - 1;
		by_number[numbers[i]] = &findings->contexts[i];
		findings->contexts[i].id = i + 1;
	}
	fill_context_objects(findings, pass, by_number);
	free(by_number);
}

static int objects_by_samples(const void *a, const void *b)
{
	const struct object_findings *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return x->object->id < y->object->id ? -1 : 1;
}

static uint32_t count_sets(const uint8_t *bits, uint32_t sets)
{
	uint32_t used = 0, set;

	for (set = 0; bits && set < sets; set++)
		used += bits[set / 8] >> set % 8 & 1;
	return used;
}

static void fill_objects(struct findings *findings, struct pass *pass)
{
	const struct pass_level *level = &pass->levels[pass->first_level];
	uint32_t sets = level->cache ? level->cache->geometry.sets : 0;
	size_t id;

	findings->objects = xcalloc(pass->object_count + 1, sizeof(*findings->objects));
	for (id = 0; id < pass->object_count; id++) {
		struct object_findings *object = &findings->objects[findings->object_count];

		if (!pass->objects[id].samples)
			continue;
		object->object = spaces_object(pass->spaces, id);
		object->samples = pass->objects[id].samples;
		object->share = ratio(object->samples, findings->samples);
		object->sets_used = count_sets(pass->objects[id].sets, sets);
		findings->object_count++;
	}
	qsort(findings->objects, findings->object_count, sizeof(*findings->objects),
	      objects_by_samples);
}

static void fill_counts(struct findings *findings, const struct pass *pass)
{
	const struct map *map = &pass->counts;
	size_t i;

	for (i = 0; map->entries && i <= map->mask; i++) {
		const struct ccs_counts *counts = (void *)(uintptr_t)map->entries[i].value;

		if (!counts)
			continue;
		findings->instructions += counts->instructions;
		findings->loads += counts->loads;
		findings->stores += counts->stores;
		findings->load_misses += counts->load_misses;
		findings->store_misses += counts->store_misses;
	}
}

/* Losses are not known by event: they stand with the first one. */
static void fill_events(struct findings *findings, struct pass *pass)
{
	findings->event_count = pass->event_count;
	findings->events = xcalloc(pass->event_count + 1, sizeof(*findings->events));
	memcpy(findings->events, pass->events, pass->event_count * sizeof(*pass->events));
	findings->events[0].lost = pass->lost[CCS_LOST_SAMPLES];
	findings->events[0].foreign = pass->lost[CCS_LOST_FOREIGN];
	findings->events[0].no_address = pass->lost[CCS_LOST_NO_ADDRESS];
}

/* One line for each of the first modules whose samples lack names or lines. */
static void remark_modules(struct findings *findings)
{
	const char *said[4], *trouble;
	size_t count = 0, i, j;

	for (i = 0; i < findings->context_count && count < 4; i++) {
		const struct context *context = &findings->contexts[i];

		if (context->line || !context->module || context->share < 0.01)
			continue;
		trouble = module_trouble(context->module);
		for (j = 0; trouble && j < count; j++)
			if (!strcmp(said[j], trouble))
				trouble = NULL;
		if (!trouble)
			continue;
		said[count++] = trouble;
		remark(findings, "%s", trouble);
	}
}

static void fill_remarks(struct findings *findings, const struct pass *pass,
			 const struct recording *recording)
{
	if (pass->lost[CCS_LOST_KILLED])
		remark(findings, "%" PRIu64 " process(es) died before sending their last samples",
		       pass->lost[CCS_LOST_KILLED]);
	if (pass->lost[CCS_LOST_UNRECORDED])
		remark(findings, "%" PRIu64 " process(es) could not be recorded",
		       pass->lost[CCS_LOST_UNRECORDED]);
	if (pass->lost[CCS_LOST_EVENTS])
		remark(findings, "%" PRIu64 " map or allocation records lost: some data unnamed",
		       pass->lost[CCS_LOST_EVENTS]);
	if (pass->unsupported)
		remark(findings, "the program ran an instruction that the source cannot run, "
		       "at 0x%" PRIx64 ": it did not run to its end", pass->unsupported_ip);
	if (recording_skipped(recording))
		remark(findings, "%" PRIu64 " records of a newer ccsample were skipped",
		       recording_skipped(recording));
	if (pass->strays)
		remark(findings, "%" PRIu64 " samples of undeclared events were skipped",
		       pass->strays);
	if (pass->unindexed)
		remark(findings, "%" PRIu64 " samples have no known set (no physical address, or "
		       "no geometry): they count, but say nothing of conflicts", pass->unindexed);
	remark_modules(findings);
}

static char *take_text(char **text)
{
	char *taken = *text ? *text : xstrdup("unknown");

	*text = NULL;
	return taken;
}

static struct findings *build(const char *path, struct pass *pass,
			      const struct recording *recording, size_t **numbers)
{
	struct findings *findings = xcalloc(1, sizeof(*findings));
	size_t i;

	for (i = 0; i < CACHE_LEVELS; i++)
		if (pass->levels[i].rcd)
			rcd_finish(pass->levels[i].rcd);
	findings->owner = pass;
	findings->path = xstrdup(path);
	findings->version = take_text(&pass->version);
	findings->source = take_text(&pass->source);
	findings->cpu = take_text(&pass->cpu);
	findings->kernel = take_text(&pass->kernel);
	findings->start = take_text(&pass->start);
	findings->clock = take_text(&pass->clock);
	findings->command = pass->command;
	pass->command = NULL;
	if (!findings->command)
		findings->command = xcalloc(1, sizeof(*findings->command));
	findings->whole = recording_end(recording) == RECORDING_WHOLE;
	findings->duration_ns = pass->duration_ns;
	findings->samples = pass->samples;
	findings->processes = pass->processes;
	findings->caches = pass->caches;
	findings->cache_count = pass->cache_count;
	fill_events(findings, pass);
	fill_counts(findings, pass);
	*numbers = xcalloc(contexts_count(pass->contexts) + 1, sizeof(**numbers));
	fill_contexts(findings, pass, *numbers);
	fill_objects(findings, pass);
	fill_remarks(findings, pass, recording);
	if (pass->map.counts)
		set_map_settle(&pass->map);
	findings->map = pass->map;
	pass->map.counts = NULL;
	return findings;
}

/* numbers: receives each context's number in the pass, to be freed. */
static struct findings *analyze(const char *path, uint32_t map_level, size_t map_context,
				size_t **numbers)
{
	struct recording *recording = recording_open(path);
	const struct ccs_record *record;
	struct findings *findings;
	struct pass *pass;
	uint64_t count = 0;

	if (!recording)
		return NULL;
	pass = pass_new();
	pass->map_level = map_level;
	pass->map_context = map_context;
	progress_start();
	while (recording_next(recording, &record)) {
		pass_take(pass, record);
		if (!(++count & 255) && progress_due())
			progress("reading %s: %.0f%%, %" PRIu64 " samples", path,
				 100 * recording_position(recording), pass->samples);
	}
	progress_clear();
	findings = build(path, pass, recording, numbers);
	recording_close(recording);
	return findings;
}

struct findings *analyze_recording(const char *path, const struct analysis_options *options)
{
	static const struct analysis_options defaults;
	struct findings *findings;
	size_t *numbers;
	size_t number;

	if (!options)
		options = &defaults;
	findings = analyze(path, options->map_level, SIZE_MAX, &numbers);
	if (!findings)
		return NULL;
	number = SIZE_MAX;
	if (options->map_context && options->map_context <= findings->context_count)
		number = numbers[options->map_context - 1];
	free(numbers);
	if (!options->map_context)
		return findings;
	findings_free(findings);
	if (number == SIZE_MAX) {
		fail("%s: there is no context %" PRIu32 ": `ccsample report` shows their ids", path,
		     options->map_context);
		return NULL;
	}
	findings = analyze(path, options->map_level, number, &numbers);
	free(numbers);
	return findings;
}

void findings_free(struct findings *findings)
{
	size_t i, j;

	for (i = 0; i < findings->context_count; i++) {
		for (j = 0; j < findings->contexts[i].level_count; j++)
			free(findings->contexts[i].levels[j].cdf);
		free(findings->contexts[i].levels);
	}
	for (i = 0; findings->command[i]; i++)
		free(findings->command[i]);
	for (i = 0; i < findings->remark_count; i++)
		free(findings->remarks[i].text);
	free(findings->command);
	free(findings->remarks);
	free(findings->contexts);
	free(findings->objects);
	free(findings->events);
	free(findings->map.counts);
	free(findings->path);
	free(findings->version);
	free(findings->source);
	free(findings->cpu);
	free(findings->kernel);
	free(findings->start);
	free(findings->clock);
	pass_free(findings->owner);
	free(findings);
}

const struct cache_level *findings_cache(const struct findings *findings, uint32_t level)
{
	size_t i;

	for (i = 0; i < findings->cache_count; i++)
		if (findings->caches[i].level == level)
			return &findings->caches[i];
	return NULL;
}

const struct level_findings *context_level(const struct context *context, uint32_t level)
{
	size_t i;

	for (i = 0; i < context->level_count; i++)
		if (context->levels[i].level == level)
			return &context->levels[i];
	return NULL;
}
