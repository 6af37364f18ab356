// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/plan.h"
#include "advise/rows.h"
#include "advise/words.h"
#include "base/memory.h"
#include "output/prose.h"
#include "output/text.h"
#include "program/type-text.h"

#define HIDDEN	5.0	/* percent of the time: a gain that cannot be told from none */
#define HIDDEN_MOST	15.0	/* ... with what the rerun is wrong by */
#define LEAST_OUTER	0.1	/* misses of L2 or TLB, of 1,000 references, that are shown */
#define SHOWN		0.005	/* of the misses: a difference in whole percent */
#define MORE_TLB	1.1	/* times as many misses of the TLB: said, */
#define MORE_LEAST	1	/* if that many of 1,000 references more */
#define NAMED 12	/* variables named; the others are counted */
#define WRITTEN_MANY	0.5	/* of the misses saved */
#define CONFLICTS_FEW	0.1	/* of the misses */

/* An object's name, without the place that stands apart. */
static char *name_of(const struct object *object)
{
	size_t size = strlen(object->name), tail = strlen(object->where);

	if (tail && size > tail + 1 && object->name[size - tail - 1] == ' ' &&
	    !strcmp(object->name + size - tail, object->where))
		size -= tail + 1;
	for (size_t i = 0; i < size; i++)
		if (isalnum((unsigned char)object->name[i]))
			return xasprintf("%.*s", (int)size, object->name);
	return xstrdup("the array");
}

static void append_count(char **text, uint64_t count)
{
	prose_append_free(text, text_count(count));
}

static void append_place(char **text, const struct object *object)
{
	if (*object->where)
		prose_append(text, "%s: ", object->where);
}

/* "A[128][129+8]": as declared, one dimension longer. Return: false if the type does not say. */
static bool declare(char **text, const char *name, const struct layout_change *change)
{
	const struct object *object = change->object;
	uint64_t dimensions[TYPE_DIMENSIONS], element = 1, bytes;
	size_t count = object->kind == OBJECT_GLOBAL ?
		       type_dimensions(object->type, dimensions) : 0, at;

	for (at = 0; at < count; at++)
		element *= dimensions[at];
	if (!count || !element || object->bytes % element)
		return false;
	element = object->bytes / element;
	for (at = count, bytes = element; at && bytes < change->from; )
		bytes *= dimensions[--at];
	/* Rows are the elements of dimension @at - 1; the pad makes dimension @at longer. */
	if (bytes != change->from || at == count)
		return false;
	element = change->from / dimensions[at];
	if ((change->to - change->from) % element)
		return false;
	prose_append(text, "declare ");
	prose_append_free(text, type_longer(object->type, name, at,
					    (change->to - change->from) / element));
	return true;
}

static void append_rows(char **text, const struct layout_change *change)
{
	char *name = name_of(change->object);

	append_place(text, change->object);
	if (change->nature == ROWS_PLACES) {
		prose_append(text, "let what is used of %s lie ", name);
		append_count(text, change->to);
		prose_append(text, " B apart instead of ");
		append_count(text, change->from);
		prose_append(text, ", by longer rows or entries");
	} else if (!declare(text, name, change)) {
		prose_append(text, "make the %s of %s ",
			     change->nature == ROWS_ENTRIES ? "entries" :
							      object_rows(change->object), name);
		append_count(text, change->to);
		prose_append(text, " B long instead of ");
		append_count(text, change->from);
	}
	free(name);
}

static void append_turn(char **text, const struct layout_change *change)
{
	char *name = name_of(change->object), *from = text_count(change->from);

	append_place(text, change->object);
	if (change->kind == CHANGE_COLOUR)
		prose_append(text, "let what part k of %s, of %s B, has in front begin k x %" PRIu32
			     " B later in it, modulo %s: its size stays", name, from, change->step,
			     from);
	else
		prose_append(text, "what is used of %s is %s B apart: where its entries are "
			     "smaller, the index leaves bits out; take it from a multiplicative "
			     "hash of the whole key", name, from);
	free(from);
	free(name);
}

static void append_resize(char **text, const struct layout_change *change)
{
	char *name = name_of(change->object);

	append_place(text, change->object);
	if (change->to > change->from)
		prose_append(text, "allocate %s in blocks of ", name);
	else
		prose_append(text, "allocate %s by malloc(), not aligned to pages, in blocks of ",
			     name);
	append_count(text, change->to);
	if (change->to > change->from) {
		prose_append(text, " B instead of ");
		append_count(text, change->from);
		prose_append(text, ", by malloc(), not aligned to more");
	} else {
		prose_append(text, " B");
	}
	free(name);
}

