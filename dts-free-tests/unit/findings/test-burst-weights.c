// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bursts taken by CPU time from a program of two phases whose references are known: the weights
 * give the shares back, and intervals hold the ratio however few bursts there are. Seeds 5 and 7.
 */
#include <math.h>

#include "base/random.h"
#include "findings/burst-weights.h"
#include "tracee/bursts/log.h"
#include "tap.h"

#define BURSTS		400
#define REFERENCES	100000
#define TRACING_NS	1.2

/*
 * A phase: nanoseconds and misses of a reference, and how many references of all are its; nanoseconds
 * while it is traced, 0: TRACING_NS more.
 */
struct phase {
	double ns, misses, share, traced;
};

static double draw(uint64_t *random)
{
	return 0.9 + 0.2 * random_unit(random);
}

/*
 * What is found of the first phase's share of the misses, and of the miss ratio.
 * @timed: one burst in so many has a timed part, 0 = none
 */
static void sample(const struct phase *phases, size_t timed, double *share, double *ratio)
{
	struct burst_weights *weights = burst_weights_new();
	double time = phases[0].share * phases[0].ns + phases[1].share * phases[1].ns;
	struct burst_totals totals = { .known = true };
	uint64_t random = 5;

	for (size_t i = 0; i < BURSTS; i++) {
		size_t which = random_unit(&random) * time > phases[0].share * phases[0].ns;
		const struct phase *phase = &phases[which];
		/* The first ones come closer, as record takes them. */
		double ns = phase->ns * draw(&random);
		double traced = phase->traced > 0 ? phase->traced : ns + TRACING_NS;
		struct ccs_burst burst = {
			.references = REFERENCES, .instructions = 3 * REFERENCES,
			.interval_ns = i < 20 ? 10000000 : 100000000,
			.missing_ns = i % 7 * 10000,
		};

		struct burst_tally tally = { .counted = REFERENCES / 2 };

		burst.spent_ns = REFERENCES * traced + burst.missing_ns;
		if (timed && !(i % timed)) {
			burst.timed_instructions = 10000;
			burst.timed_ns = 10000 * ns / 3;
			burst.spent_ns += burst.timed_ns;
		}
		/* Loads in the one phase, stores in the other. */
		for (size_t n = 0; n < REFERENCES / 2 * phase->misses; n++) {
			burst_weights_miss(weights, 3 * which);
			tally.misses[which ? BURST_STORE : BURST_LOAD]++;
		}
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	*share = burst_weights_share(weights, 0);
	*ratio = totals.weighted_misses / totals.weighted_counted;
	ok(fabs(totals.weighted_kinds[BURST_LOAD] / totals.weighted_misses - *share) < 1e-9 &&
	   fabs(totals.weighted_kinds[BURST_STORE] / totals.weighted_misses - (1 - *share)) < 1e-9,
	   "loads and stores are weighted as shares are");
	ok(fabs(*share + burst_weights_share(weights, 3) - 1) < 1e-9 &&
	   !burst_weights_share(weights, 1) && !burst_weights_share(weights, 1000),
	   "shares add up, and others have none");
	burst_weights_free(weights);
}

static void compare(const struct phase *phases, size_t timed, double tolerance, const char *name)
{
	double first = phases[0].share * phases[0].misses;
	double all = first + phases[1].share * phases[1].misses, share, ratio;

	sample(phases, timed, &share, &ratio);
	ok(fabs(share - first / all) < tolerance && fabs(ratio / all - 1) < 2 * tolerance,
	   "%s: share %.3f, found %.3f; ratio %.4f, found %.4f", name, first / all, share, all,
	   ratio);
}

/* A sum of twelve is as good as normal. */
static double normal(uint64_t *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += random_unit(random);
	return sum;
}

/* Is the ratio of @bursts bursts in the interval? */
static bool covers(size_t bursts, uint64_t *random)
{
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };
	double ratio;

	for (size_t i = 0; i < bursts; i++) {
		struct ccs_burst burst = { .references = REFERENCES, .interval_ns = 1000000 };
		struct burst_tally tally = { .counted = 10000 };
		size_t misses = 1000 + 100 * normal(random);

		for (size_t n = 0; n < misses; n++)
			burst_weights_miss(weights, 0);
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	burst_weights_free(weights);
	ratio = totals.weighted_misses / totals.weighted_counted;
	return fabs(ratio - 0.1) <= totals.spread;
}

/* Three standard errors of 95% in 1,000. */
static void test_coverage(size_t bursts)
{
	uint64_t random = 7;
	int hold = 0;

	for (int i = 0; i < 1000; i++)
		hold += covers(bursts, &random);
	ok(hold >= 929 && hold <= 971, "intervals by %zu bursts hold the ratio: %d of 1,000", bursts,
	   hold);
}

int main(void)
{
	const struct phase alike[] = { { 0.5, 0.1, 0.5 }, { 0.5, 0.02, 0.5 } };
	const struct phase slow[] = { { 0.5, 0.06, 0.8 }, { 13, 0.12, 0.2 } };
	const struct phase slower[] = { { 0.6, 0.01, 0.97 }, { 40, 0.3, 0.03 } };
	/* Logging hides what misses take. */
	const struct phase hidden[] = { { 0.3, 0.02, 0.7, 1.6 }, { 1.5, 0.35, 0.3, 1.7 } };
	struct burst_weights *none = burst_weights_new();
	struct burst_totals totals = { .known = true };

	burst_weights_settle(none, &totals);
	ok(!totals.weighted_counted && !totals.traced_ns && !burst_weights_share(none, 0),
	   "without bursts there is nothing");
	burst_weights_free(none);
	compare(alike, 0, 0.05, "phases of one speed");
	compare(slow, 0, 0.08, "a phase that is 26 times slower");
	compare(slower, 0, 0.10, "a rare one, 67 times slower");
	compare(hidden, 1, 0.08, "timed: tracing hides the difference");
	compare(slow, 1, 0.08, "timed: a phase that is 26 times slower");
	compare(slow, 2, 0.08, "... with every other burst timed");
	test_coverage(2);
	test_coverage(3);
	test_coverage(4);
	test_coverage(12);
	test_coverage(100);
	return done();
}
