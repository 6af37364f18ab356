// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "findings/contexts.h"
#include "findings/misses.h"
#include "page/tally.h"

static struct site_tally *site_of(struct tallies *tallies, uint32_t level, uint32_t number)
{
	uint64_t *place = map_at(&tallies->site_numbers, (uint64_t)level << 32 | number);

	if (!*place) {
		tallies->sites = grow(tallies->sites, tallies->site_count, &tallies->site_capacity,
				      sizeof(*tallies->sites));
		tallies->sites[tallies->site_count] = (struct site_tally){ .number = number };
		*place = ++tallies->site_count;
	}
	return &tallies->sites[*place - 1];
}

static void take_site(struct tallies *tallies, const struct miss_row *miss)
{
	struct site_tally *site = site_of(tallies, miss->level, miss->number);

	site->context = miss->site->context;
	site->level = miss->level;
	site->module = miss->site->module;
	site->address = miss->site->address;
	site->file = miss->site->file;
	site->line = miss->site->line;
	site->samples++;
	site->conflicts += miss->placed && miss->again;
	/* They missed before: each has its tally. */
	for (uint32_t i = 0; i < miss->evictor_count; i++)
		site_of(tallies, miss->level, miss->evictors[i])->evictions +=
			1.0 / miss->evictor_count;
}

static void take_fold(struct tallies *tallies, const struct miss_row *miss)
{
	uint32_t columns = miss->sets < FOLD_COLUMNS ? miss->sets : FOLD_COLUMNS;
	size_t context = miss->site->context;
	struct fold_tally *fold;
	uint64_t *place;

	/* Pieces of code and objects stay far below 2^30. */
	place = map_at(&tallies->fold_numbers, (uint64_t)miss->level << 60 ^
					       (uint64_t)context << 30 ^ miss->object->id);
	if (!*place) {
		/* Of the largest all are there long before. */
		if (tallies->fold_count == FOLDS_MOST)
			return;
		tallies->folds = grow(tallies->folds, tallies->fold_count, &tallies->fold_capacity,
				      sizeof(*tallies->folds));
		tallies->folds[tallies->fold_count] = (struct fold_tally){
			.context = context, .level = miss->level, .object = miss->object,
			.columns = columns,
		};
		*place = ++tallies->fold_count;
	}
	fold = &tallies->folds[*place - 1];
	fold->samples++;
	fold->counts[(uint64_t)miss->set * columns / miss->sets]++;
}

static void take_miss(void *context, const struct miss_row *miss)
{
	struct tallies *tallies = context;

	if (miss->level)
		take_site(tallies, miss);
	if (miss->level && miss->placed)
		take_fold(tallies, miss);
	if (tallies->before.each)
		tallies->before.each(tallies->before.context, miss);
}

static void take_burst(void *context, const struct whole_burst *burst)
{
	struct tallies *tallies = context;

	tallies->before.burst(tallies->before.context, burst);
}

void tallies_attach(struct tallies *tallies, struct analysis_options *options)
{
	tallies->before = *options;
	options->each = take_miss;
	options->burst = options->burst ? take_burst : NULL;
	options->context = tallies;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_line(const void *left, const void *right)
{
	const struct site_tally *a = left, *b = right;
	int order = compare(a->context, b->context);

	order = order ? order : compare(a->level, b->level);
	order = order ? order : strcmp(a->file ? a->file : "", b->file ? b->file : "");
	order = order ? order : compare(a->line, b->line);
	return order ? order : compare(a->address, b->address);
}

static int by_samples(const void *left, const void *right)
{
	const struct fold_tally *a = left, *b = right;
	int order = compare(a->context, b->context);

	order = order ? order : compare(a->level, b->level);
	order = order ? order : compare(b->samples, a->samples);
	return order ? order : compare(a->object->id, b->object->id);
}

void tallies_sort(struct tallies *tallies)
{
	if (tallies->site_count)
		qsort(tallies->sites, tallies->site_count, sizeof(*tallies->sites), by_line);
	if (tallies->fold_count)
		qsort(tallies->folds, tallies->fold_count, sizeof(*tallies->folds), by_samples);
}

void tallies_drop(struct tallies *tallies)
{
	free(tallies->sites);
	free(tallies->folds);
	map_free(&tallies->site_numbers);
	map_free(&tallies->fold_numbers);
}

const struct site_tally *tallies_sites(const struct tallies *tallies, const struct context *context,
				       uint32_t level, size_t *count)
{
	const struct site_tally *first = NULL;

	*count = 0;
	for (size_t i = 0; i < tallies->site_count; i++) {
		const struct site_tally *site = &tallies->sites[i];

		if (site->context != context->number || site->level != level)
			continue;
		first = first ? first : site;
		++*count;
	}
	return first;
}

const struct fold_tally *tallies_folds(const struct tallies *tallies, const struct context *context,
				       uint32_t level, size_t *count)
{
	const struct fold_tally *first = NULL;

	*count = 0;
	for (size_t i = 0; i < tallies->fold_count; i++) {
		const struct fold_tally *fold = &tallies->folds[i];

		if (fold->context != context->number || fold->level != level)
			continue;
		first = first ? first : fold;
		++*count;
	}
	return first;
}
