// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/prose.h"
#include "output/region.h"
#include "output/text.h"
#include "report/entry.h"
#include "report/text-data.h"
#include "report/words.h"

#define OBJECTS_SHOWN	3	/* of an entry */
#define FAINT		0.05	/* share of an object that is not shown */
#define ALIKE		0.25	/* of the largest object's share: one that counts, too */

struct entry entry_of(const struct context *context, const struct level_findings *level)
{
	return (struct entry){
		.context = context, .level = level->level, .share = level->share,
		.share_interval = level->share_interval,
		.summary = &level->summary, .objects = level->objects,
		.object_count = level->object_count, .pairs = level->pairs,
		.pair_count = level->pair_count, .between = level->between,
	};
}

struct entry entry_of_nest(const struct context *context, const struct nest_findings *nest)
{
	return (struct entry){
		.context = context, .level = nest->level, .nest = true, .share = nest->share,
		.summary = &nest->summary, .objects = nest->objects,
		.object_count = nest->object_count,
	};
}

size_t entry_alike(const struct entry *entry)
{
	size_t count = 0;

	while (count < entry->object_count &&
	       entry->objects[count].share >= ALIKE * entry->objects[0].share)
		count++;
	return count;
}

bool steps_over_blocks(const struct object_share *share)
{
	const struct object *object = share->object;

	return object->kind == OBJECT_HEAP && object->block_most &&
	       share->stride >= object->block_most;
}

bool entry_is_small(const struct entry *entry)
{
	return report_is_small(entry->summary, entry->share);
}

int entry_compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	uint32_t i = x->context->region.id, j = y->context->region.id;
	int order = entry_is_small(x) - entry_is_small(y);

	if (!order)
		order = compare_keys(report_stake(x->summary, x->share),
				     report_stake(y->summary, y->share));
	return order ? order : (i > j) - (i < j);
}

struct entry *entries_of(const struct findings *findings, uint32_t level, const struct row *rows,
			 size_t row_count, size_t *count)
{
	struct entry *entries = xcalloc(row_count + findings->context_count + 1, sizeof(*entries));

	*count = 0;
	for (size_t i = 0; i < row_count; i++) {
		enum rcd_verdict verdict = rows[i].level->summary.verdict;

		if (verdict == RCD_CONFLICT || verdict == RCD_CONCENTRATED)
			entries[(*count)++] = entry_of(rows[i].context, rows[i].level);
	}
	for (size_t i = 0; i < findings->context_count; i++) {
		const struct nest_findings *nest = context_nest(&findings->contexts[i], level);

		if (nest && nest->combined)
			entries[(*count)++] = entry_of_nest(&findings->contexts[i], nest);
	}
	qsort(entries, *count, sizeof(*entries), entry_compare);
	return entries;
}

size_t entries_shown(const struct entry *entries, size_t count, size_t most, bool fold)
{
	size_t shown = 0;

	while (shown < count && shown < most && !(fold && entry_is_small(&entries[shown])))
		shown++;
	return shown;
}

void entry_conflicts(char **text, const struct rcd_summary *summary)
{
	prose_append(text, ", %.0f%% of them conflicts", 100 * summary->conflict_share);
	if (report_gross(summary))
		prose_append(text, " net of hits saved, %.0f%% gross", 100 * summary->gross_share);
}

const struct entry *entries_worst(const struct entry *entries, size_t count)
{
	const struct entry *worst = entries;

	for (size_t i = 1; i < count; i++)
		if (entries[i].summary->verdict == RCD_CONFLICT &&
		    worst->summary->verdict != RCD_CONFLICT)
			worst = &entries[i];
	return worst;
}

static void append_level(char **text, const struct entry *entry)
{
	const struct rcd_summary *summary = entry->summary;

	prose_append_free(text, prose_percent(entry->share));
	prose_append(text, " of the L%" PRIu32 " misses", entry->level);
	if (report_is_wide(&entry->share_interval))
		prose_append(text, " (%.0f to %.0f%%)", 100 * entry->share_interval.low,
			     100 * entry->share_interval.high);
	if (rcd_share_known(summary) && summary->verdict == RCD_CONFLICT) {
		entry_conflicts(text, summary);
		if (!summary->counted)
			prose_append(text, " (%.0f to %.0f%%)", 100 * summary->conflict_low,
				     100 * summary->conflict_high);
	} else if (summary->verdict == RCD_CONCENTRATED) {
		prose_append(text, ", on few sets at a time");
	}
}

char *entries_sentence(const struct entry *entries, size_t count)
{
	char *text = region_site(region_place(&entries->context->region, false),
				 region_function(&entries->context->region, 60));

	prose_append(&text, "%s: ", entries->nest ? ", with the loops in it" : "");
	for (size_t i = 0; i < count; i++) {
		prose_append(&text, "%s", i ? "; " : "");
		append_level(&text, &entries[i]);
	}
	return text;
}

/* "matrix (heap, symmetrize.c:32, 128 KiB)" */
static void append_object(char **text, const struct object *object)
{
	char *name = report_object_name(object, 40);

	prose_append(text, "%s (%s", name, object_kind_name(object->kind));
	if (object->where && *object->where) {
		prose_append(text, ", ");
		prose_append_free(text, drop_abi_tags(xstrdup(base_name(object->where))));
	}
	if (object->bytes) {
		prose_append(text, ", ");
		prose_append_free(text, text_size(object->bytes));
	}
	prose_append(text, ")");
	free(name);
}

/* Of many arrays in lockstep each has a faint share. */
static size_t objects_worth(const struct entry *entry)
{
	size_t count = entry_alike(entry);

	while (count < entry->object_count && entry->objects[count].share >= FAINT)
		count++;
	return count;
}

static void append_share(char **text, const struct object_share *share)
{
	append_object(text, share->object);
	prose_append(text, ": ");
	prose_append_free(text, prose_percent(share->share));
	if (share->stride) {
		prose_append(text, ", every ");
		prose_append_free(text, text_count(share->stride));
		prose_append(text, " B");
	}
}

static bool has_object(const struct entry *entry, const struct object *object)
{
	for (size_t i = 0; i < objects_worth(entry); i++)
		if (entry->objects[i].object == object)
			return true;
	return false;
}

/* At an outer level: of those that matter, what the first level has not. */
static void append_outer(char **text, const struct entry *first, const struct entry *outer)
{
	size_t count = entry_alike(outer), more = 0;

	for (size_t i = 0; i < count; i++) {
		if (has_object(first, outer->objects[i].object))
			continue;
		if (more++ >= OBJECTS_SHOWN)
			continue;
		prose_append(text, "%s", *text ? "; " : "");
		if (more == 1)
			prose_append(text, "in L%" PRIu32 " ", outer->level);
		append_share(text, &outer->objects[i]);
	}
	if (more > OBJECTS_SHOWN)
		prose_append(text, "; and %zu more", more - OBJECTS_SHOWN);
}

char *entries_data(const struct entry *entries, size_t count)
{
	size_t worth = objects_worth(entries);
	char *text = NULL;

	for (size_t i = 0; i < worth && i < OBJECTS_SHOWN; i++) {
		prose_append(&text, "%s", i ? "; " : "");
		append_share(&text, &entries->objects[i]);
	}
	if (worth > OBJECTS_SHOWN)
		prose_append(&text, "; and %zu more", worth - OBJECTS_SHOWN);
	for (size_t i = 1; i < count; i++)
		append_outer(&text, entries, &entries[i]);
	return text;
}
