// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "findings/entries.h"
#include "findings/recordings.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"

static bool is_first(const struct pass *pass)
{
	return pass->files == 1;
}

/* @reason: allocated, taken; the first one counts */
static void refuse(struct pass *pass, char *reason)
{
	if (pass->refused)
		free(reason);
	else
		pass->refused = reason;
}

void recordings_skip(struct pass *pass, uint32_t count)
{
	for (uint32_t i = 0; i < pass->files; i++)
		free(pass->labels[i]);
	pass->files = 0;
	while (pass->files < count) {
		pass->labels = grow(pass->labels, pass->files, &pass->label_capacity,
				    sizeof(*pass->labels));
		pass->labels[pass->files++] = NULL;
	}
}

void recordings_begin(struct pass *pass, const char *path)
{
	pass->labels = grow(pass->labels, pass->files, &pass->label_capacity,
			    sizeof(*pass->labels));
	pass->labels[pass->files++] = xstrdup(base_name(shown_input(path)));
	memset(pass->cache_here, 0, sizeof(pass->cache_here));
	memset(pass->event_here, 0, sizeof(pass->event_here));
	pass->hashes_here = 0;
	pass->map_started = false;
	pass->has_entries = false;
}

/* --- is it of the same kind? --- */

static bool same_value(const struct ccs_meta *meta, const char *text)
{
	const char *value = (const char *)(meta + 1) + meta->key_size;

	return text && strlen(text) == meta->value_size && !memcmp(text, value, meta->value_size);
}

static void take_rank(struct pass *pass, const struct ccs_meta *meta)
{
	char *rank = xstrndup((const char *)(meta + 1) + meta->key_size, meta->value_size);

	free(pass->labels[pass->files - 1]);
	pass->labels[pass->files - 1] = xasprintf("rank %s", rank);
	free(rank);
}

/* The program is the first word. */
static bool same_program(const struct ccs_meta *meta, char **command)
{
	const char *value = (const char *)(meta + 1) + meta->key_size;
	size_t length = strnlen(value, meta->value_size);

	return command && command[0] && strlen(command[0]) == length &&
	       !memcmp(command[0], value, length);
}

