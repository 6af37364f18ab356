// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/await-child.h"
#include "base/clock.h"
#include "base/cpu-list.h"
#include "base/fail.h"
#include "sharing/co-run.h"
#include "host/counters.h"
#include "sharing/walk.h"

#define CANNOT_RUN	127	/* as of a shell */
#define LATENCY_PASSES	4u	/* over all lines, once they were touched */

/* --- where --- */

static bool read_file(char *text, int size, int cpu, int index, const char *name)
{
	char path[128];
	FILE *file;
	bool got;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index,
		 name);
	file = fopen(path, "re");
	got = file && fgets(text, size, file);
	if (file)
		fclose(file);
	return got;
}

/* Who shares a level with a processor, by sysfs. Return: false where it does not say. */
static bool sharers(cpu_set_t *set, int cpu, uint32_t level)
{
	char text[4096];
	int index;

	CPU_ZERO(set);
	for (index = 0; read_file(text, sizeof(text), cpu, index, "type"); index++) {
		if (!strncmp(text, "Instruction", 11) ||
		    !read_file(text, sizeof(text), cpu, index, "level") ||
		    strtoul(text, NULL, 10) != level ||
		    !read_file(text, sizeof(text), cpu, index, "shared_cpu_list"))
			continue;
		text[strcspn(text, "\n")] = 0;
		return !cpus_parse(text, set);
	}
	return false;
}

/* Without sysfs, all of ours are taken. */
int co_run_find(struct co_run_place *place, uint32_t level)
{
	cpu_set_t ours, near;
	int cpu;

	if (sched_getaffinity(0, sizeof(ours), &ours))
		return fail("cannot read the CPUs of this process: %s", strerror(errno));
	for (cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
		if (!CPU_ISSET(cpu, &ours))
			continue;
		place->known = sharers(&near, cpu, level);
		if (!place->known)
			near = ours;
		CPU_AND(&near, &near, &ours);
		if (CPU_COUNT(&near) < 2)
			continue;
		CPU_CLR(cpu, &near);
		place->program = near;
		place->stressmark = cpu;
		return 0;
	}
	return fail("no two CPUs of this process share L%u: a stressmark would have no effect",
		    level);
}

/* --- the stressmark --- */

/* Between it and us. */
struct board {
	volatile bool ready, stop;
	volatile double cpu_ns, accesses;	/* since it was ready */
};

struct occupant {
	struct board *board;
	pid_t pid;
};

/* In the child. */
static int occupy(struct board *board, const struct cache_geometry *cache, uint32_t ways, int cpu,
		  uint32_t passes)
{
	struct walk_end first = { .accesses = (uint64_t)ways * cache->sets };
	struct walk_end end = { .accesses = passes * first.accesses, .stop = &board->stop };
	struct arena arena;
	cpu_set_t set;
	double begun;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || arena_open(&arena, cache, ways))
		return 1;
	walk_occupy(&arena, ways, &first);
	board->ready = true;
	begun = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	board->accesses = walk_occupy(&arena, ways, &end);
	board->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun;
	return 0;
}

