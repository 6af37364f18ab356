// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sharing model against matrices, algebra, and caches that are simulated.
 *
 * Slow: exact simulation of many pairs
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "share-model/model.h"
#include "share-model/shares.h"
#include "tap.h"

#define SEED 20120422u
#define ROW (SHARE_WAYS_MAX + 1)

static uint64_t state = SEED;

static double uniform(void)
{
	return random_unit(&state);
}

static uint32_t below(uint32_t n)
{
	return uniform() * n;
}

/* Of many shapes: steep, flat, with holes, all hits, all misses. */
static void random_profile(double *distances, uint32_t ways)
{
	double steep = exp(4 * uniform() - 3);
	uint32_t i, shape = below(8);

	for (i = 0; i <= ways; i++)
		distances[i] = shape == 0 && below(2) ? 0 : exp(-steep * i) * uniform();
	if (shape == 1)
		distances[ways] = 0;
	if (shape == 2)
		memset(distances, 0, ways * sizeof(*distances));
	if (shape == 3)
		distances[ways] = 1e-12;
	distances[0] += 1e-6;
}

static bool near(double a, double b, double within)
{
	return fabs(a - b) <= within * fmax(1, fabs(b));
}

/* --- the chain --- */

/* Equation 2 literally: the first row of (I - T)^-1, by elimination, summed up. */
static double reuse_by_matrix(const double *beyond, uint32_t d)
{
	double m[ROW][ROW + 1] = { { 0 } }, sum = 0;
	uint32_t i, j, k;

	/* x (I - T) = e0, transposed. */
	for (i = 0; i < d; i++) {
		m[i][i] = 1 - (1 - beyond[i]);
		if (i)
			m[i][i - 1] = -beyond[i - 1];
	}
	m[0][d] = 1;
	for (i = 0; i < d; i++)
		for (j = 0; j < d; j++) {
			double factor = m[j][i] / m[i][i];

			if (j == i || factor == 0)
				continue;
			for (k = 0; k <= d; k++)
				m[j][k] -= factor * m[i][k];
		}
	for (i = 0; i < d; i++)
		sum += m[i][d] / m[i][i];
	return sum;
}

static void reuse_times(void)
{
	double distances[ROW];
	uint32_t round, wrong = 0, d;
	struct chain chain;

	for (round = 0; round < 300; round++) {
		uint32_t ways = 1 + below(SHARE_WAYS_MAX);

		random_profile(distances, ways);
		chain_open(&chain, distances, ways, true);
		for (d = 1; d <= ways; d++)
			if (chain.beyond[d - 1] > 1e-9)
				wrong += !near(chain_reuse(&chain, d) /
					       reuse_by_matrix(chain.beyond, d), 1, 1e-6);
		chain_close(&chain);
	}
	ok(!wrong, "mean reuse times are those of the inverted matrix (%u wrong)", wrong);
}

static void step(const double *beyond, uint32_t ways, double *share)
{
	uint32_t i;

	for (i = ways + 1; i-- > 0; )
		share[i] = (i < ways ? share[i] * (1 - beyond[i]) : share[i]) +
			   (i ? share[i - 1] * beyond[i - 1] : 0);
}

