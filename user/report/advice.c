// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "advise/rows.h"
#include "advise/words.h"
#include "base/memory.h"
#include "program/library-code.h"
#include "report/advice.h"
#include "report/turned.h"

#define MOST	0.9		/* share of the misses that is as good as all */

#define SMALL	(64u << 10)	/* bytes of a block that is a node, not an array */
#define PAGE	4096u
#define LARGER	4u		/* more sizes to try */
#define SURELY	0.02		/* of cf: a larger change is worth it */
#define HELPS	0.7		/* of cf is left, at most, by what is advised */

/* The objects of an entry that matter, by how they are walked. */
struct walks {
	double columns;			/* share walked in steps of more than a line, in a block */
	const struct object_share *column;	/* the largest of them */
	const struct object_share *largest;
	uint32_t objects;		/* alike in share to the largest */
};

static struct walks walks_of(const struct entry *entry, uint32_t line)
{
	struct walks walks = { .objects = entry_alike(entry) };

	for (size_t i = 0; i < entry->object_count; i++) {
		const struct object_share *share = &entry->objects[i];

		if (!walks.largest)
			walks.largest = share;
		if (share->stride <= line || steps_over_blocks(share))
			continue;
		walks.columns += share->share;
		if (!walks.column)
			walks.column = share;
	}
	return walks;
}

/* Rows of an odd number of lines meet all sets in turn, where these are a power of two. */
static uint64_t padded(uint64_t stride, uint32_t line)
{
	uint64_t lines = (stride + line - 1) / line;

	return (lines | 1) * line;
}

/* Is its code nothing that the user edits? */
static bool in_library(const struct entry *entry)
{
	const struct code_region *region = entry->context ? &entry->context->region : NULL;

	return region && (region->file ? library_source(region->file) : library_file(region->dso));
}

/* What helps without another layout. @turned: of the loops interchanged */
static size_t advise_loops(const struct walks *walks, const struct entry *entry,
			   enum turned turned, struct advice *advice)
{
	struct advice common = { .object = walks->column->object, .from = walks->column->stride,
				 .all = walks->columns >= MOST, .library = in_library(entry),
				 .unsure = turned == TURNED_UNKNOWN };
	size_t count = 0;

	common.kind = ADVICE_INTERCHANGE;
	if (turned != TURNED_SAME)
		advice[count++] = common;
	if (entry->summary->verdict != RCD_CONCENTRATED || common.library)
		return count;
	common.kind = ADVICE_BLOCK;
	advice[count++] = common;
	return count;
}

/* Samples show what misses; what hits may go along rows. */
static size_t advise_columns(const struct walks *walks, const struct entry *entry, uint32_t line,
			     struct advice *advice)
{
	uint64_t from = walks->column->stride, to = padded(from, line);
	size_t count = advise_loops(walks, entry, TURNED_UNKNOWN, advice);

	if (entry->summary->verdict != RCD_CONCENTRATED && to > from && to - from <= line)
		advice[count++] = (struct advice){
			.kind = ADVICE_PAD_ROWS, .object = walks->column->object, .from = from,
			.to = to, .all = walks->columns >= MOST,
		};
	return count;
}

/* --- tried on sampled misses --- */

/* The changes of layout that a piece of advice stands for. Return: how many. */
static size_t changes_of(const struct entry *entry, const struct advice *advice,
			 struct layout_change changes[CURE_CHANGES])
{
	struct layout_change change = { .object = advice->object, .from = advice->from,
					.to = advice->to };
	size_t count = 0, alike = entry_alike(entry);

	switch (advice->kind) {
	case ADVICE_PAD_ROWS:
		change.kind = CHANGE_ROWS;
		break;
	case ADVICE_SPREAD:
		change = advice->change;
		change.to = advice->to;
		break;
	case ADVICE_UNALIGN:
		change.kind = CHANGE_RESIZE;
		change.from = advice->object->block_most;
		change.to = change.from + advice->to;
		break;
	default:
		change.kind = CHANGE_STAGGER;
		change.step = advice->to;
		break;
	}
	if (advice->kind != ADVICE_SHIFT) {
		changes[0] = change;
		return 1;
	}
	for (size_t i = 0; i < alike && count < CURE_CHANGES; i++) {
		change.object = entry->objects[i].object;
		change.first = count;
		change.kind = change.object->kind == OBJECT_GLOBAL ? CHANGE_LENGTHEN :
								     CHANGE_STAGGER;
		changes[count++] = change;
	}
	return count;
}

static struct sampled_effect try(const struct keep *keep, const struct entry *entry,
				 const struct advice *advice, enum sampled_half half,
				 const struct sampled_effect *known)
{
	struct layout_change changes[CURE_CHANGES];
	size_t count = changes_of(entry, advice, changes);

	return sampled_try(keep, entry->context->number, changes, count, half, known);
}