static void compare_texts(struct pass *pass, const struct ccs_meta *meta)
{
	const struct {
		const char *key, *text, *what;
	} texts[] = {
		{ "source", pass->source, "comes from another source" },
		{ "clock", pass->clock, "counts time in another unit" },
		{ "L1.hash", pass->hashes[1], "has other slices of L1" },
		{ "L2.hash", pass->hashes[2], "has other slices of L2" },
		{ "L3.hash", pass->hashes[3], "has other slices of L3" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (!meta_is(meta, texts[i].key))
			continue;
		pass->hashes_here += texts[i].key[0] == 'L';
		if (!same_value(meta, texts[i].text))
			refuse(pass, xstrdup(texts[i].what));
	}
}

/* How the machine was set; recordings that do not say agree with all. */
static void compare_lab(struct pass *pass, const struct ccs_meta *meta)
{
	for (size_t i = 0; i < pass->lab_count; i++) {
		char *key = xasprintf("lab.%s", pass->lab[i].name);

		if (meta_is(meta, key) && !same_value(meta, pass->lab[i].value))
			pass->lab[i].varies = true;
		free(key);
	}
}

void recordings_meta(struct pass *pass, const struct ccs_meta *meta)
{
	if (meta_is(meta, "rank"))
		take_rank(pass, meta);
	if (is_first(pass))
		return;
	compare_texts(pass, meta);
	compare_lab(pass, meta);
	if (meta_is(meta, "command"))
		pass->other_programs += !same_program(meta, pass->command);
	else if (meta_is(meta, "cpu"))
		pass->other_machines += !same_value(meta, pass->cpu);
	else if (meta_is(meta, "pages"))
		pass->other_pages += !same_value(meta, pass->pages);
}

static bool same_cache(const struct cache_level *a, const struct cache_level *b)
{
	return a->geometry.sets == b->geometry.sets && a->geometry.ways == b->geometry.ways &&
	       a->geometry.line == b->geometry.line && a->slices == b->slices &&
	       a->physical == b->physical;
}

void recordings_cache(struct pass *pass, const struct cache_level *level)
{
	for (size_t i = 0; i < pass->cache_count; i++) {
		if (pass->caches[i].level != level->level)
			continue;
		if (!same_cache(&pass->caches[i], level))
			break;
		pass->cache_here[i] = true;
		return;
	}
	refuse(pass, xasprintf("has another L%" PRIu32 " cache", level->level));
}

void recordings_event(struct pass *pass, const struct ccs_event *event)
{
	for (size_t i = 0; i < pass->event_count; i++) {
		struct event_totals *totals = &pass->events[i];

		if (totals->level != event->level ||
		    strcmp(totals->name, (const char *)event->name))
			continue;
		if (totals->period != event->period || totals->spread != event->spread ||
		    totals->burst != event->burst)
			refuse(pass, xasprintf("samples %s with another period, spread or burst "
					       "(%" PRIu64 ", %" PRIu64 ", %" PRIu32 ", not "
					       "%" PRIu64 ", %" PRIu64 ", %" PRIu32 ")",
					       totals->name, event->period, event->spread,
					       event->burst, totals->period, totals->spread,
					       totals->burst));
		if (totals->sees_stores != !!(event->flags & CCS_EVENT_STORES) ||
		    totals->no_loads != !!(event->flags & CCS_EVENT_NO_LOADS) ||
		    (!totals->made && totals->classes != !!(event->flags & CCS_EVENT_CLASSES)))
			refuse(pass, xasprintf("does not sample %s of the same references, "
					       "or not with classes", totals->name));
		totals->id = event->id;
		pass->event_here[i] = true;
		return;
	}
	refuse(pass, xasprintf("samples %s too", event->name));
}

static void check_missing(struct pass *pass)
{
	uint32_t hashes = 0;

	for (uint32_t level = 1; level < TALLY_LEVELS; level++)
		hashes += pass->hashes[level] != NULL;
	if (pass->hashes_here != hashes)
		refuse(pass, xstrdup("does not say how many slices it has"));
	for (size_t i = 0; i < pass->cache_count; i++)
		if (!pass->cache_here[i])
			refuse(pass, xasprintf("does not know its L%" PRIu32 " cache",
					       pass->caches[i].level));
	for (size_t i = 0; i < pass->event_count; i++)
		if (!pass->event_here[i])
			refuse(pass, xasprintf("does not sample %s", pass->events[i].name));
}

/* Clocks of machines have nothing to do with one another; instructions begin at 0 anyway. */
uint64_t recordings_time(struct pass *pass, uint64_t time)
{
	if (is_first(pass) || (pass->clock && !strcmp(pass->clock, "instructions")))
		return time;
	if (!pass->map_started)
		pass->map_shift = pass->map.start - time;
	pass->map_started = true;
	return time + pass->map_shift;
}

/* --- it ends --- */

/* Nothing from a recording is trusted. */
static uint64_t since(uint64_t all, uint64_t before)
{
	return all > before ? all - before : 0;
}

static void fold_counts(struct pass *pass)
{
	struct exact_totals *totals = &pass->totals;
	struct map *map = &pass->counts;
	struct ccs_entry entry;

	for (size_t i = 0; map->entries && i <= map->mask; i++) {
		struct ccs_counts *counts = (void *)(uintptr_t)map->entries[i].value;

		if (!counts)
			continue;
		entry = entries_before(pass, counts->record.process);
		totals->instructions += since(counts->instructions, entry.instructions);
		totals->loads += since(counts->loads, entry.loads);
		totals->stores += since(counts->stores, entry.stores);
		totals->load_misses += since(counts->load_misses, entry.load_misses[0]);
		totals->store_misses += since(counts->store_misses, entry.store_misses[0]);
	}
	map_free_values(map, free);
}

static void fold_outer_counts(struct pass *pass, uint32_t level)
{
	struct level_totals *totals = &pass->totals.outer[level - 2];
	struct map *map = &pass->outer_counts[level];
	struct ccs_entry entry;

	for (size_t i = 0; map->entries && i <= map->mask; i++) {
		struct ccs_level_counts *counts = (void *)(uintptr_t)map->entries[i].value;

		if (!counts)
			continue;
		entry = entries_before(pass, counts->record.process);
		totals->known = true;
		totals->load_misses += since(counts->load_misses, entry.load_misses[level - 1]);
		totals->store_misses += since(counts->store_misses, entry.store_misses[level - 1]);
		totals->unresolved += counts->unresolved;
	}
	map_free_values(map, free);
}

static void spread_cf(struct pass *pass, struct tally_spread *spread, const struct rcd_context *rcd)
{
	uint64_t misses, near;

	rcd_counts(rcd, &misses, &near);
	if (misses == spread->misses)
		return;
	spread_files_add(&spread->cf_files, pass->files - 1);
	spread_add(&spread->cf, &spread->cf_files, pass->files - 1,
		   (double)(near - spread->near) / (misses - spread->misses));
	spread->misses = misses;
	spread->near = near;
}

/* A context's share of the level's samples in this recording, weighted, and its cf. */
static void spread_context(struct pass *pass, struct tally *tally, uint32_t level, double all)
{
	struct tally_spread *spread = tally->spread[level];
	uint64_t weight = tally->weight[level];

	if (!tally->samples[level])
		return;
	if (!spread)
		spread = tally->spread[level] = xcalloc(1, sizeof(*spread));
	spread_add(&spread->share, &pass->spread_files[level], pass->files - 1,
		   (weight - spread->share.before) / all);
	spread->share.before = weight;
	if (tally->rcd[level])
		spread_cf(pass, spread, tally->rcd[level]);
}

/* Recordings without a sample have no shares. */
static void spread_level(struct pass *pass, uint32_t level)
{
	struct spread *total = &pass->spread[level];
	uint64_t all = level_samples(pass->events, pass->event_count, level) - total->before;
	double weight = pass->weight[level] - pass->weight_before[level];

	if (!all)
		return;
	pass->weight_before[level] = pass->weight[level];
	total->before += all;
	spread_files_add(&pass->spread_files[level], pass->files - 1);
	spread_add(total, &pass->spread_files[level], pass->files - 1, all);
	for (size_t i = 0; i < contexts_count(pass->contexts); i++)
		spread_context(pass, contexts_tally(pass->contexts, i), level, weight);
}

static void drop_processes(struct pass *pass)
{
	for (uint32_t level = 1; level < TALLY_LEVELS; level++)
		if (pass->levels[level].rcd)
			rcd_finish(pass->levels[level].rcd);
	for (size_t i = 0; i < PASS_EVENTS; i++)
		streams_drop(&pass->streams[i]);
	map_free(&pass->accesses);
	map_free(&pass->periods);
	map_free(&pass->pids);
	map_free_values(&pass->entries, free);
	call_frames_free(&pass->frames);
	evidence_end(pass->evidence);
	contexts_end(pass->contexts);
	spaces_end(pass->spaces);
}

void recordings_end(struct pass *pass, const struct recording *recording)
{
	bursts_end(pass);
	if (!is_first(pass))
		check_missing(pass);
	pass->incomplete += recording_end(recording) != RECORDING_WHOLE;
	pass->skipped += recording_skipped(recording);
	fold_counts(pass);
	for (uint32_t level = 2; level < TALLY_LEVELS; level++)
		fold_outer_counts(pass, level);
	for (uint32_t level = 1; pass->several && level < TALLY_LEVELS; level++)
		spread_level(pass, level);
	drop_processes(pass);
}

int recordings_read(struct pass *pass, const struct inputs *inputs, size_t first, size_t end)
{
	int status = 0;
	size_t i;

	for (i = first; !status && i < end; i++)
		status = pass_read(pass, inputs->paths[i]);
	if (pass->refused)
		fail("%s %s, unlike %s: they cannot be added up, report them apart",
		     inputs->paths[i - 1], pass->refused, inputs->paths[0]);
	return status;
}

/* --- findings --- */

/* What other processes counted may name any number. */
static const char *label(const void *context, uint32_t file)
{
	const struct pass *pass = context;

	return file < pass->files && pass->labels[file] ? pass->labels[file] : "unknown";
}

static void fill_context(struct pass *pass, struct context *context, const struct tally *tally,
			 uint32_t number)
{
	struct level_findings *level = (struct level_findings *)context_level(context, number);
	const struct tally_spread *spread = tally->spread[number];

	if (!level || !spread)
		return;
	level->spread = spread_result(&spread->share, &pass->spread_files[number], label, pass);
	level->cf_spread = spread_result(&spread->cf, &spread->cf_files, label, pass);
}

void recordings_fill(struct findings *findings, struct pass *pass, struct context **by_number)
{
	findings->recordings = pass->files;
	findings->incomplete = pass->incomplete;
	findings->other_programs = pass->other_programs;
	findings->other_machines = pass->other_machines;
	findings->other_pages = pass->other_pages;
	for (uint32_t number = 1; pass->several && number < TALLY_LEVELS; number++) {
		findings->spread[number - 1] = spread_result(&pass->spread[number],
							     &pass->spread_files[number], label,
							     pass);
		for (size_t i = 0; i < contexts_count(pass->contexts); i++)
			fill_context(pass, by_number[i], contexts_tally(pass->contexts, i), number);
	}
}
