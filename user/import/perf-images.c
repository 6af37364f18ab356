// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/perf-images.h"

#define KERNEL_PID	UINT32_MAX	/* maps of the kernel and its modules */

static struct perf_image *image_at(struct perf_images *images, uint32_t number)
{
	return &images->all[number - 1];
}

static uint32_t living(const struct perf_images *images, uint32_t pid)
{
	uint32_t number = timeline_latest(&images->timeline, pid);

	return number && !images->all[number - 1].ended ? number : 0;
}

/* What waited for PROCESS follows it. */
static void let_go(struct perf_images *images, struct perf_image *image)
{
	size_t i;

	for (i = 0; i < image->map_count; i++) {
		recording_write(images->writer, &image->maps[i]->record);
		free(image->maps[i]);
	}
	free(image->maps);
	free(image->name);
	image->maps = NULL;
	image->map_count = 0;
	image->name = NULL;
}

static void write_process(struct perf_images *images, uint32_t number, const char *path,
			  size_t size)
{
	struct perf_image *image = image_at(images, number);
	size_t whole = (sizeof(struct ccs_process) + size + 7) & ~(size_t)7;
	struct ccs_process *process;

	if (image->written)
		return;
	process = xcalloc(1, whole);
	*process = (struct ccs_process){
		.record = {
			.size = whole, .type = CCS_PROCESS,
			.process = number, .tid = image->pid,
		},
		.time = image->time,
		.pid = image->pid,
		.ppid = image->ppid,
		.parent = image->parent,
		.cause = image->cause,
		.path_size = size,
	};
	memcpy(process + 1, path, size);
	recording_write(images->writer, &process->record);
	free(process);
	image->written = true;
	let_go(images, image);
}

/* By its thread's name, where its executable did not show. */
static void settle(struct perf_images *images, uint32_t number)
{
	const char *name = image_at(images, number)->name;

	write_process(images, number, name ? name : "", name ? strlen(name) : 0);
}

static void end_image(struct perf_images *images, uint32_t number, uint64_t time)
{
	struct ccs_exit end = {
		.record = { .size = sizeof(end), .type = CCS_EXIT, .process = number },
		.time = time,
		.status = ~0u,
	};

	settle(images, number);
	images->settle(images->context, number);
	recording_write(images->writer, &end.record);
	image_at(images, number)->ended = true;
}

/* What a pid was before ends here. */
static uint32_t begin_image(struct perf_images *images, const struct perf_image *image)
{
	uint32_t before = living(images, image->pid);

	if (before)
		end_image(images, before, image->time);
	images->all = grow(images->all, images->count, &images->room, sizeof(*images->all));
	images->all[images->count++] = *image;
	timeline_add(&images->timeline, image->pid, image->time, images->count);
	return images->count;
}

static uint32_t find_or_begin(struct perf_images *images, uint32_t pid, uint64_t time)
{
	const struct perf_image image = {
		.pid = pid, .threads = 1, .time = time, .cause = CCS_PROCESS_START,
	};
	uint32_t number = living(images, pid);

	return number ? number : begin_image(images, &image);
}

uint32_t perf_images_of(struct perf_images *images, uint32_t pid, uint64_t time)
{
	uint32_t number = find_or_begin(images, pid, time);

	settle(images, number);
	return number;
}

/* --- maps --- */

/* The kernel's words for memory without a file. */
static bool is_anonymous(const struct side_event *side)
{
	return side->name_size >= 2 && !memcmp(side->name, "//", 2);
}

/* The first file that a new image maps is its executable. */
static bool is_file(const struct side_event *side)
{
	return side->name_size && *side->name == '/' && !is_anonymous(side);
}

static void fill_build_id(struct perf_images *images, const struct side_event *side,
			  struct ccs_map *map)
{
	const struct perf_build_id *known;

	map->build_id_size = side->build_id_size;
	memcpy(map->build_id, side->build_id, side->build_id_size);
	if (map->build_id_size || !map->path_size)
		return;
	known = perf_facts_find(images->facts, side->name, side->name_size);
	if (!known)
		return;
	map->build_id_size = known->size;
	memcpy(map->build_id, known->bytes, known->size);
}

static void put_map(struct perf_images *images, uint32_t number, struct ccs_map *map)
{
	struct perf_image *image = image_at(images, number);

	if (!image->written) {
		image->maps = grow(image->maps, image->map_count, &image->map_room,
				   sizeof(*image->maps));
		image->maps[image->map_count++] = map;
		return;
	}
	images->settle(images->context, number);
	recording_write(images->writer, &map->record);
	free(map);
}

