// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "findings/entries.h"
#include "findings/follow.h"
#include "findings/kinds.h"
#include "findings/misses.h"
#include "findings/pass.h"
#include "findings/recordings.h"
#include "rcd/set-map.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"
#include "format/pass.h"

struct pass *pass_new(const struct analysis_options *options)
{
	struct pass *pass = xcalloc(1, sizeof(*pass));

	pass->symbols = symbols_new();
	pass->spaces = spaces_new(pass->symbols);
	spaces_set_wrappers(pass->spaces, options->wrappers);
	if (options->quick) {
		symbols_leave_debug_files(pass->symbols);
		spaces_leave_unnamed(pass->spaces);
	}
	pass->contexts = contexts_new();
	pass->evidence = evidence_new();
	pass->parts = parts_new();
	pass->bursts = bursts_new();
	pass->choices.bursts.every = pass->choices.long_ones.every = 1;
	pass->map_context = SIZE_MAX;
	pass->options = options;
	return pass;
}

void pass_free(struct pass *pass)
{
	size_t i, j;

	set_map_free(&pass->map);
	map_free_values(&pass->counts, free);
	map_free_values(&pass->entries, free);
	call_frames_free(&pass->frames);
	map_free(&pass->accesses);
	map_free(&pass->periods);
	map_free(&pass->pids);
	bursts_free(pass->bursts);
	for (i = 0; i < TALLY_LEVELS; i++) {
		places_drop(&pass->places[i]);
		map_free_values(&pass->outer_counts[i], free);
		free(pass->hashes[i]);
	}
	for (i = 0; i < pass->object_count; i++)
		for (j = 0; j < TALLY_LEVELS; j++)
			free(pass->objects[i].sets[j]);
	free(pass->objects);
	for (i = 0; i < TALLY_LEVELS; i++)
		if (pass->levels[i].rcd)
			rcd_free(pass->levels[i].rcd);
	for (i = 0; i < PASS_EVENTS; i++)
		streams_drop(&pass->streams[i]);
	for (i = 0; i < pass->files; i++)
		free(pass->labels[i]);
	free(pass->labels);
	free(pass->refused);
	pass_meta_free(pass);
	parts_free(pass->parts);
	evidence_free(pass->evidence);
	contexts_free(pass->contexts);
	spaces_free(pass->spaces);
	symbols_free(pass->symbols);
	free(pass);
}

/* Keeps the last record of a process. */
static void keep_last(struct map *map, const struct ccs_record *record, size_t size)
{
	uint64_t *value = map_at(map, record->process);

	if (!*value)
		*value = (uintptr_t)xmalloc(size);
	memcpy((void *)(uintptr_t)*value, record, size);
}

struct event_totals *pass_find_event(struct pass *pass, uint32_t id)
{
	size_t i;

	for (i = 0; i < pass->event_count; i++)
		if (pass->events[i].id == id && pass->event_here[i] && !pass->events[i].made)
			return &pass->events[i];
	return NULL;
}

static uint64_t thread_key(const struct ccs_record *record)
{
	return (uint64_t)record->process << 32 | record->tid;
}

static struct rcd_stream *find_stream(struct pass *pass, struct event_totals *event,
				      const struct ccs_record *record)
{
	struct streams *streams = &pass->streams[event - pass->events];
	struct rcd *rcd = pass->levels[event->level].rcd;
	struct rcd_stream *stream = streams_of(streams, rcd, pass->event_count,
					       thread_key(record));

	if (!stream)
		exit(-fail("out of memory for thread %u", record->tid));
	return stream;
}

/* What a sample of the batch stands for. */
static void use_period(struct pass *pass, const struct ccs_samples *batch)
{
	uint64_t period = map_take(&pass->periods, thread_key(&batch->record));

	pass->sample_weight = period ? period : 1;
}

