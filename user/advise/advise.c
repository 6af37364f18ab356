// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "advise/search.h"
#include "advise/times.h"
#include "base/memory.h"
#include "base/progress.h"

#define CONFLICTING	0.1	/* of a loop's misses are conflicts: looked at before others */
#define HELPS		0.95	/* of a loop's misses, surely fewer are left */
#define SAVES		0.01	/* of all misses, at least */
#define LEAST		1	/* miss of 1,000 references saved, at least */
#define MORE_L1		0.25	/* of what L2 saves: more misses of L1 may cost that */
#define CHANGES		0.05	/* of a loop's misses: worth a line */
#define OUTER_UNSEEN	0.5	/* of the misses of L1: not known of L2 */
#define CONFLICTS_MANY	0.2	/* of the misses of L1: so many may be conflicts of code unmet */
#define CHOICE		0.5	/* of the best cure's gain, at least */
#define AS_GOOD		0.1	/* of the misses saved: so many fewer may be saved for less */

struct finding {
	const struct keep *keep;
	const struct findings *findings;
	struct cures *advice;
	struct search search;
	struct times *times;		/* NULL = time is not known */
	const struct calibration *calibration;	/* for then; NULL = unknown */
	double time;			/* ns of what a replay counts; 0 = unknown */
	size_t capacity, none_capacity;
	double scale;			/* from weighted misses to those of 1,000 references */
};

static const struct context *context_of(const struct findings *findings, size_t number)
{
	for (size_t i = 0; i < findings->context_count; i++)
		if (findings->contexts[i].number == number)
			return &findings->contexts[i];
	return NULL;
}

static struct cure_effect effect_on(const struct finding *finding, const struct replay *after,
				    size_t context)
{
	const struct replay *before = finding->search.before;
	bool all = context == SIZE_MAX;
	const struct replay_sums *was = all ? &before->all : &before->contexts[context];
	const struct replay_sums *is = all ? &after->all : &after->contexts[context];

	return (struct cure_effect){
		.context = all ? NULL : context_of(finding->findings, context - 1),
		.before = was->misses * finding->scale, .after = is->misses * finding->scale,
		.conflicts_before = fmax(0, was->conflicts * finding->scale),
		.conflicts_after = fmax(0, is->conflicts * finding->scale),
		.ratio = replay_compare(before, after, context),
		.outer_before = was->outer * finding->scale,
		.outer_after = is->outer * finding->scale,
		.outer_most_before = (was->outer + was->outer_unknown) * finding->scale,
		.outer_most_after = (is->outer + is->outer_unknown) * finding->scale,
		.outer = replay_compare_outer(before, after, context),
		.tlb_before = was->tlb * finding->scale, .tlb_after = is->tlb * finding->scale,
		.tlb_conflicts_before = was->tlb_conflicts * finding->scale,
	};
}

/* In misses of L1. */
static double cost_before(const struct cure_effect *effect)
{
	return effect->before + REPLAY_OUTER * effect->outer_before;
}

static double saved_of(const struct cure_effect *effect)
{
	return effect->before - effect->after +
	       REPLAY_OUTER * (effect->outer_before - effect->outer_after);
}

static double change_of(const struct cure_effect *effect)
{
	return fabs(saved_of(effect));
}

/* Keeps those that change most. */
static void add_effect(struct cure *cure, const struct cure_effect *effect)
{
	size_t at;

	if (!effect->context || change_of(effect) < CHANGES * cost_before(effect))
		return;
	if (cure->loop_count < CURE_LOOPS)
		at = cure->loop_count++;
	else if (change_of(effect) > change_of(&cure->loops[CURE_LOOPS - 1]))
		at = CURE_LOOPS - 1;
	else
		return;
	for (; at && change_of(&cure->loops[at - 1]) < change_of(effect); at--)
		cure->loops[at] = cure->loops[at - 1];
	cure->loops[at] = *effect;
}

static double written_saved(const struct replay *before, const struct replay *after)
{
	double saved = before->all.misses - after->all.misses;

	if (saved <= 0)
		return NAN;
	return fmin(1, fmax(0, (before->all.written - after->all.written) / saved));
}

/* What changes do to the whole recording. @number: of the loop that they are for; SIZE_MAX */
static void measure(struct finding *finding, size_t number, struct cure *cure)
{
	const struct replay *before = finding->search.before;
	struct replay *after;

	layout_remaps(finding->keep, cure->changes, cure->count, finding->search.remaps);
	after = replay_new(finding->keep, finding->search.remaps, before, NULL);
	finding->search.tried++;
	cure->bytes = layout_cost(finding->keep, cure->changes, cure->count);
	cure->all = effect_on(finding, after, SIZE_MAX);
	cure->own = effect_on(finding, after, number);
	cure->harm = replay_harm(before, after, number) * finding->scale;
	cure->written = written_saved(before, after);
	cure->time = finding->calibration ?
		     model_share(finding->calibration, before, after, finding->time) :
		     (struct time_share){ NAN, NAN, NAN };
	for (size_t i = 1; i < before->context_count; i++) {
		struct cure_effect effect;

		if (before->contexts[i].misses < SAVES * before->all.misses)
			continue;
		effect = effect_on(finding, after, i);
		add_effect(cure, &effect);
	}
	replay_free(after);
}

