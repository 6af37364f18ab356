/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few functions of SQLite that are used, from the library that is found at run time: ccsample
 * is built and installed without it, and only histories need it.
 */
#ifndef CCSAMPLE_HISTORY_SQLITE_H
#define CCSAMPLE_HISTORY_SQLITE_H

#include <stdint.h>

/* sqlite3.h's constants. */
#define SQLITE_OK		0
#define SQLITE_ROW		100
#define SQLITE_DONE		101
#define SQLITE_OPEN_READONLY	0x1
#define SQLITE_OPEN_READWRITE	0x2
#define SQLITE_OPEN_CREATE	0x4
#define SQLITE_NULL		5
#define SQLITE_TRANSIENT	((void (*)(void *))-1)

struct sqlite {
	int (*open_v2)(const char *path, void **database, int flags, const char *vfs);
	int (*close)(void *database);
	int (*busy_timeout)(void *database, int ms);
	const char *(*errmsg)(void *database);
	int (*exec)(void *database, const char *sql, void *callback, void *context, char **error);
	int (*prepare_v2)(void *database, const char *sql, int size, void **statement,
			  const char **tail);
	int (*bind_int64)(void *statement, int place, int64_t value);
	int (*bind_double)(void *statement, int place, double value);
	int (*bind_text)(void *statement, int place, const char *text, int size,
			 void (*destroy)(void *));
	int (*bind_null)(void *statement, int place);
	int (*step)(void *statement);
	int (*reset)(void *statement);
	int (*finalize)(void *statement);
	int (*column_type)(void *statement, int column);
	int64_t (*column_int64)(void *statement, int column);
	double (*column_double)(void *statement, int column);
	const unsigned char *(*column_text)(void *statement, int column);
	int64_t (*last_insert_rowid)(void *database);
};

/* Return: the library, or NULL after one line: it is not installed. */
const struct sqlite *sqlite_load(void);

#endif /* CCSAMPLE_HISTORY_SQLITE_H */
