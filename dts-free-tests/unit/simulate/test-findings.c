// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intervals of phases hold the true value as often as they say, be there few phases or many: phases
 * of 10,000 accesses whose miss ratios are drawn around 0.3, and conflict shares around 0.5; seed 5.
 */
#include "base/random.h"
#include "simulate/findings.h"
#include "tap.h"

#define ACCESSES	10000
#define DRAWS		4000
#define PHASES_MOST	30

static uint64_t state = 5;

/* Nearly normal, with a mean of 0 and a deviation of 1. */
static double draw(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += random_unit(&state);
	return sum;
}

static void make_phase(struct sim_phase *phase)
{
	uint64_t misses = ACCESSES * (0.3 + 0.04 * draw());
	uint64_t conflicts = misses * (0.5 + 0.08 * draw());

	*phase = (struct sim_phase){ .outcomes[0] = {
		[CLASS_HIT] = ACCESSES - misses, [CLASS_COLD] = misses - conflicts,
		[CLASS_CONFLICT] = conflicts,
	} };
}

static bool holds(double value, double error, double truth)
{
	return value - error <= truth && truth <= value + error;
}

static void test_phases(size_t count)
{
	struct sim_phase phases[PHASES_MOST];
	struct sim_findings findings = { .phases = phases, .phase_count = count };
	int ratios = 0, shares = 0;

	for (int i = 0; i < DRAWS; i++) {
		struct sim_estimate found;

		for (size_t phase = 0; phase < count; phase++)
			make_phase(&phases[phase]);
		found = sim_findings_estimate(&findings, 0);
		ratios += holds(found.miss_ratio, found.miss_ratio_error, 0.3);
		shares += holds(found.conflict_share, found.conflict_share_error, 0.5);
	}
	ok(ratios >= 0.93 * DRAWS && ratios <= 0.97 * DRAWS, "%zu phases: the miss ratio in %.1f%% "
	   "of the intervals", count, 100.0 * ratios / DRAWS);
	ok(shares >= 0.93 * DRAWS && shares <= 0.97 * DRAWS, "... the conflict share in %.1f%%",
	   100.0 * shares / DRAWS);
}

/* Of two phases that have nothing in common nothing is known: that is no more than 100%. */
static void test_unlike(void)
{
	struct sim_phase phases[] = {
		{ .outcomes[0] = { [CLASS_HIT] = 100 } }, { .outcomes[0] = { [CLASS_COLD] = 100 } },
	};
	struct sim_findings findings = { .phases = phases, .phase_count = 2 };
	struct sim_estimate found = sim_findings_estimate(&findings, 0);

	ok(found.miss_ratio == 0.5 && found.miss_ratio_error == 1, "a ratio of %.0f%% +- %.0f%%",
	   100 * found.miss_ratio, 100 * found.miss_ratio_error);
}

int main(void)
{
	test_phases(2);
	test_phases(3);
	test_phases(5);
	test_phases(PHASES_MOST);
	test_unlike();
	return done();
}