/* May it be larger, too? */
static bool has_size(const struct advice *advice)
{
	return advice->kind == ADVICE_SPREAD ? advice->change.kind == CHANGE_ROWS :
					       advice->kind != ADVICE_UNALIGN;
}

/* Is the size @now worth more than a smaller one? */
static bool is_better(const struct sampled_effect *now, const struct sampled_effect *best)
{
	return now->after < best->after - SURELY && now->after < best->interval.low;
}

/*
 * Tries a pad or a shift, and larger ones by an even number of lines, so that it stays odd. The
 * best by one half of the misses is advised if it helps the other half. Return: false if none does,
 * true also if there are too few misses to say.
 */
static bool is_tried(const struct keep *keep, const struct entry *entry, uint32_t line,
		     struct advice *advice)
{
	struct sampled_effect best = try(keep, entry, advice, SAMPLED_CHOOSE, NULL), *judged;
	struct advice now = *advice;

	if (!best.misses)
		return true;
	for (uint32_t i = 1; i <= LARGER && has_size(advice); i++) {
		struct sampled_effect effect;

		now.to += 2ull * line;
		effect = try(keep, entry, &now, SAMPLED_CHOOSE, &best);
		if (!is_better(&effect, &best))
			continue;
		best = effect;
		advice->to = now.to;
	}
	judged = &advice->sampled;
	*judged = try(keep, entry, advice, SAMPLED_JUDGE, NULL);
	return judged->gain_low > 0 && judged->after < HELPS * judged->before;
}

static bool is_layout(const struct advice *advice)
{
	return advice->kind != ADVICE_INTERCHANGE && advice->kind != ADVICE_BLOCK;
}

bool advice_tried(const struct advice *advice)
{
	return advice->cure || advice->sampled.misses;
}

/* What was tried first. */
static size_t keep_tried(const struct keep *keep, const struct entry *entry, uint32_t line,
			 struct advice *advice, size_t count)
{
	struct advice ideas[ADVICE_MOST];
	size_t left = 0, later = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_layout(&advice[i]) && !is_tried(keep, entry, line, &advice[i]))
			continue;
		if (advice_tried(&advice[i]))
			advice[left++] = advice[i];
		else
			ideas[later++] = advice[i];
	}
	memcpy(advice + left, ideas, later * sizeof(*ideas));
	return left + later;
}

static struct advice spread_by(const struct layout_change *change)
{
	return (struct advice){
		.kind = ADVICE_SPREAD, .object = change->object, .from = change->from,
		.to = change->to, .change = *change,
	};
}

/*
 * Entries of a table, nodes of a pool, fields of structs: of each a line is used. Other code, such
 * as what clears a table, may use all of it: that proves rows only where these are walked.
 * Return: whether it is such a case.
 */
static bool spread_of(const struct keep *keep, const struct entry *entry,
		      const struct object *object, struct layout_change *change)
{
	struct strides *alone = NULL;
	struct stride_places places;
	struct keep own;
	uint64_t element;

	if (!keep)
		return false;
	own = *keep;
	/* The misses of a nest are those of the loops in it. */
	if (!entry->nest)
		own.strides = alone = sampled_strides(keep, entry->context->number);
	places = rows_places(&own, object, &element);
	change->from = element > places.bytes ? element : places.bytes;
	change->nature = rows_nature(&own, object, places.bytes);
	if (alone)
		strides_free(alone);
	if (!places.bytes || change->nature == ROWS_PROVEN)
		return false;
	return change->nature == ROWS_ENTRIES || !places.walked ||
	       rows_nature(keep, object, places.bytes) != ROWS_PROVEN;
}

/* @spreads: receives whether it is such a case, whatever helps. Return: how many */
static size_t advise_spread(const struct keep *keep, const struct entry *entry,
			    const struct object *object, uint32_t line, bool *spreads,
			    struct advice *advice)
{
	struct layout_change change = { .object = object, .step = line };
	size_t count = 0;

	*spreads = spread_of(keep, entry, object, &change);
	if (!*spreads)
		return 0;
	change.to = padded(change.from + 1, line);
	advice[count++] = spread_by(&change);
	change.to = 0;
	if (change.nature == ROWS_PLACES)
		change.kind = CHANGE_SPREAD;
	else if (rows_are_pages(change.from))
		change.kind = CHANGE_COLOUR;
	else
		return count;
	advice[count++] = spread_by(&change);
	return count;
}

