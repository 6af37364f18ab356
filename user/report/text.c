// SPDX-License-Identifier: GPL-2.0-only
/* The report for people: its head, the verdicts in words, then code and data. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/region.h"
#include "report/entry.h"
#include "report/loop-tree.h"
#include "output/prose.h"
#include "report/text-conflicts.h"
#include "report/text-data.h"
#include "report/text-header.h"
#include "report/text-others.h"
#include "report/text-short.h"
#include "report/text-spread.h"
#include "report/words.h"
#include "output/table.h"
#include "output/text.h"
#include "report/views.h"

#define LEVELS_MOST	8
#define WORST_MOST	6	/* entries described in words for a level */
#define OBJECTS_SHOWN	3	/* of each */
#define FAINT		0.05	/* share below which further objects are not shown */

static void append_objects(char **text, const struct entry *entry)
{
	size_t i, more;

	for (i = 0; i < entry->object_count && i < OBJECTS_SHOWN; i++) {
		const struct object_share *share = &entry->objects[i];
		const struct object *object = share->object;
		char *name;

		if (i && share->share < FAINT)
			return;
		name = report_object_name(object, 40);
		prose_append(text, "%s%s", i ? ", " : "; data: ", name);
		if (object->kind == OBJECT_HEAP && object->where && *object->where)
			prose_append(text, " %s", base_name(object->where));
		prose_append(text, " (%.0f%%", 100 * share->share);
		if (share->stride) {
			prose_append(text, ", every ");
			prose_append_free(text, text_count(share->stride));
			prose_append(text, " B");
		}
		prose_append(text, ")");
		free(name);
	}
	for (more = i; more < entry->object_count && entry->objects[more].share >= FAINT; more++)
		;
	if (more > i)
		prose_append(text, " and %zu more", more - i);
}

/* One of them in words. */
static void put_entry(FILE *out, const struct findings *findings, const struct entry *entry,
		      bool colour)
{
	const struct rcd_summary *summary = entry->summary;
	char *function = region_function(&entry->context->region, 60), *text;
	char *place = region_place(&entry->context->region, false);
	char *share = prose_percent(entry->share);
	uint32_t sets = level_sets(findings, entry->level);

	text = xasprintf("%s in %s: %s of the L%" PRIu32 " misses", place, function, share,
			 entry->level);
	if (rcd_share_known(summary) && summary->verdict == RCD_CONFLICT)
		entry_conflicts(&text, summary);
	if (sets && summary->sets_used == sets)
		prose_append(&text, ", on all %" PRIu32 " sets", sets);
	else if (sets && summary->sets_used)
		prose_append(&text, ", on %" PRIu32 " of %" PRIu32 " sets", summary->sets_used,
			     sets);
	append_objects(&text, entry);
	prose_line(out, rcd_verdict_name(summary->verdict), report_tint(summary, entry->share),
		   colour, "%s", text);
	free(text);
	free(share);
	free(place);
	free(function);
}

/* What a level shows, in plain words. */
static void put_verdicts(FILE *out, const struct findings *findings, struct others *others,
			 const struct view_options *options)
{
	size_t shown = entries_shown(others->entries, others->entry_count, WORST_MOST,
				     options->fold);
	struct sentence sentences[OTHERS_MOST];

	for (size_t i = 0; i < shown; i++)
		put_entry(out, findings, &others->entries[i], options->colour);
	others->entries += shown;
	others->entry_count -= shown;
	report_sentences(out, sentences, report_others(findings, others, 1, false, sentences),
			 options->colour);
}

static char *p_text(double p)
{
	char *text, *zero;

	if (!isfinite(p))
		return xstrdup("-");
	if (p < 1e-9)
		return xstrdup("<1e-9");
	if (p >= 0.001)
		return xasprintf("%.3f", p);
	text = xasprintf("%.0e", p);
	zero = strstr(text, "e-0");
	if (zero)
		memmove(zero + 2, zero + 3, strlen(zero + 3) + 1);
	return text;
}

static char *fraction_text(double value)
{
	return isfinite(value) ? xasprintf("%.2f", value) : xstrdup("-");
}

static char *model_text(const struct level_findings *level)
{
	return level->model ? fraction_text(level->model_chance) : xstrdup("-");
}

/* The paper's classifier, made for loads, has the place of the writes where there are none. */
static bool shows_writes(const struct findings *findings, uint32_t level,
			 const struct view_options *options)
{
	const struct event_totals *event = findings_event(findings, level);

	return event && event->sees_stores && !options->model;
}

static void code_row(struct table *table, const struct findings *findings, const struct row *row,
		     const struct view_options *options)
{
	const struct rcd_summary *summary = &row->level->summary;
	enum tint tint = report_tint(summary, row->level->share);

	table_cell(table, xasprintf("%" PRIu32, row->context->region.id), TINT_DIM);
	table_cell(table, report_share(row->level), TINT_BOLD);
	table_count(table, row->samples);
	table_cell(table, report_sets(summary->sets_used, level_sets(findings, row->level->level)),
		   TINT_NONE);
	table_cell(table, fraction_text(summary->cf), TINT_NONE);
	table_cell(table, fraction_text(summary->expected_cf), TINT_NONE);
	table_cell(table, p_text(summary->p_value), TINT_NONE);
	table_cell(table, shows_writes(findings, row->level->level, options) ?
		   text_percent(row->level->writes) : model_text(row->level), TINT_NONE);
	table_cell(table, report_conflict_share(summary), TINT_NONE);
	table_cell(table, xstrdup(rcd_verdict_name(summary->verdict)), tint);
	table_cell(table, region_function(&row->context->region, 400), TINT_NONE);
	table_cell(table, region_place(&row->context->region, false), TINT_NONE);
}

