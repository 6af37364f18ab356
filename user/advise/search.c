// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/parts.h"
#include "advise/rows.h"
#include "advise/search.h"
#include "base/array.h"
#include "pads/plan.h"

#define SINGLE_SHARE	0.05	/* of the most misses on an object: its rows are tried */
#define SINGLES		6	/* most objects whose rows are tried */
#define AS_GOOD		0.02	/* of the gain: a smaller change may lose that much */
#define HELPS		0.95	/* of the misses left: more is no help */

struct choices {
	struct choice *all;
	size_t count;
};

/* --- trying --- */

/* Bursts in which the loop misses, evenly chosen, no more than may be replayed. */
static void choose_bursts(struct search *search, size_t context)
{
	const struct keep *keep = search->keep;
	double all = 0, share, credit = 1;

	for (size_t i = 0; i < keep->burst_count; i++) {
		search->only[i] = replay_burst(search->before, i, context) > 0;
		all += search->only[i] ? keep->bursts[i].count : 0;
	}
	if (all <= search->accesses)
		return;
	share = search->accesses / all;
	for (size_t i = 0; i < keep->burst_count; i++) {
		if (!search->only[i])
			continue;
		search->only[i] = credit >= 1;
		credit += share - search->only[i];
	}
}

/* The part of the loop's misses that is left, in the chosen bursts. */
static double left_by(struct search *search, size_t context, const struct layout_change *changes,
		      size_t count)
{
	struct replay *after;
	double was = 0, is;

	for (size_t i = 0; i < search->before->bursts; i++)
		if (search->only[i])
			was += replay_burst_cost(search->before, i, context);
	layout_remaps(search->keep, changes, count, search->remaps);
	after = replay_new(search->keep, search->remaps, search->before, search->only);
	is = replay_cost(&after->contexts[context]);
	replay_free(after);
	search->tried++;
	return was > 0 ? is / was : 1;
}

/* Is a larger change worth it? */
static bool beats(double left, double best)
{
	return left < best - AS_GOOD * (1 - best) - 1e-9 && left < 1;
}

/*
 * Leaves out the changes that nothing depends on, in a cache with fewer ways: what just fits in an
 * LRU cache that holds nothing else does not in a real one.
 */
static void prune(struct search *search, size_t context, struct choice *choice)
{
	struct choice now = *choice;
	const struct keep *keep = search->keep;
	struct keep narrow = *keep;

	choice->whole = now.whole = choice->count;
	narrow.geometry.ways -= keep->geometry.ways / 4;
	search->keep = &narrow;
	if (now.count > 1)
		now.left = left_by(search, context, now.changes, now.count);
	for (size_t i = now.count; now.count > 1 && i--; ) {
		struct choice less = now;

		less.count--;
		memmove(&less.changes[i], &less.changes[i + 1],
			(less.count - i) * sizeof(*less.changes));
		less.changes[less.count] = now.changes[i];
		less.left = left_by(search, context, less.changes, less.count);
		if (less.left <= now.left + AS_GOOD * fabs(1 - now.left))
			now = less;
	}
	search->keep = keep;
	if (now.count == choice->count)
		return;
	now.left = left_by(search, context, now.changes, now.count);
	if (now.left <= choice->left + AS_GOOD * (1 - choice->left))
		*choice = now;
}

/* --- rows --- */

static uint64_t pad_of(const struct row_length *row, uint32_t lines, uint32_t line)
{
	uint64_t pad = (uint64_t)lines * line;

	return (pad + row->unit - 1) / row->unit * row->unit;
}

static struct layout_change row_change(const struct part *part, const struct row_length *row,
				uint32_t lines, uint32_t line)
{
	uint64_t pad = pad_of(row, lines, line), inner = row->inner;

	return (struct layout_change){
		.kind = CHANGE_ROWS, .object = part->object, .from = row->bytes,
		.to = inner ? (row->bytes / inner + 1) * (inner + pad) : row->bytes + pad,
		.inner = inner, .inner_to = inner ? inner + pad : 0,
		.nature = row->nature, .spans = row->spans,
	};
}

