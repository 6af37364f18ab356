// SPDX-License-Identifier: GPL-2.0-only
/* A row for each context and level, as CSV or JSON Lines. */
#include <stdlib.h>

#include "output/region.h"
#include "report/views.h"
#include "report/words.h"

static void put_level(struct fields *fields, const struct findings *findings,
		      const struct level_findings *level)
{
	const struct rcd_summary *summary = &level->summary;
	uint32_t sets = level_sets(findings, level->level);
	uint32_t ways = level_ways(findings, level->level);

	field_count(fields, "level", level->level);
	field_count(fields, "samples", level->samples);
	field_number(fields, "share", true, level->share);
	field_count(fields, "burst_samples", summary->burst_samples);
	field_known(fields, "sets", sets, sets);
	field_known(fields, "ways", ways, ways);
	field_known(fields, "sets_used", summary->sets_used, summary->sets_used);
	field_number(fields, "cf", true, summary->cf);
	field_number(fields, "expected_cf", true, summary->expected_cf);
	field_number(fields, "p_value", true, summary->p_value);
	field_number(fields, "conflict_share", rcd_share_known(summary),
		     summary->conflict_share);
	field_number(fields, "conflict_low", rcd_share_known(summary), summary->conflict_low);
	field_number(fields, "conflict_high", rcd_share_known(summary),
		     summary->conflict_high);
	field_number(fields, "pressure", true, summary->pressure);
	field_number(fields, "set_lines", true, summary->set_lines);
	field_number(fields, "concentration", true, summary->concentration);
	field_number(fields, "expected_concentration", true, summary->expected_concentration);
	field_text(fields, "verdict", rcd_verdict_name(summary->verdict));
	field_text(fields, "reason", rcd_reason_text(summary->reason));
}

/* Over recordings. */
static void put_spread(struct fields *fields, const struct level_findings *level)
{
	const struct spread_findings *share = &level->spread, *cf = &level->cf_spread;

	field_known(fields, "recordings_in", share->files, share->in);
	field_number(fields, "share_least", share->files, share->least);
	field_text(fields, "share_least_of", share->least_name);
	field_number(fields, "share_median", share->files, share->median);
	field_number(fields, "share_most", share->files, share->most);
	field_text(fields, "share_most_of", share->most_name);
	field_number(fields, "cf_least", cf->files, cf->least);
	field_text(fields, "cf_least_of", cf->least_name);
	field_number(fields, "cf_median", cf->files, cf->median);
	field_number(fields, "cf_most", cf->files, cf->most);
	field_text(fields, "cf_most_of", cf->most_name);
}

/* Conflict periods that were seen to end, and all misses. */
static void put_periods(struct fields *fields, const struct level_findings *level)
{
	uint64_t runs = 0, ended = 0, misses = 0, longest = 0;

	for (size_t i = 0; i < level->period_count; i++) {
		runs += level->periods[i].runs;
		ended += level->periods[i].ended;
		misses += level->periods[i].misses;
		longest = level->periods[i].least;
	}
	field_count(fields, "periods", runs);
	field_count(fields, "periods_ended", ended);
	field_count(fields, "period_misses", misses);
	field_count(fields, "period_longest", longest);
}

static void put_row(struct fields *fields, const struct findings *findings, const struct row *row)
{
	const struct level_findings *level = row->level;
	bool known = level->object_count;

	fields_region(fields, &row->context->region);
	put_level(fields, findings, level);
	field_text(fields, "object", known ? level->objects[0].object->name : NULL);
	field_number(fields, "object_share", known, known ? level->objects[0].share : 0);
	field_number(fields, "model_chance", level->model, level->model_chance);
	field_count(fields, "re_misses", level->re_misses);
	field_text(fields, "kind", region_kind_name(row->context->region.kind));
	put_spread(fields, level);
	field_count(fields, "exact", level->summary.exact);
	field_count(fields, "counted_misses", level->summary.counted);
	field_number(fields, "open_share", level->summary.exact, level->summary.open_share);
	field_number(fields, "gross_share", level->summary.exact, level->summary.gross_share);
	field_number(fields, "saved_share", level->summary.exact, level->summary.saved_share);
	field_number(fields, "writes", true, level->writes);
	field_count(fields, "threshold", level->summary.threshold);
	put_periods(fields, level);
	field_count(fields, "small", report_is_small(&level->summary, level->share));
	fields_end(fields);
}

static void put_header(FILE *out, const struct findings *findings)
{
	static const struct context context;
	static const struct level_findings level;
	const struct row row = { &context, &level, 0 };
	struct fields fields;

	fields_begin(&fields, out, FIELDS_NAMES, "report-rows");
	put_row(&fields, findings, &row);
}

static void put_rows(FILE *out, const struct findings *findings,
		     const struct view_options *options, enum fields_form form)
{
	uint32_t levels[8];
	size_t level_count = levels_sampled(findings, levels, 8), count, i, j;
	struct fields fields;

	for (i = 0; i < level_count; i++) {
		struct row *rows;

		if (options->level && levels[i] != options->level)
			continue;
		rows = rows_new(findings, levels[i], options->sort, &count);
		for (j = 0; j < count && (!options->top || j < options->top); j++) {
			fields_begin(&fields, out, form, "report-rows");
			put_row(&fields, findings, &rows[j]);
		}
		free(rows);
	}
}

void report_csv(FILE *out, const struct findings *findings, const struct view_options *options)
{
	put_header(out, findings);
	put_rows(out, findings, options, FIELDS_CSV);
}

void report_jsonl(FILE *out, const struct findings *findings, const struct view_options *options)
{
	put_rows(out, findings, options, FIELDS_JSON);
}
