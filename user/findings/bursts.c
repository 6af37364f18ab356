// SPDX-License-Identifier: GPL-2.0-only
/*
 * docs/reference/verdicts.md says which misses are certain, and from when on in a burst they count.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "bursts/burst-weights.h"
#include "bursts/outcomes-pack.h"
#include "bursts/pack.h"
#include "findings/burst-misses.h"
#include "findings/bursts.h"
#include "findings/long-bursts.h"
#include "findings/pass.h"
#include "tracee/burst-log/log.h"

#define MADE_MOST	(1u << 30)	/* references of a long burst, recorded or not */

struct bursts {
	struct ccs_long_burst whole;	/* whose pieces come; .made, .both: of long ones only */
	bool gathering, is_long;
	uint8_t *bytes;
	size_t size, capacity;
	uint32_t packing;		/* of the bytes */
	/* of the burst that is all there */
	struct burst_references references;
	struct burst_outcomes outcomes[BURST_OUTCOME_LEVELS];
	uint32_t kept;			/* a bit each: 1 << level whose outcomes were recorded */
	struct burst_levels levels;
	struct burst_misses misses;
	struct burst_totals totals;
	struct long_bursts *long_ones;
};

struct bursts *bursts_new(void)
{
	struct bursts *bursts = xcalloc(1, sizeof(*bursts));

	bursts->capacity = 1;	/* a burst without a byte has a place, too */
	bursts->bytes = xcalloc(1, bursts->capacity);
	burst_misses_open(&bursts->misses);
	bursts->long_ones = long_bursts_new();
	return bursts;
}

void bursts_free(struct bursts *bursts)
{
	long_bursts_free(bursts->long_ones);
	burst_misses_close(&bursts->misses);
	burst_levels_close(&bursts->levels);
	for (size_t i = 0; i < BURST_OUTCOME_LEVELS; i++)
		burst_outcomes_free(&bursts->outcomes[i]);
	free(bursts->references.all);
	free(bursts->bytes);
	free(bursts);
}

struct burst_totals bursts_totals(struct bursts *bursts, uint32_t level)
{
	if (level > 1)
		return long_bursts_totals(bursts->long_ones);
	burst_weights_settle(bursts->misses.weights, &bursts->totals);
	return bursts->totals;
}

void bursts_miss(struct bursts *bursts, uint32_t level, size_t context)
{
	if (level > 1)
		long_bursts_miss(bursts->long_ones, context);
	else
		burst_weights_miss(bursts->misses.weights, context);
}

void bursts_unknown(struct bursts *bursts, uint32_t level, size_t context, uint64_t count)
{
	if (level > 1)
		long_bursts_unknown(bursts->long_ones, context, count);
	else
		burst_weights_unknown(bursts->misses.weights, context, count);
}

static struct burst_weights *shares_of(const struct bursts *bursts, uint32_t level)
{
	return level > 1 ? long_bursts_shares(bursts->long_ones) : bursts->misses.weights;
}

double bursts_references(const struct bursts *bursts, uint64_t number)
{
	return burst_weights_references(bursts->misses.weights, number);
}

double bursts_share(const struct bursts *bursts, uint32_t level, size_t context)
{
	return burst_weights_share(shares_of(bursts, level), context);
}

struct interval bursts_share_interval(const struct bursts *bursts, uint32_t level, size_t context)
{
	return burst_weights_share_interval(shares_of(bursts, level), context);
}

struct interval bursts_shares_interval(const struct bursts *bursts, uint32_t level,
				       const bool *contexts)
{
	return burst_weights_shares_interval(shares_of(bursts, level), contexts);
}

static void is_bad(struct bursts *bursts, const char *why)
{
	bursts->totals.bad++;
	bursts->totals.why = why;
	bursts->gathering = false;
}

/* --- what a recording says of misses, and here is made from its references --- */

/* Return: false if its misses cannot be counted. */
static bool open_event(struct pass *pass)
{
	static const struct ccs_event l1_miss = {
		.id = UINT32_MAX, .level = 1, .period = 1, .burst = UINT32_MAX, .name = "l1-miss",
		.flags = CCS_EVENT_STORES,
	};
	struct bursts *bursts = pass->bursts;

	pass_burst_caches(pass);
	if (!burst_misses_event(&bursts->misses, pass, &l1_miss))
		return false;
	bursts->totals.known = true;
	return true;
}

static bool open_cache(struct pass *pass)
{
	return open_event(pass) && burst_l1_fits(&pass->levels[1].cache->geometry);
}

/* --- a burst that is all there --- */

/* For those who asked. @misses: whether it has certain ones */
static void give_burst(struct pass *pass, bool misses)
{
	const struct bursts *bursts = pass->bursts;
	const struct whole_burst whole = {
		.record = &bursts->whole.burst, .references = bursts->references.all,
		.misses = misses,
		.space = spaces_get(pass->spaces, bursts->whole.burst.record.process),
		.geometry = &pass->levels[1].cache->geometry,
	};

	pass->options->burst(pass->options->context, &whole);
}

