// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocator.h"
#include "base/random.h"
#include "exact.h"

/* --- streams --- */

void stream_read(struct stream *stream, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	FILE *file = fopen(path, "re");
	uint64_t i;

	if (!file || fseek(file, 0, SEEK_END)) {
		perror(path);
		exit(1);
	}
	*stream = (struct stream){ .count = ftell(file) / sizeof(*stream->accesses) };
	snprintf(stream->name, sizeof(stream->name), "%.*s", (int)strcspn(name, "."), name);
	stream->accesses = malloc(stream->count * sizeof(*stream->accesses));
	rewind(file);
	if (fread(stream->accesses, sizeof(*stream->accesses), stream->count,
		  file) != stream->count) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(1);
	}
	fclose(file);
	for (i = 0; i < stream->count; i++)
		stream->instructions += stream->accesses[i].instructions;
}

/* Each page of each program lies somewhere, but for those that chose their sets. */
static uint64_t physical(const struct runner *r, uint64_t line)
{
	const uint64_t mask = (1ull << 56) - 1;

	if (line & LINE_PLACED)
		return (line ^ r->salt << 20) & mask;
	return (random_of(line >> 6 ^ r->salt) << 6 | (line & 63)) & mask;
}

/* --- together --- */

/* Return: the line that was used. */
static uint64_t step(struct runner *r, struct array *array)
{
	const struct access *access = &r->stream->accesses[r->at];
	uint64_t line = physical(r, access->line);
	double cycles = access->instructions * CYCLES_INSTRUCTION + CYCLES_HIT;
	bool hit = stream_use(array, line);

	cycles += hit ? 0 : CYCLES_MISS;
	r->clock += cycles;
	if (r->counting && (r->endless || r->counted < r->stream->count)) {
		r->counted++;
		r->misses += !hit;
		r->counted_clock += cycles;
		r->counted_instructions += access->instructions;
	}
	r->at = (r->at + 1) % r->stream->count;
	r->done++;
	return line;
}

static bool has_counted(const struct runner *r)
{
	return r->counting && (r->endless || r->counted == r->stream->count);
}

static bool has_passed(const struct runner *r)
{
	return r->endless || r->done >= r->stream->count;
}

static bool all(const struct runner *runners, uint32_t count, bool (*which)(const struct runner *r))
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (!which(&runners[i]))
			return false;
	return true;
}

static struct runner *behind(struct runner *runners, uint32_t count)
{
	struct runner *next = runners;
	uint32_t i;

	for (i = 1; i < count; i++)
		next = runners[i].clock < next->clock ? &runners[i] : next;
	return next;
}

void exact_run(const struct cache_geometry *geometry, enum cache_policy policy,
	       struct runner *runners, uint32_t count, struct result *results)
{
	struct array array;
	uint32_t i;

	array_open(&array, geometry, policy, &libc_allocator);
	while (!all(runners, count, has_passed))
		step(behind(runners, count), &array);
	for (i = 0; i < count; i++)
		runners[i].counting = true;
	while (!all(runners, count, has_counted))
		step(behind(runners, count), &array);
	array_close(&array, &libc_allocator);
	for (i = 0; i < count; i++)
		results[i] = (struct result){
			runners[i].counted_instructions / runners[i].counted_clock,
			(double)runners[i].misses / runners[i].counted,
		};
}

double *exact_depths(const struct cache_geometry *geometry, const struct stream *stream)
{
	struct runner r = { .stream = stream, .salt = random_of(1) };
	size_t count = (size_t)geometry->sets * (geometry->ways + 1), i;
	double *counts = calloc(count, sizeof(*counts));
	struct array array;
	struct depths depths;
	uint64_t line;

	array_open(&array, geometry, POLICY_LRU, &libc_allocator);
	depths_open(&depths, geometry, &libc_allocator);
	while (r.done < 2 * stream->count) {
		if (r.done == stream->count)
			depths_forget(&depths);
		line = step(&r, &array);
		depths_access(&depths, array_set(&array, line), line);
	}
	for (i = 0; i < count; i++)
		counts[i] = depths.counts[i];
	depths_close(&depths, &libc_allocator);
	array_close(&array, &libc_allocator);
	return counts;
}
