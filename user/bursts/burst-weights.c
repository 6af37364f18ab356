// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bursts/burst-strata.h"

#define LEAST_INSTRUCTIONS	1000	/* of a timed part that says something */
#define LEAST_BURSTS		3	/* that begin in a loop which is a stratum: PLACE_FEW */
#define USUAL_NS		1.0	/* of a reference: programs that miss little */
#define OTHER_SPEED		2	/* times as fast or slow: not by the spread of one loop's */

struct burst_weights *burst_weights_new(void)
{
	return xcalloc(1, sizeof(struct burst_weights));
}

void burst_weights_free(struct burst_weights *weights)
{
	map_free(&weights->latest);
	free(weights->burst);
	free(weights->part);
	free(weights->misses);
	free(weights->unknown);
	free(weights->met);
	free(weights->strata);
	free(weights->tick);
	free(weights);
}

/* A context's part of the burst that goes on. */
static struct burst_part *part_of(struct burst_weights *weights, size_t context)
{
	uint64_t *latest = map_at(&weights->latest, context + 1);

	if (*latest > weights->first_part)
		return &weights->part[*latest - 1];
	weights->part = grow(weights->part, weights->parts, &weights->part_capacity,
			     sizeof(*weights->part));
	weights->part[weights->parts++] = (struct burst_part){ context };
	*latest = weights->parts;
	if (context >= weights->contexts)
		weights->contexts = context + 1;
	return &weights->part[*latest - 1];
}

void burst_weights_miss(struct burst_weights *weights, size_t context)
{
	part_of(weights, context)->misses++;
}

void burst_weights_unknown(struct burst_weights *weights, size_t context, uint64_t count)
{
	part_of(weights, context)->unknown += count;
}

static void add_met(struct burst_weights *weights, size_t where, double ns, double due)
{
	while (weights->met_count <= where) {
		weights->met = grow(weights->met, weights->met_count, &weights->met_capacity,
				    sizeof(*weights->met));
		weights->met[weights->met_count++] = (struct met){ 0 };
	}
	weights->met[where].ns += ns;
	weights->met[where].due += due;
}

static void add_tick(struct burst_weights *weights, size_t stratum)
{
	weights->tick = grow(weights->tick, weights->ticks, &weights->tick_capacity,
			     sizeof(*weights->tick));
	weights->tick[weights->ticks++] = stratum;
}

void burst_weights_met(struct burst_weights *weights, size_t context)
{
	add_tick(weights, STRATUM_CONTEXT + context);
}

void burst_weights_met_call(struct burst_weights *weights)
{
	add_tick(weights, STRATUM_CALL);
}

void burst_weights_met_none(struct burst_weights *weights)
{
	weights->ticks = 0;
	add_tick(weights, STRATUM_ALONE);
}

void burst_weights_logged(struct burst_weights *weights, size_t context)
{
	weights->logged = STRATUM_CONTEXT + context;
}

/* Where the burst that goes on began. */
static size_t began(const struct burst_weights *weights)
{
	return weights->ticks ? weights->tick[weights->ticks - 1] : STRATUM_REST;
}

/* In the thread's time since its burst before; of its first one since it began. */
static void take_ticks(struct burst_weights *weights, const struct ccs_burst *burst)
{
	double interval = burst_met_ns(burst), each;

	if (!weights->ticks)
		add_tick(weights, STRATUM_REST);
	each = interval / weights->ticks;
	for (size_t i = 0; i < weights->ticks; i++)
		add_met(weights, weights->tick[i], each, 1.0 / weights->ticks);
	weights->met_squares += each * each * weights->ticks;
	weights->ticks = 0;
}

void burst_weights_pass(struct burst_weights *weights, const struct ccs_burst *burst)
{
	if (weights->ticks)
		take_ticks(weights, burst);
}

double burst_weights_own(const struct ccs_burst *burst)
{
	if (burst->timed_instructions < LEAST_INSTRUCTIONS || !burst->timed_ns ||
	    !burst->instructions || !burst->references)
		return 0;
	return (double)burst->timed_ns / burst->timed_instructions * burst->instructions /
	       burst->references;
}

