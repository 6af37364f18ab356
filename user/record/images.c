// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/timeline.h"
#include "format/check.h"
#include "format/record-types.h"
#include "host/proc.h"
#include "program/build-id.h"
#include "record/images.h"

#define EXEC_SECONDS	10	/* by then the engine has started again */

struct code_range {
	uint64_t start, end;
	const char *path;		/* in the table of build-ids */
};

enum image_state {
	IMAGE_OPEN,
	IMAGE_CLOSED,			/* without EXIT: see images_settle() */
	IMAGE_SETTLED,
};

struct image {
	uint32_t pid;			/* as the program sees it */
	pid_t peer;			/* as we see it */
	char *program;			/* its path, "" = unknown */
	enum image_state state;
	bool exited;			/* EXIT was written */
	double closed;			/* when, seconds */
	uint64_t time;			/* latest one known, of its own clock */
	uint64_t load_misses, store_misses;
	struct code_range *code;
	size_t code_count, code_room;
};

struct images {
	struct recording_writer *writer;
	const struct images_listener *listener;
	struct ccs_sim_answer answer;
	bool asked;
	struct build_ids *files;
	const struct mapped_file *last_mapped;
	pid_t last_mapper;		/* whose path it was */
	struct image *all;		/* image n is all[n - 1] */
	size_t count, room;
	uint32_t unsettled;
	struct timeline timeline;	/* which image a process was */
	struct images_totals totals;
};

struct images *images_new(struct recording_writer *writer,
			  const struct images_listener *listener)
{
	struct images *images = xcalloc(1, sizeof(*images));

	images->listener = listener;
	images->writer = writer;
	images->files = build_ids_new();
	return images;
}

static void forget_code(struct image *image)
{
	free(image->code);
	image->code = NULL;
	image->code_count = image->code_room = 0;
}

void images_free(struct images *images)
{
	size_t i;

	for (i = 0; i < images->count; i++) {
		forget_code(&images->all[i]);
		free(images->all[i].program);
	}
	free(images->all);
	timeline_free(&images->timeline);
	build_ids_free(images->files);
	free(images);
}

static struct image *image_of(const struct images *images, uint32_t number)
{
	return number ? &images->all[number - 1] : NULL;
}

struct images_totals images_totals(const struct images *images)
{
	struct images_totals totals = images->totals;
	size_t i;

	totals.images = images->count;
	for (i = 0; i < images->count; i++) {
		totals.load_misses += images->all[i].load_misses;
		totals.store_misses += images->all[i].store_misses;
	}
	return totals;
}

static void emit(struct images *images, const struct ccs_record *record)
{
	if (images->writer)
		recording_write(images->writer, record);
	if (images->listener)
		images->listener->take(images->listener->context, record);
}

void images_lost(struct images *images, uint32_t image, enum ccs_lost_kind kind, uint64_t count)
{
	struct ccs_lost lost = {
		.record = { .size = sizeof(lost), .type = CCS_LOST, .process = image },
		.kind = kind,
		.count = count,
	};

	emit(images, &lost.record);
	images->totals.lost[kind] += count;
}

/* --- where an image ends --- */

static void write_exit(struct images *images, uint32_t number)
{
	struct ccs_exit end = {
		.record = { .size = sizeof(end), .type = CCS_EXIT, .process = number },
		.time = image_of(images, number)->time,
		.status = ~0u,
	};

	emit(images, &end.record);
}

static void settle(struct images *images, uint32_t number)
{
	struct image *image = image_of(images, number);

	if (image->state == IMAGE_CLOSED)
		images->unsettled--;
	image->state = IMAGE_SETTLED;
	if (!image->exited)
		write_exit(images, number);
	image->exited = true;
	forget_code(image);
}

void images_ended(struct images *images, uint32_t number, uint64_t time)
{
	struct image *image = image_of(images, number);

	if (image->time < time)
		image->time = time;
	settle(images, number);
}

void images_closed(struct images *images, uint32_t number)
{
	struct image *image = image_of(images, number);

	if (image->state != IMAGE_OPEN)
		return;
	if (image->exited) {
		settle(images, number);
		return;
	}
	image->state = IMAGE_CLOSED;
	image->closed = now_seconds();
	images->unsettled++;
}

void images_give_up(struct images *images, uint32_t number)
{
	images_lost(images, number, CCS_LOST_UNRECORDED, 1);
	if (number)
		settle(images, number);
}