/* @passes: then it ends by itself; 0 = it runs until it is stopped */
static int occupant_start(struct occupant *occupant, const struct co_run_place *place,
			  const struct cache_geometry *cache, uint32_t ways, uint32_t passes)
{
	occupant->board = mmap(NULL, sizeof(*occupant->board), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (occupant->board == MAP_FAILED)
		return fail("no memory to talk to the stressmark: %s", strerror(errno));
	fflush(NULL);
	occupant->pid = fork();
	if (!occupant->pid)
		_exit(occupy(occupant->board, cache, ways, place->stressmark, passes));
	if (occupant->pid > 0)
		return 0;
	munmap(occupant->board, sizeof(*occupant->board));
	return fail("cannot start the stressmark: %s", strerror(errno));
}

/* Return: 0, or -1 after one line: it ended instead. */
static int occupant_await(const struct occupant *occupant)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	siginfo_t info;

	while (!occupant->board->ready) {
		info.si_pid = 0;
		if (waitid(P_PID, occupant->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid)
			return occupant->board->ready ? 0 : fail("the stressmark could not run");
		nanosleep(&pause, NULL);
	}
	return 0;
}

/* Waits for its end; @board receives what it did. */
static void occupant_end(struct occupant *occupant, struct board *board)
{
	while (waitpid(occupant->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*board = *occupant->board;
	munmap(occupant->board, sizeof(*occupant->board));
}

/* --- the program --- */

/* In the child, once we have opened the counters. */
static void become(const struct co_run_place *place, char **argv, bool quiet, int go)
{
	int null = open("/dev/null", O_RDWR);
	char byte;

	sched_setaffinity(0, sizeof(place->program), &place->program);
	dup2(null, STDIN_FILENO);
	if (quiet) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	if (read(go, &byte, 1) >= 0)
		execvp(argv[0], argv);
	_exit(CANNOT_RUN);
}

static int await_program(pid_t pid, struct co_run_run *run)
{
	struct rusage usage;

	if (await_child(pid, "the program", &run->status, &usage))
		return -1;
	run->sample.nanoseconds = usage_ns(&usage);
	if (WIFEXITED(run->status) && WEXITSTATUS(run->status) == CANNOT_RUN)
		return fail("the program cannot be run: is that its path?");
	return 0;
}

static int run_program(const struct co_run_place *place, char **argv, bool quiet,
		       struct co_run_run *run)
{
	struct counters counters;
	double counts[COUNTERS];
	int go[2], status;
	bool counted;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC))
		return fail("cannot start %s: %s", argv[0], strerror(errno));
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(go[1]);
		become(place, argv, quiet, go[0]);
	}
	close(go[0]);
	counted = pid > 0 && counters_open(&counters, pid);
	close(go[1]);
	if (pid < 0)
		return fail("cannot start %s: %s", argv[0], strerror(errno));
	status = await_program(pid, run);
	if (counted && counters_read(&counters, counts)) {
		run->sample.cycles = counts[COUNTER_CYCLES];
		run->sample.instructions = counts[COUNTER_INSTRUCTIONS];
		run->sample.accesses = counts[COUNTER_ACCESSES];
		run->sample.misses = counts[COUNTER_MISSES];
	}
	if (counted)
		counters_close(&counters);
	return status;
}

/* --- both --- */

/* While the program's clock ran: each had a processor for some part of it. */
static double overlap(const struct co_run_run *run, const struct board *board, double wall)
{
	double shorter = run->sample.nanoseconds;

	if (board && board->cpu_ns < shorter)
		shorter = board->cpu_ns;
	return wall > 0 && shorter < wall ? shorter / wall : 1;
}

int co_run_run(const struct co_run_place *place, const struct cache_geometry *cache, char **argv,
	       bool quiet, uint32_t ways, struct co_run_run *run)
{
	struct occupant occupant;
	struct board board;
	double begun;
	int status;

	*run = (struct co_run_run){ .sample = { .occupied = ways } };
	if (ways && occupant_start(&occupant, place, cache, ways, 0))
		return -1;
	status = ways ? occupant_await(&occupant) : 0;
	begun = clock_ns(CLOCK_MONOTONIC);
	if (!status)
		status = run_program(place, argv, quiet, run);
	run->overlap = clock_ns(CLOCK_MONOTONIC) - begun;
	if (ways) {
		occupant.board->stop = true;
		occupant_end(&occupant, &board);
		run->sample.stress_ns = board.accesses > 0 ? board.cpu_ns / board.accesses : 0;
	}
	run->overlap = overlap(run, ways ? &board : NULL, run->overlap);
	return status;
}

static int latency_of(const struct co_run_place *place, const struct cache_geometry *cache,
		      uint32_t ways, double *ns)
{
	struct occupant occupant;
	struct board board;

	if (occupant_start(&occupant, place, cache, ways, LATENCY_PASSES))
		return -1;
	occupant_end(&occupant, &board);
	*ns = board.cpu_ns / board.accesses;
	return board.accesses > 0 ? 0 : fail("the stressmark could not run");
}

/* A quarter of the ways: more than the caches inside hold, and the rest is for the neighbours. */
int co_run_latency(const struct co_run_place *place, const struct cache_geometry *cache,
		   struct stressed_latency *latency)
{
	uint32_t few = cache->ways > 4 ? cache->ways / 4 : 1;

	if (latency_of(place, cache, few, &latency->hit) ||
	    latency_of(place, cache, 2 * cache->ways, &latency->miss))
		return -1;
	if (latency->miss > latency->hit)
		return 0;
	return fail("accesses within the cache take no less time (%.1f ns) than beyond it (%.1f "
		    "ns): times show nothing here", latency->hit, latency->miss);
}
