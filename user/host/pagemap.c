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
#include "host/pagemap.h"

#define PAGE_SHIFT	12
#define FRESH_NS	100000000ull
#define PRESENT		(1ull << 63)
#define FRAME		((1ull << 55) - 1)
#define FILES_MAX	256		/* pagemap files held open */

struct process {
	int fd;				/* -1 = it has gone, or may not be looked at */
	uint64_t since;			/* what is in @frames was looked up from then on */
	struct map frames;		/* page number to frame + 1 */
	struct map older;		/* what the second before knew */
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

static void drop(struct pagemap *pagemap, struct process *process)
{
	close_file(pagemap, process);
	map_free(&process->frames);
	map_free(&process->older);
}

void pagemap_free(struct pagemap *pagemap)
{
	const struct map *map = &pagemap->processes;
	size_t i;

	for (i = 0; map->entries && i <= map->mask; i++) {
		struct process *process = (void *)(uintptr_t)map->entries[i].value;

		if (!process)
			continue;
		drop(pagemap, process);
		free(process);
	}
	map_free(&pagemap->processes);
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
	process = (void *)(uintptr_t)*value;
	if (process->fd < 0)
		open_file(pagemap, process, pid);
	return process;
}

void pagemap_forget(struct pagemap *pagemap, pid_t pid)
{
	struct process *process = (void *)(uintptr_t)map_get(&pagemap->processes, pid);

	if (process)
		drop(pagemap, process);
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

uint64_t pagemap_physical(struct pagemap *pagemap, pid_t pid, uint64_t address, uint64_t now)
{
	struct process *process = process_of(pagemap, pid);
	uint64_t page = address >> PAGE_SHIFT, frame;

	if (now - process->since > FRESH_NS) {
		struct map swap = process->older;

		process->older = process->frames;
		process->frames = swap;
		map_clear(&process->frames);
		process->since = now;
	}
	frame = map_get(&process->frames, page);
	if (!frame) {
		frame = look_up(pagemap, process, page);
		if (!frame)
			frame = map_get(&process->older, page);
		if (frame)
			*map_at(&process->frames, page) = frame;
	}
	if (!frame)
		return CCS_UNKNOWN;
	return (frame - 1) << PAGE_SHIFT | (address & ((1u << PAGE_SHIFT) - 1));
}