/* Opens a batch of its kind in the stream, and adds what it holds to the event. */
static struct rcd_stream *begin_batch(struct pass *pass, struct event_totals *event,
					const struct ccs_samples *batch)
{
	bool burst = batch->flags & CCS_BATCH_BURST;
	bool edge = burst && !(batch->flags & CCS_BATCH_CONTINUES);
	bool cut = burst && !edge && batch->flags & CCS_BATCH_CUT;
	uint64_t lines = map_take(&pass->accesses, thread_key(&batch->record));
	struct rcd_stream *stream;

	event->samples += batch->count;
	event->stands_for += batch->count * pass->sample_weight;
	event->events += batch->events + (batch->gap != CCS_UNKNOWN ? batch->gap : 0);
	event->bursts += edge;
	event->cuts += cut;
	if (burst) {
		event->burst_samples += batch->count;
		event->batch_squares += (double)batch->count * batch->count;
		event->burst_events += batch->events;
	}
	if (!event->level || !pass->levels[event->level].rcd)
		return NULL;
	stream = find_stream(pass, event, &batch->record);
	if (edge)
		rcd_burst(stream, batch->events, batch->fills, batch->count);
	else if (cut)
		rcd_cut(stream, batch->events, batch->fills, batch->count);
	else if (burst)
		rcd_continue(stream, batch->events, batch->fills, batch->count);
	else
		rcd_spread(stream);
	rcd_weigh(stream, event->made ? pass->burst_weight : pass->sample_weight *
		  (event->classes && event->period ? event->period : 1),
		  batch->flags & CCS_BATCH_COUNTED ? RCD_COUNTED : pass->burst_kind);
	if (lines && burst)
		rcd_accesses(stream, lines - 1, batch->count);
	return stream;
}

/* The set of an address. Return: false if it is unknown. */
static bool set_of(const struct cache_level *cache, uint64_t address, uint32_t *set)
{
	uint32_t slice = 0;

	if (address == CCS_UNKNOWN)
		return false;
	*set = cache_set_of(&cache->geometry, cache_line_of(&cache->geometry, address));
	if (cache->hash)
		slice = slice_of(cache->hash, address);
	if (slice == SLICE_UNKNOWN)
		return false;
	*set += slice * cache->geometry.sets;
	return true;
}

/* A miss is its context's own, one of all contexts around it, and one of the program. */
static void count_miss(struct pass *pass, struct rcd_stream *stream, const struct miss_row *row,
		       size_t context, uint64_t line)
{
	uint32_t level = row->level, set = row->set;
	struct tally *tally = contexts_tally(pass->contexts, context), *at = tally;
	struct rcd *rcd = pass->levels[level].rcd;
	bool done;

	if (!tally->rcd[level])
		tally->rcd[level] = rcd_context_new(rcd);
	done = tally->rcd[level] && !rcd_add(stream, tally->rcd[level], set, line, row->class);
	for (; done && at; at = contexts_parent(pass->contexts, at)) {
		if (at->leaf)
			continue;
		if (!at->around[level])
			at->around[level] = rcd_context_new(rcd);
		done = at->around[level] && !rcd_add_around(stream, at->around[level], set);
	}
	if (done && pass->levels[level].all)
		done = !rcd_add_around(stream, pass->levels[level].all, set);
	if (!done)
		exit(-fail("out of memory for the misses of %s", tally->region.function));
}

static void mark_set(struct object_tally *object, uint32_t level, uint32_t set, uint32_t sets)
{
	if (!object->sets[level])
		object->sets[level] = xcalloc(sets / 8 + 1, 1);
	object->sets[level][set / 8] |= 1u << set % 8;
}

/* What one sample says of sets: RCD, set map, the object's sets. @row: placed, if it says any */
static void take_index(struct pass *pass, struct rcd_stream *stream, struct miss_place *place,
		       struct miss_row *row)
{
	size_t context = contexts_site(pass->contexts, place->site)->context;
	struct pass_level *level = &pass->levels[row->level];
	uint64_t address = level->cache->physical ? row->sample->physical : row->sample->address;
	uint64_t line = cache_line_of(&level->cache->geometry, address);

	row->placed = set_of(level->cache, address, &row->set);
	row->sets = cache_level_sets(level->cache);
	if (!row->placed)
		return;
	count_miss(pass, stream, row, context, line);
	row->near = rcd_was_near(stream);
	place->near += row->near;
	if (pass->options->quick)
		return;
	row->again = evidence_place(pass->evidence, row, line);
	place->again += row->again;
	if (pass->map.level == row->level &&
	    (pass->map_context == SIZE_MAX || pass->map_context == context))
		set_map_add(&pass->map, row->set, recordings_time(pass, row->sample->time),
			    pass->sample_weight, row->near);
	mark_set(&pass->objects[place->object], row->level, row->set, row->sets);
}

