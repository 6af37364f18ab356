// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/edit.h"
#include "advise/plan.h"
#include "advise/rows.h"
#include "advise/words.h"
#include "base/memory.h"
#include "output/prose.h"
#include "output/region.h"
#include "output/text.h"

#define HIDDEN	5.0	/* percent of the time: a gain that cannot be told from none */
#define HIDDEN_MOST	15.0	/* ... with what the rerun is wrong by */
#define LEAST_OUTER	0.1	/* misses of L2 or TLB, of 1,000 references, that are shown */
#define OUTER_VAGUE	0.05	/* of the certain misses of L2: as many more may miss */
#define SHOWN		0.005	/* of the misses: a difference in whole percent */
#define MORE_TLB	1.1	/* times as many misses of the TLB: said, */
#define MORE_LEAST	1	/* if that many of 1,000 references more */
#define FUNCTION_WIDTH	60
#define WRITTEN_MANY	0.5	/* of the misses saved */
#define CONFLICTS_FEW	0.1	/* of the misses */
#define HEAP_MANY	0.2	/* of the misses, in blocks without names: said */

/* Of 1,000 references. */
static void append_misses(char **text, double misses)
{
	prose_append_free(text, text_number(misses));
}

static void append_change(char **text, double before, double after)
{
	append_misses(text, before);
	prose_append(text, " -> ");
	append_misses(text, after);
}

static void append_ratio(char **text, const struct replay_ratio *ratio)
{
	prose_append(text, " misses of 1,000 references (%+.0f%%, %+.0f to %+.0f)",
		     100 * (ratio->ratio - 1), 100 * (ratio->low - 1), 100 * (ratio->high - 1));
}

/* Has L1 as many misses as before? */
static bool same_inner(const struct cure_effect *effect)
{
	return fabs(effect->ratio.ratio - 1) < SHOWN;
}

bool effect_has_outer(const struct cure_effect *effect)
{
	return effect->outer_before >= LEAST_OUTER || effect->outer_after >= LEAST_OUTER;
}

/* L1 gains nothing: then what happens in L2 stands first. */
static bool gains_outer_alone(const struct cure_effect *effect)
{
	return effect->outer_before >= LEAST_OUTER &&
	       ((same_inner(effect) && fabs(effect->outer.ratio - 1) >= SHOWN) ||
		(effect->ratio.ratio > 1 && effect->outer.ratio < 1 - SHOWN));
}

/* Are many first uses of lines left, which hit or miss in L2? */
static bool outer_is_vague(const struct cure_effect *effect)
{
	return effect->outer_most_before > (1 + OUTER_VAGUE) * effect->outer_before;
}

char *effect_outer_text(const struct cure_effect *effect, bool after)
{
	char *text = text_number(after ? effect->outer_after : effect->outer_before);

	if (outer_is_vague(effect)) {
		prose_append(&text, " to ");
		append_misses(&text, after ? effect->outer_most_after : effect->outer_most_before);
	}
	return text;
}

/* "L2: 313 -> 2", "L2: 292 to 334 -> 0 to 42" */
static void append_outer(char **text, const struct cure_effect *effect)
{
	prose_append(text, "L2: ");
	prose_append_free(text, effect_outer_text(effect, false));
	prose_append(text, " -> ");
	prose_append_free(text, effect_outer_text(effect, true));
}

static void append_outer_ratio(char **text, const struct cure_effect *effect)
{
	if (!outer_is_vague(effect))
		append_ratio(text, &effect->outer);
	else
		prose_append(text, " misses of 1,000 references (%+.0f to %+.0f%%)",
			     100 * (effect->outer.low - 1), 100 * (effect->outer.high - 1));
}

