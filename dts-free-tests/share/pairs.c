// SPDX-License-Identifier: GPL-2.0-only
/*
 * pairs OUT.csv STREAM...: every two programs (and each with itself) in one shared cache,
 * simulated exactly and predicted.
 *
 * Each program has a clock: instructions, hits and misses cost cycles; the one whose
 * clock is behind makes the next access. The model sees profiles and speeds of the programs
 * alone, nothing of the simulations that it is compared with.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cache/array.h"
#include "cache/depths.h"
#include "share/groups.h"
#include "share/model.h"
#include "share/shares.h"
#include "streams.h"

#define PROGRAMS_MOST	32
#define GROUPS_MOST	256
#define TOGETHER_MOST	3

struct runner {
	const struct stream *stream;
	uint64_t salt;			/* of its pages */
	uint64_t at, done;		/* accesses in the pass, and in all */
	double clock, counted_clock, counted_instructions;
	uint64_t from, counted, misses;	/* one whole pass is counted, from a moment on */
	bool counting;
};

struct result {
	double ipc, miss_ratio;
};

/* A program alone. */
struct alone {
	struct stream stream;
	struct result result[2];	/* by policy: LRU, PLRU */
	double api;
	double *sets, *distances, *grouped;
};

enum method { RACE, MEAN, BY_SET, SHARES, WITH_IPC, WITH_MISSES, METHODS };

static const char *const method_names[] = {
	"race", "mean", "sets", "shares", "with_ipc", "with_misses",
};

static struct cache_geometry geometry;

static void *get_zeroed(size_t size)
{
	return calloc(1, size);
}

static const struct cache_memory memory = { get_zeroed, free };

/* Each page of each program lies somewhere. */
static uint64_t physical(const struct runner *r, uint64_t line)
{
	return (random_of(line >> 6 ^ r->salt) << 6 | (line & 63)) & ((1ull << 56) - 1);
}

/* --- exact --- */

static bool use(struct array *array, uint64_t line)
{
	uint32_t set = array_set(array, line);

	if (array_use(array, set, line, 0))
		return true;
	array_fill(array, set, line, 0, NULL);
	return false;
}

static void step(struct runner *r, struct array *array, struct depths *depths)
{
	const struct access *access = &r->stream->accesses[r->at];
	uint64_t line = physical(r, access->line);
	double cycles = access->instructions * CYCLES_INSTRUCTION + CYCLES_HIT;
	bool hit = use(array, line);

	cycles += hit ? 0 : CYCLES_MISS;
	r->clock += cycles;
	if (r->counting && r->counted < r->stream->count) {
		r->counted++;
		r->misses += !hit;
		r->counted_clock += cycles;
		r->counted_instructions += access->instructions;
	}
	if (depths)
		depths_access(depths, array_set(array, line), line);
	r->at = (r->at + 1) % r->stream->count;
	r->done++;
}

/* Until each has made a whole pass once all have made one. */
static void run(struct runner *runners, uint32_t count, struct array *array, struct result *results)
{
	uint32_t i, next, ready;
	bool counting = false;

	for (;;) {
		ready = 0;
		for (i = 0, next = 0; i < count; i++) {
			next = runners[i].clock < runners[next].clock ? i : next;
			ready += counting ? runners[i].counted == runners[i].stream->count :
				 runners[i].done >= runners[i].stream->count;
		}
		if (ready == count && counting)
			break;
		if (ready == count)
			for (i = 0, counting = true; i < count; i++)
				runners[i].counting = true;
		step(&runners[next], array, NULL);
	}
	for (i = 0; i < count; i++)
		results[i] = (struct result){
			runners[i].counted_instructions / runners[i].counted_clock,
			(double)runners[i].misses / runners[i].counted,
		};
}

static void simulate(struct alone *const *who, uint32_t count, enum cache_policy policy,
		     struct result *results)
{
	struct runner runners[TOGETHER_MOST];
	struct array array;
	uint32_t i;

	array_open(&array, &geometry, policy, NULL, &memory);
	for (i = 0; i < count; i++)
		runners[i] = (struct runner){ .stream = &who[i]->stream, .salt = random_of(i + 1) };
	run(runners, count, &array, results);
	array_close(&array, &memory);
}

