// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/table.h"

#define GAP		2	/* between columns */
#define NAME_LEAST	12	/* columns that names get, if that takes at most TEXT_WIDE */
#define NAME_SHORT	8	/* ... on a terminal, if all of a row fits in a line then */
#define FURTHER		4	/* more indentation of a row's further lines */

struct cell {
	char *text;
	enum tint tint;
};

struct table {
	struct column *columns;
	size_t column_count;
	size_t *widths;			/* of the columns, when printed */
	bool *breaks;			/* a row goes on in another line before a column */
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

	table->columns = xcalloc(count, sizeof(*columns));
	memcpy(table->columns, columns, count * sizeof(*columns));
	table->column_count = count;
	return table;
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i].text);
	free(table->cells);
	free(table->columns);
	free(table->widths);
	free(table->breaks);
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

void table_share(struct table *table, uint64_t part, uint64_t whole, enum tint tint)
{
	table_cell(table, text_percent(whole ? (double)part / whole : 0), tint);
}

static size_t limited(const struct column *column, size_t width, size_t limit, bool keep)
{
	if (!column->flexible)
		return width;
	if (keep && column->keep > limit)
		limit = column->keep;
	return width < limit ? width : limit;
}

/* Columns of a line: from one on, before another. */
struct line {
	size_t from, to;
};

/* Shortens a line's flexible columns so that together they need at most @room. */
static void shorten(const struct table *table, struct line line, size_t room)
{
	size_t *widths = table->widths, limit = room, needed, i;
	bool keep = true;

	for (;; limit--) {
		for (needed = 0, i = line.from; i < line.to; i++)
			if (table->columns[i].flexible)
				needed += limited(&table->columns[i], widths[i], limit, keep);
		if (needed <= room || limit <= 1)
			break;
		if (keep && limit <= NAME_LEAST / 2) {
			keep = false;
			limit = room;
		}
	}
	for (i = line.from; i < line.to; i++)
		widths[i] = limited(&table->columns[i], widths[i], limit, keep);
}

/* What a line takes where none of its names has more than @name; its own ones are not shorter. */
static size_t needed_by(const struct table *table, struct line line, size_t name)
{
	size_t needed = 0;

	for (size_t i = line.from; i < line.to; i++)
		needed += (i > line.from ? GAP : 0) +
			  limited(&table->columns[i], table->widths[i], name, true);
	return needed;
}

/* As many columns as fit, one at least. */
static struct line line_from(const struct table *table, size_t from, size_t room, size_t name)
{
	struct line line = { from, table->column_count };

	while (line.to > from + 1 && needed_by(table, line, name) > room)
		line.to--;
	return line;
}

static void fit_line(const struct table *table, struct line line, size_t room)
{
	size_t fixed = needed_by(table, line, 0), kept = 0;

	for (size_t i = line.from; i < line.to; i++)
		if (table->columns[i].flexible)
			kept += limited(&table->columns[i], table->widths[i], 0, true);
	fixed -= kept;
	shorten(table, line, room > fixed ? room - fixed : 0);
}

/* A row's columns in as many lines of a terminal as they need. */
static void lay_out_for_terminal(struct table *table, size_t columns, size_t indent)
{
	struct line line = { 0, table->column_count };
	size_t room = columns > indent ? columns - indent : 0, name;

	name = needed_by(table, line, NAME_SHORT) > room ? NAME_LEAST : NAME_SHORT;
	for (line.to = 0; line.to < table->column_count;) {
		line = line_from(table, line.to, room, name);
		table->breaks[line.from] = line.from;
		fit_line(table, line, room);
		room = columns > indent + FURTHER ? columns - indent - FURTHER : 0;
	}
}

/* Of a file there is one line, of as much more as names need to be told apart. */
static void lay_out_for_file(struct table *table, size_t indent)
{
	struct line all = { 0, table->column_count };
	size_t least = indent + needed_by(table, all, NAME_LEAST), columns = TEXT_COLUMNS;

	if (least > columns)
		columns = least < TEXT_WIDE ? least : TEXT_WIDE;
	fit_line(table, all, columns > indent ? columns - indent : 0);
}

static void lay_out(struct table *table, FILE *out, size_t indent)
{
	size_t columns = text_columns(out), width, i;

	table->widths = xcalloc(table->column_count, sizeof(*table->widths));
	table->breaks = xcalloc(table->column_count, sizeof(*table->breaks));
	for (i = 0; i < table->column_count; i++)
		table->widths[i] = text_width(table->columns[i].header);
	for (i = 0; i < table->cell_count; i++) {
		width = text_width(table->cells[i].text);
		if (width > table->widths[i % table->column_count])
			table->widths[i % table->column_count] = width;
	}
	if (columns)
		lay_out_for_terminal(table, columns, indent);
	else
		lay_out_for_file(table, indent);
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

/* Return: the column that the next line begins with. */
static size_t print_line(const struct table *table, FILE *out, const struct cell *cells,
			 size_t column, size_t indent, bool colour)
{
	size_t gap = indent + (column ? FURTHER : 0);
	bool first = !column, written = false;

	do {
		written = written || *cells[column].text;
		gap = print_cell(out, &table->columns[column], table->widths[column],
				 &cells[column], gap, colour);
	} while (++column < table->column_count && !table->breaks[column]);
	if (first || written)
		fputc('\n', out);
	return column;
}

static void print_row(const struct table *table, FILE *out, const struct cell *cells,
		      size_t indent, bool colour)
{
	size_t column = 0;

	do
		column = print_line(table, out, cells, column, indent, colour);
	while (column < table->column_count);
}

static bool is_empty(const struct table *table, size_t column)
{
	for (size_t i = column; i < table->cell_count; i += table->column_count)
		if (*table->cells[i].text)
			return false;
	return true;
}

static void remove_column(struct table *table, size_t column)
{
	size_t kept = 0, i;

	for (i = 0; i < table->cell_count; i++) {
		if (i % table->column_count == column)
			free(table->cells[i].text);
		else
			table->cells[kept++] = table->cells[i];
	}
	table->cell_count = kept;
	table->column_count--;
	for (i = column; i < table->column_count; i++)
		table->columns[i] = table->columns[i + 1];
}

void table_print(struct table *table, FILE *out, size_t indent, bool colour)
{
	struct cell *headers = xcalloc(table->column_count, sizeof(*headers));
	size_t count, i;

	for (i = table->column_count; i-- > 0;)
		if (table->columns[i].optional && is_empty(table, i))
			remove_column(table, i);
	count = table->column_count;

	lay_out(table, out, indent);
	for (i = 0; i < count; i++)
		headers[i] = (struct cell){ (char *)table->columns[i].header, TINT_DIM };
	print_row(table, out, headers, indent, colour);
	for (i = 0; i < table->cell_count; i += count)
		print_row(table, out, &table->cells[i], indent, colour);
	free(headers);
}

void table_print_free(struct table *table, FILE *out, size_t indent, bool colour)
{
	table_print(table, out, indent, colour);
	table_free(table);
}
