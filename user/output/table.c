// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/memory.h"
#include "output/table.h"

#define GAP		2	/* between columns */
#define COLUMNS_MOST	1000

struct cell {
	char *text;
	enum tint tint;
};

struct table {
	const struct column *columns;
	size_t column_count;
	struct cell *cells;
	size_t cell_count;
	size_t capacity;
};

const char *tint_code(enum tint tint, bool colour)
{
	static const char *const codes[] = {
		[TINT_NONE] = "\033[0m", [TINT_BOLD] = "\033[1m", [TINT_DIM] = "\033[2m",
		[TINT_BAD] = "\033[1;31m", [TINT_CAUTION] = "\033[33m", [TINT_GOOD] = "\033[32m",
	};

	return colour ? codes[tint] : "";
}

struct table *table_new(const struct column *columns, size_t count)
{
	struct table *table = xcalloc(1, sizeof(*table));

	table->columns = columns;
	table->column_count = count;
	return table;
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i].text);
	free(table->cells);
	free(table);
}

void table_cell(struct table *table, char *text, enum tint tint)
{
	struct cell *cell;

	table->cells = grow(table->cells, table->cell_count, &table->capacity,
			    sizeof(*table->cells));
	cell = &table->cells[table->cell_count++];
	cell->text = text_clean(text);
	cell->tint = tint;
	free(text);
}

void table_count(struct table *table, uint64_t count)
{
	table_cell(table, text_count_short(count), TINT_NONE);
}

/* A wider terminal leaves names more room; COLUMNS gives the width where there is a pager. */
static size_t columns_of(FILE *out)
{
	const char *wanted = getenv("COLUMNS");
	long columns = wanted ? strtol(wanted, NULL, 10) : 0;
	struct winsize size;

	if (!columns && !ioctl(fileno(out), TIOCGWINSZ, &size))
		columns = size.ws_col;
	if (columns > COLUMNS_MOST)
		columns = COLUMNS_MOST;
	return columns > TEXT_COLUMNS ? columns : TEXT_COLUMNS;
}

/* The widest that flexible columns may be, so that together they need at most @room. */
static size_t flexible_limit(const struct table *table, const size_t *widths, size_t room)
{
	size_t limit = room, needed, i;

	for (;; limit--) {
		for (needed = 0, i = 0; i < table->column_count; i++)
			if (table->columns[i].flexible)
				needed += widths[i] < limit ? widths[i] : limit;
		if (needed <= room || limit <= 1)
			return limit;
	}
}

static void measure(const struct table *table, size_t room, size_t *widths)
{
	size_t limit, width, i;

	for (i = 0; i < table->column_count; i++)
		widths[i] = text_width(table->columns[i].header);
	for (i = 0; i < table->cell_count; i++) {
		width = text_width(table->cells[i].text);
		if (width > widths[i % table->column_count])
			widths[i % table->column_count] = width;
	}
	for (i = 0; i < table->column_count; i++) {
		size_t taken = GAP + (table->columns[i].flexible ? 0 : widths[i]);

		room = room > taken ? room - taken : 0;
	}
	limit = flexible_limit(table, widths, room);
	for (i = 0; i < table->column_count; i++)
		if (table->columns[i].flexible && widths[i] > limit)
			widths[i] = limit;
}

/* Writes a cell after @gap blanks. Return: blanks before the next one: no line ends in any. */
static size_t print_cell(FILE *out, const struct column *column, size_t width,
			 const struct cell *cell, size_t gap, bool colour)
{
	char *fitted = text_fit(cell->text, width, column->fit);
	size_t size = strlen(fitted), pad;
	bool tinted = colour && cell->tint != TINT_NONE;

	while (size && fitted[size - 1] == ' ')
		fitted[--size] = '\0';
	pad = width - text_width(fitted);
	if (!size) {
		free(fitted);
		return gap + width + GAP;
	}
	fprintf(out, "%*s%s%s%s", (int)(gap + (column->right ? pad : 0)), "",
		tint_code(cell->tint, tinted), fitted, tint_code(TINT_NONE, tinted));
	free(fitted);
	return (column->right ? 0 : pad) + GAP;
}

static void print_row(const struct table *table, FILE *out, const size_t *widths,
		      const struct cell *cells, size_t indent, bool colour)
{
	size_t gap = indent;

	for (size_t i = 0; i < table->column_count; i++)
		gap = print_cell(out, &table->columns[i], widths[i], &cells[i], gap, colour);
	fputc('\n', out);
}

void table_print(const struct table *table, FILE *out, size_t indent, bool colour)
{
	size_t count = table->column_count, i;
	struct cell *headers = xcalloc(count, sizeof(*headers));
	size_t *widths = xcalloc(count, sizeof(*widths));

	measure(table, columns_of(out) - indent + GAP, widths);
	for (i = 0; i < count; i++)
		headers[i] = (struct cell){ (char *)table->columns[i].header, TINT_DIM };
	print_row(table, out, widths, headers, indent, colour);
	for (i = 0; i < table->cell_count; i += count)
		print_row(table, out, widths, &table->cells[i], indent, colour);
	free(headers);
	free(widths);
}
