// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bursts taken by CPU time from a program of two phases whose references are known: the weights
 * give the shares back, and intervals hold the ratio however few bursts there are. Seeds 5 and 7.
 */
#include <math.h>

#include "base/random.h"
#include "bursts/burst-weights.h"
#include "findings/findings.h"
#include "tracee/burst-log/log.h"
#include "tap.h"

#define BURSTS		400
#define REFERENCES	100000

/* A phase: nanoseconds and misses of a reference, and how many references of all are its. */
struct phase {
	double ns, misses, share;
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
		struct ccs_burst burst = {
			.references = REFERENCES, .instructions = 3 * REFERENCES,
			.interval_ns = i < 20 ? 10000000 : 100000000,
		};
		struct burst_tally tally = { .counted = REFERENCES / 2 };

		/* Tracing says nothing: it takes long where code is new. */
		burst.spent_ns = REFERENCES * 20 * random_unit(&random);
		if (timed && !(i % timed)) {
			burst.timed_instructions = 10000;
			burst.timed_ns = 10000 * ns / 3;
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

/*
 * A loop refers to memory in a fifth of its time, and computes else: what bursts met then has no
 * references, and stands for its time all the same. Another loop takes as long.
 */
static void test_idle(void)
{
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };

	for (size_t i = 0; i < 100; i++) {
		bool other = i % 2, idle = !other && i % 10;
		struct ccs_burst burst = {
			.references = idle ? 0 : REFERENCES, .instructions = REFERENCES,
			.interval_ns = 10000000, .timed_instructions = 10000, .timed_ns = 10000,
			.spent_ns = 1000000,
		};
		struct burst_tally tally = { .counted = burst.references / 2 };

		burst_weights_met(weights, other ? 4 : 3);
		for (size_t n = 0; n < tally.counted / (other ? 10 : 2); n++) {
			burst_weights_miss(weights, other ? 4 : 3);
			tally.misses[BURST_LOAD]++;
		}
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	/* 50 parts of the time at 0.1, 10 at 0.5. */
	ok(fabs(totals.weighted_misses / totals.weighted_counted - 10.0 / 60) < 0.001,
	   "time of code without references is no other code's: %.3f",
	   totals.weighted_misses / totals.weighted_counted);
	ok(isfinite(totals.spread) && isfinite(totals.unseen_misses), "... and its spread is known");
	burst_weights_free(weights);
}

#define LOOP_INSTRUCTIONS	1200000	/* of either loop, before the other one's turn */
#define UNTIMED_INSTRUCTIONS	131072
#define TIMED_INSTRUCTIONS	262144

/* CPU time to an instruction of a round: the first loop takes 8 ns for one, the second 1 ns. */
static double time_to(double instruction)
{
	double round = floor(instruction / (2 * LOOP_INSTRUCTIONS));
	double left = instruction - round * 2 * LOOP_INSTRUCTIONS;

	return round * 9 * LOOP_INSTRUCTIONS + (left < LOOP_INSTRUCTIONS ? 8 * left :
						7 * LOOP_INSTRUCTIONS + left);
}

/* ... and back, within a round. */
static double instruction_at(double time)
{
	return time < 8 * LOOP_INSTRUCTIONS ? time / 8 : time - 7 * LOOP_INSTRUCTIONS;
}

/* What the share of the first loop of two is said to be, that have the same misses. */
static double share_of_turns(bool told)
{
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };
	double share;

	for (size_t i = 0; i < BURSTS; i++) {
		double met = instruction_at((i + 0.5) / BURSTS * 9 * LOOP_INSTRUCTIONS);
		double timed = met + UNTIMED_INSTRUCTIONS, logged = timed + TIMED_INSTRUCTIONS;
		size_t which = (size_t)(logged / LOOP_INSTRUCTIONS) % 2;
		struct ccs_burst burst = {
			.references = REFERENCES, .instructions = REFERENCES,
			.interval_ns = 10000000, .timed_instructions = TIMED_INSTRUCTIONS,
			.timed_ns = time_to(logged) - time_to(timed),
		};
		struct burst_tally tally = {
			.counted = REFERENCES, .misses = { [BURST_LOAD] = 100 },
		};

		burst_weights_met(weights, met >= LOOP_INSTRUCTIONS);
		if (told)
			burst_weights_logged(weights, which);
		for (size_t n = 0; n < tally.misses[BURST_LOAD]; n++)
			burst_weights_miss(weights, which);
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	share = burst_weights_share(weights, 0);
	burst_weights_free(weights);
	return share;
}

/* Bursts that the timer began in slow code log the fast code behind it, and the other way round. */
static void test_turns(void)
{
	double told = share_of_turns(true), plain = share_of_turns(false);

	ok(fabs(told - 0.5) < 0.03, "slow and fast code by turns: half of the misses each: %.3f", told);
	ok(fabs(plain - 0.5) > 0.1, "... by where bursts' logs begin: %.3f without", plain);
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
		struct ccs_burst burst = { .references = REFERENCES, .interval_ns = 1000000, .cpu_ns = 1000000 };
		struct burst_tally tally = { .counted = 10000 };
		size_t misses = fmax(0, 1000 + 300 * normal(random) + 0.5);

		for (size_t n = 0; n < misses; n++)
			burst_weights_miss(weights, 0);
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	burst_weights_free(weights);
	ratio = totals.weighted_misses / totals.weighted_counted;
	return fabs(ratio - 0.1) <= totals.spread;
}

/* Three standard errors of 95% in 1,000. Of few bursts intervals are as wide as if all were alike. */
static void test_coverage(size_t bursts)
{
	uint64_t random = 7;
	int hold = 0;

	for (int i = 0; i < 1000; i++)
		hold += covers(bursts, &random);
	ok(hold >= 929 && (bursts < 100 || hold <= 971), "intervals by %zu bursts hold the ratio: %d of 1,000", bursts,
	   hold);
}

/*
 * A program whose bursts begin in a loop (number 3) a third of the time, in another one (4) else; each
 * goes on in the other for a part of its misses. Is the first loop's share in the interval?
 */
static bool covers_share(size_t bursts, uint64_t *random)
{
	/* Misses, in hundreds, of bursts that begin in either: of one's own code, of the other's. */
	double share = (1 / 3. * 9 + 2 / 3. * 1.5) / (1 / 3. * 10 + 2 / 3. * 5.5);
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };
	struct interval interval;

	for (size_t i = 0; i < bursts; i++) {
		struct ccs_burst burst = { .references = REFERENCES, .interval_ns = 1000000, .cpu_ns = 1000000 };
		struct burst_tally tally = { .counted = 10000 };
		bool first = random_unit(random) < 1 / 3.;
		double own = (first ? 900 : 400) * draw(random), other = (first ? 100 : 150) * 2 * random_unit(random);

		burst_weights_met(weights, first ? 3 : 4);
		for (size_t n = 0; n < own; n++)
			burst_weights_miss(weights, first ? 3 : 4);
		for (size_t n = 0; n < other; n++)
			burst_weights_miss(weights, first ? 4 : 3);
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	interval = burst_weights_share_interval(weights, 3);
	burst_weights_free(weights);
	return interval.low <= share && share <= interval.high;
}

static void test_share_coverage(size_t bursts)
{
	uint64_t random = 7;
	int hold = 0;

	for (int i = 0; i < 1000; i++)
		hold += covers_share(bursts, &random);
	ok(hold >= 929, "intervals by %zu bursts hold a loop's share: %d of 1,000", bursts, hold);
}

/* Of L1; what may be anything is 0 to 1. */
static struct miss_ratio ratio_said(const struct burst_totals *totals)
{
	struct miss_ratio ratio = findings_miss_ratio(&(struct findings){ .bursts = *totals }, 1);

	return isnan(ratio.ratio) ? (struct miss_ratio){ 0, 0.5, 1 } : ratio;
}

/*
 * Intervals grow as those of a short program do, and misses are very unequal: nine bursts in ten have
 * a tenth as many as the others, and most of a burst's are of one loop or of the other.
 */
static void test_unequal(size_t bursts)
{
	uint64_t random = 13;
	int ratio = 0, share = 0;

	for (int run = 0; run < 1000; run++) {
		struct burst_weights *weights = burst_weights_new();
		struct burst_totals totals = { .known = true };
		struct miss_ratio found;
		struct interval part;

		for (size_t i = 0; i < bursts; i++) {
			const struct ccs_burst burst = {
				.references = REFERENCES, .interval_ns = 10000000 * pow(1.4, i),
				.cpu_ns = 10000000 * pow(1.4, i),
			};
			const struct burst_tally tally = { .counted = 10000 };
			bool many = random_unit(&random) < 0.1, first = random_unit(&random) < 0.3;

			burst_weights_met(weights, 10 + i);
			for (size_t n = 0; n < (many ? 1000 : 100); n++)
				burst_weights_miss(weights, first == (n % 10 > 0));
			burst_weights_end(weights, &burst, &tally);
		}
		burst_weights_settle(weights, &totals);
		found = ratio_said(&totals);
		part = burst_weights_share_interval(weights, 1);
		/* Nine tenths of the misses of three bursts in ten, a tenth of the others'. */
		share += part.low <= 0.34 && 0.34 <= part.high;
		ratio += found.low <= 0.019 && 0.019 <= found.high;
		burst_weights_free(weights);
	}
	ok(ratio >= 929 && share >= 929, "%zu unequal bursts: intervals hold the ratio %d times, a "
	   "loop's share %d times of 1,000", bursts, ratio, share);
}

/* Of three loops that differ by burst, two together are what the third one is not. */
static void test_shares_together(void)
{
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };
	bool two[3] = { true, false, true };
	struct interval both, third;

	for (size_t i = 0; i < 60; i++) {
		struct ccs_burst burst = { .references = REFERENCES, .interval_ns = 1000000, .cpu_ns = 1000000 };
		struct burst_tally tally = { .counted = 10000 };

		for (size_t n = 0; n < 300; n++)
			burst_weights_miss(weights, n < 30 * (i % 3) ? 0 : n < 200 ? 1 : 2);
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	both = burst_weights_shares_interval(weights, two);
	third = burst_weights_share_interval(weights, 1);
	ok(fabs(both.low + third.high - 1) < 1e-9 && fabs(both.high + third.low - 1) < 1e-9 &&
	   both.low < both.high && both.low > 0.2 && both.high < 0.7,
	   "two loops together: %.2f to %.2f, the third one: %.2f to %.2f", both.low, both.high,
	   third.low, third.high);
	burst_weights_free(weights);
}

/* One burst says nothing; a loop that ticks met and no burst may have the misses. */
static void test_share_unseen(void)
{
	struct burst_weights *weights = burst_weights_new();
	const struct ccs_burst burst = {
		.references = REFERENCES, .instructions = REFERENCES, .interval_ns = 1000000, .cpu_ns = 1000000,
		.timed_instructions = 10000, .timed_ns = 10000, .spent_ns = 200000,
	};
	const struct burst_tally tally = { .counted = 1000 };
	struct burst_totals totals = { .known = true };
	struct interval interval;

	for (size_t i = 0; i < 40; i++) {
		for (size_t n = 0; n < 10; n++)
			burst_weights_met(weights, n < 3 ? 8 : 7);
		for (size_t n = 0; n < 500; n++)
			burst_weights_miss(weights, 7);
		burst_weights_end(weights, &burst, &tally);
		if (i && i < 39)
			continue;
		burst_weights_settle(weights, &totals);
		interval = burst_weights_share_interval(weights, 7);
		ok(burst_weights_share(weights, 7) == 1 && interval.high == 1 &&
		   (i ? interval.low > 0 && interval.low < 0.7 : interval.low == 0),
		   "all misses of %zu bursts are a loop's, 30%% of the time nobody saw: %.2f to %.2f", i + 1,
		   interval.low, interval.high);
	}
	burst_weights_free(weights);
}

/* The rule of three: twelve that are all alike may be 0.78 of what there is. */
static void test_alike(void)
{
	struct burst_weights *weights = burst_weights_new();
	const struct ccs_burst burst = { .references = REFERENCES, .interval_ns = 1000000, .cpu_ns = 1000000 };
	const struct burst_tally tally = { .counted = 10 };
	struct burst_totals totals = { .known = true };

	for (size_t i = 0; i < 12; i++) {
		burst_weights_miss(weights, 0);
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	burst_weights_free(weights);
	ok(fabs(totals.spread - 0.1 * (1 - pow(0.05, 1.0 / 12))) < 1e-9, "bursts that are all alike: 0.1 +- %.4f",
	   totals.spread);
}

/* --- ticks --- */

#define TICKS		16		/* before each burst */
#define RUNS		500
#define PHASES		7
#define MET		20		/* contexts where bursts begin; misses are of others */

/* Phases of a program: their part of the time, and references as struct phase has them. */
struct program {
	double calls;			/* ... of the time: in system calls */
	struct {
		double time, ns, misses;
	} phase[PHASES];
};

/* A tenth of the time makes half of the references, which seldom miss. */
static const struct program two = { 0, { { 0.1, 0.2, 0.02 }, { 0.9, 1.8, 0.4 } } };
/* Loops as a filter of images has them. The last one is seldom met, and has a fifth of the references. */
static const struct program seven = { 0.06, {
	{ 0.1, 3, 0.125 }, { 0.18, 1, 0.04 }, { 0.17, 1.3, 0.06 }, { 0.12, 0.7, 0.06 },
	{ 0.18, 1.5, 0.67 }, { 0.17, 2.4, 1 }, { 0.02, 0.12, 0.06 },
} };
/* Two of these are as often met as not. */
static const struct program rare = { 0.2, {
	{ 0.76, 0.3, 0.03 }, { 0.01, 0.4, 0.125 }, { 0.015, 0.8, 0.1 }, { 0.015, 0.3, 0.03 },
} };

/* Most have fewer than three bursts, fast ones of little time early ones. */
static const struct program kinds = { 0.02, {
	{ 0.5, 1, 0.3 }, { 0.16, 2, 0.6 }, { 0.12, 1.5, 0.5 }, { 0.1, 1, 0.2 },
	{ 0.05, 0.3, 0.02 }, { 0.03, 0.2, 0.03 }, { 0.02, 0.15, 0.02 },
} };

static double exact(const struct program *program)
{
	double misses = 0, all = 0;

	for (size_t i = 0; i < PHASES && program->phase[i].time > 0; i++) {
		double references = program->phase[i].time / program->phase[i].ns;

		misses += references * program->phase[i].misses;
		all += references;
	}
	return misses / all;
}

/* Where it is at any time; PHASES: in a call. */
static size_t look(const struct program *program, uint64_t *random)
{
	double at = random_unit(random);

	for (size_t i = 0; i < PHASES; i++) {
		if (at < program->phase[i].time)
			return i;
		at -= program->phase[i].time;
	}
	return PHASES;
}

static void meet_phase(struct burst_weights *weights, size_t phase)
{
	if (phase == PHASES)
		burst_weights_met_call(weights);
	else
		burst_weights_met(weights, MET + phase);
}

/*
 * One in eight has no timed part: it says that it is slow. What begins in a call makes no misses.
 * @off: how slow each phase seems to be when it is timed
 */
static void add_burst(struct burst_weights *weights, const struct program *program,
		      const double *off, size_t which, size_t ticks, uint64_t *random)
{
	uint64_t interval = 1000000 / TICKS * ticks;
	double ns = which < PHASES ?
		    program->phase[which].ns * off[which] * (0.5 + random_unit(random)) : 1;
	size_t misses = which < PHASES ? 1000 * program->phase[which].misses * draw(random) + 0.5 : 0;
	struct burst_tally tally = { .counted = 1000, .misses[BURST_LOAD] = misses };
	struct ccs_burst burst = {
		.references = REFERENCES, .instructions = 3 * REFERENCES,
		.interval_ns = interval, .cpu_ns = interval,
		.timed_instructions = 10000, .timed_ns = 10000 * ns / 3,
		.spent_ns = REFERENCES * 20 + 10000 * ns / 3,
	};

	if (random_unit(random) < 0.125)
		burst.timed_instructions = burst.timed_ns = 0;
	for (size_t n = 0; n < misses; n++)
		burst_weights_miss(weights, which);
	burst_weights_end(weights, &burst, &tally);
}

/* How a run is described. */
struct study {
	const struct program *program;
	size_t bursts;
	size_t every;			/* one burst in so many is read */
	bool ticks;
	bool early;			/* bursts begin where few did, up to half an interval early */
	int held;			/* runs whose interval holds the ratio */
	double half;			/* of the intervals, in the mean */
};

/* Return: how far the ratio of a run is off, squared. */
static double run_error(struct study *study, uint64_t *random)
{
	struct burst_weights *weights = burst_weights_new();
	const struct ccs_burst passed = { .interval_ns = 1000000, .cpu_ns = 1000000 };
	struct burst_totals totals = { .known = true };
	double ratio = exact(study->program), off[PHASES], error;
	size_t began[PHASES] = { 0 };
	struct miss_ratio interval;

	for (size_t i = 0; i < PHASES; i++)
		off[i] = exp(0.2 * normal(random));
	for (size_t i = 0; i < study->every * study->bursts; i++) {
		size_t which = look(study->program, random), ticks = 0;

		while (study->ticks && ticks < TICKS) {
			size_t met = look(study->program, random);

			ticks++;
			if (study->early && ticks > TICKS / 2 && met < PHASES && began[met] < 3) {
				which = met;
				break;
			}
			meet_phase(weights, met);
		}
		if (study->ticks)
			meet_phase(weights, which);
		if (which < PHASES)
			began[which]++;
		if (i % study->every)
			burst_weights_pass(weights, &passed);
		else
			add_burst(weights, study->program, off, which, ticks ? ticks : TICKS, random);
	}
	burst_weights_settle(weights, &totals);
	burst_weights_settle(weights, &totals);	/* as often as one asks */
	burst_weights_free(weights);
	error = totals.weighted_misses / totals.weighted_counted - ratio;
	interval = ratio_said(&totals);
	study->held += interval.low <= ratio && ratio <= interval.high;
	study->half += (interval.high - interval.low) / 2 / RUNS;
	return error * error;
}

static double mean_error(struct study *study)
{
	uint64_t random = 11;
	double squares = 0;

	for (int i = 0; i < RUNS; i++)
		squares += run_error(study, &random);
	return sqrt(squares / RUNS);
}

/* The time of the fast phase is known to 1 / sqrt(0.1 x 60 x 17) in place of 1 / sqrt(0.1 x 60). */
static void test_ticks(void)
{
	struct study none = { &two, 60, 1 }, some = { &two, 60, 1, true };
	struct study others = { &two, 60, 4, true };
	double without = mean_error(&none), with = mean_error(&some);
	double passed = mean_error(&others);

	ok(with < 0.8 * without, "ticks: the mean error is %.4f, without %.4f", with, without);
	ok(passed < with, "those of bursts that are not read count: %.4f", passed);
}

/* Some 95%; six standard errors less. */
static void test_held(const struct program *program, size_t bursts, bool early, const char *name)
{
	struct study study = { program, bursts, 1, true, early };
	double error = mean_error(&study);

	ok(study.held > 0.89 * RUNS, "%s, %zu bursts%s: %d of %d intervals hold, %.4f wide, error %.4f",
	   name, bursts, early ? ", some early" : "", study.held, RUNS, 2 * study.half, error);
}

/* Ten ticks, all as these are; the last one where the burst began. */
static void meet(struct burst_weights *weights, const size_t *met, size_t began)
{
	for (size_t which = 0; which < 3; which++)
		for (size_t n = which == began; n < met[which]; n++)
			burst_weights_met(weights, which);
	burst_weights_met(weights, began);
}

/* Bursts begin here and there as the ticks do not; one is the only one of its code. */
static void test_strata(void)
{
	static const size_t met[] = { 1, 7, 2 }, bursts[] = { 30, 20, 1 };
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };
	const struct ccs_burst burst = {
		.references = REFERENCES, .instructions = REFERENCES, .interval_ns = 1000000, .cpu_ns = 1000000,
		.timed_instructions = 10000, .timed_ns = 10000,
	};
	const struct burst_tally tally = { .counted = 10, .misses[BURST_LOAD] = 1 };

	for (size_t which = 0; which < 3; which++)
		for (size_t i = 0; i < bursts[which]; i++) {
			meet(weights, met, which);
			burst_weights_miss(weights, which);
			burst_weights_end(weights, &burst, &tally);
		}
	burst_weights_settle(weights, &totals);
	for (size_t which = 0; which < 3; which++)
		ok(fabs(burst_weights_share(weights, which) - met[which] / 10.0) < 1e-9,
		   "code %zu has %.3f of the misses, as of the ticks", which,
		   burst_weights_share(weights, which));
	ok(fabs(totals.weighted_counted / (30 + 20 + 1) - 1000000) < 1,
	   "all bursts together stand for as much as before: %.0f",
	   totals.weighted_counted);
	burst_weights_free(weights);
}

/*
 * Three tenths of the time are code of which two bursts tell, neither of them timed: in the part of
 * that time that two may leave out there are no more misses than they had, though all others have none.
 */
static void test_unseen(void)
{
	static const size_t met[] = { 7, 3, 0 }, bursts[] = { 30, 2 };
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };

	for (size_t which = 0; which < 2; which++)
		for (size_t i = 0; i < bursts[which]; i++) {
			struct ccs_burst burst = {
				.references = REFERENCES, .instructions = REFERENCES,
				.interval_ns = 1000000, .cpu_ns = 1000000,
				.timed_instructions = which ? 0 : 10000,
				.timed_ns = which ? 0 : 10000,
				.spent_ns = 2 * REFERENCES + (which ? 0 : 10000),
			};
			struct burst_tally tally = { .counted = 10, .misses[BURST_LOAD] = which };

			meet(weights, met, which);
			if (which)
				burst_weights_miss(weights, which);
			burst_weights_end(weights, &burst, &tally);
		}
	burst_weights_settle(weights, &totals);
	burst_weights_free(weights);
	ok(fabs(totals.unseen_misses / ((1 - sqrt(0.05)) * 0.3 * 32 * 1000000 * 0.1) - 1) < 1e-9,
	   "code without a timed burst: %.0f misses at the most", totals.unseen_misses);
}

/* A tenth of the time is code of six kinds, a burst of each: 0.39 of that may be others. */
static void test_rest(void)
{
	double part = 1 - pow(0.05, 1.0 / 6);
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };

