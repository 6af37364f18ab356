// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "history/sqlite.h"

#define ROW(name) { "sqlite3_" #name, offsetof(struct sqlite, name) }

static const struct {
	const char *name;
	size_t at;
} functions[] = {
	ROW(open_v2), ROW(close), ROW(busy_timeout), ROW(errmsg), ROW(exec), ROW(prepare_v2),
	ROW(bind_int64), ROW(bind_double), ROW(bind_text), ROW(bind_null), ROW(step), ROW(reset),
	ROW(finalize), ROW(column_type), ROW(column_int64), ROW(column_double), ROW(column_text),
	ROW(last_insert_rowid),
};

const struct sqlite *sqlite_load(void)
{
	static struct sqlite sqlite;
	void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fail("a history needs SQLite: install libsqlite3-0 (%s)", dlerror());
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *function = dlsym(library, functions[i].name);

		if (!function) {
			fail("libsqlite3.so.0 has no %s: it is too old", functions[i].name);
			return NULL;
		}
		memcpy((char *)&sqlite + functions[i].at, &function, sizeof(function));
	}
	return &sqlite;
}