void burst_weights_end(struct burst_weights *weights, const struct ccs_burst *burst,
		       const struct burst_tally *tally)
{
	bool idle = !burst->references && burst->instructions >= LEAST_INSTRUCTIONS;

	weights->burst = grow(weights->burst, weights->count, &weights->capacity,
			      sizeof(*weights->burst));
	weights->burst[weights->count++] = (struct weighed){
		.interval = burst->interval_ns, .began = began(weights),
		.stayed = !weights->logged || weights->logged == began(weights),
		.tally = *tally, .own = idle ? INFINITY : burst_weights_own(burst),
		.instructions = burst->references ?
				(double)burst->instructions / burst->references : 0,
		.parts = weights->parts - weights->first_part,
	};
	weights->first_part = weights->parts;
	weights->logged = 0;
	take_ticks(weights, burst);
}

/* @references: that were made in the time, 0 = nothing is known. Return: ns of one */
static double mean_ns(double interval, double references)
{
	return references > 0 ? interval / references : USUAL_NS;
}

/*
 * Nanoseconds of a reference where that was not measured: as in the others. What tracing took says
 * less, most of it being new blocks and pages of the log that are touched for the first time.
 */
static double usual_ns(const struct weighed *burst, size_t count, uint64_t *timed)
{
	double interval = 0, references = 0;

	*timed = 0;
	for (size_t i = 0; i < count; i++) {
		*timed += burst[i].own > 0;
		if (burst[i].own <= 0 || isinf(burst[i].own))
			continue;
		interval += burst[i].interval;
		references += burst[i].interval / burst[i].own;
	}
	return mean_ns(interval, references);
}

/* What one counted reference of the burst stands for. */
static double weight_of(const struct weighed *burst)
{
	if (!burst->tally.counted)
		return 0;
	if (burst->interval <= 0 || burst->began == STRATUM_CALL)
		return 1;
	return burst->stands / burst->ns / burst->tally.counted;
}

double burst_weights_now(struct burst_weights *weights, const struct ccs_burst *burst)
{
	double own = burst_weights_own(burst);

	if (own > 0) {
		weights->timed_interval += burst->interval_ns;
		weights->timed_references += burst->interval_ns / own;
	} else {
		own = mean_ns(weights->timed_interval, weights->timed_references);
	}
	if (!burst->interval_ns || !burst->references || began(weights) == STRATUM_CALL)
		return 1;
	return burst->interval_ns / own / burst->references;
}

/* --- strata --- */

/* A loop of more than chance leaves out, of which no burst has a miss or what may be one. */
static bool was_missed(const struct burst_weights *weights, size_t stratum, double most)
{
	return !weights->strata[stratum].bursts && weights->strata[stratum].met > most &&
	       !map_get(&weights->latest, stratum - STRATUM_CONTEXT + 1);
}

static void miss(struct burst_weights *weights, size_t stratum)
{
	double met = weights->met[stratum].ns;

	if (!weights->missed || met > weights->met[STRATUM_CONTEXT + weights->missed_most].ns)
		weights->missed_most = stratum - STRATUM_CONTEXT;
	weights->missed += met;
	weights->strata[STRATUM_REST].met -= met;
	weights->strata[stratum] = (struct stratum){ 0 };
}

/* Code in which few bursts begin is all one stratum. */
static void pool(struct burst_weights *weights)
{
	struct stratum *rest = &weights->strata[STRATUM_REST];
	double most;

	for (size_t i = STRATUM_CONTEXT; i < weights->met_count; i++) {
		if (weights->strata[i].bursts >= LEAST_BURSTS)
			continue;
		rest->met += weights->strata[i].met;
		rest->bursts += weights->strata[i].bursts;
	}
	most = rest->bursts ? unseen_part(rest->bursts) * rest->met : INFINITY;
	weights->missed = 0;
	for (size_t i = STRATUM_CONTEXT; i < weights->met_count; i++) {
		if (weights->strata[i].bursts >= LEAST_BURSTS)
			continue;
		if (was_missed(weights, i, most))
			miss(weights, i);
		else
			weights->strata[i] = (struct stratum){ .pooled.met = weights->met[i] };
	}
}