	for (size_t i = 0; i < 54 + 6; i++) {
		size_t which = i < 54 ? 0 : i;
		struct ccs_burst burst = {
			.references = REFERENCES, .instructions = REFERENCES,
			.interval_ns = 1000000, .cpu_ns = 1000000,
			.timed_instructions = 10000, .timed_ns = which ? 5000 : 10000,
		};
		struct burst_tally tally = { .counted = 10, .misses[BURST_LOAD] = !which };

		burst_weights_met(weights, which);
		if (!which)
			burst_weights_miss(weights, which);
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	burst_weights_free(weights);
	ok(fabs(totals.unseen_misses / (part * 6 * 1000000 * 0.1) - 1) < 1e-9 &&
	   fabs(totals.unseen_references / (part * 6 * 1000000 / 0.5) - 1) < 1e-9,
	   "code of six kinds: %.0f references more, or %.0f misses", totals.unseen_references,
	   totals.unseen_misses);
}

/* A nanosecond a reference, for 2.5 ms. */
static const struct ccs_burst steady = {
	.references = REFERENCES, .instructions = REFERENCES,
	.interval_ns = 2500000, .cpu_ns = 2500000,
	.timed_instructions = 10000, .timed_ns = 10000,
};
static const struct burst_tally some = { .counted = 1000 };

/* Four tenths of the time are in code that no burst can see: it may miss each nanosecond. */
static void test_untraced(void)
{
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true, .met_cpu_ns = 1000, .anonymous_cpu_ns = 400 };