/* Pieces of bursts are rerun in small pages. */
static bool is_rerun_alike(const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++)
		if (cure->changes[i].kind == CHANGE_HUGE)
			return false;
	return true;
}

/* What they do to the time. */
static void take_time(struct finding *finding, struct cure *cure)
{
	if (!finding->times || !finding->advice->pieces || !is_rerun_alike(cure))
		return;
	layout_remaps(finding->keep, cure->changes, cure->count, finding->search.remaps);
	cure->time = times_try(finding->times, finding->search.remaps);
}

/* Surely fewer misses of L1, or of L2 and not so many more of L1 that these cost what is saved. */
static bool fewer(const struct cure_effect *effect, double than)
{
	double fewer_outer = effect->outer_before - effect->outer_after;

	return effect->ratio.high < than ||
	       (effect->outer.high < than && fewer_outer >= LEAST &&
		effect->after - effect->before < MORE_L1 * REPLAY_OUTER * fewer_outer);
}

/*
 * A loop, and the program no less, however little that is. How much the program gains depends on
 * how often the loop runs, which few bursts do not tell; that other code loses nothing they do.
 */
static bool helps_loop(const struct cure *cure)
{
	return fewer(&cure->own, HELPS) && saved_of(&cure->all) > 0 && cure->own.context &&
	       (fewer(&cure->all, 1) || cure->harm < saved_of(&cure->own));
}

/* Would more bursts tell, were they like these? */
static bool may_help(const struct cure *cure)
{
	struct cure_effect alike = cure->own;

	alike.ratio.high = alike.ratio.alike;
	alike.outer.high = alike.outer.alike;
	return fewer(&alike, HELPS) && saved_of(&cure->all) > 0;
}

static bool helps(const struct cure *cure)
{
	return helps_loop(cure) &&
	       saved_of(&cure->all) >= fmax(LEAST, SAVES * cost_before(&cure->all));
}

static bool has_change(const struct cure *cure, const struct layout_change *x)
{
	for (const struct layout_change *y = cure->changes; y < cure->changes + cure->count; y++)
		if (x->kind == y->kind && x->object == y->object && x->from == y->from &&
		    x->to == y->to && x->step == y->step && x->inner_to == y->inner_to)
			return true;
	return false;
}

/* Loops have their objects in the order of their own misses. */
static bool same_cure(const struct cure *a, const struct cure *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!has_change(b, &a->changes[i]))
			return false;
	return true;
}

static bool is_known(const struct cures *advice, const struct cure *cure)
{
	for (size_t i = 0; i < advice->count; i++)
		if (same_cure(&advice->cures[i], cure))
			return true;
	return false;
}

/* Are bursts long enough to say something of what code misses in L2? */
static bool sees_outer(const struct keep *keep, const struct replay_sums *sums)
{
	return keep->outer.ways && sums->outer_unknown < OUTER_UNSEEN * sums->misses;
}

static void add_none(struct finding *finding, size_t number, struct no_cure *none)
{
	struct cures *advice = finding->advice;

	none->effect = effect_on(finding, finding->search.before, number);
	if (!none->effect.context)
		return;
	none->outer_known = sees_outer(finding->keep, &finding->search.before->contexts[number]);
	advice->none = grow(advice->none, advice->none_count, &finding->none_capacity,
			    sizeof(*advice->none));
	advice->none[advice->none_count++] = *none;
}

/*
 * With the changes that misses do not depend on, where that takes less time: a few lines of a set
 * may still wait for one another, by the low bits of their addresses.
 */
static void try_whole(struct finding *finding, const struct choice *choice, size_t number,
		      struct cure *cure)
{
	struct cure whole = { .count = choice->whole };

	if (whole.count <= cure->count || isnan(cure->time.share))
		return;
	memcpy(whole.changes, choice->changes, whole.count * sizeof(*whole.changes));
	measure(finding, number, &whole);
	take_time(finding, &whole);
	if (helps(&whole) && time_saves_more(&whole.time, &cure->time))
		*cure = whole;
}

