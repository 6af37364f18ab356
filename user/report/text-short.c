// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "output/prose.h"
#include "output/table.h"
#include "output/text.h"
#include "report/advice.h"
#include "report/entry.h"
#include "report/text-conflicts.h"
#include "report/text-data.h"
#include "report/text-header.h"
#include "report/text-others.h"
#include "report/text-short.h"
#include "report/text-spread.h"
#include "report/why.h"
#include "report/words.h"

#define LEVELS_MOST	8
#define ENTRIES_ONE	3	/* in words, of the only level; of each of several: */
#define ENTRIES_EACH	2
#define ROWS_ONE	8	/* of the table, likewise */
#define ROWS_EACH	3
#define ROW_LEAST	0.03	/* share of a row of each of several */
#define WIDEST		0.9	/* interval of a share that says anything */
#define LARGE		0.1	/* share of a row that is shown whatever it says */

/* What was said to try of an entry, a line for each thing. */
struct tried {
	const struct context *context;
	uint32_t level;
	char *text;
};

/* What the parts of a short report share. */
struct brief {
	FILE *out;
	const struct findings *findings;
	const struct view_options *options;
	uint32_t levels[LEVELS_MOST];
	size_t level_count;
	size_t filled;			/* levels with rows */
	bool intervals;			/* the table has some */
	bool net, gross;		/* shares of exact classes; and of all conflicts */
	bool counted;			/* it has shares of all misses */
	struct tried *tried;		/* of the entries before */
	size_t tried_count, tried_capacity;
	bool advised;			/* there was advice on an entry */
};

static size_t limit_of(const struct brief *brief, size_t one, size_t each)
{
	if (!brief->options->fold)
		return brief->options->top ? brief->options->top : SIZE_MAX;
	return brief->filled <= 1 ? one : each;
}

static void put_verdict(const struct brief *brief, const struct entry *entry)
{
	char *text = entry_sentence(entry);

	prose_line(brief->out, rcd_verdict_name(entry->summary->verdict),
		   report_tint(entry->summary, entry->share), brief->options->colour, "%s", text);
	free(text);
}

static void put_objects(const struct brief *brief, const struct entry *entry)
{
	char *text = entry_data(entry);

	if (text)
		prose_line(brief->out, "  data", TINT_DIM, brief->options->colour, "%s", text);
	free(text);
}

/* Does the text begin with all of these lines? */
static bool begins_with(const char *text, const char *lines)
{
	size_t length = strlen(lines);

	return !strncmp(text, lines, length) && (!text[length] || text[length] == '\n');
}

/* Advice that was given before: of the entry above, or of the same loop at an inner level. NULL */
static const struct tried *tried_before(const struct brief *brief, const struct tried *tried)
{
	size_t count = brief->tried_count;

	if (count && !strcmp(brief->tried[count - 1].text, tried->text))
		return &brief->tried[count - 1];
	for (size_t i = 0; i < count; i++)
		if (brief->tried[i].context == tried->context &&
		    begins_with(brief->tried[i].text, tried->text))
			return &brief->tried[i];
	return NULL;
}

/* "the same as for L1", "the first 2 of those for L1" */
static char *again_text(const struct brief *brief, const struct tried *before,
			const struct tried *tried, size_t count)
{
	if (strcmp(before->text, tried->text))
		return count == 1 ? xasprintf("the first of those for L%" PRIu32, before->level) :
				    xasprintf("the first %zu of those for L%" PRIu32, count,
					      before->level);
	return before == &brief->tried[brief->tried_count - 1] ? xstrdup("the same") :
	       xasprintf("the same as for L%" PRIu32, before->level);
}

/* Of a loop at several levels the advice is mostly the same. */
static void put_try(struct brief *brief, const struct entry *entry)
{
	const struct view_options *options = brief->options;
	struct tried tried = { entry->context, entry->level, xstrdup("") };
	const struct tried *before;
	char *texts[ADVICE_MOST], *again;
	bool advised;
	size_t count = report_tries(brief->findings, options->cures, entry, texts, &advised);

	for (size_t i = 0; i < count; i++)
		prose_append(&tried.text, "\n%s", texts[i]);
	before = advised ? tried_before(brief, &tried) : NULL;
	if (before) {
		again = again_text(brief, before, &tried, count);
		prose_line(brief->out, "  try", TINT_DIM, options->colour, "%s", again);
		free(again);
	} else {
		report_try(brief->out, texts, count, options->colour);
	}
	while (count)
		free(texts[--count]);
	brief->advised |= advised;
	brief->tried = grow(brief->tried, brief->tried_count, &brief->tried_capacity,
			    sizeof(*brief->tried));
	brief->tried[brief->tried_count++] = tried;
}

static void put_entry(struct brief *brief, const struct entry *entry)
{
	bool colour = brief->options->colour;
	char *why = report_why(brief->findings, entry);

	fputc('\n', brief->out);
	put_verdict(brief, entry);
	put_objects(brief, entry);
	if (why)
		prose_line(brief->out, "  why", TINT_DIM, colour, "%s", why);
	put_try(brief, entry);
	free(why);
}

/* Of a level: what conflicts, in words. */
static void put_words(struct brief *brief, uint32_t level)
{
	struct others others = { .level = level };
	struct row *rows = rows_new(brief->findings, level, SORT_SAMPLES, &others.row_count);
	struct sentence sentences[OTHERS_MOST];
	size_t count, shown, sentence_count;
	struct entry *entries = entries_of(brief->findings, level, rows, others.row_count, &count);

	shown = entries_shown(entries, count, limit_of(brief, ENTRIES_ONE, ENTRIES_EACH),
			      brief->options->fold);
	for (size_t i = 0; i < shown; i++)
		put_entry(brief, &entries[i]);
	others.rows = rows;
	others.entries = entries + shown;
	others.entry_count = count - shown;
	sentence_count = report_others(brief->findings, &others, sentences);
	if (sentence_count)
		fputc('\n', brief->out);
	report_sentences(brief->out, sentences, sentence_count, brief->options->colour);
	report_odd(brief->out, rows, others.row_count, brief->options);
	free(entries);
	free(rows);
}