static void distinct_lines(void)
{
	double distances[ROW], by_steps[ROW], share[ROW], half[ROW];
	uint32_t round, wrong = 0, sums = 0, between = 0, i, n;
	struct chain chain;
	double sum;

	for (round = 0; round < 100; round++) {
		uint32_t ways = 1 + below(SHARE_WAYS_MAX);
		uint32_t steps = below(3000);

		random_profile(distances, ways);
		chain_open(&chain, distances, ways, true);
		memset(by_steps, 0, sizeof(by_steps));
		by_steps[0] = 1;
		for (n = 0; n < steps; n++)
			step(chain.beyond, ways, by_steps);
		chain_distinct(&chain, steps, share);
		chain_distinct(&chain, steps + 0.25, half);
		for (i = 0; i <= ways; i++)
			wrong += !near(share[i], by_steps[i], 1e-11);
		step(chain.beyond, ways, by_steps);
		for (i = 0; i <= ways; i++)
			between += !near(half[i], 0.75 * share[i] + 0.25 * by_steps[i], 1e-11);
		chain_distinct(&chain, exp(45 * uniform()), share);
		for (i = 0, sum = 0; i <= ways; i++)
			sum += share[i];
		sums += !near(sum, 1, 1e-9);
		chain_close(&chain);
	}
	ok(!wrong, "distinct lines after n accesses are those of n steps (%u wrong)", wrong);
	ok(!between, "between whole numbers they are interpolated (%u wrong)", between);
	ok(!sums, "they sum up to 1 up to 10^19 accesses (%u do not)", sums);
}

/* Two states: 1 - (1 - m)^(n - 1), with m and n far from 1. */
static void rare_misses(void)
{
	uint32_t exponent, wrong = 0;
	struct chain chain;

	for (exponent = 5; exponent <= 50; exponent++) {
		double m = ldexp(1, -exponent), n = ldexp(1, exponent), share[3];
		double distances[3] = { 1 - m, m, 0 };

		chain_open(&chain, distances, 2, true);
		chain_distinct(&chain, n, share);
		wrong += !near(share[2], -expm1((n - 1) * log1p(-m)), 1e-9);
		chain_distinct(&chain, 3, share);
		wrong += !near(share[2] / (m * (2 - m)), 1, 1e-9);
		chain_close(&chain);
	}
	ok(!wrong, "misses of one in 2^50 keep nine digits (%u wrong)", wrong);
}

/* A set's LRU stack, long enough for any distance. */
#define STACK 4096

struct stack {
	uint32_t line[STACK];
	uint32_t depth, next;
};

static uint32_t draw_distance(const double *distances, uint32_t ways)
{
	double sum = 0, at;
	uint32_t i;

	for (i = 0; i <= ways; i++)
		sum += distances[i];
	at = uniform() * sum;
	for (i = 0; i < ways && at >= distances[i]; i++)
		at -= distances[i];
	return i + 1;
}

/* One access at a distance; beyond the ways a line that was never there. Return: the line. */
static uint32_t access_at(struct stack *stack, uint32_t distance, uint32_t ways)
{
	uint32_t line;

	if (distance > ways || distance > stack->depth) {
		line = stack->next++;
		distance = stack->depth < STACK ? ++stack->depth : STACK;
	} else {
		line = stack->line[distance - 1];
	}
	memmove(stack->line + 1, stack->line, (distance - 1) * sizeof(*stack->line));
	stack->line[0] = line;
	return line;
}

/* Programs that draw distances independently, which the chain describes exactly. */
static void drawn_programs(void)
{
	enum { TRIALS = 20000, N = 12, WAYS = 6 };
	double distances[WAYS + 1] = { 5, 3, 2, 1, 1, 1, 2 }, share[WAYS + 1];
	uint32_t counts[WAYS + 1] = { 0 }, trial, n, i, wrong = 0;
	struct stack stack = { .depth = 0 };
	struct chain chain;

	for (n = 0; n < 1000; n++)
		access_at(&stack, draw_distance(distances, WAYS), WAYS);
	for (trial = 0; trial < TRIALS; trial++) {
		uint32_t lines[N], distinct = 0;

		for (n = 0; n < N; n++) {
			lines[n] = access_at(&stack, draw_distance(distances, WAYS), WAYS);
			for (i = 0; i < n && lines[i] != lines[n]; i++)
				;
			distinct += i == n;
		}
		counts[distinct < WAYS ? distinct : WAYS]++;
	}
	chain_open(&chain, distances, WAYS, true);
	chain_distinct(&chain, N, share);
	for (i = 0; i <= WAYS; i++)
		wrong += fabs(counts[i] / (double)TRIALS - share[i]) >
			 5 * sqrt(share[i] / TRIALS) + 1e-4;
	ok(!wrong, "a program that draws its distances brings in as many lines as the chain says");
	chain_close(&chain);
}

