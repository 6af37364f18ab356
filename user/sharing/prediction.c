// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "sharing/prediction.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "share-model/groups.h"

#define GROUPS_MOST	256u
#define A_TENTH_MORE	1.1

/* The programs as the model takes them. */
struct input {
	struct share_program *programs;
	double **grouped;		/* profiles by group, NULL = of all sets */
	struct share_plan plan;
};

/* The time of an instruction is above zero. */
static bool possible(const struct profile *profile, double miss_ratio)
{
	double accesses = profile_accesses(profile);
	double alone = accesses > 0 ? profile->distances[profile->cache.ways] / accesses : 0;

	return 1 / profile->ipc + (miss_ratio - alone) * accesses / profile->instructions *
	       profile->penalty > 0;
}

/* Of one model, whatever the seeds. */
static bool same_pages(const struct profile *a, const struct profile *b)
{
	size_t size = a->pages ? strcspn(a->pages, ":") : 0;

	return !a->pages || !b->pages || (size == strcspn(b->pages, ":") &&
					  !memcmp(a->pages, b->pages, size));
}

/* With the first one. Return: 0, or -1 after one line. */
static int compare(const struct profile *profiles, const char *const *names, size_t i)
{
	const struct profile *one = &profiles[i];
	bool in_ns = profile_in_ns(one);

	if (one->level != profiles->level || one->cache.sets != profiles->cache.sets ||
	    one->cache.ways != profiles->cache.ways || one->cache.line != profiles->cache.line)
		return fail("%s is of another cache than %s: measure both with the same --machine "
			    "or --L3", names[i], names[0]);
	if (in_ns != profile_in_ns(profiles))
		return fail("%s has speeds in nanoseconds, %s in cycles: measure both in one way",
			    names[in_ns ? i : 0], names[in_ns ? 0 : i]);
	if (!same_pages(one, profiles))
		warning("%s has pages as %s, %s as %s, by which misses differ, too: measure both "
			"with the same --pages", names[i], one->pages, names[0], profiles->pages);
	return 0;
}

static int check(const struct profile *profiles, const char *const *names, size_t count,
		 const struct sharing_request *request)
{
	if (count > SHARE_PROGRAMS_MAX)
		return fail("at most %u programs can share a cache", SHARE_PROGRAMS_MAX);
	for (size_t i = 0; i < count; i++) {
		if (compare(profiles, names, i))
			return -1;
		if (request->by_set && !profiles[i].sets)
			return fail("%s does not hold each set: measure it with ccsample profile "
				    "--sets", names[i]);
		if (request->miss_ratio && !possible(&profiles[i], request->miss_ratio[i]))
			return fail("%s: with a miss ratio of %.4g its instructions would take no "
				    "time: it has a larger one alone",
				    names[i], request->miss_ratio[i]);
	}
	return 0;
}

static void group_sets(struct input *input, const struct profile *profiles, size_t count)
{
	const struct cache_geometry *cache = &profiles[0].cache;
	const double **sets = xcalloc(count, sizeof(*sets));
	uint32_t *group = xcalloc(cache->sets, sizeof(*group));

	for (size_t i = 0; i < count; i++)
		sets[i] = profiles[i].sets;
	input->plan.groups = groups_of_sets(sets, count, cache->sets, cache->ways, GROUPS_MOST,
					    group);
	if (!input->plan.groups)
		exit(-fail("out of memory for the sets of %zu programs", count));
	input->grouped = xcalloc(count, sizeof(*input->grouped));
	for (size_t i = 0; i < count; i++) {
		input->grouped[i] = xcalloc((size_t)input->plan.groups * (cache->ways + 1),
					    sizeof(double));
		groups_profile(sets[i], cache->sets, cache->ways, group, input->plan.groups,
			       input->grouped[i]);
	}
	free(group);
	free(sets);
}

static void make_input(struct input *input, const struct profile *profiles, size_t count,
		       const struct sharing_request *request)
{
	bool by_set = request->by_set;

	*input = (struct input){
		.plan = { profiles[0].cache.ways, 1, count, request->reuse, NULL },
	};
	if (by_set)
		group_sets(input, profiles, count);
	input->programs = xcalloc(count, sizeof(*input->programs));
	input->plan.program = input->programs;
	for (size_t i = 0; i < count; i++)
		input->programs[i] = (struct share_program){
			by_set ? input->grouped[i] : profiles[i].distances,
			profile_accesses(&profiles[i]) / profiles[i].instructions, profiles[i].ipc,
			profiles[i].penalty,
		};
}

