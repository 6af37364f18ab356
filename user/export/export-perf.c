// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording as perf.data, for perf script, perf report, perf mem and what
 * reads those: samples, processes and maps. What perf has no records for (heap
 * blocks, stacks, exact counts, unmaps) is left out, and counted.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "export/export.h"
#include "export/perf-about.h"
#include "format/pass.h"

#define COMM_SIZE	15		/* of a thread's name */
#define IMAGES_MAX	(1u << 24)	/* in a recording that is to be trusted with memory */

/* A process image: its pid, and where its time begins on the clock of all. */
struct image {
	uint32_t pid, ppid;
	uint64_t base;
	uint32_t *threads;		/* but its first: they end with it, no record says when */
	size_t thread_count, thread_room;
};

struct state {
	FILE *out;
	struct perf_bytes bytes;
	struct perf_about about;
	enum perf_kind kind;
	bool begun, failed;
	uint64_t from, records;		/* where records begin, and bytes of them so far */
	uint64_t now;
	struct image *images;
	size_t image_count;
	struct side_event ending;	/* an EXIT, until it is known not to be an exec's */
	uint32_t ending_image;		/* 0 = there is none */
	struct export_perf_totals *totals;
};

/* --- out --- */

static void flush(struct state *state)
{
	if (state->bytes.size &&
	    fwrite(state->bytes.data, state->bytes.size, 1, state->out) != 1)
		state->failed = true;
	state->bytes.size = 0;
}

static enum perf_kind kind_of(FILE *out)
{
	struct stat status;

	return !fstat(fileno(out), &status) && S_ISREG(status.st_mode) && !ftello(out) ?
	       PERF_KIND_FILE : PERF_KIND_PIPE;
}

static void begin(struct state *state)
{
	if (state->begun)
		return;
	state->begun = true;
	perf_write_begin(&state->bytes, &state->about.written, state->kind);
	state->from = state->bytes.size;
	flush(state);
}

static void put_event(struct state *state, const struct side_event *event)
{
	perf_write_side_event(&state->bytes, &state->about.written, event);
}

/* --- processes --- */

static struct image *image_of(struct state *state, uint32_t number)
{
	if (number >= IMAGES_MAX)
		number = 0;		/* of no image */
	state->images = grow_to(state->images, number, &state->image_count,
				sizeof(*state->images));
	return &state->images[number];
}

static uint64_t time_of(struct state *state, const struct image *image, uint64_t time)
{
	time += image->base;
	if (time > state->now)
		state->now = time;
	return time;
}

static void put_endings(struct state *state, const struct image *image)
{
	struct side_event event = state->ending;
	size_t i;

	event.parent = event.parent_thread = image->pid;
	for (i = 0; i < image->thread_count; i++) {
		event.tid = image->threads[i];
		put_event(state, &event);
	}
	put_event(state, &state->ending);
}

/* An exec's EXIT is none to perf, where the process goes on. */
static void settle_ending(struct state *state, bool is_exec)
{
	struct image *image = image_of(state, state->ending_image);

	if (!state->ending_image)
		return;
	if (!is_exec)
		put_endings(state, image);
	free(image->threads);
	image->threads = NULL;
	image->thread_count = image->thread_room = 0;
	state->ending_image = 0;
}

static void take_process(void *context, const struct ccs_record *record)
{
	const struct ccs_process *process = (const void *)record;
	struct state *state = context;
	struct image *image = image_of(state, process->record.process);
	const char *path = (const char *)(process + 1), *name = path;
	struct side_event event = { .pid = process->pid, .tid = process->pid };
	size_t i;

	settle_ending(state, process->cause == CCS_PROCESS_EXEC &&
			     process->parent == state->ending_image);
	free(image->threads);
	*image = (struct image){
		.pid = process->pid, .ppid = process->ppid,
		.base = state->about.own_clocks ? state->now : 0,
	};
	for (i = 0; i < process->path_size; i++)
		if (path[i] == '/')
			name = path + i + 1;
	event.time = time_of(state, image, process->time);
	event.kind = process->cause == CCS_PROCESS_FORK ? SIDE_EVENT_FORK : SIDE_EVENT_EXEC;
	event.parent = event.parent_thread = process->ppid;
	event.name = name;
	event.name_size = path + process->path_size - name;
	if (event.name_size > COMM_SIZE)
		event.name_size = COMM_SIZE;
	put_event(state, &event);
}

static void take_thread(void *context, const struct ccs_record *record)
{
	const struct ccs_thread *thread = (const void *)record;
	struct state *state = context;
	struct image *image = image_of(state, thread->record.process);
	const struct side_event event = {
		.kind = SIDE_EVENT_FORK,
		.time = time_of(state, image, thread->time),
		.pid = image->pid, .tid = thread->record.tid,
		.parent = image->pid, .parent_thread = image->pid,
	};

	if (event.tid == event.pid)
		return;
	put_event(state, &event);
	image->threads = grow(image->threads, image->thread_count, &image->thread_room,
			      sizeof(*image->threads));
	image->threads[image->thread_count++] = event.tid;
}

static void take_map(void *context, const struct ccs_record *record)
{
	const struct ccs_map *map = (const void *)record;
	struct state *state = context;
	struct image *image = image_of(state, map->record.process);
	struct side_event event = {
		.kind = SIDE_EVENT_MAP,
		.time = time_of(state, image, map->time),
		.pid = image->pid,
		.tid = map->record.tid ? map->record.tid : image->pid,
		.start = map->start, .length = map->end - map->start, .offset = map->offset,
		.protection = map->protection,
		.build_id_size = map->build_id_size,
		.name = map->path_size ? (const char *)(map + 1) : "//anon",
		.name_size = map->path_size ? map->path_size : 6,
	};

	memcpy(event.build_id, map->build_id, map->build_id_size);
	put_event(state, &event);
}