static void write_map(struct perf_images *images, uint32_t number, const struct side_event *side)
{
	size_t size = is_anonymous(side) ? 0 : side->name_size;
	size_t whole = (sizeof(struct ccs_map) + size + 7) & ~(size_t)7;
	struct ccs_map *map;

	if (side->start + side->length < side->start || whole > CCS_RECORD_MAX) {
		images->bad++;
		return;
	}
	map = xcalloc(1, whole);
	*map = (struct ccs_map){
		.record = { .size = whole, .type = CCS_MAP, .process = number, .tid = side->tid },
		.time = side->time,
		.start = side->start,
		.end = side->start + side->length,
		.offset = side->offset,
		.protection = side->protection & (CCS_MAP_READ | CCS_MAP_WRITE | CCS_MAP_EXEC),
		.path_size = size,
	};
	fill_build_id(images, side, map);
	memcpy(map + 1, side->name, size);
	put_map(images, number, map);
}

static void take_map(struct perf_images *images, const struct side_event *side)
{
	uint32_t number;

	if (side->kernel || side->pid == KERNEL_PID)
		return;
	number = find_or_begin(images, side->pid, side->time);
	if (is_file(side))
		write_process(images, number, side->name, side->name_size);
	write_map(images, number, side);
}

/* --- processes and threads --- */

static void take_name(struct perf_images *images, const struct side_event *side)
{
	struct perf_image *image = image_at(images, find_or_begin(images, side->pid, side->time));

	if (image->written || side->tid != side->pid)
		return;
	free(image->name);
	image->name = xstrndup(side->name, side->name_size);
}

static void take_exec(struct perf_images *images, const struct side_event *side)
{
	uint32_t before = living(images, side->pid);
	const struct perf_image image = {
		.pid = side->pid,
		.ppid = before ? image_at(images, before)->ppid : 0,
		.threads = 1,
		.parent = before,
		.cause = before ? CCS_PROCESS_EXEC : CCS_PROCESS_START,
		.time = side->time,
		.name = xstrndup(side->name, side->name_size),
	};

	begin_image(images, &image);
}

static void write_thread(struct perf_images *images, uint32_t number, const struct side_event *side)
{
	const struct ccs_thread thread = {
		.record = {
			.size = sizeof(thread), .type = CCS_THREAD,
			.process = number, .tid = side->tid,
		},
		.time = side->time,
		.stack_low = CCS_UNKNOWN,
		.stack_high = CCS_UNKNOWN,
	};

	settle(images, number);
	images->settle(images->context, number);
	recording_write(images->writer, &thread.record);
}

/* A process that perf found running when it began is reported as a fork that was an exec. */
static void take_fork(struct perf_images *images, const struct side_event *side)
{
	bool thread = side->pid == side->parent;
	uint32_t parent = living(images, side->parent), number;
	const struct perf_image image = {
		.pid = side->pid,
		.ppid = side->parent,
		.threads = 1,
		.parent = side->found ? 0 : parent,
		.cause = side->found ? CCS_PROCESS_START : CCS_PROCESS_FORK,
		.time = side->time,
	};

	if (thread) {
		number = find_or_begin(images, side->pid, side->time);
		image_at(images, number)->threads++;
		write_thread(images, number, side);
		return;
	}
	if (image.parent) {
		settle(images, parent);
		images->settle(images->context, parent);
	}
	number = begin_image(images, &image);
	if (!side->found)
		settle(images, number);
}

static void take_exit(struct perf_images *images, const struct side_event *side)
{
	uint32_t number = living(images, side->pid);

	if (number && !--image_at(images, number)->threads)
		end_image(images, number, side->time);
}

void perf_images_side_event(struct perf_images *images, const struct side_event *side)
{
	switch (side->kind) {
	case SIDE_EVENT_MAP:
		take_map(images, side);
		break;
	case SIDE_EVENT_NAME:
		take_name(images, side);
		break;
	case SIDE_EVENT_EXEC:
		take_exec(images, side);
		break;
	case SIDE_EVENT_FORK:
		take_fork(images, side);
		break;
	case SIDE_EVENT_EXIT:
		take_exit(images, side);
		break;
	default:
		break;
	}
}

void perf_images_end(struct perf_images *images)
{
	size_t i;

	for (i = 0; i < images->count; i++)
		settle(images, i + 1);
	free(images->all);
	timeline_free(&images->timeline);
}