/* The cures of a loop. @number: its number + 1 */
static void find_cures(struct finding *finding, size_t number)
{
	struct cures *advice = finding->advice;
	struct choice choices[SEARCH_CURES];
	struct no_cure none = { .few = NULL };
	struct cure *little = &none.little;
	bool cured = false;
	size_t count = search_loop(&finding->search, number, choices, &none.moves);

	for (size_t i = 0; i < count; i++) {
		struct cure cure = { .count = choices[i].count };

		if (1 - choices[i].left < CHOICE * (1 - choices[0].left))
			break;
		memcpy(cure.changes, choices[i].changes, cure.count * sizeof(*cure.changes));
		cured |= is_known(advice, &cure);
		if (is_known(advice, &cure))
			continue;
		measure(finding, number, &cure);
		if (!helps(&cure)) {
			if (may_help(&cure) && !helps_loop(&cure))
				none.few = findings_more_bursts(finding->findings);
			if (helps_loop(&cure) &&
			    (!little->count || saved_of(&cure.all) > saved_of(&little->all)))
				*little = cure;
			continue;
		}
		take_time(finding, &cure);
		try_whole(finding, &choices[i], number, &cure);
		cured = true;
		if (is_known(advice, &cure))
			continue;
		advice->cures = grow(advice->cures, advice->count, &finding->capacity,
				     sizeof(*advice->cures));
		advice->cures[advice->count++] = cure;
	}
	if (!cured)
		add_none(finding, number, &none);
}

/* --- ranking --- */

/* For less: a size before what a place stands for, then memory, places in the source, names. */
static bool is_less(const struct cure *cure, const struct cure *than)
{
	const struct layout_change *a = &cure->changes[0], *b = &than->changes[0];
	int order = a->object && b->object ? object_order(a->object, b->object) : 0;

	if (change_ease(a) != change_ease(b))
		return change_ease(a) > change_ease(b);
	if (cure->bytes != than->bytes)
		return cure->bytes < than->bytes;
	if (cure->count != than->count)
		return cure->count < than->count;
	return order ? order < 0 : a->kind < b->kind;
}

static bool another_saves_time(const struct cure *cures, size_t count, const struct cure *than)
{
	for (size_t i = 0; i < count; i++)
		if (time_saves_more(&cures[i].time, &than->time))
			return true;
	return false;
}

/* Where less time is saved than by another that decides, else misses; what it costs, if neither. */
static struct cure *best_of(struct cure *cures, size_t count)
{
	struct cure *best = NULL;
	double most = -INFINITY;

	for (struct cure *at = cures; at < cures + count; at++)
		if (!another_saves_time(cures, count, at))
			most = fmax(most, saved_of(&at->all));
	for (struct cure *at = cures; at < cures + count; at++)
		if (!another_saves_time(cures, count, at) &&
		    saved_of(&at->all) >= most - AS_GOOD * fabs(most) &&
		    (!best || is_less(at, best)))
			best = at;
	return best;
}

void cures_sort(struct cure *cures, size_t count)
{
	for (; count > 1; cures++, count--) {
		struct cure *best = best_of(cures, count), first = *cures;

		*cures = *best;
		*best = first;
	}
}

static bool share_objects(const struct cure *a, const struct cure *b)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; j < b->count; j++)
			if (a->changes[i].object == b->changes[j].object)
				return true;
	return false;
}

/* A cure of a loop that a better one helps, too, is a choice to that. */
static void set_choices(struct cures *advice)
{
	for (size_t i = 1; i < advice->count; i++)
		for (size_t j = 0; j < i; j++) {
			struct cure *cure = &advice->cures[i], *better = &advice->cures[j];

			if (better->instead_of || cure->instead_of || !better->loop_count ||
			    !cure->loop_count)
				continue;
			if (share_objects(cure, better) ||
			    cure->loops[0].context == better->loops[0].context)
				cure->instead_of = j + 1;
		}
}

static void put_together(struct finding *finding)
{
	struct cures *advice = finding->advice;
	struct cure all = { .count = 0 };
	size_t cures = 0;

	for (size_t i = 0; i < advice->count; i++) {
		const struct cure *cure = &advice->cures[i];

		if (cure->instead_of || all.count + cure->count > CURE_CHANGES)
			continue;
		memcpy(all.changes + all.count, cure->changes,
		       cure->count * sizeof(*cure->changes));
		all.count += cure->count;
		cures++;
	}
	if (cures < 2)
		return;
	measure(finding, SIZE_MAX, &all);
	take_time(finding, &all);
	advice->together = xmalloc(sizeof(all));
	*advice->together = all;
}

static bool is_conflicting(const struct replay_sums *loop)
{
	return loop->conflicts >= CONFLICTING * loop->misses;
}

