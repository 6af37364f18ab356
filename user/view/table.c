// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/table.h"

#define GAP 2	/* between columns */

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

static void measure(const struct table *table, size_t indent, size_t *widths)
{
	size_t room = TEXT_COLUMNS - indent + GAP, limit, width, i;

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

static void print_cell(const struct table *table, FILE *out, size_t column, size_t width,
		       const char *text, enum tint tint, bool colour)
{
	char *fitted = text_fit(text, width, table->columns[column].fit);
	int pad = width - text_width(fitted);
	bool tinted = tint != TINT_NONE;

	if (table->columns[column].right)
		fprintf(out, "%*s", pad, "");
	fprintf(out, "%s%s%s", tint_code(tint, colour && tinted), fitted,
		tint_code(TINT_NONE, colour && tinted));
	if (column + 1 == table->column_count)
		fputc('\n', out);
	else
		fprintf(out, "%*s", (table->columns[column].right ? 0 : pad) + GAP, "");
	free(fitted);
}

void table_print(const struct table *table, FILE *out, size_t indent, bool colour)
{
	size_t *widths = xcalloc(table->column_count, sizeof(*widths)), i;

	measure(table, indent, widths);
	fprintf(out, "%*s", (int)indent, "");
	for (i = 0; i < table->column_count; i++)
		print_cell(table, out, i, widths[i], table->columns[i].header, TINT_DIM, colour);
	for (i = 0; i < table->cell_count; i++) {
		size_t column = i % table->column_count;

		if (!column)
			fprintf(out, "%*s", (int)indent, "");
		print_cell(table, out, column, widths[column], table->cells[i].text,
			   table->cells[i].tint, colour);
	}
	free(widths);
}