static void put_code(FILE *out, const struct findings *findings, const struct row *rows,
		     size_t count, const struct view_options *options)
{
	const struct column columns[] = {
		{ "id", .right = true }, { "share", .right = true }, { "samples", .right = true },
		{ "sets", .right = true }, { "cf", .right = true }, { "exp.", .right = true },
		{ "p", .right = true },
		{ shows_writes(findings, rows->level->level, options) ? "writes" : "model",
		  .right = true },
		{ "conflicts", .right = true }, { .header = "verdict" },
		{ "function", .flexible = true, .fit = TEXT_FIT_FUNCTION },
		{ "where", .flexible = true, .fit = TEXT_FIT_START, .keep = PLACE_COLUMNS },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	size_t shown = 0, hidden = 0;
	double rest = 0;

	for (size_t i = 0; i < count; i++) {
		bool small = options->fold && shown >= REPORT_ROWS_LEAST &&
			     rows[i].level->share < REPORT_SMALL;

		if (small || (options->top && shown >= options->top)) {
			hidden++;
			rest += rows[i].level->share;
			continue;
		}
		code_row(table, findings, &rows[i], options);
		shown++;
	}
	table_print(table, out, 1, options->colour);
	report_rest(out, hidden, rest, "samples");
	table_free(table);
}

/* Columns are those of the first level shown: only the ways differ between the levels. */
static void put_legend(FILE *out, const struct findings *findings, uint32_t level, bool alone,
		       const struct view_options *options)
{
	bool colour = options->colour;
	uint32_t ways = level_ways(findings, level);
	char *near = ways && alone ? xasprintf("%" PRIu32 " misses", ways) :
		     xstrdup("misses, as many as the cache has ways");
	const struct event_totals *event = findings_event(findings, level);

	fputc('\n', out);
	prose_line(out, "cf, exp., p", TINT_DIM, colour,
		   "cf: share of misses on a set that had missed within the last %s; exp.: the "
		   "same of misses on random sets; p: the chance of such a cf there", near);
	if (!shows_writes(findings, level, options))
		prose_line(out, "model", TINT_DIM, colour,
			   "probability of a conflict given only cf, by CCProf's classifier "
			   "(ccsample train); the verdict does not use it");
	else
		prose_line(out, "writes", TINT_DIM, colour,
			   "share of the misses by instructions that write: stores, and those that "
			   "read and write");
	prose_line(out, "conflicts", TINT_DIM, colour, event && event->classes ?
		   "share of the misses that would hit in a fully associative cache, less the "
		   "hits that would miss there (net of hits saved): counted; the 95%% interval is "
		   "for the whole run; in brackets all conflicts, where they are more" :
		   "share of the misses that would hit in a fully associative cache, with its 95%% "
		   "interval");
	prose_line(out, "inclusive, self", TINT_DIM, colour,
		   "a loop's share of the misses with, and without, the loops in it; sets, "
		   "conflicts and verdict in those rows are inclusive");
	prose_line(out, "stride", TINT_DIM, colour,
		   "distance from one miss of an instruction to its next: the length of a row, "
		   "where it walks down a column");
	prose_line(out, "evictors", TINT_DIM, colour,
		   "objects whose lines evict each other's lines from the same sets");
	prose_line(out, "verdict", TINT_DIM, colour,
		   "conflict: more lines map to a set than it has ways (pad, move); concentrated: "
		   "few sets at a time, but full associativity would not help (interchange, "
		   "block); none: neither, or the sets that miss again hold no more lines than "
		   "others; undecided: too little was seen to say");
	free(near);
}

static void put_tables(FILE *out, const struct findings *findings, uint32_t level,
		       const struct entry *entries, size_t entry_count,
		       const struct view_options *options)
{
	size_t count;
	struct row *rows = rows_new(findings, level, options->sort, &count);

	prose_heading(out, options->colour, "Code that misses in L%" PRIu32, level);
	put_code(out, findings, rows, count, options);
	report_spread(out, findings, rows, count, options);
	loop_tree(out, findings, level, options);
	report_conflicts(out, findings, entries, entry_count, options);
	report_data(out, findings, level, options);
	free(rows);
}

static void put_level(FILE *out, const struct findings *findings, uint32_t level,
		      const struct view_options *options)
{
	struct others others = { .level = level };
	struct row *rows = rows_new(findings, level, SORT_SAMPLES, &others.row_count);
	size_t count;
	struct entry *entries = entries_of(findings, level, rows, others.row_count, &count);

	fputc('\n', out);
	others.rows = rows;
	others.entries = entries;
	others.entry_count = count;
	put_verdicts(out, findings, &others, options);
	if (others.row_count)
		put_tables(out, findings, level, entries, count, options);
	free(entries);
	free(rows);
}

static void put_full(FILE *out, const struct findings *findings, const struct view_options *options)
{
	uint32_t levels[LEVELS_MOST];
	size_t count = levels_sampled(findings, levels, LEVELS_MOST), i;

	report_header(out, findings, options->colour);
	for (i = 0; i < count; i++)
		if (!options->level || levels[i] == options->level)
			put_level(out, findings, levels[i], options);
	if (!findings->samples || !count)
		return;
	put_legend(out, findings, options->level ? options->level : levels[0],
		   options->level || count == 1, options);
}

void report_text(FILE *out, const struct findings *findings, const struct view_options *options)
{
	(options->full ? put_full : report_short)(out, findings, options);
}