/* NULL: the burst's code is a stratum of its own, or nothing is known of it. */
static struct pooled *pooled(const struct burst_weights *weights, const struct weighed *burst)
{
	return counts(burst) && burst->stratum == &weights->strata[STRATUM_REST] &&
	       burst->began >= STRATUM_CONTEXT ? &weights->strata[burst->began].pooled : NULL;
}

/* Adds up what is pooled. Return: bursts that began there for each that was due */
static double pooled_rate(struct burst_weights *weights)
{
	double bursts = 0, due = 0;

	for (size_t i = STRATUM_CONTEXT; i < weights->met_count; i++)
		due += weights->strata[i].pooled.met.due;
	for (size_t i = 0; i < weights->count; i++) {
		struct pooled *of = pooled(weights, &weights->burst[i]);

		if (!of)
			continue;
		of->interval += weights->burst[i].interval;
		bursts++;
	}
	return due > 0 ? bursts / due : 0;
}

/*
 * Code of few bursts has them by chance, and early where they are missed (tracee/bursts/places.h).
 * It stands for its time by ticks over its chance to have any (Horvitz, Thompson 1952).
 */
static void stand_for_rest(struct burst_weights *weights)
{
	double rate = pooled_rate(weights), interval = 0, stands = 0;

	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];
		const struct pooled *of = pooled(weights, burst);

		if (!of || of->interval <= 0)
			continue;
		burst->stands = burst->interval / of->interval * of->met.ns /
				-expm1(-rate * of->met.due);
		interval += burst->interval;
		stands += burst->stands;
	}
	for (size_t i = 0; stands > 0 && i < weights->count; i++)
		if (pooled(weights, &weights->burst[i]))
			weights->burst[i].stands *= interval / stands;
}

static bool is_timed(const struct weighed *burst)
{
	return burst->own > 0 && !isinf(burst->own) && burst->instructions > 0;
}

/*
 * A burst logs what the program does some 393,216 instructions after the timer met it. How likely
 * it was to log that depends on how slow the code is that the timer met, not on what comes between:
 * where the log begins in other code, the speed is that of bursts that stayed (Horvitz, Thompson
 * 1952: a weight is the reciprocal of the chance to be taken).
 */
static void find_stayed(struct burst_weights *weights)
{
	for (size_t i = 0; i < weights->count; i++) {
		const struct weighed *burst = &weights->burst[i];
		struct stayed *stayed = &weights->strata[burst->began].stayed;

		if (!burst->stayed || burst->began < STRATUM_CONTEXT || !is_timed(burst))
			continue;
		stayed->bursts++;
		stayed->interval += burst->interval;
		stayed->instructions += burst->interval / burst->own * burst->instructions;
	}
}

static void weigh_strayed(struct burst_weights *weights)
{
	find_stayed(weights);
	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];
		const struct stayed *stayed = &weights->strata[burst->began].stayed;
		double typical;

		if (burst->stayed || stayed->bursts < LEAST_BURSTS || !is_timed(burst))
			continue;
		typical = stayed->interval / stayed->instructions * burst->instructions;
		if (fmax(typical, burst->own) < OTHER_SPEED * fmin(typical, burst->own))
			continue;
		burst->ns = typical;
	}
}

/* Its burst counts. */
static void add_burst(struct stratum *stratum, const struct weighed *burst)
{
	stratum->interval += burst->stands;
	if (burst->own <= 0)
		return;
	stratum->timed++;
	stratum->timed_interval += burst->stands;
	stratum->references += burst->weight * burst->tally.counted;
}