/* A sample with its names, for those who asked. */
static void give_row(struct pass *pass, struct event_totals *event, const struct code_site *site,
		     const struct tally *tally, struct miss_row *row)
{
	row->recording = pass->labels[pass->files - 1];
	row->event = event->name;
	row->site = site;
	row->region = &tally->region;
	pass->options->each(pass->options->context, row);
}

/* The data that a sample fell on. @frame: whose it may be, NULL = unknown */
static const struct object *object_of(const struct pass *pass, struct space *space,
				      const struct ccs_frame *frame, uint64_t address,
				      uint64_t *base)
{
	const struct object *object = NULL;

	if (frame && !pass->options->quick)
		object = space_frame_object(space, frame, address, base);
	return object ? object : space_object_base(space, address, base);
}

static void take_sample(struct pass *pass, struct event_totals *event, struct rcd_stream *stream,
			const struct ccs_frame *frame, struct miss_row *row)
{
	uint32_t process = row->batch->record.process;
	struct space *space = spaces_get(pass->spaces, process);
	size_t site = contexts_find(pass->contexts, process, space, row->sample->ip);
	size_t context = contexts_site(pass->contexts, site)->context;
	struct tally *tally = contexts_tally(pass->contexts, context);
	uint64_t base, address = row->sample->address;
	const struct object *object = object_of(pass, space, frame, address, &base);
	struct miss_place *place = places_at(&pass->places[event->level], site, object->id);
	struct met in = { .object = object->id, .site = site, .block = base };

	tally->samples[event->level]++;
	tally->weight[event->level] += pass->sample_weight;
	pass->weight[event->level] += pass->sample_weight;
	tally->writes[event->level] += !!(row->sample->flags & CCS_SAMPLE_STORE);
	tally->both[event->level] += kinds_both(row->sample);
	event->unnamed += !tally->named;
	place->samples++;
	pass_object_tally(pass, object->id)->samples[event->level]++;
	pass_object_tally(pass, object->id)->weight[event->level] += pass->sample_weight;
	if (event->made)
		bursts_miss(pass->bursts, event->level, context);
	row->placed = false;
	row->evictor_count = 0;
	row->number = site;
	if (!pass->options->quick) {
		evidence_sample(pass->evidence, context, in, address);
		if (object->layout && base)
			parts_add(pass->parts, event->level, context, object, address - base);
		row->evictor = kinds_evictor(event, space, row);
	}
	if (stream)
		take_index(pass, stream, place, row);
	event->unresolved += !row->placed;
	row->object = object;
	row->space = space;
	if (pass->options->each)
		give_row(pass, event, contexts_site(pass->contexts, site), tally, row);
}

void pass_batch(struct pass *pass, struct event_totals *event, const struct ccs_samples *batch)
{
	const uint8_t *at = (const uint8_t *)(batch + 1);
	struct miss_row row = { .batch = batch, .level = event->level };
	struct rcd_stream *stream;
	uint32_t i;

	call_frames_batch(&pass->frames, batch);
	use_period(pass, batch);
	stream = begin_batch(pass, event, batch);
	if (!pass->options->quick)
		evidence_batch(pass->evidence, event - pass->events, batch,
				 pass->levels[event->level].cache);
	pass->samples += batch->count;
	for (i = 0; i < batch->count; i++, at += batch->sample_size) {
		row.sample = (const void *)at;
		row.class = kinds_class(event, row.sample);
		kinds_count(event, row.sample);
		row.begins = !(batch->flags & CCS_BATCH_BURST) ||
			      (!i && !ccs_batch_joins(batch->flags));
		take_sample(pass, event, stream, call_frames_of(&pass->frames, i), &row);
	}
}

size_t pass_hits(struct pass *pass, struct event_totals *event, const struct ccs_record *thread,
		 uint64_t ip, const struct rcd_hits *hits)
{
	uint32_t process = thread->process, level = event->level;
	size_t site = contexts_find(pass->contexts, process, spaces_get(pass->spaces, process), ip);
	size_t context = contexts_site(pass->contexts, site)->context;
	struct tally *tally = contexts_tally(pass->contexts, context), *at;
	struct rcd_stream *stream = find_stream(pass, event, thread);
	int status = 0;

	if (event->made && !tally->rcd[level])
		tally->rcd[level] = rcd_context_new(pass->levels[level].rcd);
	if (tally->rcd[level])
		status = rcd_add_hits(stream, tally->rcd[level], hits);
	for (at = tally; !status && at; at = contexts_parent(pass->contexts, at))
		if (at->around[level])
			status = rcd_add_hits(stream, at->around[level], hits);
	if (!status && pass->levels[level].all)
		status = rcd_add_hits(stream, pass->levels[level].all, hits);
	if (status)
		exit(-fail("out of memory for the hits of %s", tally->region.function));
	return context;
}