/* Rows that are not stepped over evenly, as those of tiles that begin at other places of a line. */
static size_t advise_rows(const struct keep *keep, const struct entry *entry,
			  const struct object *object, uint32_t line, struct advice *advice)
{
	struct row_length rows[ROWS_MOST];
	struct strides *strides;
	struct keep own;
	size_t count;

	if (!keep || entry->nest)
		return 0;
	own = *keep;
	own.strides = strides = sampled_strides(keep, entry->context->number);
	count = rows_of(&own, object, rows);
	strides_free(strides);
	if (!count || rows[0].nature != ROWS_PROVEN)
		return 0;
	*advice = (struct advice){
		.kind = ADVICE_PAD_ROWS, .object = object, .from = rows[0].bytes,
		.to = padded(rows[0].bytes, line),
	};
	/* Rows of an odd number of lines are as long as they should be. */
	return advice->to > advice->from;
}

/* Of two objects or blocks. */
static size_t advise_blocks(const struct walks *walks, const struct cache_geometry *geometry,
			    struct advice *advice)
{
	const struct object *object = walks->largest->object;
	uint64_t span = (uint64_t)geometry->sets * geometry->line, step, aligned;

	if (walks->objects >= 2) {
		step = span / walks->objects / geometry->line * geometry->line;
		*advice = (struct advice){
			.kind = ADVICE_SHIFT, .objects = walks->objects,
			.to = step > geometry->line ? step : geometry->line,
		};
		return 1;
	}
	if (object->kind != OBJECT_HEAP || object->blocks < 2)
		return 0;
	aligned = object_alignment(object);
	*advice = (struct advice){
		.kind = aligned >= PAGE && object->block_most <= SMALL ? ADVICE_UNALIGN :
									 ADVICE_SHIFT_BLOCKS,
		.object = object, .from = aligned, .to = geometry->line,
	};
	return 1;
}

static size_t advise_layout(const struct walks *walks, const struct findings *findings,
			    const struct cures *cures, const struct entry *entry,
			    struct advice *advice)
{
	const struct cure_effect *effect;
	const struct cure *cure = cures_for(cures, entry->context, &effect);
	const struct layout_change *change = cure ? &cure->changes[0] : NULL;
	bool spreads = change && change_has_rows(change) && change->nature != ROWS_PROVEN &&
		       change->nature != ROWS_PIECES;
	struct advice *loops;
	size_t count = 0;

	if (cure)
		advice[count++] = (struct advice){
			.kind = ADVICE_LAYOUT, .cure = cure, .effect = effect,
			.object = cure->count == 1 ? change->object : NULL,
			.from = change->from, .to = change->to,
		};
	if (walks->columns < 0.5 || spreads)
		return count;
	loops = advice + count;
	count += advise_loops(walks, entry, turned_of(cures->references, findings, entry->context,
						      walks->column->object), loops);
	for (; loops < advice + count; loops++)
		loops->layouts = true;
	return count;
}

/* @keep: samples, or NULL */
static size_t advise_samples(const struct walks *walks, const struct keep *keep,
			     const struct entry *entry, const struct cache_geometry *geometry,
			     struct advice *advice)
{
	bool conflict = entry->summary->verdict == RCD_CONFLICT, columns = walks->columns >= 0.5;
	const struct object_share *share = columns ? walks->column : walks->largest;
	bool spreads;
	size_t count;

	if (!share || (!conflict && !columns))
		return 0;
	if (!columns && entry->between >= 0.5) {
		count = advise_blocks(walks, geometry, advice);
		if (count)
			return count;
	}
	count = advise_spread(keep, entry, share->object, geometry->line, &spreads, advice);
	/* Of what a fully associative cache would miss as well, nothing is gained. */
	if (spreads)
		return conflict ? count : 0;
	if (columns)
		return advise_columns(walks, entry, geometry->line, advice);
	return advise_rows(keep, entry, share->object, geometry->line, advice);
}

/* Kept are the misses of L1 alone. */
static const struct keep *samples_for(const struct cures *cures, const struct entry *entry)
{
	return cures && entry->level == 1 ? cures->samples : NULL;
}

/* Were changes tried on references of this entry's code? They are of a loop by itself. */
static bool by_references(const struct cures *cures, const struct entry *entry)
{
	return cures && !cures->samples && !entry->nest;
}

size_t report_advice(const struct findings *findings, const struct cures *cures,
		     const struct entry *entry, struct advice advice[ADVICE_MOST])
{
	const struct cache_level *cache = findings_cache(findings, entry->level);
	const struct keep *keep = samples_for(cures, entry);
	struct walks walks;
	size_t count;

	if (!cache)
		return 0;
	walks = walks_of(entry, cache->geometry.line);
	if (by_references(cures, entry))
		return advise_layout(&walks, findings, cures, entry, advice);
	/* Kept are the misses of L1 alone. */
	count = advise_samples(&walks, entry->level == 1 ? keep : NULL, entry, &cache->geometry,
			       advice);
	if (!keep || entry->nest || entry->level != 1)
		return count;
	return keep_tried(keep, entry, cache->geometry.line, advice, count);
}

