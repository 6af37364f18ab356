// SPDX-License-Identifier: GPL-2.0-only
/*
 * A history in whose rows is what any file of SQLite's can hold, of any type, and whose statements
 * fail at any step: read and shown as `history` does, in all forms but pictures. The library itself
 * is not run: its place takes a table of functions that give what the input's bytes choose.
 */
#include <stdlib.h>

#include "base/fail.h"
#include "history/sqlite.h"
#include "history/views.h"
#include "recipe.h"

#define ROWS_MOST	24	/* of a statement */
#define STATEMENTS_MOST	24	/* then all are empty */

static struct recipe recipe;
static unsigned int statements, rows, opened;

static int open_v2(const char *path, void **database, int flags, const char *vfs)
{
	*database = byte(&recipe) == 255 ? NULL : &recipe;
	opened += !!*database;
	return *database && byte(&recipe) != 255 ? SQLITE_OK : 1;
}

static int close_database(void *database)
{
	opened--;
	return SQLITE_OK;
}

static int busy_timeout(void *database, int ms)
{
	return SQLITE_OK;
}

static const char *errmsg(void *database)
{
	return "fuzz";
}

static int exec(void *database, const char *sql, void *callback, void *context, char **error)
{
	return SQLITE_OK;
}

static int prepare_v2(void *database, const char *sql, int size, void **statement, const char **tail)
{
	*statement = NULL;
	if (byte(&recipe) == 255)
		return 1;
	statements++;
	rows = 0;
	*statement = &statements;
	return SQLITE_OK;
}

static int bind_int64(void *statement, int place, int64_t value)
{
	return SQLITE_OK;
}

static int step(void *statement)
{
	uint8_t what = byte(&recipe);

	if (what == 255)
		return 1;
	return what < 16 || rows++ == ROWS_MOST || statements > STATEMENTS_MOST ||
	       recipe.at == recipe.end ? SQLITE_DONE : SQLITE_ROW;
}

static int finalize(void *statement)
{
	return SQLITE_OK;
}

static int column_type(void *statement, int column)
{
	return byte(&recipe) & 3 ? SQLITE_NULL - 1 : SQLITE_NULL;
}

static int64_t column_int64(void *statement, int column)
{
	return byte(&recipe) & 1 ? (int64_t)word(&recipe) : byte(&recipe) & 3;
}

/* SQLite gives no NaN: it stores NULL in its place. */
static double column_double(void *statement, int column)
{
	static const double numbers[] = {
		0, -0.0, 1, -1, 0.5, 1e308, -1e308, 1e-308, 5e-324, __builtin_inf(), -__builtin_inf(), 1e6, 3, 17, 255, 1000,
	};

	return numbers[byte(&recipe) & 15];
}

static const unsigned char *column_text(void *statement, int column)
{
	static const char *const texts[] = {
		"", "a", "a", "f", "f.c", "/x/f.c", "0123456789abcdef0123456789abcdef01234567", "2026-01-01 00:00:00",
		"\033[31m\n", "\xff\xfe", "\"\\", "<b>&", "\t", "=1+1", "%s%n", NULL,
	};

	return (const unsigned char *)texts[byte(&recipe) & 15];
}

const struct sqlite *sqlite_load(void)
{
	static const struct sqlite sqlite = {
		.open_v2 = open_v2, .close = close_database, .busy_timeout = busy_timeout, .errmsg = errmsg,
		.exec = exec, .prepare_v2 = prepare_v2, .bind_int64 = bind_int64, .step = step,
		.finalize = finalize, .column_type = column_type, .column_int64 = column_int64,
		.column_double = column_double, .column_text = column_text,
	};

	return &sqlite;
}

static void show(const struct history *history, uint8_t how)
{
	const struct history_view view = {
		.level = how & 3, .top = how >> 2 & 3, .conflicts = how & 16, .colour = how & 32,
	};
	static FILE *null;
	size_t i;

	if (!null)
		null = fopen("/dev/null", "w");
	history_text(null, history, &view);
	history_json(null, history);
	for (i = 0; i < history->count; i++) {
		figures_benchmark(null, &history->runs[i].figures);
		figures_bencher(null, &history->runs[i].figures);
		figures_write(null, &history->runs[i].figures);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const programs[] = { NULL, NULL, "*", "a" };
	struct history history;
	uint8_t how;

	recipe = (struct recipe){ data, data + size };
	how = byte(&recipe);
	statements = 0;
	if (!history_read("/nonexistent", programs[how >> 6], &history))
		show(&history, how);
	history_drop(&history);
	if (opened)
		abort();
	return 0;
}