/* --- the model --- */

static struct share *opened(const struct share_plan *plan)
{
	const char *error;
	struct share *share = share_new(plan, &error);

	if (!share)
		printf("# %s\n", error);
	return share;
}

/* Two programs in one set: accesses at regular times, the misses counted. */
static void set_of_two(const struct share_program *program, uint32_t ways, double *miss_ratio)
{
	struct stack own[2] = { { .depth = 0 }, { .depth = 0 } };
	struct stack *both = calloc(1, sizeof(*both));
	uint32_t i, misses[2] = { 0 }, accesses[2] = { 0 };
	double next[2] = { 0, 0.5 };
	uint64_t n;

	for (n = 0; n < 600000; n++) {
		uint32_t who = next[1] < next[0], line;
		const struct share_program *p = &program[who];

		next[who] -= log(1 - uniform()) / (p->api * p->ipc);
		line = access_at(&own[who], draw_distance(p->distances, ways), ways) * 2 + who;
		for (i = 0; i < both->depth && both->line[i] != line; i++)
			;
		misses[who] += i >= ways;
		accesses[who]++;
		if (i == both->depth)
			i = both->depth < ways ? both->depth++ : ways - 1;
		memmove(both->line + 1, both->line, i * sizeof(line));
		both->line[0] = line;
	}
	for (i = 0; i < 2; i++)
		miss_ratio[i] = misses[i] / (double)accesses[i];
	free(both);
}

/* The largest error of a miss ratio over some pairs that are drawn. */
static double error_in_sets(enum share_reuse reuse)
{
	double worst = 0;
	uint32_t round;

	for (round = 0; round < 12; round++) {
		double profile[2][ROW], ratio[2];
		uint32_t ways = 2 + below(15);
		struct share_program program[2] = {
			{ profile[0], 0.01, exp(2 * uniform()), 0 },
			{ profile[1], 0.01, exp(2 * uniform()), 0 },
		};
		struct share_plan plan = { ways, 1, 2, reuse, program };
		struct share_outcome outcome[2];
		struct share *share;

		random_profile(profile[0], ways);
		random_profile(profile[1], ways);
		share = opened(&plan);
		share_solve(share, outcome);
		set_of_two(program, ways, ratio);
		worst = fmax(worst, fmax(fabs(ratio[0] - outcome[0].miss_ratio),
					 fabs(ratio[1] - outcome[1].miss_ratio)));
		share_free(share);
	}
	return worst;
}

/*
 * Programs that draw distances and come at random times are all that the race
 * assumes; to the paper's mean they are as hard as it gets.
 */
static void simulated_sets(void)
{
	double race = error_in_sets(REUSE_RACE), mean;

	state = SEED;
	ok(race < 0.006, "miss ratios in simulated sets are the race's (within %.4f)", race);
	mean = error_in_sets(REUSE_MEAN);
	ok(mean < 0.25, "and near those of mean reuse times (within %.4f)", mean);
}

/*
 * One way: a hit survives unless the other came in between; at rate a < 1 with probability 1 - a.
 */
static void direct_mapped(void)
{
	const double hits[2] = { 0.8, 0.2 }, other[2] = { 0.5, 0.5 };
	struct share_program program[2] = { { hits, 0.02, 2, 50 }, { other, 0.01, 1, 0 } };
	struct share_plan plan = { 1, 1, 2, REUSE_MEAN, program };
	struct share_outcome outcome[2];
	struct share *share = opened(&plan);
	double speed[2] = { 2, 1 };

	share_at(share, speed, outcome);
	ok(near(outcome[0].distances[0], 0.8 * 0.75, 1e-12) &&
	   near(outcome[0].miss_ratio, 0.2 + 0.8 * 0.25, 1e-12) &&
	   near(outcome[1].miss_ratio, 1, 1e-12), "one way: equation 6 by hand");
	ok(near(outcome[0].ipc, 1 / (0.5 + 0.2 * 0.02 * 50), 1e-12), "and the speed by hand");
	share_solve(share, outcome);
	/* x = 1 / (0.5 + 0.8 a), a = 0.01 / (0.02 x): x / 2 + 0.4 = 1. */
	ok(near(outcome[0].ipc, 1.2, 1e-6), "and the fixed point by hand (%f)", outcome[0].ipc);
	share_free(share);
}