/* Which of an object's rows is worth a pad, and what it leaves, more where it is no easy one. */
static double best_row(struct search *search, size_t context, struct part *part)
{
	static const uint32_t lines[] = { 1, 3 };
	struct row_length rows[ROWS_MOST];
	size_t count = rows_of(search->keep, part->object, rows);
	double best = INFINITY;

	for (size_t r = 0; r < count; r++)
		for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
			struct layout_change change = row_change(part, &rows[r], lines[i],
							  search->keep->geometry.line);
			double left = left_by(search, context, &change, 1);

			left = 1 - change_ease(&change) * (1 - left);
			if (best == INFINITY || beats(left, best)) {
				best = left;
				part->row = rows[r];
			}
		}
	return best;
}

/* Rows of several objects, all longer by as many lines: the best number of these. */
static bool try_rows(struct search *search, size_t context, struct part *const *parts, size_t count,
		     struct choice *choice)
{
	static const uint32_t lines[] = { 1, 2, 3, 4, 5, 7, 9, 12, 16 };
	struct choice now = { .count = count };
	bool odd = false;

	if (!count)
		return false;
	for (size_t p = 0; p < count; p++)
		odd |= parts[p]->row.odd;
	choice->left = 1;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (odd && !(lines[i] % 2))
			continue;
		for (size_t p = 0; p < count; p++)
			now.changes[p] = row_change(parts[p], &parts[p]->row, lines[i],
						    search->keep->geometry.line);
		if (i && now.changes[0].to > 2 * now.changes[0].from)
			break;
		now.left = left_by(search, context, now.changes, count);
		if (beats(now.left, choice->left))
			*choice = now;
	}
	return choice->left < HELPS;
}

/* --- blocks against blocks --- */

static bool may_stagger(const struct part *part)
{
	return part->object->kind != OBJECT_GLOBAL && part->bytes >= PADS_LEAST_BLOCK;
}

/* Each block begins later than the one before, in the order of objects. */
static size_t stagger_as(enum change_kind kind, const struct parts *parts, uint32_t step,
			 struct layout_change *changes)
{
	uint32_t first = 0;
	size_t count = 0;

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->all[i];

		if (!may_stagger(part) || (kind == CHANGE_HUGE && part->bytes >> HUGE_BITS == 0))
			continue;
		changes[count++] = (struct layout_change){
			.kind = kind, .object = part->object, .step = step,
			.first = first, .blocks = part->blocks, .movable = part->movable,
		};
		first = (first + part->blocks) % (STAGGER_MODULO / 16);
	}
	/* Nothing but one block: it moves against what cannot be moved. */
	if (count == 1 && first == 1)
		changes[0].first = 1;
	return count;
}

static size_t stagger(const struct parts *parts, uint32_t step, struct layout_change *changes)
{
	return stagger_as(CHANGE_STAGGER, parts, step, changes);
}

static size_t lengthen(const struct parts *parts, uint32_t step, struct layout_change *changes)
{
	size_t count = 0;

	for (size_t i = 0; i < parts->count; i++)
		if (parts->all[i].object->kind == OBJECT_GLOBAL)
			changes[count++] = (struct layout_change){
				.kind = CHANGE_LENGTHEN, .object = parts->all[i].object,
				.step = step,
			};
	return count;
}

static size_t stacks(const struct parts *parts, uint32_t step, struct layout_change *changes)
{
	changes[0] = (struct layout_change){
		.kind = CHANGE_STACKS, .object = parts->stack, .step = step,
	};
	return parts->stacks > 1;
}

typedef size_t spread_fn(const struct parts *parts, uint32_t step, struct layout_change *changes);

/* Whole blocks apart by lines: the best number of these; the last is an even spread. */
static bool try_spread(struct search *search, const struct parts *parts, spread_fn *spread,
		       struct choice *choice)
{
	const struct cache_geometry *geometry = &search->keep->geometry;
	uint32_t even = geometry->sets / (parts->count + 1);
	const uint32_t lines[] = { 1, 2, 3, 5, even > 5 ? even : 7 };
	struct choice now = { .count = 0 };