static void make_strata(struct burst_weights *weights)
{
	free(weights->strata);
	weights->strata = xcalloc(weights->met_count + STRATUM_CONTEXT, sizeof(*weights->strata));
	for (size_t i = 0; i < weights->met_count; i++)
		if (i != STRATUM_CALL)
			weights->strata[i].met = weights->met[i].ns;
	for (size_t i = 0; i < weights->count; i++)
		weights->strata[weights->burst[i].began].bursts += counts(&weights->burst[i]);
	weigh_strayed(weights);
	pool(weights);
	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];

		burst->stratum = &weights->strata[burst->began];
		if (!burst->stratum->bursts)
			burst->stratum = &weights->strata[STRATUM_REST];
	}
	stand_for_rest(weights);
	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];

		burst->weight = weight_of(burst);
		if (counts(burst))
			add_burst(burst->stratum, burst);
	}
}

/* What is the same code is as fast where that was not measured; so is what ticks say is rare. */
static void share_speed(struct burst_weights *weights)
{
	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];
		const struct stratum *of = burst->stratum;

		if (counts(burst) && burst->own <= 0 && of->timed_interval > 0 &&
		    burst->began >= STRATUM_CONTEXT)
			burst->weight = burst->stands * of->references / of->timed_interval /
					burst->tally.counted;
	}
}

/* Bursts of a stratum stand for its part of the time together. */
static void weigh_by_strata(struct burst_weights *weights)
{
	double met = met_by_bursts(weights), interval = 0;

	for (size_t i = 0; i < weights->met_count; i++)
		interval += weights->strata[i].interval;
	for (size_t i = 0; met > 0 && i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];
		const struct stratum *of = burst->stratum;

		if (counts(burst) && of->interval > 0)
			burst->weight *= of->met / met * interval / of->interval;
	}
}

/* The context that has the most of what is unknown. */
static void find_unknown(const struct burst_weights *weights, struct burst_totals *totals)
{
	totals->unknown_most = 0;
	for (size_t i = 0; i < weights->contexts; i++) {
		if (weights->unknown[i] <= totals->unknown_most)
			continue;
		totals->unknown_most = weights->unknown[i];
		totals->unknown_context = i;
	}
}

/* All weights are there. */
static void add_up(struct burst_weights *weights, struct burst_totals *totals)
{
	double misses = 0, counted = 0, unknown = 0, likely = 0;
	double *kinds = totals->weighted_kinds;
	const struct burst_part *part = weights->part;

	memset(kinds, 0, sizeof(totals->weighted_kinds));
	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];

		burst->misses = 0;
		for (size_t n = 0; n < burst->parts; n++, part++) {
			weights->misses[part->context] += burst->weight * part->misses;
			weights->unknown[part->context] += burst->weight * part->unknown;
			burst->misses += part->misses;
		}
		misses += burst->weight * burst->misses;
		for (size_t n = 0; n < BURST_KINDS; n++)
			kinds[n] += burst->weight * burst->tally.misses[n];
		counted += burst->weight * burst->tally.counted;
		unknown += burst->weight * burst->tally.unknown;
		likely += burst->weight * burst->tally.likely;
	}
	weights->all = misses;
	totals->weighted_misses = misses;
	totals->weighted_counted = counted;
	totals->weighted_unknown = unknown;
	totals->weighted_likely = likely;
}

void burst_weights_settle(struct burst_weights *weights, struct burst_totals *totals)
{
	double usual = usual_ns(weights->burst, weights->count, &totals->timed);

	free(weights->misses);
	free(weights->unknown);
	weights->misses = xcalloc(weights->contexts + 1, sizeof(*weights->misses));
	weights->unknown = xcalloc(weights->contexts + 1, sizeof(*weights->unknown));
	for (size_t i = 0; i < weights->count; i++) {
		struct weighed *burst = &weights->burst[i];

		burst->ns = burst->own > 0 ? burst->own : usual;
		burst->stands = burst->interval;
	}
	make_strata(weights);
	share_speed(weights);
	weigh_by_strata(weights);
	add_up(weights, totals);
	find_unknown(weights, totals);
	burst_interval_settle(weights, totals);
}

double burst_weights_references(const struct burst_weights *weights, size_t number)
{
	return number < weights->count ?
	       weights->burst[number].weight * weights->burst[number].tally.counted : 0;
}

double burst_weights_share(const struct burst_weights *weights, size_t context)
{
	return context < weights->contexts && weights->all > 0 ?
	       weights->misses[context] / weights->all : 0;
}
