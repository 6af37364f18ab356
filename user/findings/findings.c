// SPDX-License-Identifier: GPL-2.0-only
/* One pass over a recording, or two, and what is left of it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "findings/build.h"
#include "format/inputs.h"
#include "findings/recordings.h"
#include "rcd/set-map.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"

#define UNFILLED	0.5	/* of the references may hit or miss: bursts are too short */
#define UNKNOWN_MOST	0.2	/* of the misses: as many more there may be */
#define BURSTS_FEW	3	/* fewer are of a run that is too short, at any --overhead */
#define OVERHEAD_MUCH	20	/* percent: as much as is advised */

static struct findings *analyze(const struct inputs *inputs, const struct analysis_options *options,
				size_t map_context)
{
	struct pass *pass = pass_new(options);
	int status;

	pass->map_context = map_context;
	pass->several = inputs->count > 1;
	progress_start();
	status = burst_choices_count(&pass->choices, inputs, options->read_most);
	if (!status)
		status = recordings_read(pass, inputs, 0, inputs->count);
	progress_clear();
	if (!status)
		return findings_build(inputs_name(inputs), pass);
	pass_free(pass);
	return NULL;
}

/* The set map of one context: who it is shows in a first pass, its misses are taken in a second. */
static struct findings *analyze_context(const struct inputs *inputs,
					const struct analysis_options *options)
{
	struct findings *findings;
	size_t number, i;

	for (i = 0; i < inputs->count; i++) {
		if (strcmp(inputs->paths[i], "-"))
			continue;
		fail("the set map of one piece of code takes two passes, and standard input can be "
		     "read but once: give a file");
		return NULL;
	}
	findings = analyze(inputs, options, SIZE_MAX);
	if (!findings)
		return NULL;
	number = options->map_context <= findings->context_count ?
		 findings->contexts[options->map_context - 1].number : SIZE_MAX;
	findings_free(findings);
	if (number == SIZE_MAX) {
		fail("%s: there is no context %" PRIu32 ": `ccsample report` shows their ids",
		     inputs->paths[0], options->map_context);
		return NULL;
	}
	return analyze(inputs, options, number);
}

struct findings *analyze_recordings(const char *const *names, size_t count,
				    const struct analysis_options *options)
{
	static const struct analysis_options none;
	struct inputs inputs = { .paths = NULL };
	struct findings *findings;

	if (!options)
		options = &none;
	for (size_t i = 0; i < count; i++)
		inputs_add(&inputs, names[i]);
	findings = options->map_context ? analyze_context(&inputs, options) :
					  analyze(&inputs, options, SIZE_MAX);
	inputs_drop(&inputs);
	if (!findings || findings->whole || strcmp(findings->source, "unknown"))
		return findings;
	fail("%s: nothing can be read before the damage: record again", names[0]);
	findings_free(findings);
	return NULL;
}

struct findings *analyze_recording(const char *name, const struct analysis_options *options)
{
	return analyze_recordings(&name, 1, options);
}

void context_drop(struct context *context)
{
	size_t i;

	for (i = 0; i < context->level_count; i++) {
		free(context->levels[i].objects);
		free(context->levels[i].cdf);
		free(context->levels[i].periods);
		free(context->levels[i].pairs);
	}
	for (i = 0; i < context->nest_count; i++)
		free(context->nests[i].objects);
	free(context->levels);
	free(context->nests);
	free(context->objects);
	free(context->lines);
}

void findings_say_remarks(const struct findings *findings, bool all)
{
	for (size_t i = 0; i < findings->remark_count; i++)
		if (all || findings->remarks[i].unread)
			note("%s: %s", findings->path, findings->remarks[i].text);
}

void findings_free(struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->context_count; i++)
		context_drop(&findings->contexts[i]);
	for (i = 0; i < findings->remark_count; i++)
		free(findings->remarks[i].text);
	free(findings->remarks);
	free(findings->contexts);
	free(findings->objects);
	free(findings->events);
	set_map_free(&findings->map);
	free(findings->path);
	pass_free(findings->owner);
	free(findings);
}

