// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "format/pass.h"
#include "import/neighbours.h"
#include "import/take.h"
#include "tracing/traced.h"

#define SPACE_BITS	58	/* of an address; what lies above is changed by whose it is */

struct neighbour {
	const char *path;
	pid_t reader;
	FILE *references;	/* what the reader writes */
	struct simulation *simulation;
	uint64_t space;
};

struct neighbours {
	struct neighbour *all;
	size_t count;
};

/* ---- in the reader ---- */

struct reader {
	FILE *out;
	uint64_t ip;		/* of the latest instruction of a ccsample trace */
	bool loaded;		/* its latest reference is a load */
	bool any;
};

static int put(struct reader *reader, const struct reference *reference)
{
	reader->any |= reference->kind != REFERENCE_FETCH;
	return fwrite(reference, sizeof(*reference), 1, reader->out) == 1 ? 0 : -1;
}

static int put_traced(void *context, uint64_t thread, uint64_t ip, uint64_t address, uint32_t size,
		      bool store)
{
	struct reader *reader = context;
	struct reference fetch = { ip, 1, REFERENCE_FETCH };
	struct reference reference = { address, size, store ? REFERENCE_STORE : REFERENCE_LOAD };

	if ((ip != reader->ip || !store || !reader->loaded) && put(reader, &fetch))
		return -1;
	reader->ip = ip;
	reader->loaded = !store;
	return put(reader, &reference);
}

static int put_trace(struct reader *reader, const char *path, const char *format)
{
	struct trace *trace = trace_open(path, format);
	struct reference batch[256];
	long count = -1, i;

	while (trace && (count = trace_read(trace, batch, 256)) > 0)
		for (i = 0; i < count; i++)
			if (put(reader, &batch[i]))
				return -1;
	if (trace)
		trace_close(trace);
	return count;
}

#define FOUND_NOTHING	2	/* exit status of a reader that has said nothing */

/* Ends with the pipe, or with the first pass that finds nothing. */
static void read_on(const char *path, const char *format, int to)
{
	struct reader reader = { .out = fdopen(to, "w") };
	int failed = !reader.out;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	do {
		reader.any = false;
		failed |= recording_is(path) ? traced_expand(path, put_traced, &reader) :
			  put_trace(&reader, path, format);
	} while (!failed && reader.any);
	if (reader.out)
		fflush(reader.out);
	_exit(failed ? 1 : FOUND_NOTHING);
}

/* ---- in the simulation ---- */

static int start(struct neighbour *neighbour, const char *format)
{
	int ends[2];

	if (pipe(ends))
		return fail("no pipe for the references of %s: %s", neighbour->path,
			    strerror(errno));
	fflush(NULL);
	neighbour->reader = fork();
	if (!neighbour->reader) {
		close(ends[0]);
		read_on(neighbour->path, format, ends[1]);
	}
	close(ends[1]);
	neighbour->references = fdopen(ends[0], "r");
	return neighbour->reader > 0 && neighbour->references ? 0 :
	       fail("cannot read %s in a process of its own: %s", neighbour->path,
		    strerror(errno));
}

struct neighbours *neighbours_new(char *const *paths, const char *format,
				  const struct hierarchy_plan *plan, struct outer_level *outer)
{
	struct neighbours *neighbours = xcalloc(1, sizeof(*neighbours));
	struct neighbour *neighbour;

	while (paths[neighbours->count])
		neighbours->count++;
	neighbours->all = xcalloc(neighbours->count + 1, sizeof(*neighbours->all));
	for (size_t i = 0; i < neighbours->count; i++) {
		neighbour = &neighbours->all[i];
		neighbour->path = paths[i];
		neighbour->space = (uint64_t)(i + 1) << SPACE_BITS;
		neighbour->simulation = simulation_new(plan, outer);
		if (start(neighbour, format)) {
			neighbours_free(neighbours);
			return NULL;
		}
	}
	return neighbours;
}

/* A reader ends with its pipe, the last one first: later readers hold the pipes of those before. */
void neighbours_free(struct neighbours *neighbours)
{
	for (size_t i = neighbours->count; i--;) {
		struct neighbour *neighbour = &neighbours->all[i];

		if (neighbour->references)
			fclose(neighbour->references);
		if (neighbour->reader > 0)
			waitpid(neighbour->reader, NULL, 0);
		if (neighbour->simulation)
			simulation_free(neighbour->simulation);
	}
	free(neighbours->all);
	free(neighbours);
}

/* Its reader has ended. Return: -1 after one line, which may be the reader's. */
static int ended(struct neighbour *neighbour)
{
	int status;

	waitpid(neighbour->reader, &status, 0);
	neighbour->reader = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
		return -1;
	return fail("%s holds no references that can be simulated", neighbour->path);
}

/* Its instructions have no sites: what they evict is another program's doing. */
static int step(struct neighbour *neighbour)
{
	struct reference reference;

	if (fread(&reference, sizeof(reference), 1, neighbour->references) != 1)
		return ended(neighbour);
	if (reference.kind == REFERENCE_FETCH) {
		neighbour->simulation->instructions++;
		return 0;
	}
	reference.address ^= neighbour->space;
	return import_take(neighbour->simulation, &reference);
}

int neighbours_follow(struct neighbours *neighbours, double cycles)
{
	for (size_t i = 0; i < neighbours->count; i++)
		while (simulation_cycles(neighbours->all[i].simulation) < cycles)
			if (step(&neighbours->all[i]))
				return -1;
	return 0;
}

void neighbours_put(const struct neighbours *neighbours, struct sim_findings *findings)
{
	findings->neighbours = xcalloc(neighbours->count + 1, sizeof(*findings->neighbours));
	for (size_t i = 0; i < neighbours->count; i++) {
		const struct simulation *s = neighbours->all[i].simulation;
		struct sim_neighbour *found = &findings->neighbours[findings->neighbour_count++];

		found->input = neighbours->all[i].path;
		found->references = s->references;
		found->cycles = simulation_cycles(s);
		memcpy(found->outcomes, s->outcomes[CACHE_LEVELS - 1], sizeof(found->outcomes));
	}
}
