// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "output/prose.h"
#include "output/region.h"
#include "output/table.h"
#include "output/text.h"
#include "report/advice.h"
#include "report/digest.h"
#include "report/entry.h"
#include "report/text-conflicts.h"
#include "report/text-data.h"
#include "report/text-header.h"
#include "report/text-short.h"
#include "report/text-spread.h"
#include "report/why.h"
#include "report/words.h"

#define LINES_MOST	40	/* of the report: as many loops are described as there is room */
#define LOOPS_MOST	3	/* of them */
#define ROWS_ONE	8	/* of the table, of the only level; of each of several: */
#define ROWS_EACH	3
#define ROWS_LEAST	2	/* where there is no room */
#define ROW_LEAST	0.03	/* share of a row of each of several */
#define WIDEST		0.9	/* interval of a share that says anything */
#define LARGE		0.1	/* share of a row that is shown whatever it says */

/* What the parts of a short report share. */
struct brief {
	const struct findings *findings;
	const struct view_options *options;
	uint32_t levels[ENTRY_LEVELS];
	size_t level_count;
	size_t filled;			/* levels with rows */
	size_t rows;			/* of the table, at each level */
	bool told;			/* what narrows intervals was said */
	bool intervals;			/* the table has some */
	bool net, gross;		/* shares of exact classes; and of all conflicts */
	bool counted;			/* it has shares of all misses */
	struct advice *advice;		/* on the loops before */
	size_t advice_count, advice_capacity;
};

static size_t limit_of(const struct brief *brief, size_t usual)
{
	if (!brief->options->fold)
		return brief->options->top ? brief->options->top : SIZE_MAX;
	return usual;
}

/* @text: allocated, or NULL */
static void put_part(FILE *out, const struct brief *brief, const char *key, char *text)
{
	if (text)
		prose_line(out, key, TINT_DIM, brief->options->colour, "%s", text);
	free(text);
}

/* What loops before were advised, too, is said in short. */
static size_t again_texts(const struct brief *brief, const struct advice *advice, size_t count,
			  char *texts[ADVICE_MOST])
{
	bool ideas = false;
	size_t said = 0;

	for (size_t i = 0; i < count; i++) {
		char *again = advice_again_text(&advice[i], brief->advice, brief->advice_count);

		if (again && !advice_tried(&advice[i])) {
			if (ideas) {
				free(again);
				continue;
			}
			ideas = true;
		}
		texts[said++] = again ? again : advice_text(&advice[i]);
	}
	return said;
}

static void put_try(FILE *out, struct brief *brief, const struct joined *loop)
{
	const struct cures *cures = brief->options->cures;
	struct advice advice[ADVICE_MOST];
	char *texts[ADVICE_MOST];
	size_t count = report_advice_joined(brief->findings, cures, loop->at, loop->count, advice);
	size_t said = count ? again_texts(brief, advice, count, texts) :
			      report_tries(brief->findings, cures, loop->at, loop->count, texts);

	report_try(out, texts, said, brief->options->colour);
	while (said)
		free(texts[--said]);
	for (size_t i = 0; i < count; i++) {
		brief->advice = grow(brief->advice, brief->advice_count, &brief->advice_capacity,
				     sizeof(*brief->advice));
		brief->advice[brief->advice_count++] = advice[i];
	}
}

static void put_loop(FILE *out, struct brief *brief, const struct joined *loop)
{
	const struct entry *worst = entries_worst(loop->at, loop->count);
	char *text = entries_sentence(loop->at, loop->count);

	fputc('\n', out);
	prose_line(out, rcd_verdict_name(worst->summary->verdict),
		   report_tint(worst->summary, worst->share), brief->options->colour, "%s", text);
	free(text);
	put_part(out, brief, "  data", entries_data(loop->at, loop->count));
	put_part(out, brief, "  why", report_why(brief->findings, loop->at, loop->count));
	put_try(out, brief, loop);
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
	table_cell(table, region_function(&row->context->region, 400), TINT_NONE);
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
	size_t most = limit_of(brief, brief->rows), count, hidden = 0;
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

static void put_table(FILE *out, struct brief *brief)
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

	brief->intervals = brief->counted = brief->net = brief->gross = false;
	for (size_t i = 0; i < brief->level_count; i++)
		hidden += put_rows(brief, table, brief->levels[i], &rest);
	fputc('\n', out);
	table_print(table, out, 1, brief->options->colour);
	if (several && hidden)
		fprintf(out, "  and %zu more\n", hidden);
	else
		report_rest(out, hidden, rest, "misses");
	table_free(table);
}

