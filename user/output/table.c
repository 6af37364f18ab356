// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/table.h"

#define GAP		2	/* between columns */
#define NAME_LEAST	12	/* columns that names get, if that takes at most TEXT_WIDE */

struct cell {
	char *text;
	enum tint tint;
};

struct table {
	struct column *columns;
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

/* Shortens flexible columns so that together they need at most @room. */
static void shorten(const struct table *table, size_t *widths, size_t room)
{
	bool keep = true;
	size_t limit = room, needed, i;

	for (;; limit--) {
		for (needed = 0, i = 0; i < table->column_count; i++)
			if (table->columns[i].flexible)
				needed += limited(&table->columns[i], widths[i], limit, keep);
		if (needed <= room || limit <= 1)
			break;
		if (keep && limit <= NAME_LEAST / 2) {
			keep = false;
			limit = room;
		}
	}
	for (i = 0; i < table->column_count; i++)
		widths[i] = limited(&table->columns[i], widths[i], limit, keep);
}

/*
 * What columns of a fixed width leave for the others: of the terminal's width, or of as much more
 * as names need to be told apart.
 */
static size_t room_for_names(const struct table *table, FILE *out, size_t indent,
			     const size_t *widths)
{
	size_t all = text_columns(out), taken = indent, least = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		taken += (i ? GAP : 0) + (column->flexible ? 0 : widths[i]);
		if (column->flexible)
			least += limited(column, widths[i], NAME_LEAST, true);
	}
	if (!all)
		all = TEXT_COLUMNS;
	least += taken;
	if (least > TEXT_WIDE)
		least = TEXT_WIDE;
	if (all < least)
		all = least;
	return all > taken ? all - taken : 0;
}

static void measure(const struct table *table, FILE *out, size_t indent, size_t *widths)
{
	size_t width, i;

	for (i = 0; i < table->column_count; i++)
		widths[i] = text_width(table->columns[i].header);
	for (i = 0; i < table->cell_count; i++) {
		width = text_width(table->cells[i].text);
		if (width > widths[i % table->column_count])
			widths[i % table->column_count] = width;
	}
	shorten(table, widths, room_for_names(table, out, indent, widths));
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
	size_t *widths = xcalloc(table->column_count, sizeof(*widths));
	size_t count, i;

	for (i = table->column_count; i-- > 0;)
		if (table->columns[i].optional && is_empty(table, i))
			remove_column(table, i);
	count = table->column_count;

	measure(table, out, indent, widths);
	for (i = 0; i < count; i++)
		headers[i] = (struct cell){ (char *)table->columns[i].header, TINT_DIM };
	print_row(table, out, widths, headers, indent, colour);
	for (i = 0; i < table->cell_count; i += count)
		print_row(table, out, widths, &table->cells[i], indent, colour);
	free(headers);
	free(widths);
}

void table_print_free(struct table *table, FILE *out, size_t indent, bool colour)
{
	table_print(table, out, indent, colour);
	table_free(table);
}