	for (size_t i = 0; i < 40; i++) {
		burst_weights_met(weights, 0);
		burst_weights_end(weights, &steady, &some);
	}
	burst_weights_settle(weights, &totals);
	burst_weights_free(weights);
	ok(fabs(totals.unseen_misses - 4e7) < 1 && fabs(totals.unseen_references - 4e8) < 1,
	   "code made at run time may miss as often as a core can, or not at all: %.0f, %.0f",
	   totals.unseen_misses, totals.unseen_references);
}

/*
 * Four bursts at the beginning, and ticks that nearly all met one loop: no burst says anything of
 * it. One that begins there, or has a miss of it, does.
 */
static void test_missed(size_t seen)
{
	enum { LOOP = 7 };
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };
	const struct ccs_burst last = { .interval_ns = 90000000, .cpu_ns = 90000000 };

	for (size_t i = 0; i < 4; i++) {
		burst_weights_met(weights, seen == 1 && i == 3 ? LOOP : i);
		if (seen == 2 && i == 3)
			burst_weights_miss(weights, LOOP);
		burst_weights_end(weights, &steady, &some);
	}
	for (size_t i = 0; i < 36; i++)
		burst_weights_met(weights, LOOP);
	burst_weights_pass(weights, &last);
	burst_weights_settle(weights, &totals);
	burst_weights_free(weights);
	if (seen) {
		ok(!totals.missed_part, "a loop that a burst met was not missed");
		return;
	}
	ok(fabs(totals.missed_part - 0.9) < 1e-9 && totals.missed_context == LOOP,
	   "a loop without a burst: %.2f of the time", totals.missed_part);
	ok(fabs(totals.missed_misses - 90000000) < 1 && totals.missed_references > 8e8,
	   "... may miss as often as a core can, or not at all: %.0f, %.0f", totals.missed_misses,
	   totals.missed_references);
}