/* Beyond L1, pages decide as well. */
static const char *pages_hint(const struct findings *findings)
{
	return findings->pages && !strncmp(findings->pages, "huge", 4) ? "" :
	       "; ccsample report --pages huge shows what huge pages would do";
}

/* Of a loop, by itself, of a recording of references. */
static char *no_layout_text(const struct findings *findings, const struct cures *cures,
			    const struct entry *entry)
{
	const struct no_cure *none = cures_none(cures, entry->context);
	const struct level_findings *first = context_level(entry->context, 1);

	if (none) {
		char *why = no_cure_why(none, entry->level), *text;

		text = xasprintf("%s: %s%s", no_cure_open(none, entry->level) ? "not known" :
				 "none", why, entry->level > 1 && none->outer_known && !none->few &&
				 !none->little.count ?
				 pages_hint(findings) : "");
		free(why);
		return text;
	}
	if (cures->more && first && first->share >= CURES_LOOP)
		return xstrdup("not searched, as other loops were: ccsample advise --loops 20");
	return xasprintf("not searched: it has less than %.0f%% of the L1 misses",
			 100 * CURES_LOOP);
}

char *report_no_advice(const struct findings *findings, const struct cures *cures,
		       const struct entry *entry)
{
	const struct cache_level *cache = findings_cache(findings, entry->level);
	const struct keep *keep = samples_for(cures, entry);
	struct advice advice[ADVICE_MOST];
	struct walks walks;

	if (by_references(cures, entry))
		return no_layout_text(findings, cures, entry);
	if (entry->nest)
		return xstrdup("not searched: layouts are tried of one loop, not of several "
			       "together");
	if (!cache)
		return xstrdup("not known: the cache is not");
	walks = walks_of(entry, cache->geometry.line);
	if (keep && advise_samples(&walks, keep, entry, &cache->geometry, advice))
		return xstrdup("none: no layout that was tried on the sampled misses helps");
	if (entry->level > 1)
		return xstrdup("not known: the sampled misses suggest no other layout; to see what "
			       "one would do, edit the program and run ccsample sim (with --pages "
			       "huge: what huge pages do)");
	return xstrdup("not known: the distances of sampled misses suggest none; recorded "
		       "references (record --source bursts) are searched");
}

/* Is it the same change? By how much rows are padded may differ: the first was tried, if any. */
static bool is_same(const struct advice *a, const struct advice *b)
{
	return a->kind == b->kind && a->object == b->object && a->cure == b->cure &&
	       a->from == b->from && a->all == b->all && a->library == b->library &&
	       a->objects == b->objects && (a->kind != ADVICE_SHIFT || a->to == b->to);
}

static bool is_among(const struct advice *advice, const struct advice *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_same(advice, &all[i]))
			return true;
	return false;
}

size_t report_advice_joined(const struct findings *findings, const struct cures *cures,
			    const struct entry *entries, size_t count,
			    struct advice advice[ADVICE_MOST])
{
	struct advice more[ADVICE_MOST];
	size_t said = report_advice(findings, cures, entries, advice);

	for (size_t i = 1; i < count; i++) {
		size_t more_count = report_advice(findings, cures, &entries[i], more);

		for (size_t j = 0; j < more_count && said < ADVICE_MOST; j++)
			if (!is_among(&more[j], advice, said))
				advice[said++] = more[j];
	}
	return said;
}

size_t report_tries(const struct findings *findings, const struct cures *cures,
		    const struct entry *entries, size_t count, char *texts[ADVICE_MOST])
{
	struct advice advice[ADVICE_MOST];
	size_t said = report_advice_joined(findings, cures, entries, count, advice);
	const struct entry *worst = entries_worst(entries, count);

	for (size_t i = 0; i < said; i++)
		texts[i] = advice_text(&advice[i]);
	if (!said && worst->summary->verdict == RCD_CONFLICT)
		texts[said++] = report_no_advice(findings, cures, worst);
	return said;
}

char *advice_again_text(const struct advice *advice, const struct advice *before, size_t count)
{
	char *effect, *text;

	if (advice->sampled.misses || !is_among(advice, before, count))
		return NULL;
	if (!advice->cure)
		return xstrdup("as above");
	effect = effect_text(advice->effect);
	text = xasprintf("the same as above; expected %s", effect);
	free(effect);
	return text;
}
