// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/prose.h"
#include "report/advice.h"
#include "report/text-conflicts.h"
#include "report/text-data.h"
#include "output/table.h"
#include "output/text.h"

#define PAIRS_SHOWN	4	/* of a conflict */
#define LINES_SHOWN	6
#define FAINT		0.03	/* share below which pairs and lines are not shown */

static void put_title(FILE *out, const struct context *context, enum rcd_verdict verdict,
		      bool colour)
{
	char *place = region_place(&context->region, true), *title, *clean, *fitted, head[48];
	int column;

	title = xasprintf("%s in %s", place, prose_or_unknown(context->region.function));
	clean = text_clean(title);
	fitted = text_fit(clean, 4 * TEXT_COLUMNS, TEXT_FIT_END);
	column = snprintf(head, sizeof(head), "Data of %s %" PRIu32 ":",
			  rcd_verdict_name(verdict), context->region.id);
	fprintf(out, "\n%s%s%s ", tint_code(TINT_BOLD, colour), head,
		tint_code(TINT_NONE, colour));
	text_paragraph(out, fitted, column + 1);
	free(fitted);
	free(clean);
	free(title);
	free(place);
}

/* "1024 B": rows of arrays are wanted to the byte. */
static char *stride_text(uint64_t stride)
{
	char *count, *text;

	if (!stride)
		return xstrdup("-");
	count = text_count(stride);
	text = xasprintf("%s B", count);
	free(count);
	return text;
}

static void put_objects(FILE *out, const struct level_findings *level, bool colour)
{
	static const struct column columns[] = {
		{ "share", .right = true }, { "stride", .right = true }, { .header = "kind" },
		{ "size", .right = true },
		{ "name", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ "where", .flexible = true, .fit = TEXT_FIT_START },
		{ "type", .flexible = true, .fit = TEXT_FIT_MIDDLE },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	for (size_t i = 0; i < level->object_count; i++) {
		table_cell(table, text_percent(level->objects[i].share), TINT_BOLD);
		table_cell(table, stride_text(level->objects[i].stride), TINT_NONE);
		report_object_cells(table, level->objects[i].object);
		table_cell(table, xstrdup(level->objects[i].object->type ?
					  level->objects[i].object->type : ""), TINT_NONE);
	}
	if (level->object_count)
		table_print(table, out, 2, colour);
	table_free(table);
}

/* Which members and sub-arrays miss. */
static void put_parts(FILE *out, const struct level_findings *level, bool colour)
{
	char *text = NULL;

	for (size_t i = 0; i < level->object_count; i++) {
		const struct object_share *object = &level->objects[i];
		char *name = report_object_name(object->object, 40);

		for (size_t p = 0; p < object->part_count; p++)
			if (object->share * object->parts[p].share >= FAINT)
				prose_append(&text, "%s%s%s (%.0f%%)", text ? ", " : "", name,
					     object->parts[p].name,
					     100 * object->share * object->parts[p].share);
		free(name);
	}
	if (text)
		prose_line(out, "  parts", TINT_DIM, colour, "%s", text);
	free(text);
}

/* Which lines of the loop miss. */
static void put_lines(FILE *out, const struct context *context, bool colour)
{
	char *text = NULL;

	for (size_t i = 0; i < context->line_count && i < LINES_SHOWN; i++) {
		const struct line_share *line = &context->lines[i];

		if (i && line->share < FAINT)
			break;
		prose_append(&text, "%s%s:%" PRIu32 " (%.0f%%)", i ? ", " : "",
			     line->file ? base_name(line->file) : "?", line->line,
			     100 * line->share);
	}
	if (text)
		prose_line(out, "  lines", TINT_DIM, colour, "%s", text);
	free(text);
}

/* Which objects evict one another. */
static void put_pairs(FILE *out, const struct level_findings *level, bool colour)
{
	char *text = NULL;
	double rest = 1;

	for (size_t i = 0; i < level->pair_count && i < PAIRS_SHOWN; i++) {
		const struct pair_share *pair = &level->pairs[i];
		char *a, *b;

		if (i && pair->share < FAINT)
			break;
		a = report_object_beside(pair->a, pair->b);
		b = report_object_beside(pair->b, pair->a);
		if (pair->blocks)
			prose_append(&text, "%sblocks of %s with one another (%.0f%%)",
				     i ? ", " : "", object_of_blocks(a), 100 * pair->share);
		else
			prose_append(&text, "%s%s conflicts with %s (%.0f%%)", i ? ", " : "", a,
				     pair->a == pair->b ? "itself" : b, 100 * pair->share);
		rest -= pair->share;
		free(a);
		free(b);
	}
	if (text && rest >= FAINT)
		prose_append(&text, ", others (%.0f%%)", 100 * rest);
	if (text)
		prose_line(out, "  evictors", TINT_DIM, colour, "%s", text);
	free(text);
}

/* Why it does not fit. */
static void put_pressure(FILE *out, const struct findings *findings,
		      const struct level_findings *level, bool colour)
{
	uint32_t ways = level_ways(findings, level->level);

	if (level->summary.set_lines > ways && level->summary.verdict == RCD_CONFLICT)
		prose_line(out, "  lines per set", TINT_DIM, colour,
			   "about %.0f, for %" PRIu32 " ways",
			   level->summary.set_lines, ways);
}

void report_try(FILE *out, char *const *texts, size_t count, bool colour)
{
	for (size_t i = 0; i < count; i++)
		prose_line(out, i ? "" : "  try", TINT_DIM, colour, "%s%s", i ? "or: " : "",
			   texts[i]);
}

static void put_try(FILE *out, const struct findings *findings, const struct entry *entry,
		    const struct view_options *options)
{
	char *texts[ADVICE_MOST];
	size_t count = report_tries(findings, options->cures, entry, 1, texts);

	report_try(out, texts, count, options->colour);
	while (count)
		free(texts[--count]);
}

void report_conflicts(FILE *out, const struct findings *findings, const struct entry *entries,
		      size_t count, const struct view_options *options)
{
	size_t most = entries_shown(entries, count, options->top ? options->top : SIZE_MAX,
				    options->fold);

	for (size_t i = 0; i < most; i++) {
		const struct entry *entry = &entries[i];
		const struct level_findings *level = context_level(entry->context, entry->level);

		/* Of the loops in a nest the tables have each. */
		if (entry->nest)
			continue;
		put_title(out, entry->context, entry->summary->verdict, options->colour);
		put_objects(out, level, options->colour);
		put_parts(out, level, options->colour);
		put_lines(out, entry->context, options->colour);
		put_pressure(out, findings, level, options->colour);
		put_pairs(out, level, options->colour);
		put_try(out, findings, entry, options);
	}
}