/* A partner that always misses brings in one line an access: all distances move by as many. */
static void streaming_partner(void)
{
	enum { WAYS = 8 };
	const double own[WAYS + 1] = { 0.5, 0, 0.25, 0, 0.125, 0, 0, 0, 0.125 };
	const double stream[WAYS + 1] = { [WAYS] = 1 };
	struct share_program program[2] = { { own, 0.01, 1, 50 }, { stream, 0.02, 1, 0 } };
	struct share_plan plan = { WAYS, 1, 2, REUSE_MEAN, program };
	const double speed[2] = { 1, 1 };
	struct share_outcome outcome[2];
	struct share *share = opened(&plan);

	share_at(share, speed, outcome);
	/* t = 1; 1 + 2 + 2; 1 + 2 + 2 + 4 + 4 accesses, twice as many of the stream. */
	ok(near(outcome[0].distances[2], 0.5, 1e-12) && near(outcome[0].distances[8], 0.5, 1e-12),
	   "a stream twice as fast moves distance 1 by 2, and 3 by 10, out of the cache");
	ok(near(outcome[1].miss_ratio, 1, 1e-12) && near(outcome[1].ipc, 1, 1e-12),
	   "a stream does not care");
	share_free(share);
}

static void symmetry(void)
{
	double profile[ROW], sum = 0;
	struct share_program program[4];
	struct share_plan plan = { 16, 1, 4, REUSE_RACE, program };
	struct share_outcome outcome[4];
	struct share_end end;
	struct share *share;
	uint32_t i;

	random_profile(profile, 16);
	for (i = 0; i < 4; i++)
		program[i] = (struct share_program){ profile, 0.02, 1.5, 80 };
	share = opened(&plan);
	end = share_solve(share, outcome);
	ok(end.stable && near(outcome[0].ipc, outcome[3].ipc, 1e-12) &&
	   near(outcome[1].miss_ratio, outcome[2].miss_ratio, 1e-12),
	   "equal programs fare equally");
	for (i = 0; i <= 16; i++)
		sum += outcome[2].distances[i];
	ok(near(sum, 1, 1e-9), "no access gets lost");
	share_free(share);
}

static void silent_partners(void)
{
	double profile[ROW], nothing[ROW] = { 0 };
	struct share_program program[3] = {
		{ profile, 0.02, 1.5, 80 }, { nothing, 0, 1, 10 }, { profile, 0, 2, 10 },
	};
	struct share_plan plan = { 16, 1, 3, REUSE_MEAN, program };
	struct share_outcome outcome[3];
	struct share *share;
	double combined[ROW];
	struct share_program both;

	random_profile(profile, 16);
	share = opened(&plan);
	share_solve(share, outcome);
	ok(near(outcome[0].ipc, 1.5, 1e-12) && near(outcome[1].ipc, 1, 1e-12) &&
	   near(outcome[2].ipc, 2, 1e-12) &&
	   near(outcome[0].miss_ratio, outcome[0].miss_ratio_alone, 1e-12),
	   "programs without accesses disturb nobody and are not disturbed");
	share_free(share);
	plan.programs = 1;
	share = opened(&plan);
	share_solve(share, outcome);
	both = share_combine(share, outcome, combined);
	ok(near(both.api, 0.02, 1e-12) && near(both.ipc, 1.5, 1e-12) &&
	   near(both.penalty, 80, 1e-12) && near(combined[3], outcome[0].distances[3], 1e-12),
	   "one program combined is itself");
	share_free(share);
}