static void put_row(struct brief *brief, struct table *table, const struct row *row)
{
	const struct rcd_summary *summary = &row->level->summary;

	table_cell(table, xasprintf("%" PRIu32, row->context->region.id), TINT_DIM);
	if (brief->level_count > 1)
		table_cell(table, xasprintf("L%" PRIu32, row->level->level), TINT_NONE);
	table_cell(table, report_share(row->level), TINT_BOLD);
	table_cell(table, report_conflict_share(summary), TINT_NONE);
	table_cell(table, xstrdup(rcd_verdict_name(summary->verdict)),
		   report_tint(summary, row->level->share));
	table_cell(table, report_function(&row->context->region, 400), TINT_NONE);
	table_cell(table, region_place(&row->context->region, false), TINT_NONE);
	brief->intervals |= rcd_share_known(summary) && !summary->counted;
	brief->counted |= summary->counted > 0;
	brief->net |= summary->exact;
	brief->gross |= report_gross(summary);
}

/*
 * Undecided, and next to nothing known of conflicts: a sentence counts those. But where many of the
 * misses are is worth knowing.
 */
static bool says_nothing(const struct row *row)
{
	const struct rcd_summary *summary = &row->level->summary;

	return summary->verdict == RCD_UNDECIDED && row->level->share < LARGE &&
	       (!rcd_share_known(summary) ||
		summary->conflict_high - summary->conflict_low > WIDEST);
}

/* Where misses are at the first level is worth knowing, if nothing else is known. */
static bool all_say_nothing(const struct brief *brief, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!says_nothing(&rows[i]))
			return false;
	return count && rows[0].level->level == brief->levels[0];
}

/* The rows of a level. Return: how many were left out; @rest receives their share. */
static size_t put_rows(struct brief *brief, struct table *table, uint32_t level, double *rest)
{
	size_t most = limit_of(brief, ROWS_ONE, ROWS_EACH), count, hidden = 0;
	struct row *rows = rows_new(brief->findings, level, brief->options->sort, &count);
	bool every = !brief->options->fold || all_say_nothing(brief, rows, count);
	double least = brief->filled > 1 ? ROW_LEAST : REPORT_SMALL;

	for (size_t i = 0, shown = 0; i < count; i++) {
		bool small = brief->options->fold && rows[i].level->share < least;

		if (shown < most && (!shown || !small) && (every || !says_nothing(&rows[i]))) {
			put_row(brief, table, &rows[i]);
			shown++;
		} else {
			*rest += rows[i].level->share;
			hidden++;
		}
	}
	free(rows);
	return hidden;
}

static void put_table(struct brief *brief)
{
	const struct column columns[] = {
		{ "id", .right = true }, { .header = "level" }, { "misses", .right = true },
		{ "conflicts", .right = true }, { .header = "verdict" },
		{ "function", .flexible = true, .fit = TEXT_FIT_FUNCTION },
		{ "where", .flexible = true, .fit = TEXT_FIT_START, .keep = PLACE_COLUMNS },
	}, one[] = {
		columns[0], columns[2], columns[3], columns[4], columns[5], columns[6],
	};
	bool several = brief->level_count > 1;
	struct table *table = several ? table_new(columns, ARRAY_SIZE(columns)) :
					table_new(one, ARRAY_SIZE(one));
	size_t hidden = 0;
	double rest = 0;

	for (size_t i = 0; i < brief->level_count; i++)
		hidden += put_rows(brief, table, brief->levels[i], &rest);
	fputc('\n', brief->out);
	table_print(table, brief->out, 1, brief->options->colour);
	if (several && hidden)
		fprintf(brief->out, "  and %zu more\n", hidden);
	else
		report_rest(brief->out, hidden, rest, "misses");
	table_free(table);
}

static void put_legend(const struct brief *brief)
{
	char *text = report_share_legend(brief->net, brief->gross, !brief->intervals);
	const struct cures *cures = brief->options->cures;
	bool colour = brief->options->colour;
	FILE *out = brief->out;

	fputc('\n', out);
	if (brief->intervals || brief->counted)
		prose_line(out, "conflicts", TINT_DIM, colour, "%s", text);
	/* Other recordings than those of references advise refuses. */
	prose_line(out, "more", TINT_DIM, colour,
		   "ccsample report --full: nests of loops, lines, all data, settings%s",
		   brief->advised && cures && !cures->samples ?
		   "; ccsample advise: the time that cures would save" : "");
	free(text);
}

void report_short(FILE *out, const struct findings *findings, const struct view_options *options)
{
	struct brief brief = { .out = out, .findings = findings, .options = options };
	uint32_t levels[LEVELS_MOST];
	size_t count = levels_sampled(findings, levels, LEVELS_MOST);

	for (size_t i = 0; i < count; i++)
		if (!options->level || levels[i] == options->level)
			brief.levels[brief.level_count++] = levels[i];
	for (size_t i = 0; i < brief.level_count; i++)
		brief.filled += level_samples(findings->events, findings->event_count,
					      brief.levels[i]) != 0;
	report_short_header(out, findings, options);
	for (size_t i = 0; i < brief.level_count; i++)
		put_words(&brief, brief.levels[i]);
	while (brief.tried_count)
		free(brief.tried[--brief.tried_count].text);
	free(brief.tried);
	if (!brief.filled)
		return;
	put_table(&brief);
	put_legend(&brief);
}