/* The profile of a second pass, in LRU stacks. */
static void measure(struct alone *alone)
{
	struct runner r = { .stream = &alone->stream, .salt = random_of(1) };
	size_t count = (size_t)geometry.sets * (geometry.ways + 1), i;
	struct array array;
	struct depths depths;

	array_open(&array, &geometry, POLICY_LRU, NULL, &memory);
	depths_open(&depths, &geometry, &memory);
	while (r.done < 2 * alone->stream.count) {
		if (r.done == alone->stream.count)
			depths_forget(&depths);
		step(&r, &array, &depths);
	}
	alone->sets = calloc(count, sizeof(double));
	alone->distances = calloc(geometry.ways + 1, sizeof(double));
	for (i = 0; i < count; i++) {
		alone->sets[i] = depths.counts[i];
		alone->distances[i % (geometry.ways + 1)] += depths.counts[i];
	}
	depths_close(&depths, &memory);
	array_close(&array, &memory);
}

/* --- predicted --- */

static void from_model(const struct share_plan *plan, struct result *results)
{
	struct share_outcome outcome[TOGETHER_MOST];
	const char *trouble;
	struct share *share = share_new(plan, &trouble);
	uint32_t i;

	if (!share) {
		fprintf(stderr, "pairs: %s\n", trouble);
		exit(1);
	}
	if (!share_solve(share, outcome).stable)
		fprintf(stderr, "pairs: speeds did not settle\n");
	for (i = 0; i < plan->programs; i++)
		results[i] = (struct result){ outcome[i].ipc, outcome[i].miss_ratio };
	share_free(share);
}

static void with_true_speed(const struct share_plan *plan, const struct result *exact,
			    struct result *results)
{
	struct share_outcome outcome[TOGETHER_MOST];
	double speed[TOGETHER_MOST];
	const char *trouble;
	struct share *share = share_new(plan, &trouble);
	uint32_t i;

	for (i = 0; i < plan->programs; i++)
		speed[i] = exact[i].ipc;
	share_at(share, speed, outcome);
	for (i = 0; i < plan->programs; i++)
		results[i] = (struct result){ outcome[i].ipc, outcome[i].miss_ratio };
	share_free(share);
}

/* Groups of sets of these programs; their pages differ when they run together. */
static uint32_t group(struct alone *const *who, uint32_t count)
{
	uint32_t *groups_of = calloc(geometry.sets, sizeof(*groups_of)), groups, i;
	const double *sets[TOGETHER_MOST];

	for (i = 0; i < count; i++)
		sets[i] = who[i]->sets;
	groups = groups_of_sets(sets, count, geometry.sets, geometry.ways, GROUPS_MOST, groups_of);
	for (i = 0; i < count; i++) {
		free(who[i]->grouped);
		who[i]->grouped = calloc((size_t)groups * (geometry.ways + 1), sizeof(double));
		groups_profile(who[i]->sets, geometry.sets, geometry.ways, groups_of, groups,
			       who[i]->grouped);
	}
	free(groups_of);
	return groups;
}

static void predict(struct alone *const *who, uint32_t count, uint32_t policy,
		    const struct result *exact, struct result (*results)[TOGETHER_MOST])
{
	struct share_program programs[TOGETHER_MOST];
	struct steady_share steady[TOGETHER_MOST];
	struct share_plan plan = { geometry.ways, 1, count, REUSE_RACE, programs };
	uint32_t i;

	for (i = 0; i < count; i++)
		programs[i] = (struct share_program){ who[i]->distances, who[i]->api,
						      who[i]->result[policy].ipc, CYCLES_MISS };
	from_model(&plan, results[RACE]);
	with_true_speed(&plan, exact, results[WITH_IPC]);
	shares_solve(&plan, steady);
	for (i = 0; i < count; i++) {
		results[SHARES][i] = (struct result){ steady[i].ipc, steady[i].miss_ratio };
		results[WITH_MISSES][i] = (struct result){
			share_speed(&programs[i], who[i]->result[policy].miss_ratio,
				    exact[i].miss_ratio), exact[i].miss_ratio,
		};
	}
	plan.reuse = REUSE_MEAN;
	from_model(&plan, results[MEAN]);
	plan.reuse = REUSE_RACE;
	plan.groups = group(who, count);
	for (i = 0; i < count; i++)
		programs[i].distances = who[i]->grouped;
	from_model(&plan, results[BY_SET]);
}

/* --- the table --- */