uint64_t level_samples(const struct event_totals *events, size_t count, uint32_t level)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < count; i++)
		if (events[i].level == level)
			samples += events[i].samples;
	return samples;
}

uint32_t cache_level_shares(const struct cache_level *cache, double *shares)
{
	shares[0] = 1;
	if (cache->hash)
		slice_shares(cache->hash, shares);
	return cache->hash ? cache->hash->slices : 1;
}

bool findings_counted(const struct findings *findings, uint32_t level, uint64_t *misses)
{
	const struct level_totals *outer = level > 1 ? &findings->outer[level - 2] : NULL;
	const struct event_totals *event = findings_event(findings, level);

	/* Of L1 the module counts only load misses. */
	if (outer ? !outer->known : !level || !(findings->loads || findings->load_misses))
		return false;
	*misses = outer ? outer->load_misses : findings->load_misses;
	if (event && event->no_loads)
		return false;
	if (event && event->sees_stores)
		*misses += outer ? outer->store_misses : findings->store_misses;
	return true;
}

double findings_unseen(const struct findings *findings, uint32_t level)
{
	const struct event_totals *event = findings_event(findings, level);
	const struct level_totals *outer = level > 1 ? &findings->outer[level - 2] : NULL;
	uint64_t loads = outer ? outer->load_misses : findings->load_misses;
	uint64_t stores = outer ? outer->store_misses : findings->store_misses;

	if (!event || !level)
		return NAN;
	if (event->no_loads)
		return NAN;
	if (event->sees_stores)
		return 0;
	/* No store miss at all: nobody counted them. */
	return stores ? (double)stores / (loads + stores) : NAN;
}

uint32_t findings_burst_levels(const struct findings *findings)
{
	return findings->long_bursts.bursts ? 2 : findings->bursts.bursts ? 1 : 0;
}

const struct burst_totals *findings_bursts(const struct findings *findings, uint32_t level)
{
	return level > 1 ? &findings->long_bursts : &findings->bursts;
}

static struct miss_ratio ratio_of(const struct burst_totals *bursts)
{
	double counted = bursts->weighted_counted, misses = bursts->weighted_misses;
	double unknown = bursts->weighted_unknown, low, high, most;

	if (!(counted > unknown))
		return (struct miss_ratio){ NAN, NAN, NAN };
	low = counted + bursts->missed_references;
	high = counted + bursts->missed_misses;
	most = misses + unknown + bursts->missed_misses;
	return (struct miss_ratio){
		.low = fmax(0, fmin(misses / low - bursts->spread,
				    misses / (low + bursts->unseen_references))),
		.ratio = burst_totals_ratio(bursts),
		.high = fmin(1, fmax(most / high + bursts->spread,
				     (most + bursts->unseen_misses) /
				     (high + bursts->unseen_misses))),
	};
}

static bool excludes_some(const struct miss_ratio *ratio)
{
	return ratio->low >= 0.0005 || ratio->high < 0.995;
}

/* L2 misses no more often than L1, which more bursts answer for. */
static struct miss_ratio bounded_ratio(const struct findings *findings, uint32_t level)
{
	struct miss_ratio ratio = ratio_of(findings_bursts(findings, level));
	struct miss_ratio inner = ratio_of(&findings->bursts);

	if (isnan(ratio.ratio) || isnan(inner.ratio))
		return ratio;
	return (struct miss_ratio){
		.low = fmin(ratio.low, inner.low), .ratio = fmin(ratio.ratio, inner.ratio),
		.high = fmin(ratio.high, inner.high),
	};
}

enum ratio_doubt findings_ratio_doubt(const struct findings *findings, uint32_t level)
{
	const struct burst_totals *bursts = findings_bursts(findings, level);
	struct miss_ratio ratio = ratio_of(bursts);

