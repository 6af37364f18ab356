// SPDX-License-Identifier: GPL-2.0-only
/*
 * pairs OUT.csv 2|3 STREAM...: every two programs (and each with itself), or some threes, in one
 * shared cache, simulated exactly and predicted.
 *
 * The model sees profiles and speeds of the programs alone, nothing of the simulations that it is
 * compared with.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "exact.h"
#include "share-model/groups.h"
#include "share-model/model.h"
#include "share-model/shares.h"

#define PROGRAMS_MOST	32
#define GROUPS_MOST	256
#define TOGETHER_MOST	3

/* A program alone. */
struct alone {
	struct stream stream;
	struct result result[2];	/* by policy: LRU, PLRU */
	double api;
	double *sets, *distances, *grouped;
};

enum method { RACE, MEAN, BY_SET, SHARES, WITH_IPC, WITH_MISSES, NESTED, METHODS };

static const char *const method_names[] = {
	"race", "mean", "sets", "shares", "with_ipc", "with_misses", "nested",
};

static struct cache_geometry geometry;

/* --- exact --- */

static void simulate(struct alone *const *who, uint32_t count, enum cache_policy policy,
		     struct result *results)
{
	struct runner runners[TOGETHER_MOST];
	uint32_t i;

	for (i = 0; i < count; i++)
		runners[i] = (struct runner){ .stream = &who[i]->stream, .salt = random_of(i + 1) };
	exact_run(&geometry, policy, runners, count, results);
}

static void measure(struct alone *alone)
{
	size_t count = (size_t)geometry.sets * (geometry.ways + 1), i;

	alone->sets = exact_depths(&geometry, &alone->stream);
	alone->distances = calloc(geometry.ways + 1, sizeof(double));
	for (i = 0; i < count; i++)
		alone->distances[i % (geometry.ways + 1)] += alone->sets[i];
}

/* --- predicted --- */

static struct share *open_model(const struct share_plan *plan)
{
	const char *error;
	struct share *share = share_new(plan, &error);

	if (share)
		return share;
	fprintf(stderr, "pairs: %s\n", error);
	exit(1);
}

static void from_model(const struct share_plan *plan, struct result *results)
{
	struct share_outcome outcome[TOGETHER_MOST];
	struct share *share = open_model(plan);
	uint32_t i;

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
	struct share *share = open_model(plan);
	double speed[TOGETHER_MOST];
	uint32_t i;

	for (i = 0; i < plan->programs; i++)
		speed[i] = exact[i].ipc;
	share_at(share, speed, outcome);
	for (i = 0; i < plan->programs; i++)
		results[i] = (struct result){ outcome[i].ipc, outcome[i].miss_ratio };
	share_free(share);
}

/* The others are combined first, then each is one of two. */
static void nested(const struct share_plan *plan, struct result *results)
{
	struct share_program others[TOGETHER_MOST], pair[2];
	struct share_plan inner = *plan, outer = *plan;
	struct share_outcome outcome[TOGETHER_MOST];
	double combined[SHARE_WAYS_MAX + 1];
	struct result result[TOGETHER_MOST];
	struct share *share;
	uint32_t self, i;

	inner.programs = plan->programs - 1;
	inner.program = others;
	outer.programs = 2;
	outer.program = pair;
	for (self = 0; self < plan->programs; self++) {
		for (i = 0; i < inner.programs; i++)
			others[i] = plan->program[i + (i >= self)];
		share = open_model(&inner);
		share_solve(share, outcome);
		pair[0] = plan->program[self];
		pair[1] = share_combine(share, outcome, combined);
		from_model(&outer, result);
		results[self] = result[0];
		share_free(share);
	}
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
	nested(&plan, results[NESTED]);
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
		fprintf(out, ",%.9g,%.9g,%.9g,%.9g,%.9g", who[i]->api,
			     who[i]->result[policy_no].ipc,
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

static void prepare(struct alone *alone, const char *path)
{
	stream_read(&alone->stream, path);
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

static void all_pairs(FILE *out, struct alone *alone, uint32_t count)
{
	uint32_t a, b;

	for (a = 0; a < count; a++)
		for (b = a; b < count; b++) {
			struct alone *who[] = { &alone[a], &alone[b] };

			together(out, who, 2, POLICY_LRU);
			together(out, who, 2, POLICY_PLRU);
		}
}

static void some_threes(FILE *out, struct alone *alone, uint32_t count)
{
	uint32_t a, b, c;

	for (a = 0; a + 2 < count; a += 2)
		for (b = a + 1, c = a + 2; c < count; b += 2, c += 2) {
			struct alone *who[] = { &alone[a], &alone[b], &alone[c] };

			together(out, who, 3, POLICY_LRU);
		}
}

int main(int argc, char **argv)
{
	static struct alone alone[PROGRAMS_MOST];
	uint32_t count = argc > 3 ? argc - 3 : 0, i;
	FILE *out;

	if (!count || count > PROGRAMS_MOST || cache_geometry_parse(&geometry, SHARED_GEOMETRY))
		return 2;
	out = fopen(argv[1], "we");
	if (!out)
		return 1;
	header(out);
	for (i = 0; i < count; i++)
		prepare(&alone[i], argv[i + 3]);
	(*argv[2] == '3' ? some_threes : all_pairs)(out, alone, count);
	return fclose(out) != 0;
}
