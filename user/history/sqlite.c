// SPDX-License-Identifier: GPL-2.0-only
#include "base/late.h"
#include "history/sqlite.h"

#define ROW(name) { "sqlite3_" #name, offsetof(struct sqlite, name) }

static const struct late_function functions[] = {
	ROW(open_v2), ROW(close), ROW(busy_timeout), ROW(errmsg), ROW(exec), ROW(prepare_v2),
	ROW(bind_int64), ROW(bind_double), ROW(bind_text), ROW(bind_null), ROW(step), ROW(reset),
	ROW(finalize), ROW(column_type), ROW(column_int64), ROW(column_double), ROW(column_text),
	ROW(last_insert_rowid), { 0 },
};

const struct sqlite *sqlite_load(void)
{
	static struct sqlite sqlite;

	return late_load("libsqlite3.so.0", "libsqlite3-0", functions, &sqlite) ? NULL : &sqlite;
}
