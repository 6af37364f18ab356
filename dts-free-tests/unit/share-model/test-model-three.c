// SPDX-License-Identifier: GPL-2.0-only
/* Three programs: predicted at once, two combined and then with the third, and simulated. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "share-model/model.h"
#include "tap.h"

#define SEED 20120424u
#define ROW (SHARE_WAYS_MAX + 1)
#define THREE 3

static uint64_t state = SEED;

static bool near(double a, double b, double within)
{
	return fabs(a - b) <= within * fmax(1, fabs(b));
}

static void random_profile(double *distances, uint32_t ways)
{
	double steep = exp(3 * random_unit(&state) - 3);
	uint32_t i;

	for (i = 0; i <= ways; i++)
		distances[i] = exp(-steep * i) * (0.1 + random_unit(&state));
}

static void random_programs(struct share_program *programs, double (*profiles)[ROW], uint32_t ways)
{
	uint32_t i;

	for (i = 0; i < THREE; i++) {
		random_profile(profiles[i], ways);
		programs[i] = (struct share_program){
			profiles[i], 0.01, exp(random_unit(&state)), 150 * random_unit(&state),
		};
	}
}

/* Return: how the search ended. */
static struct share_end solve(const struct share_plan *plan, struct share_outcome *outcome,
			      struct share_program *combined, double *distances)
{
	const char *error;
	struct share *share = share_new(plan, &error);
	struct share_end end = share_solve(share, outcome);

	if (combined)
		*combined = share_combine(share, outcome, distances);
	share_free(share);
	return end;
}

/* The last program beside the other two as one. */
static struct share_outcome nested(const struct share_plan *plan)
{
	struct share_plan inner = *plan, outer = *plan;
	struct share_outcome outcome[THREE];
	struct share_program pair[2];
	double distances[ROW];

	inner.programs = THREE - 1;
	solve(&inner, outcome, &pair[1], distances);
	pair[0] = plan->program[THREE - 1];
	outer.programs = 2;
	outer.program = pair;
	solve(&outer, outcome, NULL, NULL);
	return outcome[0];
}

/* --- one set, simulated: times of use instead of stacks --- */

#define LINES 4096

struct drawing {
	uint64_t used[LINES];		/* when; 0 = never */
	uint32_t fresh;			/* lines that were used */
};

struct simulated_set {
	struct drawing drawing[THREE];
	uint64_t now;
	uint64_t accesses[THREE], misses[THREE];
};

/* Lines used later than a time; of one program, or of all. */
static uint32_t younger(const struct simulated_set *set, uint32_t first, uint32_t last,
			uint64_t time,
			uint32_t enough)
{
	uint32_t count = 0, who, i;

	for (who = first; who <= last; who++)
		for (i = 0; i < set->drawing[who].fresh && count < enough; i++)
			count += set->drawing[who].used[i] > time;
	return count;
}

static uint32_t draw_distance(const double *distances, uint32_t ways)
{
	double sum = 0, at;
	uint32_t i;

	for (i = 0; i <= ways; i++)
		sum += distances[i];
	at = random_unit(&state) * sum;
	for (i = 0; i < ways && at >= distances[i]; i++)
		at -= distances[i];
	return i + 1;
}

/* The program's line at a distance; else one that its own stack has lost, taken for a new one. */
static uint32_t line_at(const struct simulated_set *set, uint32_t who, uint32_t distance,
			uint32_t ways)
{
	const struct drawing *d = &set->drawing[who];
	uint32_t i;

	for (i = 0; distance <= ways && i < d->fresh; i++)
		if (younger(set, who, who, d->used[i], distance) == distance - 1)
			return i;
	for (i = 0; i < d->fresh; i++)
		if (younger(set, who, who, d->used[i], ways) >= ways)
			break;
	return i;
}

static void access_set(struct simulated_set *set, const struct share_program *programs,
		       uint32_t who,
		       uint32_t ways)
{
	uint32_t distance = draw_distance(programs[who].distances, ways);
	uint32_t line = line_at(set, who, distance, ways);
	struct drawing *d = &set->drawing[who];
	bool is_new = distance > ways || line == d->fresh;

	set->accesses[who]++;
	set->misses[who] += is_new || younger(set, 0, THREE - 1, d->used[line], ways) >= ways;
	d->fresh += line == d->fresh;
	d->used[line] = ++set->now;
}