	if (excludes_some(&ratio))
		return RATIO_SURE;
	if (!bursts->bursts)
		return RATIO_NO_BURST;
	if (bursts->weighted_unknown >= UNFILLED * bursts->weighted_counted ||
	    bursts->weighted_unknown > bursts->weighted_misses)
		return RATIO_UNFILLED;
	return bursts->bursts == 1 ? RATIO_ONE_BURST : RATIO_DIFFER;
}

struct miss_ratio findings_miss_ratio(const struct findings *findings, uint32_t level)
{
	enum ratio_doubt doubt = findings_ratio_doubt(findings, level);
	struct miss_ratio ratio = bounded_ratio(findings, level);

	if (doubt == RATIO_SURE || ((doubt == RATIO_ONE_BURST || doubt == RATIO_DIFFER) &&
				    excludes_some(&ratio)))
		return ratio;
	return (struct miss_ratio){ NAN, NAN, NAN };
}

struct miss_ratio findings_conflicts(const struct findings *findings, uint32_t level)
{
	const struct rcd_summary *all = &findings->program[level - 1];
	const struct burst_totals *bursts = findings_bursts(findings, level);
	struct miss_ratio share = { all->conflict_low, all->conflict_share, all->conflict_high };
	bool known = all->has_conflict_share;

	if (findings->bursts.known) {
		share = (struct miss_ratio){ bursts->conflict_low, bursts->conflict_share,
					     bursts->conflict_high };
		known = level <= ARRAY_SIZE(findings->clean) && bursts->bursts &&
			!isnan(share.ratio);
	}
	return known && (share.low >= 0.0005 || share.high < 0.995) ? share :
	       (struct miss_ratio){ NAN, NAN, NAN };
}

struct miss_ratio findings_worth(const struct findings *findings, uint32_t level)
{
	struct miss_ratio misses, conflicts = findings_conflicts(findings, level);

	if (level > findings_burst_levels(findings))
		return (struct miss_ratio){ NAN, NAN, NAN };
	misses = findings_miss_ratio(findings, level);
	return (struct miss_ratio){
		.low = misses.low * conflicts.low, .ratio = misses.ratio * conflicts.ratio,
		.high = misses.high * conflicts.high,
	};
}

bool findings_unknown_matters(const struct burst_totals *bursts)
{
	return bursts->weighted_unknown > UNKNOWN_MOST * bursts->weighted_misses;
}

const char *findings_more_bursts(const struct findings *findings)
{
	const struct burst_totals *bursts = &findings->bursts;

	if (bursts->bursts < BURSTS_FEW)
		return "a longer run (a second or more), or record --source engine,";
	if (bursts->passed)
		return "--all-bursts, or a longer run,";
	if (findings->overhead && strtod(findings->overhead, NULL) >= OVERHEAD_MUCH)
		return "a longer run";
	return "a longer run, or record --overhead 20%,";
}

const struct event_totals *findings_event(const struct findings *findings, uint32_t level)
{
	size_t i;

	for (i = 0; i < findings->event_count; i++)
		if (findings->events[i].level == level)
			return &findings->events[i];
	return NULL;
}

const char *findings_lab(const struct findings *findings, const char *name)
{
	for (size_t i = 0; i < findings->lab_count; i++)
		if (!strcmp(findings->lab[i].name, name))
			return findings->lab[i].value;
	return NULL;
}

const struct cache_level *findings_cache(const struct findings *findings, uint32_t level)
{
	size_t i;

	for (i = 0; i < findings->cache_count; i++)
		if (findings->caches[i].level == level)
			return &findings->caches[i];
	return NULL;
}

const struct nest_findings *context_nest(const struct context *context, uint32_t level)
{
	size_t i;

	for (i = 0; i < context->nest_count; i++)
		if (context->nests[i].level == level)
			return &context->nests[i];
	return NULL;
}

const struct level_findings *context_level(const struct context *context, uint32_t level)
{
	size_t i;

	for (i = 0; i < context->level_count; i++)
		if (context->levels[i].level == level)
			return &context->levels[i];
	return NULL;
}