/* NULL = no L2 is known, or what it made of the burst was not kept. */
static const struct burst_outcomes *outcomes_l2(struct pass *pass)
{
	struct bursts *bursts = pass->bursts;
	struct burst_outcomes *outcomes = &bursts->outcomes[1];
	struct burst_l2_plan plan;

	if (!bursts->whole.burst.references ||
	    !long_bursts_plan(bursts->long_ones, pass, &plan))
		return NULL;
	if (bursts->packing == BURST_OUTCOMES)
		return bursts->kept & 1u << 2 ? outcomes : NULL;
	burst_outcomes_l2(outcomes, &bursts->levels, &plan, bursts->whole.burst.record.process,
			  bursts->references.all, bursts->references.count);
	return outcomes;
}

/* Where the log of a short burst begins. */
static void take_logged(struct pass *pass, const struct burst_outcomes *l1, uint32_t level)
{
	uint32_t process = pass->bursts->whole.burst.record.process;
	size_t site;

	if (!l1->began)
		return;
	site = contexts_find(pass->contexts, process, spaces_get(pass->spaces, process), l1->began);
	burst_weights_logged(shares_of(pass->bursts, level),
			     contexts_site(pass->contexts, site)->context);
}

static void take_short(struct pass *pass)
{
	struct bursts *bursts = pass->bursts;
	const struct ccs_burst *burst = &bursts->whole.burst;
	struct burst_outcomes *l1 = &bursts->outcomes[0];
	const struct burst_outcomes *l2;

	if (bursts->packing != BURST_OUTCOMES)
		burst_outcomes_l1(l1, &bursts->levels, &pass->levels[1].cache->geometry,
				  bursts->references.all, bursts->references.count);
	take_logged(pass, l1, 1);
	burst_misses_give(&bursts->misses, pass, burst, l1);
	burst_weights_end(bursts->misses.weights, burst, &l1->tally);
	for (size_t kind = 0; kind < BURST_KINDS; kind++)
		bursts->totals.references[kind] += l1->references[kind];
	burst_misses_total(&bursts->totals, burst, l1, &l1->tally);
	if (pass->options->burst && bursts->packing != BURST_OUTCOMES)
		give_burst(pass, l1->miss_count > 0);
	l2 = outcomes_l2(pass);
	if (l2) {
		take_logged(pass, l1, 2);
		long_bursts_take_short(bursts->long_ones, pass, burst, l2);
	}
}

/* Nothing of a burst counts that does not hold together. */
static const char *unpack(struct bursts *bursts)
{
	uint64_t count = bursts->whole.burst.references;
	const char *wrong;

	if (bursts->packing == BURST_OUTCOMES) {
		bursts->totals.classes = true;
		wrong = burst_outcomes_unpack(bursts->bytes, bursts->size, count, bursts->outcomes,
					      &bursts->kept);
		return wrong || bursts->is_long || bursts->kept & 1u << 1 ? wrong :
		       "what L1 made of it is missing";
	}
	wrong = burst_unpack(bursts->bytes, bursts->size, count, bursts->is_long,
			     &bursts->references);
	if (wrong)
		return wrong;
	return bursts->references.made == count ? NULL : "fewer references than it says";
}

static void finish(struct pass *pass)
{
	struct bursts *bursts = pass->bursts;
	const char *wrong = unpack(bursts);

	bursts->gathering = false;
	if (wrong)
		is_bad(bursts, wrong);
	else if (!open_cache(pass))
		bursts->totals.no_cache++;
	else if (pass->options->references_alone)
		give_burst(pass, false);
	else if (bursts->is_long)
		long_bursts_take(bursts->long_ones, pass, &bursts->whole, outcomes_l2(pass));
	else
		take_short(pass);
}

/* --- its records --- */

/* Where the timer met the thread. */
static void take_met(struct pass *pass, const struct ccs_burst *burst)
{
	const uint64_t *ip = (const uint64_t *)(burst + 1);
	size_t count = (burst->record.size - sizeof(*burst)) / sizeof(*ip);
	uint32_t process = burst->record.process;
	struct space *space = spaces_get(pass->spaces, process);
	struct burst_weights *weights = pass->bursts->misses.weights;
	struct burst_totals *totals = &pass->bursts->totals;
	const struct code_site *site;
	double cpu_ns = burst_met_ns(burst);
	uint64_t anonymous = 0;

	for (size_t i = 0; i < count; i++) {
		if (!ip[i]) {
			burst_weights_met_call(weights);
			burst_weights_met_call(shares_of(pass->bursts, 2));
			continue;
		}
		site = contexts_site(pass->contexts,
				     contexts_find(pass->contexts, process, space, ip[i]));
		burst_weights_met(weights, site->context);
		burst_weights_met(shares_of(pass->bursts, 2), site->context);
		anonymous += site->anonymous;
	}
	if (!count)
		return;
	totals->met_cpu_ns += cpu_ns;
	totals->anonymous_cpu_ns += cpu_ns * anonymous / count;
}