char *effect_text(const struct cure_effect *effect)
{
	bool outer = gains_outer_alone(effect);
	char *text = NULL;

	if (outer) {
		append_outer(&text, effect);
		append_outer_ratio(&text, effect);
		prose_append(&text, "; L1: ");
		if (!same_inner(effect)) {
			append_change(&text, effect->before, effect->after);
		} else {
			prose_append(&text, "as many as before, ");
			append_misses(&text, effect->after);
		}
	} else {
		append_change(&text, effect->before, effect->after);
		append_ratio(&text, &effect->ratio);
		prose_append(&text, ", conflicts ");
		append_change(&text, effect->conflicts_before, effect->conflicts_after);
		if (effect_has_outer(effect)) {
			prose_append(&text, "; ");
			append_outer(&text, effect);
		}
	}
	if (effect->tlb_before >= LEAST_OUTER || effect->tlb_after >= LEAST_OUTER) {
		prose_append(&text, "; dTLB: ");
		append_change(&text, effect->tlb_before, effect->tlb_after);
	}
	return text;
}

/* Of a model the interval is all that is worth saying. */
static char *modelled_text(double low, double high)
{
	return xasprintf("between %.0f and %.0f%% less, by a model: what misses of their class "
			 "cost (ccsample calibrate)", low, high);
}

static bool is_hidden(const struct time_share *time)
{
	return fabs(100 * time->share) < HIDDEN && 100 * time->low > -HIDDEN_MOST &&
	       100 * time->high < HIDDEN_MOST;
}

char *time_text(const struct time_share *time)
{
	double low = 100 * time->low, share = 100 * time->share, high = 100 * time->high;

	if (!isfinite(time->share))
		return NULL;
	if (!time->pieces)
		return modelled_text(low, high);
	if (is_hidden(time))
		return xasprintf("nothing gained: the misses are hidden (%.0f to %.0f%% of the "
				 "time)",
				 fmin(0, low), fmax(0, high));
	if (high <= 0)
		return xasprintf("%.0f%% more expected (%.0f to %.0f), by rerunning pieces of the "
				 "bursts here", -share, -high, -low);
	if (share < HIDDEN && low <= 0)
		return xasprintf("no gain expected (%.0f to %.0f%% less), by rerunning pieces of "
				 "the bursts here", low, high);
	return xasprintf("%.0f%% less expected%s (%.0f to %.0f), by rerunning pieces of the bursts "
			 "here",
			 share, low <= 0 ? ", perhaps nothing" : "", low, high);
}

static bool no_gain_seen(const struct time_share *time)
{
	return time->pieces && 100 * time->share < HIDDEN && time->low <= 0 && time->high > 0;
}

/* All that it saves are misses of L2, and which lines L2 held before each burst is not known. */
static bool saves_vague_outer(const struct cure_effect *effect)
{
	return gains_outer_alone(effect) && outer_is_vague(effect);
}

/* Of lines that L2 alone would keep, pieces meet few twice. */
static char *outer_time_text(const struct time_share *time)
{
	return xasprintf("not known: all that it saves are misses of L2, and pieces of the bursts "
			 "are too short to show those (they show %.0f to %.0f%% less): measure it",
			 100 * time->low, 100 * time->high);
}

char *cure_time_text(const struct cure *cure)
{
	char *text = time_text(&cure->time), *share;

	if (text && no_gain_seen(&cure->time) && saves_vague_outer(&cure->all)) {
		free(text);
		return outer_time_text(&cure->time);
	}
	if (text && cure->time.pieces && cure->time.low <= 0 && cure_at_run_time(cure))
		prose_append(&text, "; pieces may say too little: see what ccsample cure --verify "
			     "measures");
	if (text || !isfinite(cure->written))
		return text;
	if (cure->written < WRITTEN_MANY)
		return xasprintf("%s of the misses saved are of data that is only read, which may "
				 "cost no time: measure it", cure->written > 0 ? "most" : "all");
	share = prose_percent(cure->written);
	text = xasprintf("%s of the misses saved are of data that is written: likely less time, "
			 "but measure it", share);
	free(share);
	return text;
}

