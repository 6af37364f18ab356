// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "share-model/model.h"
#include "share-model/motion.h"

struct share {
	struct share_plan plan;
	struct share_program *program;
	double *alone;			/* all programs' distances, normalised to 1 each */
	double *together;
	struct chain *chains;		/* by program and group */
};

static uint32_t row_size(const struct share *share)
{
	return share->plan.ways + 1;
}

static size_t profile_size(const struct share *share)
{
	return (size_t)share->plan.groups * row_size(share);
}

static double *row_of(const struct share *share, double *profiles, uint32_t program, uint32_t group)
{
	return profiles + program * profile_size(share) + (size_t)group * row_size(share);
}

static const struct chain *chain_of(const struct share *share, uint32_t program, uint32_t group)
{
	return &share->chains[(size_t)program * share->plan.groups + group];
}

static double sum_of(const double *values, size_t count)
{
	double sum = 0;

	while (count--)
		sum += *values++;
	return sum;
}

static double miss_ratio(const struct share *share, const double *profile)
{
	double misses = 0;
	uint32_t group;

	for (group = 0; group < share->plan.groups; group++)
		misses += profile[(size_t)group * row_size(share) + share->plan.ways];
	return misses;
}

/* --- one evaluation --- */

/* Lines of two sources together: the sum of independent numbers, at most the ways. */
static void convolve(double *into, const double *other, uint32_t ways)
{
	double sum[SHARE_WAYS_MAX + 1] = { 0 };
	uint32_t i, j;

	for (i = 0; i <= ways; i++)
		for (j = 0; j <= ways; j++)
			sum[i + j < ways ? i + j : ways] += into[i] * other[j];
	memcpy(into, sum, (ways + 1) * sizeof(*into));
}

/* Accesses a cycle to the sets of a group, at a speed. */
static double rate_of(struct share *share, uint32_t program, uint32_t group, double ipc)
{
	return share->program[program].api * ipc *
	       sum_of(row_of(share, share->alone, program, group), row_size(share));
}

/* The lines of one other program while the own line was between two uses at a distance. */
static void lines_of(const struct share *share, const struct chain *own, const struct chain *other,
		     double ratio, uint32_t distance, double *lines)
{
	if (share->plan.reuse == REUSE_RACE)
		chain_race(other, own->beyond[distance - 1] / ratio, lines);
	else
		chain_distinct(other, chain_reuse(own, distance) * ratio, lines);
}

/* @lines: of each other program at distances up to the last one; changed to those at @distance. */
static void lines_of_others(struct share *share, const double *ipc, uint32_t program,
			    uint32_t group, uint32_t distance, double (*lines)[SHARE_WAYS_MAX + 1],
			    double *sum)
{
	const struct chain *own = chain_of(share, program, group);
	double rate = rate_of(share, program, group, ipc[program]);
	uint32_t other;

	memset(sum, 0, row_size(share) * sizeof(*sum));
	sum[0] = 1;
	for (other = 0; other < share->plan.programs; other++) {
		double ratio = rate_of(share, other, group, ipc[other]) / rate;

		if (other == program || ratio == 0)
			continue;
		lines_of(share, own, chain_of(share, other, group), ratio, distance, lines[other]);
		convolve(sum, lines[other], share->plan.ways);
	}
}

static void disturb(struct share *share, const double *ipc, uint32_t program, uint32_t group)
{
	const double *alone = row_of(share, share->alone, program, group);
	const struct chain *own = chain_of(share, program, group);
	double *now = row_of(share, share->together, program, group);
	double lines[SHARE_PROGRAMS_MAX][SHARE_WAYS_MAX + 1] = { { 0 } };
	double sum[SHARE_WAYS_MAX + 1];
	uint32_t ways = share->plan.ways, d, i;

	if (rate_of(share, program, group, ipc[program]) == 0) {
		memcpy(now, alone, row_size(share) * sizeof(*now));
		return;
	}
	for (i = 0; i < share->plan.programs; i++)
		lines[i][0] = 1;
	memset(now, 0, row_size(share) * sizeof(*now));
	now[ways] = alone[ways];
	for (d = 1; d <= ways && own->beyond[d - 1] > 0; d++) {
		lines_of_others(share, ipc, program, group, d, lines, sum);
		for (i = 0; i <= ways; i++)
			now[d + i <= ways ? d + i - 1 : ways] += alone[d - 1] * sum[i];
	}
}

double share_speed(const struct share_program *program, double miss_ratio_alone, double miss_ratio)
{
	return 1 / (1 / program->ipc +
		    (miss_ratio - miss_ratio_alone) * program->api * program->penalty);
}

void share_at(struct share *share, const double *ipc, struct share_outcome *outcome)
{
	uint32_t program, group;

	for (program = 0; program < share->plan.programs; program++) {
		const double *alone = row_of(share, share->alone, program, 0);
		const double *now = row_of(share, share->together, program, 0);
		struct share_outcome *o = &outcome[program];

		for (group = 0; group < share->plan.groups; group++)
			disturb(share, ipc, program, group);
		o->distances = now;
		o->miss_ratio_alone = miss_ratio(share, alone);
		o->miss_ratio = fmax(miss_ratio(share, now), o->miss_ratio_alone);
		o->ipc = share_speed(&share->program[program], o->miss_ratio_alone, o->miss_ratio);
	}
}