/* At speeds that are given, in random time. */
static void simulate(const struct share_program *programs, const double *speeds, uint32_t ways,
		     double *miss_ratios)
{
	struct simulated_set *set = calloc(1, sizeof(*set));
	double next[THREE] = { 0 };
	uint32_t n, who, i;

	for (n = 0; n < 400000; n++) {
		for (i = 1, who = 0; i < THREE; i++)
			who = next[i] < next[who] ? i : who;
		next[who] -= log(1 - random_unit(&state)) / (programs[who].api * speeds[who]);
		access_set(set, programs, who, ways);
	}
	for (i = 0; i < THREE; i++)
		miss_ratios[i] = set->misses[i] / (double)set->accesses[i];
	free(set);
}

/*
 * Programs that draw their distances, at the speeds of the prediction: the simulation's miss ratios
 * must be the prediction's.
 */
static void against_simulation(void)
{
	double profiles[THREE][ROW], ratios[THREE], speeds[THREE], flat = 0, hierarchical = 0;
	struct share_program programs[THREE];
	struct share_outcome outcome[THREE];
	uint32_t round, i;

	for (round = 0; round < 12; round++) {
		struct share_plan plan = { 4 + random_below(&state, 9), 1, THREE, REUSE_RACE,
					   programs };
		struct share_outcome last;

		random_programs(programs, profiles, plan.ways);
		solve(&plan, outcome, NULL, NULL);
		for (i = 0; i < THREE; i++)
			speeds[i] = outcome[i].ipc;
		simulate(programs, speeds, plan.ways, ratios);
		for (i = 0; i < THREE; i++)
			flat = fmax(flat, fabs(outcome[i].miss_ratio - ratios[i]));
		last = nested(&plan);
		hierarchical = fmax(hierarchical, fabs(last.miss_ratio - ratios[THREE - 1]));
	}
	ok(flat < 0.02, "three programs at once miss as simulated (within %.4f)", flat);
	ok(hierarchical < 0.05, "and two combined, then the third, nearly so (within %.4f)",
	   hierarchical);
}

static void silent_programs(void)
{
	double profiles[THREE][ROW], nothing[ROW] = { 0 };
	struct share_program programs[THREE], order[THREE];
	struct share_outcome outcome[THREE], last;
	uint32_t round, wrong = 0;

	for (round = 0; round < 200; round++) {
		uint32_t ways = 1 + random_below(&state, 32);
		struct share_plan plan = { ways, 1, 2, REUSE_RACE, programs };

		random_programs(programs, profiles, ways);
		solve(&plan, outcome, NULL, NULL);
		memcpy(order, programs, sizeof(order));
		order[1] = (struct share_program){ nothing, 0, 1, 10 };
		order[2] = programs[1];
		plan = (struct share_plan){ ways, 1, THREE, REUSE_RACE, order };
		last = nested(&plan);
		wrong += !near(last.miss_ratio, outcome[1].miss_ratio, 1e-5);
	}
	ok(!wrong, "a silent program in a combined profile changes nothing (%u wrong)", wrong);
}

static void equal_programs(void)
{
	double profile[ROW], worst = 0;
	struct share_program programs[THREE];
	struct share_outcome outcome[THREE], last;
	uint32_t round, i;

	for (round = 0; round < 200; round++) {
		uint32_t ways = 2 + random_below(&state, 31);
		struct share_plan plan = { ways, 1, THREE, REUSE_RACE, programs };

		random_profile(profile, ways);
		for (i = 0; i < THREE; i++)
			programs[i] = (struct share_program){ profile, 0.01, 1, 100 };
		solve(&plan, outcome, NULL, NULL);
		last = nested(&plan);
		worst = fmax(worst, fabs(last.ipc / outcome[0].ipc - 1));
	}
	ok(worst < 0.05, "of equal programs both ways say nearly the same (within %.4f)", worst);
}

int main(void)
{
	printf("# seed %u\n", SEED);
	against_simulation();
	silent_programs();
	equal_programs();
	return done();
}