/* "stream (layouts.c:81)" */
static void append_object(char **text, const struct object *object)
{
	char *name = name_of(object);

	prose_append(text, "%s", name);
	if (*object->where)
		prose_append(text, " (%s)", object->where);
	free(name);
}

static bool shifts_one(const struct layout_change *change)
{
	return change->kind == CHANGE_STAGGER && change->blocks <= 1;
}

static bool lengthens(const struct layout_change *change)
{
	return change->kind == CHANGE_LENGTHEN;
}

/* Where all objects of several such changes are declared or allocated: said once. NULL = differs */
static const char *common_place(const struct cure *cure,
				bool (*is_such)(const struct layout_change *))
{
	const char *place = NULL;
	size_t count = 0;

	for (size_t i = 0; i < cure->count; i++) {
		const char *where = cure->changes[i].object->where;

		if (!is_such(&cure->changes[i]))
			continue;
		if (!*where || (count++ && strcmp(where, place)))
			return NULL;
		place = where;
	}
	return count > 1 ? place : NULL;
}

/* @place: that was said already, or NULL */
static void append_of(char **text, const struct object *object, const char *place)
{
	if (place)
		prose_append_free(text, name_of(object));
	else
		append_object(text, object);
}

static void append_begin(char **text, const char *place)
{
	if (*text)
		prose_append(text, "; ");
	if (place)
		prose_append(text, "%s: ", place);
}

/* Objects of one block each: how much later each begins. */
static void append_shifts(char **text, const struct cure *cure)
{
	const char *place = common_place(cure, shifts_one);
	size_t count = 0;

	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (!shifts_one(change))
			continue;
		if (!count)
			append_begin(text, place);
		prose_append(text, "%s", count ? ", " : "let ");
		append_of(text, change->object, place);
		prose_append(text, count++ ? " " : " begin ");
		append_count(text, (uint64_t)change->first * change->step % STAGGER_MODULO);
		prose_append(text, " B");
	}
	if (count)
		prose_append(text, " later in %s page (allocate that much more)",
			     count > 1 ? "their" : "its");
}

static void append_blocks(char **text, const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (change->kind != CHANGE_STAGGER || change->blocks < 2)
			continue;
		prose_append(text, "%slet each block of ", *text ? "; " : "");
		append_object(text, change->object);
		prose_append(text, " begin ");
		append_count(text, change->step);
		prose_append(text, " B later in its page than the one before");
		if (change->first) {
			prose_append(text, ", the first ");
			append_count(text, (uint64_t)change->first * change->step % STAGGER_MODULO);
			prose_append(text, " B");
		}
		prose_append(text, " (allocate that much more)");
	}
}

static void append_huge(char **text, const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (change->kind != CHANGE_HUGE)
			continue;
		prose_append(text, "%slet %s of ", *text ? "; " : "", change->blocks > 1 ?
			     "each block" : "the block");
		append_object(text, change->object);
		prose_append(text, " lie in huge pages (aligned to 2 MiB, then madvise() with "
			     "MADV_HUGEPAGE)");
		if (change->blocks > 1)
			prose_append(text, " and begin %" PRIu32 " B later there than the one "
				     "before", change->step);
	}
}

static void append_stacks(char **text, const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++)
		if (cure->changes[i].kind == CHANGE_STACKS)
			prose_append(text, "%slet each thread begin %" PRIu32 " B later on its "
				     "stack than the one before (alloca() of that much first)",
				     *text ? "; " : "", cure->changes[i].step);
}

/* Variables, in one sentence for all. */
static void append_longer(char **text, const struct cure *cure)
{
	const char *place = common_place(cure, lengthens);
	const struct layout_change *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (!lengthens(change))
			continue;
		first = change;
		if (count++ >= NAMED)
			continue;
		if (count == 1)
			append_begin(text, place);
		prose_append(text, "%s", count > 1 ? ", " : "declare ");
		append_of(text, change->object, place);
	}
	if (!first)
		return;
	if (count > NAMED)
		prose_append(text, " and %zu more", count - NAMED);
	prose_append(text, count > 1 ? " each " : " ");
	append_count(text, first->step);
	prose_append(text, " B longer, so that what follows moves");
}