static void take_exit(void *context, const struct ccs_record *record)
{
	const struct ccs_exit *ended = (const void *)record;
	struct state *state = context;
	struct image *image = image_of(state, ended->record.process);

	state->ending_image = ended->record.process;
	state->ending = (struct side_event){
		.kind = SIDE_EVENT_EXIT,
		.time = time_of(state, image, ended->time),
		.pid = image->pid, .tid = image->pid,
		.parent = image->ppid, .parent_thread = image->ppid,
	};
}

/* --- samples --- */

static uint64_t source_of(uint32_t level, uint32_t flags)
{
	static const uint64_t levels[] = {
		PERF_MEM_S(LVL, NA), PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, MISS),
		PERF_MEM_S(LVL, L2) | PERF_MEM_S(LVL, MISS),
		PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVL, MISS),
	};

	if (!level)
		return PERF_MEM_S(OP, NA) | levels[0];
	return levels[level] | (flags & CCS_SAMPLE_STORE ? PERF_MEM_S(OP, STORE) :
							  PERF_MEM_S(OP, LOAD));
}

/* A batch's samples stand in equal parts for its events and those before it. */
static uint64_t events_of(const struct ccs_samples *batch, uint64_t period)
{
	uint64_t gap = batch->gap;

	if (gap == CCS_UNKNOWN)
		gap = period;
	return __builtin_add_overflow(batch->events, gap, &gap) ? UINT64_MAX : gap;
}

static void put_samples(struct state *state, const struct ccs_samples *batch, size_t event)
{
	struct image *image = image_of(state, batch->record.process);
	const uint8_t *at = (const uint8_t *)(batch + 1);
	uint64_t events = events_of(batch, state->about.written.events[event].attr.sample_period);
	uint32_t i;

	for (i = 0; i < batch->count; i++, at += batch->sample_size) {
		const struct ccs_sample *own = (const void *)at;
		const struct perf_sample sample = {
			.ip = own->ip, .address = own->address, .weight = own->weight,
			.pid = batch->pid, .tid = batch->record.tid, .cpu = batch->cpu,
			.time = time_of(state, image, own->time),
			.period = events / batch->count + (i < events % batch->count),
			.physical = own->physical == CCS_UNKNOWN ? 0 : own->physical,
			.data_source = source_of(state->about.levels[event], own->flags),
			.misc = own->flags & CCS_SAMPLE_KERNEL ? PERF_RECORD_MISC_KERNEL :
								 PERF_RECORD_MISC_USER,
		};

		perf_write_sample(&state->bytes, &state->about.written, event, &sample);
	}
	state->totals->samples += batch->count;
}

static void take_samples(void *context, const struct ccs_record *record)
{
	const struct ccs_samples *batch = (const void *)record;
	struct state *state = context;
	size_t event;

	for (event = 0; event < state->about.written.count; event++)
		if (state->about.ids[event] == batch->event)
			break;
	if (event < state->about.written.count)
		put_samples(state, batch, event);
	else
		state->totals->strays += batch->count;
}

static void take_lost(void *context, const struct ccs_record *record)
{
	const struct ccs_lost *lost = (const void *)record;
	struct state *state = context;
	const struct side_event event = { .kind = SIDE_EVENT_LOST_SAMPLES, .count = lost->count };

	if (lost->kind == CCS_LOST_SAMPLES)
		put_event(state, &event);
}

/* --- the way through --- */

static void take_end(void *context, const struct ccs_record *record)
{
}

static void leave_out(void *context, const struct ccs_record *record)
{
	((struct state *)context)->totals->left_out++;
}

static const struct record_consumer body = {
	.take = {
		[CCS_PROCESS] = take_process, [CCS_THREAD] = take_thread, [CCS_MAP] = take_map,
		[CCS_EXIT] = take_exit, [CCS_SAMPLES] = take_samples, [CCS_LOST] = take_lost,
		[CCS_END] = take_end,
	},
	.other = leave_out,
};

/* What is said of events later than their samples is left out. */
static void take(void *context, const struct ccs_record *record)
{
	struct state *state = context;

	if ((state->begun && record->type == CCS_EVENT) ||
	    perf_about_take(&state->about, record) || !state->about.written.count)
		return;
	begin(state);
	if (record->type != CCS_PROCESS)
		settle_ending(state, false);
	record_take(&body, state, record);
	state->records += state->bytes.size;
	flush(state);
}

static int after(void *context, const struct recording *recording)
{
	return ((struct state *)context)->failed ? -1 : 0;
}

static void finish(struct state *state)
{
	begin(state);
	settle_ending(state, false);
	state->records += state->bytes.size;
	flush(state);
	if (state->kind != PERF_KIND_FILE)
		return;
	perf_write_end(&state->bytes, &state->about.written, state->from, state->records);
	flush(state);
	if (fseeko(state->out, 0, SEEK_SET))
		state->failed = true;
	perf_write_head(&state->bytes, &state->about.written, state->records);
	flush(state);
}

static void release(struct state *state)
{
	size_t i;

	for (i = 0; i < state->image_count; i++)
		free(state->images[i].threads);
	free(state->images);
	free(state->bytes.data);
	perf_about_drop(&state->about);
}

void export_perf(FILE *out, struct recording *recording, struct export_perf_totals *totals)
{
	static const struct record_consumer consumer = { .other = take, .after = after };
	struct state *state = xcalloc(1, sizeof(*state));

	*totals = (struct export_perf_totals){ .samples = 0 };
	state->out = out;
	state->kind = kind_of(out);
	state->totals = totals;
	recording_pass(recording, &consumer, state);
	totals->events = state->about.written.count;
	if (totals->events)
		finish(state);
	release(state);
	free(state);
}