uint32_t images_settle(struct images *images, bool last)
{
	uint32_t number;

	for (number = images->count; number && images->unsettled; number--) {
		struct image *image = image_of(images, number);

		if (image->state != IMAGE_CLOSED)
			continue;
		if (proc_is_gone(image->peer))
			images_lost(images, number, CCS_LOST_KILLED, 1);
		else if (last || now_seconds() - image->closed > EXEC_SECONDS)
			images_lost(images, number, CCS_LOST_UNRECORDED, 1);
		else
			continue;
		settle(images, number);
	}
	return images->unsettled;
}

/* --- where an image begins --- */

static uint32_t latest(const struct images *images, uint32_t pid)
{
	return timeline_latest(&images->timeline, pid);
}

static uint32_t origin_of(const struct images *images, const struct ccs_process *process)
{
	uint32_t same = latest(images, process->pid);

	if (process->cause == CCS_PROCESS_FORK)
		return latest(images, process->ppid);
	if (same && !image_of(images, same)->exited)
		return same;
	/* What was spawned calls exec without having been an image. */
	return process->cause == CCS_PROCESS_EXEC && same ? same : latest(images, process->ppid);
}

uint32_t images_at(const struct images *images, pid_t pid, uint64_t time)
{
	return timeline_at(&images->timeline, pid, time);
}

const char *images_program(const struct images *images, pid_t pid)
{
	const struct image *image = image_of(images, latest(images, pid));

	return image ? image->program : "";
}

uint32_t images_origin(const struct images *images, const void *message, size_t size)
{
	const struct ccs_record *record = message;

	if (record_check(record, size) || record->type != CCS_PROCESS)
		return 0;
	return origin_of(images, message);
}

static void copy_code(struct images *images, struct image *to, uint32_t from)
{
	const struct image *parent = image_of(images, from);

	if (!parent || !parent->code_count)
		return;
	to->code = xmalloc(parent->code_count * sizeof(*to->code));
	memcpy(to->code, parent->code, parent->code_count * sizeof(*to->code));
	to->code_count = to->code_room = parent->code_count;
}

static uint32_t begin(struct images *images, struct ccs_process *process, pid_t peer)
{
	uint32_t parent = origin_of(images, process);
	uint32_t same = latest(images, process->pid);
	struct image *image;

	if (same && process->cause != CCS_PROCESS_FORK)
		settle(images, same);
	images->all = grow(images->all, images->count, &images->room, sizeof(*images->all));
	image = &images->all[images->count++];
	*image = (struct image){
		.pid = process->pid,
		.peer = peer,
		.program = xasprintf("%.*s", (int)process->path_size, (char *)(process + 1)),
	};
	if (process->cause == CCS_PROCESS_FORK)
		copy_code(images, image, parent);
	timeline_add(&images->timeline, process->pid, process->time, images->count);
	process->parent = parent;
	return images->count;
}

/* --- records on their way --- */

/* A file's segments come one after another, the first from its beginning: that is looked at. */
static const struct mapped_file *file_of(struct images *images, const struct image *image,
					 const struct ccs_map *map)
{
	const struct mapped_file *last = images->last_mapped;
	const char *path = (const char *)(map + 1);
	char *own, *its;

	if (map->offset && last && images->last_mapper == image->peer &&
	    strlen(last->path) == map->path_size && !memcmp(last->path, path, map->path_size))
		return last;
	own = xasprintf("%.*s", (int)map->path_size, path);
	its = proc_file(image->peer, own);
	images->last_mapped = build_ids_of(images->files, its, strlen(its));
	images->last_mapper = image->peer;
	free(own);
	free(its);
	return images->last_mapped;
}

static void complete_map(struct images *images, struct image *image, struct ccs_map *map)
{
	const struct mapped_file *file;

	if (!map->path_size)
		return;
	file = file_of(images, image, map);
	/* Of a file that its path does not lead us to there are no names: no file has this one. */
	if (!file->build_id_size && strlen(file->path) != map->path_size)
		map->build_id_size = 1;
	if (file->build_id_size) {
		map->build_id_size = file->build_id_size;
		memcpy(map->build_id, file->build_id, sizeof(map->build_id));
	}
	if (!(map->protection & CCS_MAP_EXEC))
		return;
	image->code = grow(image->code, image->code_count, &image->code_room,
			   sizeof(*image->code));
	image->code[image->code_count++] = (struct code_range){ map->start, map->end, file->path };
}