/* All names but one, a + between. */
static void write_others(FILE *out, struct alone *const *who, uint32_t count, uint32_t self)
{
	const char *before = "";
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (i == self)
			continue;
		fprintf(out, "%s%s", before, who[i]->stream.name);
		before = "+";
	}
}

static void write_rows(FILE *out, struct alone *const *who, uint32_t count, const char *policy,
		       uint32_t policy_no, const struct result *exact,
		       struct result (*predicted)[TOGETHER_MOST])
{
	uint32_t i, k;

	for (i = 0; i < count; i++) {
		fprintf(out, "%s,%u,%s,", policy, count, who[i]->stream.name);
		write_others(out, who, count, i);
		fprintf(out, ",%.9g,%.9g,%.9g,%.9g,%.9g", who[i]->api, who[i]->result[policy_no].ipc,
			who[i]->result[policy_no].miss_ratio, exact[i].ipc, exact[i].miss_ratio);
		for (k = 0; k < METHODS; k++)
			fprintf(out, ",%.9g,%.9g", predicted[k][i].ipc, predicted[k][i].miss_ratio);
		fputc('\n', out);
	}
	fflush(out);
}

static void together(FILE *out, struct alone *const *who, uint32_t count, enum cache_policy policy)
{
	uint32_t policy_no = policy == POLICY_PLRU;
	struct result exact[TOGETHER_MOST], predicted[METHODS][TOGETHER_MOST];

	simulate(who, count, policy, exact);
	predict(who, count, policy_no, exact, predicted);
	write_rows(out, who, count, policy_no ? "plru" : "lru", policy_no, exact, predicted);
}

static void read_stream(struct stream *stream, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	FILE *file = fopen(path, "re");
	uint64_t i;

	if (!file || fseek(file, 0, SEEK_END)) {
		perror(path);
		exit(1);
	}
	snprintf(stream->name, sizeof(stream->name), "%.*s", (int)strcspn(name, "."), name);
	stream->count = ftell(file) / sizeof(*stream->accesses);
	stream->accesses = malloc(stream->count * sizeof(*stream->accesses));
	rewind(file);
	if (fread(stream->accesses, sizeof(*stream->accesses), stream->count, file) != stream->count)
		exit(1);
	fclose(file);
	for (i = 0; i < stream->count; i++)
		stream->instructions += stream->accesses[i].instructions;
}

static void prepare(struct alone *alone, const char *path)
{
	read_stream(&alone->stream, path);
	measure(alone);
	simulate(&alone, 1, POLICY_LRU, &alone->result[0]);
	simulate(&alone, 1, POLICY_PLRU, &alone->result[1]);
	alone->api = alone->stream.count / alone->stream.instructions;
	printf("%-16s %8llu accesses, %6.2f in 1000 instructions, %5.1f%% miss, IPC %.3f\n",
	       alone->stream.name, (unsigned long long)alone->stream.count, 1000 * alone->api,
	       100 * alone->result[0].miss_ratio, alone->result[0].ipc);
	fflush(stdout);
}

static void header(FILE *out)
{
	uint32_t k;

	fputs("policy,programs,program,others,api,ipc_alone,miss_ratio_alone,ipc,miss_ratio", out);
	for (k = 0; k < METHODS; k++)
		fprintf(out, ",ipc_%s,miss_ratio_%s", method_names[k], method_names[k]);
	fputc('\n', out);
}

int main(int argc, char **argv)
{
	static struct alone alone[PROGRAMS_MOST];
	uint32_t count = argc > 2 ? argc - 2 : 0, a, b, c;
	FILE *out;

	if (!count || count > PROGRAMS_MOST || cache_geometry_parse(&geometry, SHARED_GEOMETRY))
		return 2;
	out = fopen(argv[1], "we");
	if (!out)
		return 1;
	header(out);
	for (a = 0; a < count; a++)
		prepare(&alone[a], argv[a + 2]);
	for (a = 0; a < count; a++)
		for (b = a; b < count; b++) {
			struct alone *who[] = { &alone[a], &alone[b] };

			together(out, who, 2, POLICY_LRU);
			together(out, who, 2, POLICY_PLRU);
		}
	for (a = 0; a + 2 < count; a += 2)
		for (b = a + 1, c = a + 2; c < count; b += 2, c += 2) {
			struct alone *who[] = { &alone[a], &alone[b], &alone[c] };

			together(out, who, 3, POLICY_LRU);
		}
	return fclose(out) != 0;
}