/* Said before the misses that are saved, where these cost no time; NULL = some may be gained. */
static const char *no_gain_text(const struct cure *cure)
{
	const struct time_share *time = &cure->time;

	if (!isfinite(time->share) || !time->pieces || saves_vague_outer(&cure->all))
		return NULL;
	if (is_hidden(time))
		return "no time gained, the misses are hidden";
	if (time->high <= 0)
		return "more time expected";
	return no_gain_seen(time) ? "no gain of time expected" : NULL;
}

static char *loop_text(const struct context *context)
{
	return region_site(region_place(&context->region, false),
			   region_function(&context->region, FUNCTION_WIDTH));
}

char *loop_effect_text(const struct cure_effect *effect)
{
	char *text = loop_text(effect->context);

	prose_append(&text, ": ");
	prose_append_free(&text, effect_text(effect));
	return text;
}

char *cure_name(const struct cures *advice, size_t number)
{
	size_t instead_of = advice->cures[number].instead_of;
	const char *no_gain = no_gain_text(&advice->cures[number]);
	char *text = instead_of ? xasprintf("Cure %zu, instead of %zu", number + 1, instead_of) :
				  xasprintf("Cure %zu", number + 1);

	if (no_gain)
		prose_append(&text, ": %s", no_gain);
	return text;
}

/* "268 misses of 1,000 references, 77% of them conflicts" */
static char *misses_text(double misses, double conflicts)
{
	char *percent = prose_percent(misses > 0 ? conflicts / misses : 0);
	char *text = text_number(misses);

	prose_append(&text, " misses of 1,000 references, %s of them conflicts", percent);
	free(percent);
	return text;
}

char *cures_now_text(const struct cures *advice)
{
	char *text = misses_text(advice->now.before, advice->now.conflicts_before);

	if (advice->bursts && !advice->ratio_known)
		prose_append(&text, "; in these bursts, which are too few to say how often the "
			     "program misses");
	return text;
}

char *cures_tlb_text(const struct cures *advice, const struct keep *keep)
{
	const struct cache_geometry *tlb = &keep->tlb;
	char *text, *page;

	if (!tlb->ways || !advice->bursts)
		return NULL;
	page = text_size(tlb->line);
	text = tlb->sets == 1 ?
	       xasprintf("%" PRIu32 " entries, fully associative, %s pages: ", tlb->ways, page) :
	       xasprintf("%" PRIu32 " entries, %" PRIu32 " ways, %s pages: ", cache_lines(tlb),
			 tlb->ways, page);
	prose_append_free(&text, misses_text(advice->now.tlb_before,
					     advice->now.tlb_conflicts_before));
	free(page);
	return text;
}

char *cure_tlb_text(const struct cure *cure)
{
	double before = cure->all.tlb_before, after = cure->all.tlb_after;
	char *text;

	if (after < MORE_TLB * before || after < before + MORE_LEAST)
		return NULL;
	text = xstrdup("the data lies on more pages at a time: ");
	append_misses(&text, after);
	prose_append(&text, " misses of 1,000 references instead of ");
	append_misses(&text, before);
	prose_append(&text, ", which may cost what is saved");
	return text;
}

/* "a layout helps it, but saves the program only 0.005 ..., 0.05% of its L1 misses: ..." */
static char *little_text(const struct cure *little)
{
	const struct cure_effect *all = &little->all;
	bool outer = gains_outer_alone(all);
	double before = outer ? all->outer_before : all->before;
	double saved = before - (outer ? all->outer_after : all->after);
	char *text = xstrdup("a layout helps it, but saves the program only ");

	append_misses(&text, saved);
	prose_append(&text, " misses of 1,000 references, ");
	prose_append_free(&text, text_number(100 * saved / before));
	prose_append(&text, "%% of its L%d misses: ", outer ? 2 : 1);
	prose_append_free(&text, cure_edit(little));
	return text;
}

bool no_cure_open(const struct no_cure *none, uint32_t level)
{
	return !none->little.count && (none->few || (level > 1 && none->moves &&
						     !none->outer_known));
}