static void take_samples(void *context, const struct ccs_record *record)
{
	const struct ccs_samples *batch = (const void *)record;
	struct pass *pass = context;
	struct event_totals *event = pass_find_event(pass, batch->event);

	if (event && !entries_ahead(pass, record)) {
		pass_batch(pass, event, batch);
		return;
	}
	call_frames_batch(&pass->frames, batch);
	pass->strays += event ? 0 : batch->count;
}

static void take_saved(void *context, const struct ccs_record *record)
{
	const struct ccs_saved *saved = (const void *)record;
	const struct ccs_saved_hits *hits = (const void *)(saved + 1);
	struct pass *pass = context;
	struct event_totals *event = pass_find_event(pass, saved->event);

	if (!event || !event->classes || !event->level || !pass->levels[event->level].rcd ||
	    entries_ahead(pass, record))
		return;
	for (uint32_t i = 0; i < saved->count; i++)
		pass_hits(pass, event, record, hits[i].ip, &(struct rcd_hits){ hits[i].hits });
}

static void take_burst(void *context, const struct ccs_record *record)
{
	bursts_take(context, (const void *)record);
}

static void take_long_burst(void *context, const struct ccs_record *record)
{
	bursts_take_long(context, (const void *)record);
}

static void take_burst_piece(void *context, const struct ccs_record *record)
{
	bursts_take_piece(context, (const void *)record);
}

static void take_frames(void *context, const struct ccs_record *record)
{
	call_frames_take(&((struct pass *)context)->frames, (const void *)record);
}

static void take_accesses(void *context, const struct ccs_record *record)
{
	const struct ccs_accesses_period *accesses = (const void *)record;
	struct pass *pass = context;

	/* CCS_UNKNOWN is there for the period alone, and 0 then. */
	map_take(&pass->accesses, thread_key(record));
	*map_at(&pass->accesses, thread_key(record)) = accesses->accesses.lines + 1;
	if (record->size >= sizeof(*accesses) && accesses->period)
		*map_at(&pass->periods, thread_key(record)) = accesses->period;
}

static void take_meta(void *context, const struct ccs_record *record)
{
	const struct ccs_meta *meta = (const void *)record;
	struct pass *pass = context;

	if (pass->files <= 1)
		pass_meta(pass, meta);
	pass->has_entries |= meta_is(meta, "entries");
	pass_uncounted(pass, meta);
	recordings_meta(pass, meta);
}

static void take_cache(void *context, const struct ccs_record *record)
{
	pass_cache(context, (const void *)record);
}

static void take_event(void *context, const struct ccs_record *record)
{
	struct pass *pass = context;

	if (!pass->options->caches) {
		pass_event(pass, (const void *)record);
	} else if (!pass->failed) {
		fail("%s holds samples, not references: it answers for the caches that it was "
		     "recorded with; record --source bursts for --D1 and --machine", pass->path);
		pass->failed = true;
	}
}

static void take_counts(void *context, const struct ccs_record *record)
{
	keep_last(&((struct pass *)context)->counts, record, sizeof(struct ccs_counts));
}

static void take_level_counts(void *context, const struct ccs_record *record)
{
	const struct ccs_level_counts *counts = (const void *)record;
	struct pass *pass = context;

	keep_last(&pass->outer_counts[counts->level], record, sizeof(*counts));
}

/* Ranks run at the same time: the longest counts, and the work of all. */
static void take_times(void *context, const struct ccs_record *record)
{
	const struct ccs_times *times = (const void *)record;
	struct pass *pass = context;
	struct run_times *sum = times->runs ? &pass->baseline : &pass->recorded;

	if (!sum->known || times->runs < sum->runs)
		sum->runs = times->runs;
	sum->known = true;
	if (times->wall_ns > sum->wall_ns)
		sum->wall_ns = times->wall_ns;
	sum->user_ns += times->user_ns;
	sum->system_ns += times->system_ns;
}