char *cure_edit(const struct cure *cure)
{
	char *text = NULL;

	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (!change_has_rows(change) && change->kind != CHANGE_RESIZE)
			continue;
		if (text)
			prose_append(&text, "; ");
		(change->kind == CHANGE_ROWS ? append_rows :
		 change->kind == CHANGE_RESIZE ? append_resize : append_turn)(&text, change);
	}
	append_stacks(&text, cure);
	append_huge(&text, cure);
	append_blocks(&text, cure);
	append_shifts(&text, cure);
	append_longer(&text, cure);
	return text;
}

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

static void append_level(char **text, const char *name, double before, double after)
{
	if (before < LEAST_OUTER && after < LEAST_OUTER)
		return;
	prose_append(text, "; %s: ", name);
	append_change(text, before, after);
}

static void append_ratio(char **text, const struct replay_ratio *ratio)
{
	prose_append(text, " misses of 1,000 references (%+.0f%%, %+.0f to %+.0f)",
		     100 * (ratio->ratio - 1), 100 * (ratio->low - 1), 100 * (ratio->high - 1));
}

/* L1 has as many misses as before: then what L2 gains stands first. */
static bool gains_outer_alone(const struct cure_effect *effect)
{
	return effect->outer_before >= LEAST_OUTER && fabs(effect->ratio.ratio - 1) < SHOWN &&
	       fabs(effect->outer.ratio - 1) >= SHOWN;
}

char *effect_text(const struct cure_effect *effect)
{
	bool outer = gains_outer_alone(effect);
	char *text = NULL;

	if (outer) {
		prose_append(&text, "L2: ");
		append_change(&text, effect->outer_before, effect->outer_after);
		append_ratio(&text, &effect->outer);
		prose_append(&text, "; L1: as many as before, ");
		append_misses(&text, effect->after);
	} else {
		append_change(&text, effect->before, effect->after);
		append_ratio(&text, &effect->ratio);
		prose_append(&text, ", conflicts ");
		append_change(&text, effect->conflicts_before, effect->conflicts_after);
		append_level(&text, "L2", effect->outer_before, effect->outer_after);
	}
	append_level(&text, "dTLB", effect->tlb_before, effect->tlb_after);
	return text;
}

/* Of a model the interval is all that is worth saying. */
static char *modelled_text(double low, double high)
{
	return xasprintf("between %.0f and %.0f%% less, by a model: what misses of their class "
			 "cost (ccsample calibrate)", low, high);
}

char *time_text(const struct time_share *time)
{
	double low = 100 * time->low, share = 100 * time->share, high = 100 * time->high;

	if (!isfinite(time->share))
		return NULL;
	if (!time->pieces)
		return modelled_text(low, high);
	if (fabs(share) < HIDDEN && low > -HIDDEN_MOST && high < HIDDEN_MOST)
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

char *cure_time_text(const struct cure *cure)
{
	char *text = time_text(&cure->time), *share;

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

static char *loop_text(const struct context *context)
{
	char *place = region_place(&context->region, true), *text;

	text = xasprintf("%s in %s", place, prose_or_unknown(context->region.function));
	free(place);
	return text;
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

	return instead_of ? xasprintf("Cure %zu, instead of %zu", number + 1, instead_of) :
			    xasprintf("Cure %zu", number + 1);
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

char *no_cure_text(const struct no_cure *none)
{
	const struct cure_effect *effect = &none->effect;
	char *text = loop_text(effect->context);

	prose_append(&text, ": ");
	prose_append_free(&text, misses_text(effect->before, effect->conflicts_before));
	prose_append(&text, "; %s", !none->moves ?
		     "none of its data can be moved (stacks, memory without a name)" :
		     effect->conflicts_before < CONFLICTS_FEW * effect->before ?
		     "another layout would not help" : "no layout that was tried helps");
	return text;
}

const char *cures_nothing(const struct cures *advice)
{
	if (!advice->bursts)
		return "none: no burst has references";
	return advice->outer_known ? "nothing to be gained in L1 or L2 by another layout of data" :
				     "nothing to be gained in L1 by another layout of data";
}

const char *cures_untimed(const struct cure_view *view)
{
	return view->time_unknown ? view->time_unknown :
				    "no burst was timed (record again, for longer)";
}

char *cures_line(const struct cures *advice, const struct context *context)
{
	const struct cure_effect *effect;
	const struct cure *cure = cures_for(advice, context, &effect);
	char *text;

	if (!cure)
		return NULL;
	text = cure_edit(cure);
	prose_append(&text, "; expected ");
	prose_append_free(&text, effect_text(effect));
	return text;
}
