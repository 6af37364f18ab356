// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "report/rows.h"

static int compare_names(const struct row *a, const struct row *b)
{
	const struct code_region *x = &a->context->region, *y = &b->context->region;
	int order = strcmp(x->function ? x->function : "", y->function ? y->function : "");

	if (!order)
		order = strcmp(x->file ? x->file : "", y->file ? y->file : "");
	if (order)
		return order;
	return (x->line > y->line) - (x->line < y->line);
}

int compare_keys(double a, double b)
{
	if (a != a || b != b)
		return (a != a) - (b != b);
	return (a < b) - (a > b);
}

static double sort_key(const struct row *row, enum row_sort sort)
{
	const struct rcd_summary *summary;

	if (sort == SORT_SAMPLES)
		return row->weight;
	if (!row->level)
		return NAN;
	summary = &row->level->summary;
	switch (sort) {
	case SORT_CF:
		return summary->cf;
	case SORT_CONFLICT:
		return rcd_share_known(summary) ? summary->conflict_share : -1;
	case SORT_SETS:
		return summary->sets_used;
	default:
		return row->weight;
	}
}

static int compare_rows(const void *a, const void *b, void *sort)
{
	const struct row *x = a, *y = b;
	enum row_sort by = *(enum row_sort *)sort;
	int order;

	order = by == SORT_NAME ? compare_names(x, y) :
				  compare_keys(sort_key(x, by), sort_key(y, by));
	if (!order)
		order = compare_keys(x->samples, y->samples);
	if (!order)
		order = x->context->region.id < y->context->region.id ? -1 : x != y;
	return order;
}

struct row *rows_new(const struct findings *findings, uint32_t level, enum row_sort sort,
		     size_t *count)
{
	struct row *rows = xcalloc(findings->context_count + 1, sizeof(*rows));

	*count = 0;
	for (size_t i = 0; i < findings->context_count; i++) {
		const struct context *context = &findings->contexts[i];
		const struct level_findings *at = context_level(context, level);

		if (!level)
			rows[(*count)++] = (struct row){ context, context->level_count ?
						    context->levels : NULL, context->samples,
						    context->samples };
		else if (at && at->samples)
			rows[(*count)++] = (struct row){ context, at, at->samples, at->share };
	}
	qsort_r(rows, *count, sizeof(*rows), compare_rows, &sort);
	return rows;
}

size_t levels_sampled(const struct findings *findings, uint32_t *levels, size_t most)
{
	size_t count = 0, i, j;

	for (i = 0; i < findings->event_count; i++) {
		uint32_t level = findings->events[i].level;

		for (j = 0; j < count && levels[j] != level; j++)
			;
		if (!level || j < count || count == most)
			continue;
		for (j = count++; j && levels[j - 1] > level; j--)
			levels[j] = levels[j - 1];
		levels[j] = level;
	}
	return count;
}

int levels_check(const struct findings *findings, uint32_t level)
{
	uint32_t levels[8];
	size_t count = levels_sampled(findings, levels, 8);

	for (size_t i = 0; i < count; i++)
		if (!level || levels[i] == level)
			return 0;
	if (!level)
		return 0;
	if (findings->bursts.known)
		return fail("%s holds bursts of references, of which none is long enough for L%u: "
			    "%srecord --source engine -e l%u-miss", findings->path, level,
			    level == 2 ? "run longer, or record --overhead 20%; or " : "", level);
	if (!count)
		return fail("%s samples no cache level", findings->path);
	return fail("%s samples L%u, not L%u: record -e l%u-miss",
		    findings->path, levels[0], level, level);
}

uint32_t level_ways(const struct findings *findings, uint32_t level)
{
	const struct cache_level *cache = findings_cache(findings, level);

	return cache ? cache->geometry.ways : 0;
}

uint32_t level_sets(const struct findings *findings, uint32_t level)
{
	const struct cache_level *cache = findings_cache(findings, level);

	return cache ? cache_level_sets(cache) : 0;
}