/* The next loop to be looked at, conflicting ones first, by misses; 0 = none is left. */
static size_t next_loop(const struct replay *before, const bool *done)
{
	const struct replay_sums *loops = before->contexts;
	size_t best = 0;

	for (size_t i = 1; i < before->context_count; i++) {
		bool first = is_conflicting(&loops[i]);

		if (done[i] || loops[i].misses < CURES_LOOP * before->all.misses)
			continue;
		if (!best || first > is_conflicting(&loops[best]) ||
		    (first == is_conflicting(&loops[best]) && loops[i].misses > loops[best].misses))
			best = i;
	}
	return best;
}

/* What another loop's cure saves something of gains by another layout. */
static void drop_helped(struct cures *advice)
{
	const struct cure_effect *effect;
	size_t left = 0;

	for (size_t i = 0; i < advice->none_count; i++)
		if (!cures_for(advice, advice->none[i].effect.context, &effect))
			advice->none[left++] = advice->none[i];
	advice->none_count = left;
}

static void find_all(struct finding *finding, size_t loops)
{
	const struct replay *before = finding->search.before;
	bool *done = xcalloc(before->context_count, sizeof(*done));
	size_t number;

	progress_start();
	for (size_t i = 0; i < loops && (number = next_loop(before, done)); i++) {
		done[number] = true;
		if (progress_due())
			progress("loop %zu of %zu: %zu changes tried%s", i + 1, loops,
				 finding->search.tried, progress_left((double)i / loops));
		find_cures(finding, number);
	}
	progress_clear();
	finding->advice->more = next_loop(before, done);
	drop_helped(finding->advice);
	free(done);
}

struct cures *cures_find(const struct keep *keep, const struct findings *findings,
			   const struct cure_limits *limits)
{
	struct cures *advice = xcalloc(1, sizeof(*advice));
	struct finding finding = { .keep = keep, .findings = findings, .advice = advice };
	struct search *search = &finding.search;
	struct replay *before;

	advice->references = keep;
	advice->bursts = keep->burst_count;
	advice->bursts_recorded = findings->bursts.recorded;
	advice->ratio_known = isfinite(findings_miss_ratio(findings, 1).ratio);
	/* Also where the share is not known. */
	advice->few = !(findings_conflicts(findings, 1).high < CONFLICTS_MANY);
	if (!keep->burst_count)
		return advice;
	before = replay_new(keep, NULL, NULL, NULL);
	advice->outer_known = sees_outer(keep, &before->all);
	*search = (struct search){
		.keep = keep, .before = before, .accesses = limits->accesses,
		.remaps = xcalloc(keep->block_count, sizeof(struct remap)),
		.misses = xcalloc(keep->block_count, sizeof(double)),
		.conflicts = xcalloc(keep->block_count, sizeof(double)),
		.only = xcalloc(keep->burst_count, sizeof(bool)),
	};
	if (before->all.misses > 0) {
		/* Layouts are compared on the same references, whatever else the program does. */
		finding.scale = 1000 * burst_totals_ratio(&findings->bursts) / before->all.misses;
		advice->now = effect_on(&finding, before, SIZE_MAX);
		if (limits->times)
			finding.times = times_new(keep);
		advice->pieces = finding.times ? times_pieces(finding.times) : 0;
		if (!advice->pieces && limits->calibration) {
			finding.calibration = limits->calibration;
			finding.time = model_time(keep);
			advice->modelled = finding.time > 0;
		}
		find_all(&finding, limits->loops);
	}
	cures_sort(advice->cures, advice->count);
	set_choices(advice);
	put_together(&finding);
	advice->tried = search->tried;
	times_free(finding.times);
	free(search->remaps);
	free(search->misses);
	free(search->conflicts);
	free(search->only);
	replay_free(before);
	return advice;
}

struct cures *cures_of_samples(const struct keep *keep)
{
	struct cures *advice = xcalloc(1, sizeof(*advice));

	advice->samples = keep;
	return advice;
}

void cures_free(struct cures *advice)
{
	if (!advice)
		return;
	free(advice->together);
	free(advice->cures);
	free(advice->none);
	free(advice);
}

const struct cure *cures_for(const struct cures *advice, const struct context *context,
			      const struct cure_effect **effect)
{
	const struct cure *best = NULL;

	for (size_t i = 0; i < advice->count; i++)
		for (size_t j = 0; j < advice->cures[i].loop_count; j++) {
			const struct cure_effect *its = &advice->cures[i].loops[j];

			if (its->context != context || saved_of(its) <= 0 ||
			    (best && (1 - AS_GOOD) * saved_of(its) <= saved_of(*effect)))
				continue;
			best = &advice->cures[i];
			*effect = its;
		}
	return best;
}

const struct no_cure *cures_none(const struct cures *advice, const struct context *context)
{
	for (size_t i = 0; i < advice->none_count; i++)
		if (advice->none[i].effect.context == context)
			return &advice->none[i];
	return NULL;
}
