// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "report/digest.h"

/* The number of an entry's loop; @count = it is not among them. */
static size_t loop_of(const struct joined *loops, size_t count, const struct entry *entry)
{
	size_t i = 0;

	while (i < count && (loops[i].at->context != entry->context ||
			     loops[i].at->nest != entry->nest))
		i++;
	return i;
}

/* At the level where most could be saved. */
static const struct entry *most_of(const struct joined *loop)
{
	const struct entry *most = loop->at;

	for (size_t i = 1; i < loop->count; i++)
		if (entry_compare(&loop->at[i], most) < 0)
			most = &loop->at[i];
	return most;
}

static int compare_loops(const void *a, const void *b)
{
	return entry_compare(most_of(a), most_of(b));
}

static void join(struct digest *digest, bool fold)
{
	size_t most = 0;

	for (size_t i = 0; i < digest->level_count; i++)
		most += digest->levels[i].entry_count;
	digest->loops = xcalloc(most + 1, sizeof(*digest->loops));
	for (size_t i = 0; i < digest->level_count; i++) {
		for (size_t j = 0; j < digest->levels[i].entry_count; j++) {
			const struct entry *entry = &digest->levels[i].entries[j];
			struct joined *loop;

			if (fold && entry_is_small(entry))
				continue;
			loop = &digest->loops[loop_of(digest->loops, digest->count, entry)];
			digest->count += !loop->count;
			loop->at[loop->count++] = *entry;
		}
	}
	qsort(digest->loops, digest->count, sizeof(*digest->loops), compare_loops);
}

void digest_init(struct digest *digest, const struct findings *findings, const uint32_t *levels,
		 size_t level_count, bool fold)
{
	*digest = (struct digest){ .findings = findings, .level_count = level_count };
	for (size_t i = 0; i < level_count; i++) {
		struct others *level = &digest->levels[i];

		level->level = levels[i];
		level->rows = rows_new(findings, levels[i], SORT_SAMPLES, &level->row_count);
		level->entries = entries_of(findings, levels[i], level->rows, level->row_count,
					    &level->entry_count);
	}
	join(digest, fold);
}

static bool is_described(const struct joined *loops, size_t count, const struct entry *entry)
{
	size_t loop = loop_of(loops, count, entry);

	for (size_t i = 0; loop < count && i < loops[loop].count; i++)
		if (loops[loop].at[i].level == entry->level)
			return true;
	return false;
}

size_t digest_others(const struct digest *digest, size_t shown, bool told,
		     struct sentence sentences[OTHERS_MOST])
{
	struct entry *left[ENTRY_LEVELS];
	struct others levels[ENTRY_LEVELS];
	size_t count;

	for (size_t i = 0; i < digest->level_count; i++) {
		const struct others *all = &digest->levels[i];

		left[i] = xcalloc(all->entry_count + 1, sizeof(*left[i]));
		levels[i] = *all;
		levels[i].entries = left[i];
		levels[i].entry_count = 0;
		for (size_t j = 0; j < all->entry_count; j++)
			if (!is_described(digest->loops, shown, &all->entries[j]))
				left[i][levels[i].entry_count++] = all->entries[j];
	}
	count = report_others(digest->findings, levels, digest->level_count, told, sentences);
	for (size_t i = 0; i < digest->level_count; i++)
		free(left[i]);
	return count;
}

void digest_drop(struct digest *digest)
{
	for (size_t i = 0; i < digest->level_count; i++) {
		free(digest->levels[i].rows);
		free(digest->levels[i].entries);
	}
	free(digest->loops);
}