static void drop_input(struct input *input)
{
	for (size_t i = 0; input->grouped && i < input->plan.programs; i++)
		free(input->grouped[i]);
	free(input->grouped);
	free(input->programs);
}

/* Sums over groups. */
static double *all_groups(const struct share_plan *plan, const double *distances)
{
	double *sum = xcalloc(plan->ways + 1, sizeof(*sum));

	for (uint32_t group = 0; group < plan->groups; group++)
		for (uint32_t d = 0; d <= plan->ways; d++)
			sum[d] += distances[group * (plan->ways + 1) + d];
	return sum;
}

static double *normalised(const double *distances, uint32_t ways)
{
	double *shares = xcalloc(ways + 1, sizeof(*shares)), sum = 0;

	for (uint32_t d = 0; d <= ways; d++)
		sum += distances[d];
	for (uint32_t d = 0; d <= ways && sum > 0; d++)
		shares[d] = distances[d] / sum;
	return shares;
}

static struct share *open_model(const struct share_plan *plan)
{
	const char *error;
	struct share *share = share_new(plan, &error);

	if (!share)
		fail("these profiles cannot be combined: %s", error);
	return share;
}

/* The pages that all parts have; NULL = they differ, or one does not say. */
static char *common_pages(const struct sharing *sharing)
{
	const char *pages = sharing->programs[0].profile->pages;

	for (size_t i = 1; pages && i < sharing->count; i++)
		if (!same_text(pages, sharing->programs[i].profile->pages))
			pages = NULL;
	return pages ? xstrdup(pages) : NULL;
}

static void combine(struct sharing *sharing, const struct input *input, const struct share *share,
		    const struct share_outcome *outcome)
{
	double *distances = xcalloc((size_t)input->plan.groups * (input->plan.ways + 1),
				    sizeof(*distances));
	struct share_program all = share_combine(share, outcome, distances);
	const struct profile *first = sharing->programs[0].profile;
	struct profile *combined = &sharing->combined;
	double accesses = 1e9 * all.api;

	*combined = (struct profile){
		.command = xstrdup("several programs"), .source = xstrdup("ccsample share"),
		.timing = xstrdup(profile_in_ns(first) ? "as predicted, " PROFILE_IN_NS :
				  "as predicted"),
		.pages = common_pages(sharing), .cache = sharing->cache,
		.instructions = 1000000000, .ipc = all.ipc, .penalty = all.penalty,
		.level = first->level,
		.distances = all_groups(&input->plan, distances),
	};
	for (uint32_t d = 0; d <= input->plan.ways; d++)
		combined->distances[d] *= accesses;
	free(distances);
}

/* One evaluation at speeds that are known: the measured ones, or what measured miss ratios give. */
static void evaluate(struct share *share, const struct input *input,
		     const struct sharing_request *request, struct share_outcome *outcome)
{
	const struct share_program *programs = input->programs;
	double speed[SHARE_PROGRAMS_MAX], alone[SHARE_PROGRAMS_MAX];
	uint32_t i;

	for (i = 0; i < input->plan.programs; i++)
		speed[i] = request->ipc ? request->ipc[i] : programs[i].ipc;
	share_at(share, speed, outcome);
	for (i = 0; request->miss_ratio && i < input->plan.programs; i++) {
		alone[i] = outcome[i].miss_ratio_alone;
		speed[i] = share_speed(&programs[i], alone[i], request->miss_ratio[i]);
	}
	if (request->miss_ratio && !request->ipc)
		share_at(share, speed, outcome);
	for (i = 0; request->miss_ratio && i < input->plan.programs; i++) {
		outcome[i].miss_ratio = request->miss_ratio[i];
		outcome[i].ipc = speed[i];
	}
}