/* Its ticks count, it does not. */
static void pass_by(struct bursts *bursts, const struct ccs_burst *burst)
{
	burst_weights_pass(shares_of(bursts, 1), burst);
	burst_weights_pass(shares_of(bursts, 2), burst);
}

/* @choice: whether it is read */
static void begin(struct pass *pass, const struct ccs_long_burst *whole,
		  struct burst_choice *choice)
{
	const struct ccs_burst *burst = &whole->burst;
	struct bursts *bursts = pass->bursts;

	if (bursts->gathering)
		is_bad(bursts, "pieces are missing");
	if (!burst_choice_takes(choice, burst)) {
		pass_by(bursts, burst);
		return;
	}
	bursts->whole = *whole;
	bursts->size = 0;
	bursts->packing = BURST_PACKING;
	bursts->gathering = true;
	if (burst->bytes > CCS_BURST_MAX ||
	    burst->references > (bursts->is_long ? LONG_REFERENCES_MOST : BURST_REFERENCES_MOST) ||
	    whole->made > MADE_MOST || whole->both > whole->made)
		is_bad(bursts, "more than a burst can hold");
	else if (!burst->bytes)
		finish(pass);
}

void bursts_take(struct pass *pass, const struct ccs_burst *burst)
{
	pass_by(pass->bursts, &pass->bursts->whole.burst);
	take_met(pass, burst);
	if (ccs_burst_is_none(burst)) {
		pass_by(pass->bursts, burst);
		return;
	}
	pass->bursts->is_long = false;
	begin(pass, &(struct ccs_long_burst){ *burst }, &pass->choices.bursts);
}

void bursts_take_long(struct pass *pass, const struct ccs_long_burst *burst)
{
	struct ccs_long_burst whole = { burst->burst, burst->made };

	if (pass->options->references_alone)
		return;
	if (burst->burst.record.size >= sizeof(whole))
		whole.both = burst->both;
	pass->bursts->is_long = true;
	begin(pass, &whole, &pass->choices.long_ones);
}

/* Return: they were asked for, and there are none: after one line. */
static bool needs_references(struct pass *pass)
{
	const struct analysis_options *options = pass->options;

	if (!options->caches && !options->pages && !options->references_alone)
		return false;
	if (!pass->failed)
		fail("%s holds what caches made of references, not these (record --keep classes): "
		     "it answers for the caches that it was recorded with", pass->path);
	pass->failed = true;
	return true;
}

void bursts_take_piece(struct pass *pass, const struct ccs_burst_piece *piece)
{
	struct bursts *bursts = pass->bursts;
	uint32_t packing = piece->packing == BURST_OUTCOMES_OLD ? BURST_OUTCOMES : piece->packing;

	if (!bursts->gathering)
		return;
	if (piece->record.process != bursts->whole.burst.record.process ||
	    piece->record.tid != bursts->whole.burst.record.tid) {
		is_bad(bursts, "a piece of another thread");
		return;
	}
	if (packing != BURST_PACKING && packing != BURST_OUTCOMES) {
		is_bad(bursts, "recorded by another version of ccsample");
		return;
	}
	if (bursts->size && packing != bursts->packing) {
		is_bad(bursts, "pieces of two kinds");
		return;
	}
	bursts->packing = packing;
	if (bursts->packing == BURST_OUTCOMES && needs_references(pass))
		return;
	if (piece->bytes > bursts->whole.burst.bytes - bursts->size) {
		is_bad(bursts, "more bytes than it says");
		return;
	}
	if (bursts->capacity < bursts->size + piece->bytes) {
		bursts->capacity = bursts->whole.burst.bytes;
		bursts->bytes = xrealloc(bursts->bytes, bursts->capacity);
	}
	memcpy(bursts->bytes + bursts->size, piece + 1, piece->bytes);
	bursts->size += piece->bytes;
	if (bursts->size == bursts->whole.burst.bytes)
		finish(pass);
}

void bursts_leave(struct bursts *bursts)
{
	bursts->gathering = false;
}

void bursts_end(struct pass *pass)
{
	if (pass->bursts->gathering)
		is_bad(pass->bursts, "pieces are missing");
	if (pass->source && !strcmp(pass->source, "bursts"))
		open_event(pass);
	long_bursts_end(pass->bursts->long_ones, pass);
	burst_levels_forget(&pass->bursts->levels);
}