/* What is unknown in slow code is more often, but stands for fewer references. */
static void test_unknown(void)
{
	struct burst_weights *weights = burst_weights_new();
	struct burst_totals totals = { .known = true };

	for (size_t i = 0; i < 20; i++) {
		size_t which = i % 2;
		struct ccs_burst burst = {
			.references = REFERENCES, .instructions = REFERENCES,
			.interval_ns = 1000000, .cpu_ns = 1000000,
			.timed_instructions = 10000, .timed_ns = which ? 5000 : 100000,
		};
		struct burst_tally tally = { .counted = 10, .unknown = which ? 1 : 5 };

		burst_weights_unknown(weights, which, tally.unknown);
		burst_weights_end(weights, &burst, &tally);
	}
	burst_weights_settle(weights, &totals);
	ok(totals.unknown_context == 1 &&
	   fabs(totals.unknown_most / totals.weighted_unknown - 0.8) < 1e-9 &&
	   !burst_weights_share(weights, 1),
	   "%.2f of the unknown is the fast code's", totals.unknown_most /
	   totals.weighted_unknown);
	burst_weights_free(weights);
}

int main(void)
{
	const struct phase alike[] = { { 0.5, 0.1, 0.5 }, { 0.5, 0.02, 0.5 } };
	const struct phase slow[] = { { 0.5, 0.06, 0.8 }, { 13, 0.12, 0.2 } };
	const struct phase hidden[] = { { 0.3, 0.02, 0.7 }, { 1.5, 0.35, 0.3 } };
	struct burst_weights *none = burst_weights_new();
	struct burst_totals totals = { .known = true };

	burst_weights_settle(none, &totals);
	ok(!totals.weighted_counted && !burst_weights_share(none, 0),
	   "without bursts there is nothing");
	burst_weights_free(none);
	compare(alike, 0, 0.025, "phases of one speed, not timed");
	compare(alike, 7, 0.05, "... one burst in seven timed");
	compare(hidden, 1, 0.08, "a phase that is five times slower");
	compare(slow, 1, 0.08, "one that is 26 times slower");
	test_ticks();
	for (size_t bursts = 20; bursts <= 320; bursts *= 2) {
		test_held(&two, bursts, false, "two phases");
		test_held(&kinds, bursts / 2, true, "seven kinds");
		for (int early = 0; early < 2; early++) {
			test_held(&seven, bursts, early, "seven loops");
			test_held(&rare, bursts, early, "rare ones");
		}
	}
	test_strata();
	test_unseen();
	for (size_t seen = 0; seen < 3; seen++)
		test_missed(seen);
	test_untraced();
	test_rest();
	test_unknown();
	test_alike();
	test_coverage(2);
	test_coverage(3);
	test_coverage(4);
	test_coverage(12);
	test_coverage(100);
	test_unequal(6);
	test_unequal(9);
	test_unequal(16);
	test_share_coverage(4);
	test_share_coverage(12);
	test_share_coverage(50);
	test_share_unseen();
	test_shares_together();
	test_idle();
	test_turns();
	return done();
}
