// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is mapped in a process that has no library of ours: the records of it, applied page by page,
 * give what /proc says, however the process changes its maps between two looks. Of one with very
 * many maps the looks are few.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "base/clock.h"
#include "base/random.h"
#include "record/processes.h"
#include "tap.h"

#define SEED	20261128u
#define PAGE	4096ul
#define PAGES	20000u
#define ROUNDS	40
#define CHANGES	200
#define LOOK_NS	1000000000ull		/* longer than between any two looks at few maps */

enum { NOT_MAPPED = 8 };		/* beside CCS_MAP_* */

static char *pages;
static uint8_t reported[PAGES];
static uint64_t last_time, out_of_order, maps, exits;
static int to_child[2], from_child[2];

/* --- the process --- */

static void change(uint64_t *state)
{
	static const int protections[] = { PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE };
	uint32_t at = random_below(state, PAGES), size = 1 + random_below(state, 50);
	int protection = protections[random_below(state, 3)];

	if (size > PAGES - at)
		size = PAGES - at;
	if (random_below(state, 3))
		mmap(pages + at * PAGE, size * PAGE, protection,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	else
		munmap(pages + at * PAGE, size * PAGE);
}

static void alternate(void)
{
	uint32_t i;

	mmap(pages, PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	for (i = 0; i < PAGES; i += 2)
		mprotect(pages + i * PAGE, PAGE, PROT_NONE);
}

static void child(void)
{
	uint64_t state = SEED;
	char order;
	int i;

	while (read(to_child[0], &order, 1) == 1) {
		if (order == 'a')
			alternate();
		for (i = 0; order == 'c' && i < CHANGES; i++)
			change(&state);
		if (write(from_child[1], &order, 1) != 1)
			break;
	}
	_exit(0);
}

static void tell(char order)
{
	if (write(to_child[1], &order, 1) != 1 || read(from_child[0], &order, 1) != 1)
		abort();
}

/* --- what is reported --- */

static void set(uint64_t start, uint64_t end, uint8_t what)
{
	uint64_t low = (uintptr_t)pages, at;

	for (at = start; at < end; at += PAGE)
		if (at - low < PAGES * PAGE)
			reported[(at - low) / PAGE] = what;
}

static void take(void *context, const struct ccs_record *record)
{
	const struct ccs_map *map = (const void *)record;
	const struct ccs_unmap *unmap = (const void *)record;

	exits += record->type == CCS_EXIT;
	if (record->type != CCS_MAP && record->type != CCS_UNMAP)
		return;
	maps += record->type == CCS_MAP;
	out_of_order += unmap->time < last_time;
	last_time = unmap->time;
	if (record->type == CCS_MAP)
		set(map->start, map->end, map->protection);
	else
		set(unmap->start, unmap->end, NOT_MAPPED);
}

/* Return: pages of which the records say something else than /proc. */
static uint32_t differ(pid_t pid)
{
	static uint8_t there[PAGES], records[PAGES];
	uint32_t i, wrong = 0;
	uint64_t start, end;
	char path[64], mode[5], *line = NULL;
	size_t room = 0;
	FILE *file;

	memcpy(records, reported, sizeof(records));
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	memset(reported, NOT_MAPPED, sizeof(reported));
	file = fopen(path, "r");
	while (file && getline(&line, &room, file) > 0)
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &start, &end, mode) == 3 &&
		    start < (uintptr_t)pages + PAGES * PAGE && end > (uintptr_t)pages)
			set(start, end, (mode[0] == 'r' ? CCS_MAP_READ : 0) |
					(mode[1] == 'w' ? CCS_MAP_WRITE : 0) |
					(mode[2] == 'x' ? CCS_MAP_EXEC : 0));
	free(line);
	if (!file)
		abort();
	fclose(file);
	memcpy(there, reported, sizeof(there));
	memcpy(reported, records, sizeof(records));
	for (i = 0; i < PAGES; i++)
		wrong += there[i] != reported[i];
	return wrong;
}

static void look(struct processes *processes, uint64_t now, bool last)
{
	processes_look(processes, __rdtsc(), now, last);
	processes_take(processes, __rdtsc());
}

/* --- tests --- */

static void test_changes(struct processes *processes, pid_t pid)
{
	uint32_t wrong = 0;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		tell('c');
		look(processes, now_ns(), true);
		wrong += differ(pid);
	}
	ok(!wrong, "random changes: %u pages differ (seed %u)", wrong, SEED);
	ok(maps > ROUNDS, "there were some: %" PRIu64, maps);
}

static void test_many(struct processes *processes, pid_t pid)
{
	uint64_t before;

	tell('a');
	look(processes, now_ns(), true);
	ok(!differ(pid), "%u maps", PAGES);
	before = maps;
	tell('c');
	look(processes, now_ns() + LOOK_NS, false);
	ok(maps == before, "so many are not read again at once");
	processes_refresh(processes, __rdtsc());
	processes_take(processes, __rdtsc());
	ok(maps == before, "nor for a burst");
	look(processes, now_ns(), true);
	ok(!differ(pid), "but at the end");
	ok(!out_of_order, "all records are in the order of their times");
	processes_take(processes, CCS_UNKNOWN);
	ok(!exits, "none says that it has ended");
}

int main(void)
{
	const struct images_listener listener = { .take = take };
	struct images *images = images_new(NULL, &listener);
	struct processes *processes;
	pid_t pid;

	pages = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED || pipe(to_child) || pipe(from_child))
		abort();
	pid = fork();
	if (!pid)
		child();
	processes = processes_new(images, NULL, 0);
	processes_add(processes, pid, __rdtsc());
	processes_take(processes, __rdtsc());
	ok(!differ(pid), "as it is at first");
	test_changes(processes, pid);
	test_many(processes, pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	processes_free(processes);
	images_free(images);
	return done();
}