/* The first @shown loops are described. */
static void put_legend(FILE *out, const struct brief *brief, const struct digest *digest,
		       size_t shown)
{
	char *text = report_share_legend(brief->net, brief->gross, !brief->intervals);
	const struct cures *cures = brief->options->cures;
	size_t left = digest->count - shown;
	char *more = left ? xasprintf("-n %zu: %zu more loop%s; --full: all else", digest->count,
				      left, left == 1 ? "" : "s") :
			    xstrdup("--full: all loops, data, settings");
	bool colour = brief->options->colour;

	fputc('\n', out);
	if (brief->intervals || brief->counted)
		prose_line(out, "conflicts", TINT_DIM, colour, "%s", text);
	/* Other recordings than those of references advise refuses. */
	prose_line(out, "more", TINT_DIM, colour,
		   "ccsample report %s%s", more,
		   brief->advice_count && cures && !cures->samples ?
		   "; ccsample advise: time saved" : "");
	free(more);
	free(text);
}

/* What stands behind the loops, if the first @shown are described. */
static char *rest_text(struct brief *brief, const struct digest *digest, size_t shown)
{
	struct sentence sentences[OTHERS_MOST];
	size_t size, count = digest_others(digest, shown, brief->told, sentences);
	char *text;
	FILE *out = xmemstream(&text, &size, "a report");

	if (count)
		fputc('\n', out);
	report_sentences(out, sentences, count, brief->options->colour);
	for (size_t i = 0; i < digest->level_count; i++)
		report_odd(out, digest->levels[i].rows, digest->levels[i].row_count,
			   brief->options);
	if (brief->filled) {
		put_table(out, brief);
		put_legend(out, brief, digest, shown);
	}
	fclose(out);
	return text;
}

static size_t lines_of(const char *text)
{
	size_t lines = 0;

	while ((text = strchr(text, '\n'))) {
		lines++;
		text++;
	}
	return lines;
}

/*
 * The head has so many @lines. Of loops at least one is described: the first is worth more than
 * rows, the next less, as a row has their verdict.
 */
static void put_digest(FILE *out, struct brief *brief, const struct digest *digest, size_t lines)
{
	size_t shown = limit_of(brief, LOOPS_MOST), count, size;
	char **loops, *rest;

	shown = count = shown < digest->count ? shown : digest->count;
	loops = xcalloc(count + 1, sizeof(*loops));
	for (size_t i = 0; i < count; i++) {
		FILE *memory = xmemstream(&loops[i], &size, "a report");

		put_loop(memory, brief, &digest->loops[i]);
		fclose(memory);
		lines += lines_of(loops[i]);
	}
	rest = rest_text(brief, digest, shown);
	while (brief->options->fold && lines + lines_of(rest) > LINES_MOST) {
		if (shown > 1)
			lines -= lines_of(loops[--shown]);
		else if (brief->rows > ROWS_LEAST)
			brief->rows--;
		else
			break;
		free(rest);
		rest = rest_text(brief, digest, shown);
	}
	for (size_t i = 0; i < shown; i++)
		fputs(loops[i], out);
	fputs(rest, out);
	for (size_t i = 0; i < count; i++)
		free(loops[i]);
	free(loops);
	free(rest);
}

void report_short(FILE *out, const struct findings *findings, const struct view_options *options)
{
	struct brief brief = { .findings = findings, .options = options };
	uint32_t levels[ENTRY_LEVELS];
	size_t count = levels_sampled(findings, levels, ENTRY_LEVELS), size;
	struct digest digest;
	FILE *memory;
	char *head;

	for (size_t i = 0; i < count; i++)
		if (!options->level || levels[i] == options->level)
			brief.levels[brief.level_count++] = levels[i];
	for (size_t i = 0; i < brief.level_count; i++)
		brief.filled += level_samples(findings->events, findings->event_count,
					      brief.levels[i]) != 0;
	brief.rows = brief.filled > 1 ? ROWS_EACH : ROWS_ONE;
	text_memory_for(out);
	memory = xmemstream(&head, &size, "a report");
	brief.told = report_short_header(memory, findings, options);
	fclose(memory);
	fputs(head, out);
	digest_init(&digest, findings, brief.levels, brief.level_count, options->fold);
	put_digest(out, &brief, &digest, lines_of(head));
	digest_drop(&digest);
	free(brief.advice);
	free(head);
}
