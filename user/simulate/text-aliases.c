// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "simulate/text-aliases.h"
#include "simulate/text-loops.h"
#include "output/table.h"
#include "output/text.h"

#define INDENT 2

static uint64_t all_aliases(const struct sim_findings *findings)
{
	uint64_t all = 0;

	for (size_t i = 0; i < findings->alias_count; i++)
		all += findings->aliases[i].total;
	return all;
}

static char *end_name(const struct sim_findings *findings, size_t row, const struct object *object)
{
	return simulation_end(region_text(&findings->rows[row].region, false),
			      object ? object->name : NULL);
}

static void add_alias(struct table *table, const struct sim_findings *findings,
		      const struct sim_pair *alias)
{
	uint64_t references = findings->rows[alias->victim].counts.references;

	table_cell(table, text_count(alias->total), TINT_BOLD);
	table_cell(table, text_percent(references ? (double)alias->total / references : 0),
		   TINT_NONE);
	table_cell(table, end_name(findings, alias->victim, alias->victim_object), TINT_NONE);
	table_cell(table, end_name(findings, alias->evictor, alias->evictor_object),
		   TINT_NONE);
}

void simulation_aliases(FILE *out, const struct sim_findings *findings,
			const struct simulation_view *view)
{
	static const struct column columns[] = {
		{ "loads", .right = true }, { "of its", .right = true },
		{ .header = "load", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ .header = "behind the store", .flexible = true, .fit = TEXT_FIT_MIDDLE },
	};
	struct table *table;
	uint64_t all = all_aliases(findings), loads = findings->loads.references;
	char *share, *count;
	size_t i;

	if (!findings->alias_window)
		return;
	share = text_percent(loads ? (double)all / loads : 0);
	count = text_count(all);
	fprintf(out, "\n4K aliasing: %s loads (%s) find the same place of another page among the "
		"last %" PRIu64 " stores\n", count, share, findings->alias_window);
	free(share);
	free(count);
	table = table_new(columns, ARRAY_SIZE(columns));
	for (i = 0; i < findings->alias_count && (!view->top || i < view->top); i++)
		add_alias(table, findings, &findings->aliases[i]);
	if (i)
		table_print(table, out, INDENT, view->colour);
	table_free(table);
}
