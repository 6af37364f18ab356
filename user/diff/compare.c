// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "diff/compare.h"

#define FEW		0.02	/* of the other side's misses */
#define COMMON_LEAST	0.1	/* of the misses: less is of loaders and libraries */
#define MAIN_LEAST	0.5	/* ... of both: a program that is all in main() */

/* A context that has samples at the level. */
struct piece {
	const struct context *context;
	const struct level_findings *level;
	bool matched;
	bool alone;		/* the other side has no code of its file */
};

struct pieces {
	struct piece *piece;
	size_t count;
};

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static const char *base_of(const char *path)
{
	return path ? base_name(path) : NULL;
}

static int compare_functions(const struct code_region *a, const struct code_region *b)
{
	int order = compare_text(a->function, b->function);

	return order ? order : compare_text(base_of(a->file), base_of(b->file));
}

/* The line as counted from the function's first one; others come behind these. */
static int64_t place_of(const struct code_region *region)
{
	return region->function_line ? (int64_t)region->line - region->function_line :
				       (int64_t)region->line + UINT32_MAX;
}

static int compare_places(const struct code_region *a, const struct code_region *b)
{
	int64_t x = place_of(a), y = place_of(b);

	if (x != y)
		return x < y ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->line || a->address == b->address)
		return 0;
	return a->address < b->address ? -1 : 1;
}

static int compare_code(const struct code_region *a, const struct code_region *b)
{
	int order = compare_functions(a, b);

	return order ? order : compare_places(a, b);
}

bool same_code(const struct code_region *a, const struct code_region *b)
{
	return !compare_code(a, b);
}

/* Where the loop's function was inlined, too. */
static int compare_copies(const struct code_region *a, const struct code_region *b)
{
	int order = compare_code(a, b);

	if (!order)
		order = compare_text(base_of(a->call_file), base_of(b->call_file));
	return order ? order : (a->call_line > b->call_line) - (a->call_line < b->call_line);
}

bool same_copy(const struct code_region *a, const struct code_region *b)
{
	return !compare_copies(a, b);
}