	choice->left = 1;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		now.count = spread(parts, lines[i] * geometry->line, now.changes);
		if (!now.count)
			return false;
		now.left = left_by(search, parts->context, now.changes, now.count);
		if (beats(now.left, choice->left))
			*choice = now;
	}
	return choice->left < HELPS;
}

/* In huge pages, where that is better than a stagger in small ones. */
static bool try_huge(struct search *search, const struct parts *parts, const struct choices *found,
		     struct choice *choice)
{
	double least = HELPS;

	if (!search->keep->outer.ways)
		return false;
	choice->count = stagger_as(CHANGE_HUGE, parts, search->keep->geometry.line,
				   choice->changes);
	if (!choice->count)
		return false;
	for (size_t i = 0; i < found->count; i++)
		if (found->all[i].changes[0].kind == CHANGE_STAGGER && found->all[i].left < least)
			least = found->all[i].left;
	choice->left = left_by(search, parts->context, choice->changes, choice->count);
	return beats(choice->left, least);
}

/* Nodes: malloc() puts them one behind the other, with 16 bytes or a line more between. */
static bool try_resize(struct search *search, const struct parts *parts, struct choice *choice)
{
	static const uint32_t more[] = { 0, 48, 112, 240 };

	choice->left = 1;
	for (size_t p = 0; p < parts->count; p++) {
		const struct part *part = &parts->all[p];

		for (size_t i = 0; part->nodes && i < ARRAY_SIZE(more); i++) {
			struct choice now = {
				.changes[0] = {
					.kind = CHANGE_RESIZE, .object = part->object,
					.from = part->usual, .to = part->usual + more[i],
				},
				.count = 1,
			};

			now.left = left_by(search, parts->context, now.changes, 1);
			if (beats(now.left, choice->left))
				*choice = now;
		}
	}
	return choice->left < HELPS;
}

/* --- entries of which the first lines are used --- */

/* An index leaves out no bits where entries are as long as what lies between them. */
static bool may_turn(enum change_kind kind, const struct stride_places *places, uint64_t element,
		     enum row_nature nature)
{
	if (!places->bytes)
		return false;
	if (kind == CHANGE_SPREAD)
		return nature == ROWS_PLACES || (!places->walked && element < places->bytes);
	return rows_are_pages(places->bytes) && (!element || element >= places->bytes);
}

/* What lies at equal places of entries, at others: by the entry's number, or by a hash of it. */
static bool try_turns(struct search *search, const struct parts *parts, enum change_kind kind,
		      struct choice *choice)
{
	choice->left = 1;
	for (size_t p = 0; p < parts->count; p++) {
		const struct object *object = parts->all[p].object;
		uint64_t element;
		struct stride_places places = rows_places(search->keep, object, &element);
		enum row_nature nature = rows_nature(search->keep, object, places.bytes);
		struct choice now = {
			.changes[0] = {
				.kind = kind, .object = object, .from = places.bytes,
				.step = search->keep->geometry.line, .nature = nature,
			},
			.count = 1,
		};

		if (!may_turn(kind, &places, element, nature))
			continue;
		now.left = left_by(search, parts->context, now.changes, 1);
		if (beats(now.left, choice->left))
			*choice = now;
	}
	return choice->left < HELPS;
}

/* --- all of it --- */

/* The same changes, but for how much. */
static bool same_changes(const struct choice *a, const struct choice *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->changes[i].kind != b->changes[i].kind ||
		    a->changes[i].object != b->changes[i].object ||
		    a->changes[i].from != b->changes[i].from ||
		    a->changes[i].inner != b->changes[i].inner)
			return false;
	return true;
}

static uint64_t size_of(const struct choice *choice)
{
	uint64_t size = 0;

	for (size_t i = 0; i < choice->count; i++)
		size += choice->changes[i].to + choice->changes[i].step;
	return size;
}