static void take_lost(void *context, const struct ccs_record *record)
{
	const struct ccs_lost *lost = (const void *)record;
	struct pass *pass = context;

	if (lost->kind < PASS_LOST_KINDS)
		pass->lost[lost->kind] += lost->count;
}

static void take_unsupported(void *context, const struct ccs_record *record)
{
	struct pass *pass = context;

	pass->unsupported++;
	pass->unsupported_ip = ((const struct ccs_unsupported *)record)->ip;
}

static void take_end(void *context, const struct ccs_record *record)
{
	const struct ccs_end *end = (const void *)record;
	struct pass *pass = context;

	if (end->duration_ns > pass->duration_ns)
		pass->duration_ns = end->duration_ns;
}

/* Files of one format, but of other commands: they have no misses to report. */
static void take_stranger(void *context, const struct ccs_record *record)
{
	struct pass *pass = context;

	if (!pass->failed)
		fail(record->type == CCS_REFERENCES ?
		     "%s is a trace, not a recording: ccsample analyze reads it" :
		     "%s is a simulation, not a recording: ccsample sim -i reads it", pass->path);
	pass->failed = true;
}

static void take_other(void *context, const struct ccs_record *record)
{
	struct pass *pass = context;

	if (record->type == CCS_PROCESS) {
		pass->processes++;
		*map_at(&pass->pids, record->process) = ((const struct ccs_process *)record)->pid;
		entries_process(pass, (const void *)record);
	}
	spaces_replay(pass->spaces, record);
}

/* A recording of unknown size (a pipe) has no position. */
static int after(void *context, const struct recording *recording)
{
	double position = recording_position(recording);
	struct pass *pass = context;

	if (pass->failed)
		return -1;
	if (pass->refused || ++pass->records & 255 || pass->options->following || !progress_due())
		return pass->refused ? -1 : 0;
	if (position < 0)
		progress("reading %s: %" PRIu64 " samples", pass->path, pass->samples);
	else
		progress("reading %s: %.0f%%, %" PRIu64 " samples%s", pass->path, 100 * position,
			 pass->samples, progress_left(position));
	return 0;
}

static int read_by(struct pass *pass, const char *path, const struct record_consumer *consumer,
		   void (*end)(struct pass *pass, const struct recording *recording))
{
	struct recording *recording = recording_open(path);
	struct follow follow;

	if (!recording)
		return -1;
	if (pass->options->following)
		follow_begin(&follow, pass, recording);
	pass->path = path;
	recordings_begin(pass, path);
	if (!recording_pass(recording, consumer, pass) && end)
		end(pass, recording);
	recording_close(recording);
	return pass->refused || pass->failed ? -1 : 0;
}

int pass_head(struct pass *pass, const char *path)
{
	static const struct record_consumer consumer = {
		.take = {
			[CCS_META] = take_meta, [CCS_CACHE] = take_cache, [CCS_EVENT] = take_event,
		},
		.after = after,
	};

	return read_by(pass, path, &consumer, NULL);
}

int pass_read(struct pass *pass, const char *path)
{
	static const struct record_consumer consumer = {
		.take = {
			[CCS_META] = take_meta, [CCS_CACHE] = take_cache, [CCS_EVENT] = take_event,
			[CCS_SAMPLES] = take_samples, [CCS_FRAMES] = take_frames,
			[CCS_SAVED] = take_saved, [CCS_ENTRY] = entries_take, [CCS_END] = take_end,
			[CCS_CLASS_COUNTS] = counted_take, [CCS_BURST_PIECE] = take_burst_piece,
			[CCS_ACCESSES] = take_accesses, [CCS_COUNTS] = take_counts,
			[CCS_LEVEL_COUNTS] = take_level_counts, [CCS_LOST] = take_lost,
			[CCS_UNSUPPORTED] = take_unsupported, [CCS_TIMES] = take_times,
			[CCS_BURST] = take_burst, [CCS_LONG_BURST] = take_long_burst,
			[CCS_REFERENCES] = take_stranger, [CCS_SIM_SITE] = take_stranger,
			[CCS_SIM_RUN] = take_stranger,
		},
		.other = take_other, .after = after,
	};

	return read_by(pass, path, &consumer, recordings_end);
}
