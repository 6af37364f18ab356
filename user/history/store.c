// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "history/sqlite.h"
#include "history/store.h"

#define LATE_MS	10000	/* another check may be writing */

static const char schema[] =
	"PRAGMA foreign_keys = ON;"
	"CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, commit_id TEXT NOT NULL,"
	" time TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, program TEXT NOT NULL,"
	" failed INTEGER NOT NULL);"
	"CREATE TABLE IF NOT EXISTS figures (run INTEGER NOT NULL REFERENCES runs (id) ON DELETE "
	"CASCADE, level INTEGER NOT NULL, per_thousand INTEGER NOT NULL, function TEXT, file TEXT,"
	" misses REAL NOT NULL, conflicts REAL);"
	"CREATE INDEX IF NOT EXISTS figures_by_run ON figures (run);";

struct store {
	const struct sqlite *sqlite;
	void *database;
	char *path;
};

static int store_failed(const struct store *store)
{
	return fail("%s: %s",
		    store->path, store->database ? store->sqlite->errmsg(store->database) :
		    "cannot be opened");
}

static void store_close(struct store *store)
{
	if (store->database)
		store->sqlite->close(store->database);
	free(store->path);
}

static int store_open(struct store *store, const char *directory, int flags)
{
	*store = (struct store) { .sqlite = sqlite_load() };
	if (!store->sqlite)
		return -1;
	store->path = xasprintf("%s/history.db", directory);
	if (store->sqlite->open_v2(store->path, &store->database, flags, NULL) != SQLITE_OK) {
		store_failed(store);
		store_close(store);
		return -1;
	}
	store->sqlite->busy_timeout(store->database, LATE_MS);
	/* Views and triggers of a file from elsewhere call no functions; damaged pages are seen. */
	store->sqlite->exec(store->database, "PRAGMA trusted_schema = OFF;"
			    "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
	return 0;
}

static int execute(const struct store *store, const char *sql)
{
	return store->sqlite->exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 :
	       store_failed(store);
}

static int prepare(const struct store *store, const char *sql, void **statement)
{
	return store->sqlite->prepare_v2(store->database, sql, -1, statement, NULL) == SQLITE_OK ?
	       0 : store_failed(store);
}

/* ---- writing ---- */

static void bind_text(const struct store *store, void *statement, int place, const char *text)
{
	if (text)
		store->sqlite->bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
	else
		store->sqlite->bind_null(statement, place);
}

static int add_run(const struct store *store, struct history_run *run)
{
	void *statement;
	int status;

	if (prepare(store, "INSERT INTO runs (commit_id, program, failed) VALUES (?, ?, ?)",
		    &statement) < 0)
		return -1;
	bind_text(store, statement, 1, run->commit);
	bind_text(store, statement, 2, run->program);
	store->sqlite->bind_int64(statement, 3, run->failed);
	status = store->sqlite->step(statement) == SQLITE_DONE ? 0 : store_failed(store);
	store->sqlite->finalize(statement);
	run->id = store->sqlite->last_insert_rowid(store->database);
	return status;
}

static int add_figure(const struct store *store, void *statement, int64_t run,
		      const struct figure *figure)
{
	const struct sqlite *sqlite = store->sqlite;

	sqlite->reset(statement);
	sqlite->bind_int64(statement, 1, run);
	sqlite->bind_int64(statement, 2, figure->level);
	sqlite->bind_int64(statement, 3, figure->per_thousand);
	bind_text(store, statement, 4, figure->function);
	bind_text(store, statement, 5, figure->file);
	sqlite->bind_double(statement, 6, figure->misses);
	if (isfinite(figure->conflicts))
		sqlite->bind_double(statement, 7, figure->conflicts);
	else
		sqlite->bind_null(statement, 7);
	return sqlite->step(statement) == SQLITE_DONE ? 0 : store_failed(store);
}

static int add_figures(const struct store *store, const struct history_run *run)
{
	void *statement;
	int status = 0;

	if (prepare(store, "INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?, ?)", &statement) < 0)
		return -1;
	for (size_t i = 0; !status && i < run->figures.count; i++)
		status = add_figure(store, statement, run->id, &run->figures.list[i]);
	store->sqlite->finalize(statement);
	return status;
}

int history_add(const char *directory, struct history_run *run)
{
	struct store store;
	int status = -1;

	if (mkdir(directory, 0777) < 0 && errno != EEXIST)
		return fail("cannot make %s: %s", directory, strerror(errno));
	if (store_open(&store, directory, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) < 0)
		return -1;
	if (execute(&store, schema) < 0 || execute(&store, "BEGIN IMMEDIATE") < 0)
		goto out;
	/* Closing takes back what was not committed. */
	if (add_run(&store, run) < 0 || add_figures(&store, run) < 0)
		goto out;
	status = execute(&store, "COMMIT");
out:
	store_close(&store);
	return status;
}

/* ---- reading ---- */

static char *column_text(const struct store *store, void *statement, int column)
{
	const unsigned char *text = store->sqlite->column_text(statement, column);

	return text ? xstrdup((const char *)text) : NULL;
}

static char *column_word(const struct store *store, void *statement, int column)
{
	char *text = column_text(store, statement, column);

	return text ? text : xstrdup("?");
}

static int read_runs(const struct store *store, struct history *history)
{
	void *statement;
	int step;

	if (prepare(store, "SELECT id, commit_id, time, program, failed FROM runs ORDER BY id",
		    &statement) < 0)
		return -1;
	while ((step = store->sqlite->step(statement)) == SQLITE_ROW) {
		history->runs = grow(history->runs, history->count, &history->room,
				     sizeof(*history->runs));
		history->runs[history->count++] = (struct history_run) {
			.id = store->sqlite->column_int64(statement, 0),
			.commit = column_word(store, statement, 1),
			.time = column_word(store, statement, 2),
			.program = column_word(store, statement, 3),
			.failed = store->sqlite->column_int64(statement, 4),
		};
	}
	store->sqlite->finalize(statement);
	return step == SQLITE_DONE ? 0 : store_failed(store);
}

static void take_figure(const struct store *store, void *statement, struct figures *figures)
{
	const struct sqlite *sqlite = store->sqlite;
	int64_t level = sqlite->column_int64(statement, 0);
	double misses = sqlite->column_double(statement, 4);
	double conflicts = sqlite->column_type(statement, 5) == SQLITE_NULL ? NAN :
			   sqlite->column_double(statement, 5);

	/* Anybody may have written the file. */
	if (level < 1 || level > FINDINGS_LEVELS || !isfinite(misses) || misses < 0)
		return;
	figures_add(figures, &(struct figure){
		.level = level, .per_thousand = sqlite->column_int64(statement, 1),
		.function = column_text(store, statement, 2),
		.file = column_text(store, statement, 3),
		.misses = misses,
		.conflicts = isfinite(conflicts) ? conflicts : NAN,
	});
}

static int read_figures(const struct store *store, struct history_run *run)
{
	void *statement;
	int step;

	if (prepare(store, "SELECT level, per_thousand, function, file, misses, conflicts "
			   "FROM figures WHERE run = ? ORDER BY rowid", &statement) < 0)
		return -1;
	store->sqlite->bind_int64(statement, 1, run->id);
	while ((step = store->sqlite->step(statement)) == SQLITE_ROW)
		take_figure(store, statement, &run->figures);
	store->sqlite->finalize(statement);
	return step == SQLITE_DONE ? 0 : store_failed(store);
}

void history_run_drop(struct history_run *run)
{
	free(run->commit);
	free(run->time);
	free(run->program);
	figures_drop(&run->figures);
}

/* Runs of other programs are left out. */
static void choose(struct history *history, const char *program)
{
	char *wanted = xstrdup(program ? program : history->count ?
			       history->runs[history->count - 1].program : "");
	size_t kept = 0;

	for (size_t i = 0; i < history->count; i++) {
		struct history_run *run = &history->runs[i];

		if (!strcmp(run->program, wanted) ||
		    (program && !fnmatch(program, run->program, 0)))
			history->runs[kept++] = *run;
		else
			history_run_drop(run);
	}
	history->count = kept;
	free(wanted);
}

/* SQLite says of whatever it cannot open that it cannot. Return: it was said. */
static bool is_missing(const char *directory)
{
	char *path = xasprintf("%s/history.db", directory);
	bool missing = access(path, F_OK);

	if (missing && errno == ENOTDIR)
		fail("%s is no directory: history takes that of ccsample check --record-to",
		     directory);
	else if (missing)
		fail("cannot open %s: %s (ccsample check --record-to makes it)", path,
		     strerror(errno));
	free(path);
	return missing;
}

int history_read(const char *directory, const char *program, struct history *history)
{
	struct store store;
	int status;

	*history = (struct history) { .runs = NULL };
	if (is_missing(directory))
		return -1;
	if (store_open(&store, directory, SQLITE_OPEN_READONLY) < 0)
		return -1;
	status = read_runs(&store, history);
	choose(history, program);
	for (size_t i = 0; !status && i < history->count; i++)
		status = read_figures(&store, &history->runs[i]);
	store_close(&store);
	if (!status && !history->count)
		status = program ? fail("%s/history.db has no run of %s", directory, program) :
			 fail("%s/history.db has no run yet: ccsample check --record-to %s",
			      directory, directory);
	return status;
}

void history_drop(struct history *history)
{
	for (size_t i = 0; i < history->count; i++)
		history_run_drop(&history->runs[i]);
	free(history->runs);
}