/* --- the fixed point --- */

struct share_end share_solve(struct share *share, struct share_outcome *outcome)
{
	struct motion motion[SHARE_PROGRAMS_MAX];
	double speed[SHARE_PROGRAMS_MAX];
	struct share_end end = { .rounds = 0 };
	uint32_t i;

	for (i = 0; i < share->plan.programs; i++)
		motion[i] = motion_from(share->program[i].ipc);
	while (motion_round(&end)) {
		for (i = 0; i < share->plan.programs; i++)
			speed[i] = motion[i].speed;
		share_at(share, speed, outcome);
		for (i = 0; i < share->plan.programs; i++)
			motion_to(&motion[i], outcome[i].ipc, &end);
	}
	return end;
}

struct share_program share_combine(const struct share *share, const struct share_outcome *outcome,
				   double *distances)
{
	double accesses = 0, ipc = 0, reaction = 0;
	size_t size = profile_size(share), i;
	uint32_t program;

	memset(distances, 0, size * sizeof(*distances));
	for (program = 0; program < share->plan.programs; program++) {
		const struct share_program *p = &share->program[program];
		const struct share_outcome *o = &outcome[program];
		double rate = o->ipc * p->api;

		for (i = 0; i < size; i++)
			distances[i] += rate * o->distances[i];
		accesses += rate;
		ipc += o->ipc;
		reaction += rate * rate * p->penalty;
	}
	for (i = 0; i < size && accesses > 0; i++)
		distances[i] /= accesses;
	return (struct share_program){.distances = distances,
				      .api = accesses / ipc,
				      .ipc = ipc,
				      .penalty =
					      accesses > 0 ? reaction / (accesses * accesses) : 0};
}

/* --- plans --- */

static bool is_positive(double value)
{
	return value > 0 && isfinite(value);
}

static const char *plan_error(const struct share_plan *plan)
{
	uint32_t i;

	if (!plan->ways || plan->ways > SHARE_WAYS_MAX)
		return "a shared cache has 1 to 64 ways";
	if (!plan->groups || plan->groups > SHARE_GROUPS_MAX)
		return "there are 1 to 4096 groups of sets";
	if (!plan->programs || plan->programs > SHARE_PROGRAMS_MAX)
		return "1 to 64 programs can share a cache";
	for (i = 0; i < plan->programs; i++) {
		const struct share_program *p = &plan->program[i];

		if (!is_positive(p->ipc))
			return "a program's instructions per cycle are not a positive number";
		if (!(p->api >= 0) || isinf(p->api))
			return "a program's accesses per instruction are not a number from 0 up";
		if (!(p->penalty >= 0) || isinf(p->penalty))
			return "a program's miss penalty is not a number of cycles from 0 up";
	}
	return NULL;
}

/* A program without accesses keeps zeros. */
static void take_profile(struct share *share, uint32_t program, const double *distances)
{
	double *alone = row_of(share, share->alone, program, 0);
	size_t size = profile_size(share), i;
	double sum = sum_of(distances, size);

	for (i = 0; i < size && sum > 0; i++)
		alone[i] = distances[i] / sum;
	if (sum <= 0)
		share->program[program].api = 0;
}

static const char *open_chains(struct share *share)
{
	uint32_t program, group;

	for (program = 0; program < share->plan.programs; program++) {
		const double *distances = share->plan.program[program].distances;

		for (group = 0; group < share->plan.groups; group++) {
			size_t at = (size_t)program * share->plan.groups + group;
			int error = chain_open(&share->chains[at],
					       distances + (size_t)group * row_size(share),
					       share->plan.ways,
					       share->plan.reuse == REUSE_MEAN);

			if (error)
				return error == -ENOMEM ? "no memory for the programs' chains" :
				       "a profile holds a count that is negative or no number";
		}
		take_profile(share, program, distances);
	}
	return NULL;
}

struct share *share_new(const struct share_plan *plan, const char **error)
{
	struct share *share;
	size_t profiles;

	*error = plan_error(plan);
	if (*error)
		return NULL;
	*error = "no memory for the programs' profiles";
	share = calloc(1, sizeof(*share));
	if (!share)
		return NULL;
	share->plan = *plan;
	profiles = plan->programs * profile_size(share);
	share->program = calloc(plan->programs, sizeof(*share->program));
	share->alone = calloc(profiles, sizeof(*share->alone));
	share->together = calloc(profiles, sizeof(*share->together));
	share->chains = calloc((size_t)plan->programs * plan->groups, sizeof(*share->chains));
	if (share->program && share->alone && share->together && share->chains) {
		memcpy(share->program, plan->program, plan->programs * sizeof(*share->program));
		*error = open_chains(share);
	}
	if (!*error)
		return share;
	share_free(share);
	return NULL;
}

void share_free(struct share *share)
{
	size_t i, chains = (size_t)share->plan.programs * share->plan.groups;

	for (i = 0; share->chains && i < chains; i++)
		chain_close(&share->chains[i]);
	free(share->chains);
	free(share->together);
	free(share->alone);
	free(share->program);
	free(share);
}