static void refusals(void)
{
	double profile[ROW] = { 1, -1, 2 }, nan_profile[ROW] = { 1, NAN, 2 };
	struct share_program good = { profile, 0.1, 1, 1 }, p = good;
	struct share_plan plan = { 2, 1, 1, REUSE_RACE, &p };
	const char *error;
	uint32_t refused = 0;

	refused += !share_new(&plan, &error);
	p.distances = nan_profile;
	refused += !share_new(&plan, &error);
	profile[1] = 1;
	p = good, p.ipc = 0;
	refused += !share_new(&plan, &error);
	p = good, p.api = NAN;
	refused += !share_new(&plan, &error);
	p = good, p.penalty = -1;
	refused += !share_new(&plan, &error);
	p = good, plan.ways = 65;
	refused += !share_new(&plan, &error);
	plan.ways = 2, plan.groups = 0;
	refused += !share_new(&plan, &error);
	ok(refused == 7, "what is no plan is refused (%u of 7)", refused);
}

/* Groups that are alike are as one; a conflict in one group is felt there. */
static void groups_of_sets(void)
{
	enum { WAYS = 4 };
	const double one[WAYS + 1] = { 4, 2, 1, 1, 2 }, other[WAYS + 1] = { 1, 1, 2, 1, 1 };
	double one_four[4 * (WAYS + 1)], other_four[4 * (WAYS + 1)];
	const double high[2 * (WAYS + 1)] = { 1, 0, 0, 8, 0, 0, 0, 0, 0, 0 };
	const double low[2 * (WAYS + 1)] = { 0, 0, 0, 0, 0, 1, 0, 0, 8, 0 };
	struct share_program whole[2] = { { one, 0.02, 1, 50 }, { other, 0.03, 2, 60 } };
	struct share_program split[2] = { { one_four, 0.02, 1, 50 }, { other_four, 0.03, 2, 60 } };
	struct share_program apart[2] = { { high, 0.02, 1, 50 }, { low, 0.03, 2, 60 } };
	struct share_plan plans[3] = { { WAYS, 1, 2, REUSE_RACE, whole },
				       { WAYS, 4, 2, REUSE_RACE, split },
				       { WAYS, 2, 2, REUSE_RACE, apart } };
	struct share_outcome outcome[3][2];
	struct share *share[3];
	uint32_t i;

	for (i = 0; i < 4; i++) {
		memcpy(one_four + i * (WAYS + 1), one, sizeof(one));
		memcpy(other_four + i * (WAYS + 1), other, sizeof(other));
	}
	for (i = 0; i < 3; i++) {
		share[i] = opened(&plans[i]);
		share_solve(share[i], outcome[i]);
	}
	ok(near(outcome[0][0].ipc, outcome[1][0].ipc, 1e-9) &&
	   near(outcome[0][1].miss_ratio, outcome[1][1].miss_ratio, 1e-9),
	   "four groups that are alike are as one");
	ok(outcome[2][0].miss_ratio == 0 && outcome[2][1].miss_ratio == 0,
	   "programs that use other sets do not meet");
	for (i = 0; i < 3; i++)
		share_free(share[i]);
}

