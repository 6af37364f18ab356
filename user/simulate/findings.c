// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/findings.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/student.h"

void sim_findings_free(struct sim_findings *findings)
{
	for (size_t n = 0; n < CACHE_LEVELS; n++) {
		free(findings->levels[n].sets);
		free(findings->levels[n].depths);
		free(findings->levels[n].set_reuse);
	}
	free(findings->pages);
	free(findings->function);
	free(findings->rows);
	free(findings->loops);
	free(findings->parts);
	free(findings->things);
	free(findings->pairs);
	free(findings->aliases);
	free(findings->sharings);
	free(findings->reuses);
	free(findings->loop_pairs);
	for (size_t i = 0; i < findings->thread_count; i++)
		free(findings->threads[i].depths);
	free(findings->threads);
	free(findings->phases);
	free(findings->neighbours);
	if (findings->free_owner)
		findings->free_owner(findings->owner);
	free(findings);
}

uint64_t *sim_depths_new(const struct cache_geometry *geometry, const uint64_t *from)
{
	size_t count = (size_t)geometry->sets * (geometry->ways + 1);
	uint64_t *depths = xcalloc(count, sizeof(*depths));

	if (from)
		memcpy(depths, from, count * sizeof(*depths));
	return depths;
}

static double conflict_share(const uint64_t *outcomes)
{
	uint64_t misses = outcomes_missed(outcomes);

	return misses ? (double)outcomes[CLASS_CONFLICT] / misses : 0;
}

/* The Collins-Tullsen detector says conflict or not; it does not decide what is cold. */
static void classify_collins_tullsen(const struct level_counts *counts, int depth,
				     uint64_t *outcomes)
{
	memcpy(outcomes, counts->outcomes, sizeof(counts->outcomes));
	outcomes[CLASS_CONFLICT] = counts->collins_tullsen_conflicts[depth];
	outcomes[CLASS_CAPACITY] = level_misses(counts) - outcomes[CLASS_COLD] -
				   counts->collins_tullsen_conflicts[depth];
}

static void classify(struct sim_level *level, const char *name, const uint64_t *outcomes)
{
	struct classified *result = &level->classified[level->classified_count++];

	result->name = name;
	memcpy(result->outcomes, outcomes, sizeof(result->outcomes));
	result->error = fabs(conflict_share(outcomes) - conflict_share(level->counts.outcomes));
}

/* As published, with 2 x ways; then what other depths would say. */
static void classify_fifo(struct sim_level *level)
{
	static const struct {
		const char *name;
		int depth;
	} lists[] = {
		{ "fifo", 1 }, { "fifo, 1 x ways", 0 }, { "fifo, 4 x ways", 2 },
		{ "fifo, 8 x ways", 3 },
	};
	uint64_t outcomes[MISS_CLASSES];

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		classify_collins_tullsen(&level->counts, lists[i].depth, outcomes);
		classify(level, lists[i].name, outcomes);
	}
}

void sim_level_derive(struct sim_level *level, enum detector detector,
		      const struct pressure *pressure, const uint64_t reuse[][MISS_CLASSES])
{
	level->pressure = pressure->windows ? (double)pressure->peaks / pressure->windows : 0;
	level->pressured = pressure->lines ? (double)pressure->pressured / pressure->lines : 0;
	level->classified_count = 0;
	if (detector == DETECTOR_COLLINS_TULLSEN) {
		classify_fifo(level);
	} else if (detector == DETECTOR_REUSE) {
		for (int reading = 0; reading < REUSE_READINGS; reading++)
			classify(level, reuse_reading_name(reading), reuse[reading]);
	}
}

const char *reuse_reading_name(enum reuse_reading reading)
{
	return reading == REUSE_BY_SET ? "reuse by set" : "reuse over all";
}

/* ---- phases ---- */

struct ratio {
	double part, whole;
};

static struct ratio ratio_of(const struct sim_phase *phase, uint32_t n, bool conflicts)
{
	const uint64_t *outcomes = phase->outcomes[n];
	uint64_t misses = outcomes_missed(outcomes);

	if (conflicts)
		return (struct ratio){ outcomes[CLASS_CONFLICT], misses };
	return (struct ratio){ misses, misses + outcomes[CLASS_HIT] };
}

/*
 * The ratio of sums, and its standard error times Student's quantile (Cochran, Sampling Techniques,
 * 6.4 and 2.8): a few phases hardly tell how much they vary.
 */
static double estimate(const struct sim_findings *findings, uint32_t n, bool conflicts,
		       double *error)
{
	struct ratio sum = { 0, 0 };
	double squares = 0, value;
	size_t count = findings->phase_count, i;

	for (i = 0; i < count; i++) {
		struct ratio ratio = ratio_of(&findings->phases[i], n, conflicts);

		sum.part += ratio.part;
		sum.whole += ratio.whole;
	}
	value = sum.whole ? sum.part / sum.whole : NAN;
	for (i = 0; i < count; i++) {
		struct ratio ratio = ratio_of(&findings->phases[i], n, conflicts);
		double residue = ratio.part - value * ratio.whole;

		squares += residue * residue;
	}
	/* No more than what contains all ratios anyway. */
	*error = count < 2 || !sum.whole ? NAN : fmin(1, student_975(count - 1) *
		 sqrt(squares / (count - 1) * count) / sum.whole);
	return value;
}

struct sim_estimate sim_findings_estimate(const struct sim_findings *findings, uint32_t n)
{
	struct sim_estimate result;

	result.miss_ratio = estimate(findings, n, false, &result.miss_ratio_error);
	result.conflict_share = estimate(findings, n, true, &result.conflict_share_error);
	return result;
}