/* Of regions that are alike the one that is first in a report. */
static int compare_regions(const struct code_region *a, const struct code_region *b)
{
	int order = compare_copies(a, b);

	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static int by_code(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return compare_regions(&x->context->region, &y->context->region);
}

static struct pieces pieces_of(const struct findings *findings, uint32_t level)
{
	struct pieces pieces = {
		.piece = xcalloc(findings->context_count + 1, sizeof(*pieces.piece)),
	};
	size_t i;

	for (i = 0; i < findings->context_count; i++) {
		const struct context *context = &findings->contexts[i];
		const struct level_findings *at = context_level(context, level);

		if (at && at->samples)
			pieces.piece[pieces.count++] = (struct piece){ context, at, false };
	}
	qsort(pieces.piece, pieces.count, sizeof(*pieces.piece), by_code);
	return pieces;
}

static void add(struct comparison *comparison, struct piece *before, struct piece *after)
{
	struct change *change = &comparison->changes[comparison->count++];

	/* Where a side's misses are unknown, those of code that has no samples are, too. */
	*change = (struct change){
		.moved = before && after &&
			 before->context->region.line != after->context->region.line,
		.misses_before = isnan(comparison->misses_before) ? NAN : 0,
		.misses_after = isnan(comparison->misses_after) ? NAN : 0,
	};
	if (before) {
		before->matched = true;
		change->before = before->context;
		change->level_before = before->level;
		change->misses_before = before->level->share * comparison->misses_before;
	}
	if (after) {
		after->matched = true;
		change->after = after->context;
		change->level_after = after->level;
		change->misses_after = after->level->share * comparison->misses_after;
	}
}

/* How many pieces from @first on are the same code: copies of an inlined loop, if several. */
static size_t copies(const struct pieces *pieces, size_t first)
{
	size_t end = first + 1;

	while (end < pieces->count && same_code(&pieces->piece[first].context->region,
						&pieces->piece[end].context->region))
		end++;
	return end - first;
}

/* As many copies are the same ones, though their calls may have moved; else equal calls tell. */
static void match_copies(struct comparison *comparison, struct piece *before, size_t count_before,
			 struct piece *after, size_t count_after)
{
	size_t i = 0, j = 0;

	while (i < count_before && j < count_after) {
		int order = count_before == count_after ? 0 :
			    compare_copies(&before[i].context->region, &after[j].context->region);

		if (!order)
			add(comparison, &before[i], &after[j]);
		i += order <= 0;
		j += order >= 0;
	}
}

static void match_lines(struct comparison *comparison, struct pieces *before, struct pieces *after)
{
	size_t i = 0, j = 0, more_before, more_after;

	while (i < before->count && j < after->count) {
		struct piece *was = &before->piece[i], *is = &after->piece[j];
		int order = compare_code(&was->context->region, &is->context->region);

		more_before = order <= 0 ? copies(before, i) : 0;
		more_after = order >= 0 ? copies(after, j) : 0;
		if (!order)
			match_copies(comparison, was, more_before, is, more_after);
		i += more_before;
		j += more_after;
	}
}

static bool same_file(const struct code_region *a, const struct code_region *b)
{
	return !compare_text(base_of(a->file), base_of(b->file));
}

static void mark_alone(struct pieces *pieces, const struct pieces *others)
{
	for (size_t i = 0; i < pieces->count; i++) {
		struct piece *piece = &pieces->piece[i];
		size_t j = 0;

		while (j < others->count && !same_file(&piece->context->region,
						       &others->piece[j].context->region))
			j++;
		piece->alone = piece->context->region.file && j == others->count;
	}
}

static bool same_function(const struct piece *piece, const struct piece *like)
{
	const struct code_region *a = &piece->context->region, *b = &like->context->region;

	return !compare_functions(a, b) ||
	       (piece->alone && like->alone && a->function &&
		!compare_text(a->function, b->function));
}

/* What is left of one depth of a function: the first piece, how many, the one with most samples. */
struct rest {
	size_t at, count;
	struct piece *most;
};

static struct rest rest_of(const struct pieces *pieces, const struct piece *like)
{
	struct rest rest = { .count = 0 };
	size_t i;

	for (i = 0; i < pieces->count; i++) {
		struct piece *piece = &pieces->piece[i];

		if (piece->matched || !same_function(piece, like) ||
		    piece->context->region.depth != like->context->region.depth)
			continue;
		if (!rest.count++)
			rest.at = i;
		if (!rest.most || piece->level->samples > rest.most->level->samples)
			rest.most = piece;
	}
	return rest;
}

/* The next piece of that depth of a function that nothing was matched with yet. */
static struct piece *next_left(const struct pieces *pieces, size_t *at, const struct piece *like)
{
	while (pieces->piece[*at].matched || !same_function(&pieces->piece[*at], like) ||
	       pieces->piece[*at].context->region.depth != like->context->region.depth)
		++*at;
	return &pieces->piece[*at];
}

static void match_depth(struct comparison *comparison, struct pieces *before, struct pieces *after,
			const struct piece *like)
{
	struct rest b = rest_of(before, like), a = rest_of(after, like);

	if (!b.count || !a.count)
		return;
	if (b.count != a.count) {
		add(comparison, b.most, a.most);
		return;
	}
	while (b.count--)
		add(comparison, next_left(before, &b.at, like), next_left(after, &a.at, like));
}

static void match_moved(struct comparison *comparison, struct pieces *before, struct pieces *after)
{
	size_t i, j;

	for (i = 0; i < before->count; i++) {
		const struct piece *like = &before->piece[i];

		/* Once for each depth of a function: where it is first met. */
		for (j = i; j && same_function(&before->piece[j - 1], like); j--)
			if (before->piece[j - 1].context->region.depth ==
			    like->context->region.depth)
				break;
		if (!j || !same_function(&before->piece[j - 1], like))
			match_depth(comparison, before, after, like);
	}
	for (i = 0; i < before->count; i++)
		if (!before->piece[i].matched)
			add(comparison, &before->piece[i], NULL);
	for (i = 0; i < after->count; i++)
		if (!after->piece[i].matched)
			add(comparison, NULL, &after->piece[i]);
}

/* Load misses of a level: counted, or as many as the events let know; NAN = unknown. */
static double level_misses(const struct findings *findings, uint32_t level, bool *exact)
{
	double misses = 0;
	uint64_t counted;
	size_t i;

	if (findings_counted(findings, level, &counted))
		return counted;
	*exact = false;
	/* Bursts do not show the total. */
	if (findings->bursts.known)
		return 1000 * findings_miss_ratio(findings, level).ratio;
	for (i = 0; i < findings->event_count; i++) {
		const struct event_totals *event = &findings->events[i];

		if (event->level == level)
			misses += event->events ? event->events : event->samples * event->period;
	}
	return misses;
}

struct time_change compare_times(const struct findings *before, const struct findings *after)
{
	struct time_change change = { .known = true };

	if (before->baseline.known && after->baseline.known) {
		change.baseline = true;
		change.before = before->baseline;
		change.after = after->baseline;
	} else if (before->recorded.known && after->recorded.known &&
		   !strcmp(before->source, after->source)) {
		change.before = before->recorded;
		change.after = after->recorded;
	} else {
		change.known = false;
	}
	return change;
}

static const struct code_region *code_of(const struct change *change)
{
	return change->after ? &change->after->region : &change->before->region;
}

static int most_first(const struct change *x, double most_x, const struct change *y, double most_y)
{
	int order = (most_x < most_y) - (most_x > most_y);

	return order ? order : compare_regions(code_of(x), code_of(y));
}

static int by_misses(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return most_first(x, fmax(x->misses_before, x->misses_after),
			  y, fmax(y->misses_before, y->misses_after));
}

static double share_of(const struct level_findings *level)
{
	return level ? level->share : 0;
}

/* Where the misses of a side are unknown. */
static int by_share(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return most_first(x, fmax(share_of(x->level_before), share_of(x->level_after)),
			  y, fmax(share_of(y->level_before), share_of(y->level_after)));
}

static const char *counted(const struct event_totals *event)
{
	return event->no_loads ? "stores" : event->sees_stores ? "loads and stores" : "loads";
}

int compare_stores(const struct findings *before, const struct findings *after, uint32_t level)
{
	const struct event_totals *a = findings_event(before, level);
	const struct event_totals *b = findings_event(after, level);

	if (!a || !b || (a->sees_stores == b->sees_stores && a->no_loads == b->no_loads))
		return 0;
	return fail("%s counts the L%" PRIu32 " misses of %s, %s those of %s: record both alike",
		    before->path, level, counted(a), after->path, counted(b));
}

bool compare_caches(const struct findings *before, const struct findings *after, uint32_t level)
{
	const struct cache_level *a = findings_cache(before, level);
	const struct cache_level *b = findings_cache(after, level);

	return !a || !b || (!memcmp(&a->geometry, &b->geometry, sizeof(a->geometry)) &&
			    a->slices == b->slices);
}

bool change_is_few(const struct change *change, bool after)
{
	double misses = after ? change->misses_after : change->misses_before;
	double other = after ? change->misses_before : change->misses_after;

	return (after ? change->level_after : change->level_before) && misses < FEW * other;
}

bool comparison_unknown(const struct comparison *comparison)
{
	return isnan(comparison->misses_before) || isnan(comparison->misses_after);
}

/* Its code is in all programs, and most of what one does that ends at once. */
static bool is_loader(const struct code_region *region)
{
	return region->dso && !strncmp(base_name(region->dso), "ld-", strlen("ld-"));
}

/* What both sides have. "main" of files of different names is in all programs, with little. */
static bool is_common(const struct change *change)
{
	const struct code_region *a, *b;

	if (!change->before || !change->after)
		return false;
	a = &change->before->region;
	b = &change->after->region;
	if (is_loader(a) && is_loader(b))
		return false;
	return same_file(a, b) || compare_text(a->function, "main") ||
	       fmin(change->level_before->share, change->level_after->share) >= MAIN_LEAST;
}

bool compare_unlike(const struct findings *before, const struct findings *after,
		    struct comparison *const *levels, size_t count)
{
	if (!before->command || !after->command || !*before->command || !*after->command ||
	    !strcmp(base_name(*before->command), base_name(*after->command)))
		return false;
	for (size_t i = 0; i < count; i++) {
		double was = 0, is = 0;

		for (size_t j = 0; j < levels[i]->count; j++) {
			const struct change *change = &levels[i]->changes[j];

			if (!is_common(change))
				continue;
			was += change->level_before->share;
			is += change->level_after->share;
		}
		if (fmax(was, is) >= COMMON_LEAST)
			return false;
	}
	return true;
}

struct comparison *compare_findings(const struct findings *before, const struct findings *after,
				    uint32_t level)
{
	struct comparison *comparison = xcalloc(1, sizeof(*comparison));
	struct pieces b = pieces_of(before, level), a = pieces_of(after, level);

	comparison->level = level;
	comparison->exact = true;
	comparison->per_thousand = before->bursts.known;
	comparison->sees_stores = findings_unseen(before, level) == 0;
	comparison->misses_before = level_misses(before, level, &comparison->exact);
	comparison->misses_after = level_misses(after, level, &comparison->exact);
	comparison->changes = xcalloc(a.count + b.count + 1, sizeof(*comparison->changes));
	mark_alone(&b, &a);
	mark_alone(&a, &b);
	match_lines(comparison, &b, &a);
	match_moved(comparison, &b, &a);
	qsort(comparison->changes, comparison->count, sizeof(*comparison->changes),
	      comparison_unknown(comparison) ? by_share : by_misses);
	free(a.piece);
	free(b.piece);
	return comparison;
}

void comparison_free(struct comparison *comparison)
{
	free(comparison->changes);
	free(comparison);
}