/* What must hold of any input. Return: what does not. */
static const char *trouble_with(const struct share_plan *plan, struct share_end *end)
{
	struct share_outcome outcome[SHARE_PROGRAMS_MAX], again[SHARE_PROGRAMS_MAX];
	double speed[SHARE_PROGRAMS_MAX], spread = 0;
	struct share *share = opened(plan);
	const char *error = NULL;
	uint32_t i;

	if (!share)
		return "was refused";
	*end = share_solve(share, outcome);
	for (i = 0; i < plan->programs; i++) {
		const struct share_program *p = &plan->program[i];
		double least = share_speed(p, outcome[i].miss_ratio_alone, 1);

		speed[i] = outcome[i].ipc;
		if (!(outcome[i].ipc <= p->ipc * (1 + 1e-9) &&
		      outcome[i].ipc >= least * (1 - 1e-9)))
			error = "a speed lies outside of what is possible";
		if (!(outcome[i].miss_ratio <= 1 + 1e-9))
			error = "a miss ratio is above 1";
	}
	share_at(share, speed, again);
	for (i = 0; i < plan->programs; i++)
		spread = fmax(spread, fabs(again[i].ipc / speed[i] - 1));
	if (!end->stable)
		error = "did not come to rest";
	else if (spread > 1e-5)
		error = "is no fixed point";
	share_free(share);
	return error;
}

static void fixed_points(void)
{
	static double profile[5][ROW];
	struct share_program program[5];
	uint32_t round, i, wrong = 0, most = 0;
	struct share_end end = { 0 };

	for (round = 0; round < 10000; round++) {
		struct share_plan plan = { 1 + below(round % 50 ? 16 : 64), 1, 2 + below(4),
					   round % 4 ? REUSE_RACE : REUSE_MEAN, program };
		const char *error;

		for (i = 0; i < plan.programs; i++) {
			random_profile(profile[i], plan.ways);
			program[i] = (struct share_program){ profile[i], exp(-7 * uniform()),
							     exp(7 * uniform() - 5),
							     300 * uniform() };
		}
		error = trouble_with(&plan, &end);
		most = end.rounds > most ? end.rounds : most;
		if (error && !wrong++)
			printf("# round %u, %u programs: %s\n", round, plan.programs, error);
	}
	ok(!wrong, "10000 random inputs have a fixed point that is found (%u not; %u rounds at "
		   "most)",
	   wrong, most);
}

/* --- steady shares --- */

/* Accesses to fill a share, by small steps. */
static double accesses_by_steps(const double *distances, uint32_t ways, double share)
{
	double total = 0, miss[ROW + 1], sum = 0, at;
	const double width = share / 200000;
	uint32_t i;

	for (i = 0; i <= ways; i++)
		total += distances[i];
	miss[0] = 1;
	for (i = 0; i < ways; i++)
		miss[i + 1] = miss[i] - distances[i] / total;
	for (at = width / 2; at < share; at += width) {
		i = at;
		sum += width / (miss[i] + (at - i) * (miss[i + 1] - miss[i]));
	}
	return sum;
}

static void steady_shares(void)
{
	double a[9] = { 5, 4, 3, 2, 1, 1, 1, 1, 2 }, b[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 8 };
	struct share_program program[2] = { { a, 0.02, 1, 60 }, { b, 0.05, 1.5, 90 } };
	struct share_plan plan = { 8, 1, 2, REUSE_RACE, program };
	struct steady_share shares[2];
	struct share_end end = shares_solve(&plan, shares);
	double time[2];

	time[0] = accesses_by_steps(a, 8, shares[0].ways) / (0.02 * shares[0].ipc);
	time[1] = accesses_by_steps(b, 8, shares[1].ways) / (0.05 * shares[1].ipc);
	ok(end.stable && near(shares[0].ways + shares[1].ways, 8, 1e-6), "shares sum up to the "
									 "cache");
	ok(near(time[0] / time[1], 1, 1e-3), "and take the same time to fill (%f)",
					     time[0] / time[1]);
	program[1] = program[0];
	shares_solve(&plan, shares);
	ok(near(shares[0].ways, 4, 1e-6) && near(shares[1].ways, 4, 1e-6), "equal programs get "
									   "halves");
}

int main(void)
{
	printf("# seed %u\n", SEED);
	reuse_times();
	distinct_lines();
	rare_misses();
	drawn_programs();
	direct_mapped();
	streaming_partner();
	symmetry();
	silent_partners();
	refusals();
	groups_of_sets();
	simulated_sets();
	fixed_points();
	steady_shares();
	return done();
}
