// SPDX-License-Identifier: GPL-2.0-only
/* How wide tables are: 100 columns, or what a terminal or COLUMNS leaves. */
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "tap.h"
#include "output/table.h"

#define NAME "a_function_with_a_name_that_is_longer_than_most_because_it_tells_what_it_does"
#define PATH "a/directory/in/another/directory/of/a/tree/of/which/nobody/has/seen/all/file.c:12-34"

static void print(FILE *out)
{
	static const struct column columns[] = {
		{ "share", .right = true },
		{ "function", .flexible = true, .fit = TEXT_FIT_FUNCTION },
		{ "where", .flexible = true, .fit = TEXT_FIT_START },
	};
	struct table *table = table_new(columns, 3);

	table_cell(table, xstrdup("12.3%"), TINT_NONE);
	table_cell(table, xstrdup(NAME), TINT_NONE);
	table_cell(table, xstrdup(PATH), TINT_NONE);
	table_print(table, out, 2, false);
	table_free(table);
}

/* The row of a table that goes to a file. */
static char *row_of(const char *columns)
{
	size_t size;
	char *text, *row;
	FILE *out = open_memstream(&text, &size);

	if (columns)
		setenv("COLUMNS", columns, 1);
	else
		unsetenv("COLUMNS");
	print(out);
	fclose(out);
	row = xstrdup(strchr(text, '\n') + 1);
	row[strcspn(row, "\n")] = '\0';
	free(text);
	return row;
}

/* Two columns that are shortened are equally wide, so one column of the screen may be left. */
static bool fills(const char *row, size_t columns)
{
	return text_width(row) == columns || text_width(row) + 1 == columns;
}

static bool whole(const char *row)
{
	return strstr(row, NAME) && strstr(row, PATH);
}

static void by_environment(void)
{
	static const char *const narrow[] = { NULL, "100", "0", "-1", "wide" };
	char *row, *plain = row_of(NULL);

	ok(fills(plain, TEXT_COLUMNS) && !whole(plain) && strstr(plain, "file.c:12-34"),
	   "a file's tables are 100 wide, and the file and line at their end are kept: '%s'",
	   plain);
	for (size_t i = 0; i < sizeof(narrow) / sizeof(*narrow); i++) {
		row = row_of(narrow[i]);
		ok(!strcmp(row, plain), "COLUMNS=%s: no narrower, no wider",
		   narrow[i] ? narrow[i] : "(none)");
		free(row);
	}
	row = row_of("40");
	ok(fills(row, TEXT_LEAST), "COLUMNS=40: the least width, '%s'", row);
	free(row);
	row = row_of("140");
	ok(fills(row, 140), "COLUMNS=140: 140 wide: '%s'", row);
	free(row);
	row = row_of("99999999999999999999999");
	ok(whole(row), "COLUMNS beyond all numbers: nothing is cut");
	free(row);
	free(plain);
}

static size_t widest_line(const char *text)
{
	size_t widest = 0, width;

	for (; *text; text += width + (text[width] == '\n')) {
		width = strcspn(text, "\n");
		if (width > widest)
			widest = width;
	}
	return widest;
}

/* A narrow terminal is no reason to cut all names to nothing: rows take several lines. */
static void wide_numbers(const char *columns, const char *expected)
{
	static const struct column all[] = {
		{ "numbers", .right = true },
		{ "more", .right = true },
		{ "function", .flexible = true, .fit = TEXT_FIT_FUNCTION },
		{ "note" },
	};
	static const char *const cells[] = {
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20", "21 22 23 24 25 26",
		"multiply_row", NULL, "1", "2", "f", "seldom", "3", NULL, NULL, NULL
	};
	struct table *table = table_new(all, ARRAY_SIZE(all));
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	setenv("COLUMNS", columns, 1);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		table_cell(table, cells[i] ? xstrdup(cells[i]) : NULL, TINT_NONE);
	table_print(table, out, 1, false);
	table_free(table);
	fclose(out);
	ok(widest_line(text) <= strtoul(columns, NULL, 10) && !strcmp(text, expected),
	   "in %s columns names are shorter, or rows have several lines, none empty:\n%s", columns,
	   text);
	free(text);
}

/* A line as the terminal got it, without its end. */
static void terminal_row(unsigned short columns, char *row, size_t size)
{
	struct winsize window = { .ws_row = 24, .ws_col = columns };
	int screen, keyboard;
	FILE *out, *seen;

	row[0] = '\0';
	unsetenv("COLUMNS");
	if (openpty(&screen, &keyboard, NULL, NULL, &window))
		return;
	out = fdopen(keyboard, "w");
	seen = fdopen(screen, "r");
	print(out);
	fflush(out);
	if (!fgets(row, size, seen) || !fgets(row, size, seen))
		row[0] = '\0';
	row[strcspn(row, "\r\n")] = '\0';
	fclose(out);
	fclose(seen);
}

/* A column that may be left out is if nothing is in it. */
static void left_out(void)
{
	static const struct column columns[] = {
		{ "name" }, { "never", .optional = true }, { "once", .optional = true }, { "last" },
	};
	static const char *const cells[] = { "a", NULL, NULL, "b", "c", "", "0", "d" };
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		table_cell(table, cells[i] ? xstrdup(cells[i]) : NULL, TINT_NONE);
	table_print(table, out, 0, false);
	fclose(out);
	ok(!strcmp(text, "name  once  last\na           b\nc     0     d\n"),
	   "an optional column without a cell is left out ('%s')", text);
	free(text);
	table_free(table);
}

int main(void)
{
	char row[4096];

	left_out();

	by_environment();
	wide_numbers("88",
		     "                                            numbers               more  function  note\n"
		     " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20  21 22 23 24 25 26  mul..row\n"
		     "                                                  1                  2  f         seldom\n"
		     "                                                  3\n");
	wide_numbers("75",
		     "                                            numbers               more\n"
		     "     function      note\n"
		     " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20  21 22 23 24 25 26\n"
		     "     multiply_row\n"
		     "                                                  1                  2\n"
		     "     f             seldom\n"
		     "                                                  3\n");
	terminal_row(80, row, sizeof(row));
	ok(fills(row, 80), "a terminal of 80 columns: as wide ('%s')", row);
	terminal_row(150, row, sizeof(row));
	ok(fills(row, 150), "of 150: as wide ('%s')", row);
	terminal_row(250, row, sizeof(row));
	ok(whole(row), "of 250: nothing is cut");
	return done();
}