static int solve(struct sharing *sharing, const struct input *input,
		 const struct sharing_request *request)
{
	struct share_outcome outcome[SHARE_PROGRAMS_MAX];
	struct steady_share steady[SHARE_PROGRAMS_MAX];
	struct share *share = open_model(&input->plan);

	if (!share)
		return -1;
	if (sharing->given) {
		evaluate(share, input, request, outcome);
		sharing->end = (struct share_end){ .rounds = 1, .stable = true };
	} else {
		sharing->end = share_solve(share, outcome);
	}
	shares_solve(&input->plan, steady);
	for (size_t i = 0; i < sharing->count; i++) {
		struct shared_program *program = &sharing->programs[i];

		program->api = input->programs[i].api;
		program->alone = normalised(program->profile->distances, input->plan.ways);
		program->together = all_groups(&input->plan, outcome[i].distances);
		program->miss_ratio_alone = outcome[i].miss_ratio_alone;
		program->miss_ratio = outcome[i].miss_ratio;
		program->ipc = outcome[i].ipc;
		program->slowdown = 1 - outcome[i].ipc / input->programs[i].ipc;
		program->steady = steady[i];
	}
	combine(sharing, input, share, outcome);
	share_free(share);
	return 0;
}

/* The slowdown of one program in a plan that differs a little. */
static double slowdown_in(const struct share_plan *plan, size_t program)
{
	struct share_outcome outcome[SHARE_PROGRAMS_MAX];
	struct share *share = open_model(plan);
	double slowdown;

	if (!share)
		return 0;
	share_solve(share, outcome);
	slowdown = 1 - outcome[program].ipc / plan->program[program].ipc;
	share_free(share);
	return slowdown;
}

static void vary(struct shared_program *program, struct input *input, size_t self)
{
	struct share_program *programs = input->programs;
	size_t i;

	programs[self].ipc *= A_TENTH_MORE;
	program->sensitivity.own_speed = slowdown_in(&input->plan, self) - program->slowdown;
	programs[self].ipc /= A_TENTH_MORE;
	programs[self].penalty *= A_TENTH_MORE;
	program->sensitivity.penalty = slowdown_in(&input->plan, self) - program->slowdown;
	programs[self].penalty /= A_TENTH_MORE;
	for (i = 0; i < input->plan.programs; i++)
		programs[i].ipc *= i == self ? 1 : A_TENTH_MORE;
	program->sensitivity.other_speed = slowdown_in(&input->plan, self) - program->slowdown;
	for (i = 0; i < input->plan.programs; i++)
		programs[i].ipc /= i == self ? 1 : A_TENTH_MORE;
}

static void try_pairs(struct shared_program *program, const struct input *input, size_t self)
{
	struct share_program pair[2] = { input->programs[self] };
	struct share_plan plan = input->plan;

	plan.programs = 2;
	plan.program = pair;
	program->by_one = xcalloc(input->plan.programs, sizeof(*program->by_one));
	for (size_t i = 0; i < input->plan.programs; i++) {
		pair[1] = input->programs[i];
		program->by_one[i] = i == self ? 0 : slowdown_in(&plan, 0);
	}
}

struct sharing *sharing_new(const struct profile *profiles, const char *const *names,
			    size_t count, const struct sharing_request *request)
{
	struct sharing *sharing;
	struct input input;
	int status;

	if (check(profiles, names, count, request))
		return NULL;
	make_input(&input, profiles, count, request);
	sharing = xcalloc(1, sizeof(*sharing));
	*sharing = (struct sharing){
		.cache = profiles[0].cache, .reuse = request->reuse, .groups = input.plan.groups,
		.programs = xcalloc(count, sizeof(*sharing->programs)), .count = count,
		.given = request->ipc || request->miss_ratio,
	};
	for (size_t i = 0; i < count; i++) {
		sharing->programs[i].profile = &profiles[i];
		sharing->programs[i].name = names[i];
	}
	status = solve(sharing, &input, request);
	for (size_t i = 0; !status && !sharing->given && i < count; i++) {
		vary(&sharing->programs[i], &input, i);
		try_pairs(&sharing->programs[i], &input, i);
	}
	drop_input(&input);
	if (!status)
		return sharing;
	sharing_free(sharing);
	return NULL;
}

void sharing_free(struct sharing *sharing)
{
	for (size_t i = 0; i < sharing->count; i++) {
		free(sharing->programs[i].alone);
		free(sharing->programs[i].together);
		free(sharing->programs[i].by_one);
	}
	free(sharing->combined.command);
	free(sharing->combined.source);
	free(sharing->combined.timing);
	free(sharing->combined.pages);
	free(sharing->combined.distances);
	free(sharing->programs);
	free(sharing);
}