static const char *module_of(const struct image *image, uint64_t ip)
{
	size_t i;

	for (i = image->code_count; i--; )
		if (ip >= image->code[i].start && ip < image->code[i].end)
			return image->code[i].path;
	return "an unnamed mapping";
}

/* One is reported; a program that meets one seldom gets to a second. */
static void say_unsupported(struct images *images, const struct image *image,
			    const struct ccs_unsupported *unsupported)
{
	const uint8_t *b = unsupported->bytes;
	unsigned long long ip = unsupported->ip;
	const char *module = module_of(image, ip);

	if (images->totals.unsupported++)
		return;
	if (b[0] == 0x62)
		warning("process %u executed an AVX-512 instruction at 0x%llx in %s, which the "
			"engine (Valgrind) cannot run: build it with -mno-avx512f, or for "
			"-march=x86-64-v3", image->pid, ip, module);
	else
		warning("process %u executed an instruction (%02x %02x %02x %02x) at 0x%llx in %s, "
			"which the engine (Valgrind) cannot run: build it for -march=x86-64-v3 "
			"or older", image->pid, b[0], b[1], b[2], b[3], ip, module);
}

static void count_samples(struct images *images, const struct ccs_samples *samples)
{
	images->totals.samples += samples->count;
	images->totals.bursts += (samples->flags & CCS_BATCH_BURST) &&
				 !(samples->flags & CCS_BATCH_CONTINUES);
}

/* Asked on the wire, known from the space's records: nothing of it is kept. */
static void ask(struct images *images, const struct ccs_sim_ask *question)
{
	images->asked = true;
	images->answer = (struct ccs_sim_answer){
		.record = { .size = sizeof(images->answer), .type = CCS_SIM_ANSWER,
			    .process = question->record.process },
	};
	if (question->address == CCS_UNKNOWN)
		images->answer.low = images->totals.samples;
	else if (images->listener)
		images->listener->answer(images->listener->context, question, &images->answer);
}

const struct ccs_sim_answer *images_answer(struct images *images)
{
	bool asked = images->asked;

	images->asked = false;
	return asked ? &images->answer : NULL;
}

static void take(struct images *images, struct image *image, struct ccs_record *record)
{
	const struct ccs_counts *counts = (const void *)record;
	const struct ccs_lost *lost = (const void *)record;
	uint64_t time = record_time(record);

	if (image->time < time)
		image->time = time;
	switch (record->type) {
	case CCS_SIM_ASK:
		ask(images, (const void *)record);
		return;
	case CCS_MAP:
		complete_map(images, image, (struct ccs_map *)record);
		break;
	case CCS_SAMPLES:
		count_samples(images, (const void *)record);
		break;
	case CCS_BURST:
		images->totals.bursts += !ccs_burst_is_none((const void *)record);
		images->totals.references += ((const struct ccs_burst *)record)->references;
		break;
	case CCS_REFERENCES:
		images->totals.references += ((const struct ccs_references *)record)->references;
		break;
	case CCS_COUNTS:
		image->load_misses = counts->load_misses;
		image->store_misses = counts->store_misses;
		break;
	case CCS_LOST:
		if (lost->kind < LOST_KINDS)
			images->totals.lost[lost->kind] += lost->count;
		break;
	case CCS_UNSUPPORTED:
		say_unsupported(images, image, (const void *)record);
		break;
	case CCS_EXIT:
		image->exited = true;
		break;
	}
	emit(images, record);
}

static const char *check(const struct ccs_record *record, size_t room, bool first)
{
	const char *wrong = record_check(record, room);
	const struct record_type *type;

	if (wrong)
		return wrong;
	if (first != (record->type == CCS_PROCESS))
		return "not in its place";
	type = record_type_find(record->type);
	if (!type || !type->senders)
		return "none that an engine sends";
	return NULL;
}

int images_message(struct images *images, uint32_t *number, pid_t peer, void *message, size_t size)
{
	size_t at;

	for (at = 0; at < size; ) {
		struct ccs_record *record = message + at;
		const char *wrong = check(record, size - at, !*number);

		if (wrong)
			return fail("process %d sent a record that is %s: is its engine of "
				    "another version? It is not recorded any further",
				    (int)peer, wrong);
		if (!*number)
			*number = begin(images, (struct ccs_process *)record, peer);
		record->process = *number;
		take(images, image_of(images, *number), record);
		at += record->size;
	}
	return 0;
}

void images_record(struct images *images, uint32_t number, struct ccs_record *record)
{
	record->process = number;
	take(images, image_of(images, number), record);
}
