// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "view/json.h"
#include "view/text.h"
#include "view/views.h"

static const char header[] =
	"id,parent,depth,function,file,line,end_line,dso,address,level,samples,share,"
	"burst_samples,sets,ways,sets_used,cf,expected_cf,p_value,conflict_share,conflict_low,"
	"conflict_high,crowding,concentration,expected_concentration,verdict,reason,object,"
	"object_share,model_chance\n";

/* A field of text: quoted where it must be, bytes that are no UTF-8 replaced. */
static void put_text(FILE *out, const char *text)
{
	bool quoted;
	uint32_t code;
	size_t size;

	if (!text)
		return;
	quoted = text[strcspn(text, "\",\r\n")] || text[0] == ' ' ||
		 (text[0] && text[strlen(text) - 1] == ' ');
	if (quoted)
		fputc('"', out);
	for (; (size = text_decode(text, &code)); text += size) {
		if (code == TEXT_REPLACEMENT)
			fputs("\xef\xbf\xbd", out);
		else
			fwrite(text, 1, size, out);
		if (code == '"')
			fputc('"', out);
	}
	if (quoted)
		fputc('"', out);
}

static void put_known(FILE *out, uint64_t count)
{
	if (count)
		fprintf(out, "%" PRIu64, count);
}

/* A number and the comma before it; nothing between commas where it is unknown. */
static void put_number(FILE *out, bool known, double number)
{
	char text[32];

	number_text(text, number);
	fprintf(out, ",%s", known ? text : "");
}

static void put_context(FILE *out, const struct context *context)
{
	fprintf(out, "%" PRIu32 ",", context->id);
	put_known(out, context->parent);
	fprintf(out, ",%" PRIu32 ",", context->depth);
	put_text(out, context->function);
	fputc(',', out);
	put_text(out, context->file);
	fputc(',', out);
	put_known(out, context->line);
	fputc(',', out);
	put_known(out, context->end_line);
	fputc(',', out);
	put_text(out, context->dso);
	fprintf(out, ",0x%" PRIx64 ",", context->address);
}

static void put_level(FILE *out, const struct findings *findings,
		      const struct level_findings *level)
{
	const struct rcd_summary *summary = &level->summary;

	fprintf(out, "%" PRIu32 ",%" PRIu64, level->level, level->samples);
	put_number(out, true, level->share);
	fprintf(out, ",%" PRIu64 ",", summary->burst_samples);
	put_known(out, level_sets(findings, level->level));
	fputc(',', out);
	put_known(out, level_ways(findings, level->level));
	fprintf(out, ",%" PRIu32, summary->sets_used);
	put_number(out, true, summary->cf);
	put_number(out, true, summary->expected_cf);
	put_number(out, true, summary->p_value);
	put_number(out, summary->has_conflict_share, summary->conflict_share);
	put_number(out, summary->has_conflict_share, summary->conflict_low);
	put_number(out, summary->has_conflict_share, summary->conflict_high);
	put_number(out, true, summary->crowding);
	put_number(out, true, summary->concentration);
	put_number(out, true, summary->expected_concentration);
	fprintf(out, ",%s,", rcd_verdict_name(summary->verdict));
	put_text(out, rcd_reason_text(summary->reason));
	fputc(',', out);
}

static void put_row(FILE *out, const struct findings *findings, const struct row *row)
{
	const struct context *context = row->context;

	put_context(out, context);
	put_level(out, findings, row->level);
	if (row->level->object_count)
		put_text(out, row->level->objects[0].object->name);
	put_number(out, row->level->object_count, row->level->objects[0].share);
	put_number(out, row->level->model, row->level->model_chance);
	fputc('\n', out);
}

void report_csv(FILE *out, const struct findings *findings, const struct view_options *options)
{
	uint32_t levels[8];
	size_t level_count = levels_sampled(findings, levels, 8), count, i, j;

	fputs(header, out);
	for (i = 0; i < level_count; i++) {
		struct row *rows;

		if (options->level && levels[i] != options->level)
			continue;
		rows = rows_new(findings, levels[i], options->sort, &count);
		for (j = 0; j < count && (!options->top || j < options->top); j++)
			put_row(out, findings, &rows[j]);
		free(rows);
	}
}