static void offer(struct search *search, size_t context, struct choices *choices,
		  struct choice *choice)
{
	prune(search, context, choice);
	for (size_t i = 0; i < choices->count; i++) {
		struct choice *known = &choices->all[i];

		if (!same_changes(known, choice))
			continue;
		if (beats(choice->left, known->left) ||
		    (!beats(known->left, choice->left) && size_of(choice) < size_of(known)))
			*known = *choice;
		return;
	}
	if (choices->count < SEARCH_CURES)
		choices->all[choices->count++] = *choice;
}

/* Rows of one object each, then those of all. */
static void search_rows(struct search *search, struct parts *parts, struct choices *choices)
{
	struct part *with[CURE_CHANGES], *best = NULL;
	struct choice choice;
	double left, least = INFINITY;
	size_t count = 0;

	for (size_t i = 0; i < parts->count && i < SINGLES; i++) {
		struct part *part = &parts->all[i];

		if (part->misses < SINGLE_SHARE * parts->all[0].misses)
			break;
		left = best_row(search, parts->context, part);
		if (!part->row.bytes)
			continue;
		with[count++] = part;
		if (left < least) {
			least = left;
			best = part;
		}
	}
	if (best && try_rows(search, parts->context, &best, 1, &choice))
		offer(search, parts->context, choices, &choice);
	if (count > 1 && try_rows(search, parts->context, with, count, &choice))
		offer(search, parts->context, choices, &choice);
}

/* Longer rows, and what has none moved. */
static void search_mixed(struct search *search, const struct parts *parts, struct choices *choices)
{
	struct choice rows = { .left = 2 }, now, best = { .left = 2 };
	struct parts rest = { .context = parts->context };

	for (size_t i = 0; i < choices->count; i++) {
		const struct choice *choice = &choices->all[i];

		if (choice->left < best.left)
			best = *choice;
		if (choice->changes[0].kind == CHANGE_ROWS && choice->left < rows.left)
			rows = *choice;
	}
	if (rows.left > 1 || rows.left < 0.1)
		return;
	for (size_t i = 0; i < parts->count; i++) {
		bool has_row = false;

		for (size_t c = 0; c < rows.count; c++)
			has_row |= rows.changes[c].object == parts->all[i].object;
		if (!has_row)
			rest.all[rest.count++] = parts->all[i];
	}
	now = rows;
	now.count += stagger(&rest, search->keep->geometry.line, now.changes + now.count);
	now.count += lengthen(&rest, search->keep->geometry.line, now.changes + now.count);
	if (now.count == rows.count)
		return;
	now.left = left_by(search, parts->context, now.changes, now.count);
	if (beats(now.left, best.left))
		offer(search, parts->context, choices, &now);
}

static int by_left(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	return (x->left > y->left) - (x->left < y->left);
}

size_t search_loop(struct search *search, size_t context, struct choice choices[SEARCH_CURES],
		   bool *moves)
{
	struct parts parts = { .context = context };
	struct choices found = { .all = choices };
	struct choice choice;

	choose_bursts(search, context);
	*moves = parts_find(search, &parts);
	if (!*moves)
		return 0;
	search_rows(search, &parts, &found);
	if (try_spread(search, &parts, stagger, &choice))
		offer(search, context, &found, &choice);
	if (try_spread(search, &parts, stacks, &choice))
		offer(search, context, &found, &choice);
	if (try_huge(search, &parts, &found, &choice))
		offer(search, context, &found, &choice);
	if (try_spread(search, &parts, lengthen, &choice))
		offer(search, context, &found, &choice);
	if (try_resize(search, &parts, &choice))
		offer(search, context, &found, &choice);
	if (try_turns(search, &parts, CHANGE_COLOUR, &choice))
		offer(search, context, &found, &choice);
	if (try_turns(search, &parts, CHANGE_SPREAD, &choice))
		offer(search, context, &found, &choice);
	search_mixed(search, &parts, &found);
	if (found.count)
		qsort(choices, found.count, sizeof(*choices), by_left);
	return found.count;
}