/* Few conflicts in L1 say nothing of L2. */
char *no_cure_why(const struct no_cure *none, uint32_t level)
{
	const struct cure_effect *effect = &none->effect;

	if (none->little.count)
		return little_text(&none->little);
	if (none->few)
		return xasprintf("too few bursts to tell whether a layout that was tried helps: %s "
				 "would tell", none->few);
	if (!none->moves)
		return xstrdup("none of its data can be moved (stacks, memory without a name)");
	if (level > 1)
		return xstrdup(none->outer_known ? "no layout that was tried helps in L2" :
			       "these bursts see too little of L2: ccsample sim of the edited "
			       "program shows what another layout does there");
	if (effect->conflicts_before >= CONFLICTS_FEW * effect->before)
		return xstrdup("no layout that was tried helps");
	return xstrdup(level || !effect_has_outer(effect) ? "another layout would not help in L1" :
		       "another layout would not help in L1, and none that was tried helps in L2");
}

char *no_cure_text(const struct no_cure *none)
{
	char *text = loop_text(none->effect.context);

	prose_append(&text, ": ");
	prose_append_free(&text, misses_text(none->effect.before, none->effect.conflicts_before));
	prose_append(&text, "; ");
	prose_append_free(&text, no_cure_why(none, 0));
	return text;
}

/* Is there data that another layout could move? */
static bool anything_moves(const struct cures *advice)
{
	for (size_t i = 0; i < advice->none_count; i++)
		if (advice->none[i].moves)
			return true;
	return !advice->none_count;
}

static bool anything_open(const struct cures *advice)
{
	for (size_t i = 0; i < advice->none_count; i++)
		if (no_cure_open(&advice->none[i], 0))
			return true;
	return false;
}

static bool anything_helps(const struct cures *advice)
{
	for (size_t i = 0; i < advice->none_count; i++)
		if (advice->none[i].little.count)
			return true;
	return false;
}

static bool any_gains(const struct cures *advice)
{
	if (advice->together && !no_gain_text(advice->together))
		return true;
	for (size_t i = 0; i < advice->count; i++)
		if (!no_gain_text(&advice->cures[i]))
			return true;
	return false;
}

const char *cures_nothing(const struct cures *advice)
{
	if (advice->count)
		return any_gains(advice) ? NULL : "no time to gain: other layouts save "
		       "misses, but pieces of the bursts, rerun here, were not faster with them";
	if (!advice->bursts)
		return "none: no burst has references";
	if (anything_helps(advice))
		return "little to be gained by another layout of data";
	if (anything_open(advice))
		return "not known: too few bursts to tell whether another layout of data helps";
	if (!anything_moves(advice))
		return "no layout was tried: none of the data that misses can be moved (stacks, "
		       "memory without a name)";
	if (advice->few)
		return "nothing to be gained in L1 by another layout of what these bursts met, too "
		       "little of the program to say more: a longer run helps";
	return advice->outer_known ? "nothing to be gained in L1 or L2 by another layout of data" :
				     "nothing to be gained in L1 by another layout of data";
}

bool cures_hide_outer(const struct cures *advice)
{
	for (size_t i = 0; i < advice->count; i++)
		if (effect_has_outer(&advice->cures[i].all))
			return false;
	return advice->bursts && !advice->outer_known;
}

char *cures_heap_text(const struct findings *findings)
{
	double share = 0;
	char *percent, *text;

	for (size_t i = 0; i < findings->object_count; i++) {
		const struct object_findings *object = &findings->objects[i];

		if (object->object->kind == OBJECT_MAPPING &&
		    !strcmp(object->object->name, "[heap]"))
			share += object->levels[0].share;
	}
	if (share < HEAP_MANY)
		return NULL;
	percent = prose_percent(share);
	text = xasprintf("%s of the L1 misses are in blocks that were not followed, being small, "
			 "or older than record -p, and so have no names and are not moved: record "
			 "--source engine names them; one array in their place would be followed",
			 percent);
	free(percent);
	return text;
}

const char *cures_untimed(const struct cure_view *view)
{
	return view->time_unknown ? view->time_unknown :
				    "no burst was timed (record again, for longer)";
}
