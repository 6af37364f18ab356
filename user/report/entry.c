// SPDX-License-Identifier: GPL-2.0-only
#include "base/memory.h"
#include "report/entry.h"

struct entry entry_of(const struct context *context, const struct level_findings *level)
{
	return (struct entry){
		.context = context, .level = level->level, .share = level->share,
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

static void add_rows(struct entry *entries, size_t *count, const struct row *rows,
		     size_t row_count, enum rcd_verdict verdict)
{
	for (size_t i = 0; i < row_count; i++)
		if (rows[i].level->summary.verdict == verdict)
			entries[(*count)++] = entry_of(rows[i].context, rows[i].level);
}

struct entry *entries_of(const struct findings *findings, uint32_t level, const struct row *rows,
			 size_t row_count, size_t *count)
{
	struct entry *entries = xcalloc(row_count + findings->context_count + 1, sizeof(*entries));

	*count = 0;
	add_rows(entries, count, rows, row_count, RCD_CONFLICT);
	for (size_t i = 0; i < findings->context_count; i++) {
		const struct nest_findings *nest = context_nest(&findings->contexts[i], level);

		if (nest && nest->combined)
			entries[(*count)++] = entry_of_nest(&findings->contexts[i], nest);
	}
	add_rows(entries, count, rows, row_count, RCD_CONCENTRATED);
	return entries;
}
