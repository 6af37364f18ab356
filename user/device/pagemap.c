// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/map.h"
#include "base/memory.h"
#include "format/format.h"
#include "device/pagemap.h"

#define PAGE_SHIFT	12
#define FRESH_NS	100000000ull
#define PRESENT		(1ull << 63)
#define FRAME		((1ull << 55) - 1)
#define FILES_MAX	256		/* pagemap files held open */

/* Page numbers to frames + 1. */
struct known {
	struct map frames;		/* looked up from process->since on */
	struct map older;		/* what the tenth of a second before knew */
};

struct process {
	int fd;				/* -1 = it has gone, or may not be looked at */
	uint64_t since;			/* ns */
	uint64_t changed;		/* TSC: when its address space became another */
	uint64_t changed_before;	/* ... the time before that */
	struct known now, before;	/* that */
};

struct pagemap {
	struct map processes;		/* pid to struct process * */
	size_t open;
	bool refusal_said;
};

struct pagemap *pagemap_new(void)
{
	return xcalloc(1, sizeof(struct pagemap));
}

static void close_file(struct pagemap *pagemap, struct process *process)
{
	if (process->fd < 0)
		return;
	close(process->fd);
	process->fd = -1;
	pagemap->open--;
}

static void known_free(struct known *known)
{
	map_free(&known->frames);
	map_free(&known->older);
}

static void forget(struct pagemap *pagemap, struct process *process)
{
	close_file(pagemap, process);
	known_free(&process->before);
	process->before = process->now;
	process->now = (struct known){ 0 };
}

static void process_free(void *value)
{
	struct process *process = value;

	if (process->fd >= 0)
		close(process->fd);
	known_free(&process->before);
	known_free(&process->now);
	free(process);
}

void pagemap_free(struct pagemap *pagemap)
{
	map_free_values(&pagemap->processes, process_free);
	free(pagemap);
}

/* Too many at once: the others are opened again when they are asked for. */
static void close_all(struct pagemap *pagemap)
{
	const struct map *map = &pagemap->processes;
	size_t i;

	for (i = 0; map->entries && i <= map->mask; i++)
		if (map->entries[i].value)
			close_file(pagemap, (void *)(uintptr_t)map->entries[i].value);
}

static void open_file(struct pagemap *pagemap, struct process *process, pid_t pid)
{
	char path[64];

	if (pagemap->open >= FILES_MAX)
		close_all(pagemap);
	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)pid);
	process->fd = open(path, O_RDONLY | O_CLOEXEC);
	pagemap->open += process->fd >= 0;
}

static struct process *process_of(struct pagemap *pagemap, pid_t pid)
{
	uint64_t *value = map_at(&pagemap->processes, pid);
	struct process *process;

	if (!*value) {
		process = xcalloc(1, sizeof(*process));
		process->fd = -1;
		*value = (uintptr_t)process;
	}
	return (void *)(uintptr_t)*value;
}

void pagemap_forget(struct pagemap *pagemap, pid_t pid, uint64_t tsc)
{
	struct process *process = process_of(pagemap, pid);

	/* Of two CPUs' marks the later one may be read first. */
	if (tsc <= process->changed)
		return;
	forget(pagemap, process);
	process->changed_before = process->changed;
	process->changed = tsc;
}

/* Return: frame + 1, 0 = unknown. */
static uint64_t look_up(struct pagemap *pagemap, const struct process *process, uint64_t page)
{
	uint64_t entry;

	if (process->fd < 0 || pread(process->fd, &entry, sizeof(entry), page * sizeof(entry)) !=
			       sizeof(entry) || !(entry & PRESENT))
		return 0;
	if (entry & FRAME)
		return (entry & FRAME) + 1;
	if (!pagemap->refusal_said)
		warning("physical addresses are hidden from us (that takes CAP_SYS_ADMIN): "
			"the sets of L2 and L3 samples are unknown");
	pagemap->refusal_said = true;
	return 0;
}

static void age(struct process *process, uint64_t now)
{
	struct known *known = &process->now;
	struct map swap = known->older;

	if (now - process->since <= FRESH_NS)
		return;
	known->older = known->frames;
	known->frames = swap;
	map_clear(&known->frames);
	process->since = now;
}

uint64_t pagemap_physical(struct pagemap *pagemap, pid_t pid, uint64_t tsc, uint64_t address,
			  uint64_t now)
{
	struct process *process = process_of(pagemap, pid);
	bool gone = tsc < process->changed;
	struct known *known = gone ? &process->before : &process->now;
	uint64_t page = address >> PAGE_SHIFT, frame;

	if (tsc < process->changed_before)
		return CCS_UNKNOWN;
	if (process->fd < 0 && !gone)
		open_file(pagemap, process, pid);
	age(process, now);
	frame = map_get(&known->frames, page);
	if (!frame) {
		frame = gone ? 0 : look_up(pagemap, process, page);
		if (!frame)
			frame = map_get(&known->older, page);
		if (frame)
			*map_at(&known->frames, page) = frame;
	}
	if (!frame)
		return CCS_UNKNOWN;
	return (frame - 1) << PAGE_SHIFT | (address & ((1u << PAGE_SHIFT) - 1));
}
