// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "history/views.h"
#include "output/json.h"
#include "output/table.h"

#define COMMIT_MOST 12	/* characters of a commit */

static void add_row(struct table *table, const struct history_run *run,
		    const struct series *series, bool conflicts)
{
	table_cell(table, text_fit(run->commit, COMMIT_MOST, TEXT_FIT_CUT), TINT_NONE);
	table_cell(table, xstrdup(run->time), TINT_NONE);
	table_cell(table, xstrdup(run->failed ? "FAIL" : "ok"), run->failed ? TINT_BAD : TINT_GOOD);
	for (size_t i = 0; i < series->count; i++)
		table_cell(table, series_value_text(run, series->figures[i], conflicts), TINT_NONE);
}

void history_text(FILE *out, const struct history *history, const struct history_view *view)
{
	const struct history_run *last = &history->runs[history->count - 1];
	struct series series = history_series(history, view);
	size_t count = 3 + series.count;
	struct column *columns = xcalloc(count, sizeof(*columns));
	struct table *table;
	char **names = xcalloc(count, sizeof(*names)), *program = text_clean(last->program);

	columns[0] = (struct column) { .header = "commit" };
	columns[1] = (struct column) { .header = "time (UTC)" };
	columns[2] = (struct column) { .header = "check" };
	for (size_t i = 0; i < series.count; i++) {
		char *name = figure_name(series.figures[i]);

		names[i] = text_clean(name);
		free(name);
		columns[3 + i] = (struct column) { .header = names[i], .right = true };
	}
	fprintf(out, "%s: L%" PRIu32 " %s%s\n\n", program, series.level,
		view->conflicts ? "conflict " : "",
		series.count ? figure_unit(series.figures[0]) : "misses");
	table = table_new(columns, count);
	for (size_t i = 0; i < history->count; i++)
		add_row(table, &history->runs[i], &series, view->conflicts);
	table_print_free(table, out, 0, view->colour);
	for (size_t i = 0; i < series.count; i++)
		free(names[i]);
	free(names);
	free(program);
	free(columns);
	series_drop(&series);
}

static void put_run(struct json *json, const struct history_run *run)
{
	json_open(json, '{');
	json_put_string(json, "commit", run->commit);
	json_put_string(json, "time", run->time);
	json_put_string(json, "program", run->program);
	json_put_bool(json, "failed", run->failed);
	json_open_under(json, "figures", '[');
	for (size_t i = 0; i < run->figures.count; i++) {
		const struct figure *figure = &run->figures.list[i];

		json_open_flat(json, '{');
		json_put_count(json, "level", figure->level);
		json_put_string(json, "function", figure->function);
		json_put_string(json, "file", figure->file);
		json_put_number(json, "misses", figure->misses);
		json_put_number(json, "conflicts", figure->conflicts);
		json_put_string(json, "unit", figure_unit(figure));
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

void history_json(FILE *out, const struct history *history)
{
	struct json json = { .out = out };

	json_begin(&json, "history");
	json_open_under(&json, "runs", '[');
	for (size_t i = 0; i < history->count; i++)
		put_run(&json, &history->runs[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}
