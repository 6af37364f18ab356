// SPDX-License-Identifier: GPL-2.0-only
/* The data of the text report. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/prose.h"
#include "output/table.h"
#include "output/text.h"
#include "report/text-data.h"

/* What stands before the function's name in that of a block: "block of make_grid". */
static size_t before_function(const struct object *object, const char *name)
{
	const char *of = object->chain ? strstr(name, " of ") : NULL;

	return of ? of + strlen(" of ") - name : 0;
}

char *report_object_name(const struct object *object, size_t width)
{
	char *name = drop_abi_tags(text_clean(prose_or_unknown(object->name))), *fitted, *all;
	size_t before = before_function(object, name);

	fitted = text_fit(name + before, width > before ? width - before : width,
			  object->kind == OBJECT_MAPPING ? TEXT_FIT_START : TEXT_FIT_FUNCTION);
	all = xasprintf("%.*s%s", (int)before, name, fitted);
	free(fitted);
	free(name);
	return all;
}

char *report_object_placed(const struct object *object, size_t width)
{
	char *name = report_object_name(object, width), *where, *place;
	size_t before = before_function(object, name);

	if (!object->where || !*object->where)
		return name;
	where = drop_abi_tags(xstrdup(base_name(object->where)));
	place = text_fit(where, width, TEXT_FIT_START);
	free(where);
	/* "block of f+0x12" has the function's name already. */
	if (before && !strncmp(place, name + before, strlen(name + before)))
		name[before] = '\0';
	prose_append(&name, name[before] ? " (%s)" : "%s", place);
	free(place);
	return name;
}

#define BESIDE_COLUMNS	40

char *report_object_beside(const struct object *object, const struct object *other)
{
	bool same = object != other && same_text(object->name, other->name);

	return (same ? report_object_placed : report_object_name)(object, BESIDE_COLUMNS);
}

char *report_sets(uint32_t used, uint32_t sets)
{
	if (!sets || !used)
		return xstrdup("-");
	if (sets > 9999)
		return text_percent((double)used / sets);
	return xasprintf("%" PRIu32 "/%" PRIu32, used, sets);
}

void report_object_cells(struct table *table, const struct object *object)
{
	table_cell(table, xstrdup(object_kind_name(object->kind)), TINT_NONE);
	table_cell(table, object->bytes ? text_size(object->bytes) : xstrdup("-"), TINT_NONE);
	table_cell(table, report_object_name(object, object->kind == OBJECT_MAPPING ? 400 : 44),
		   TINT_NONE);
	table_cell(table, xstrdup(object->where ? object->where : ""), TINT_NONE);
}

static int by_level_share(const void *a, const void *b, void *level)
{
	uint32_t at = *(uint32_t *)level - 1;
	const struct object_findings *x = *(const struct object_findings *const *)a;
	const struct object_findings *y = *(const struct object_findings *const *)b;

	if (x->levels[at].share != y->levels[at].share)
		return x->levels[at].share < y->levels[at].share ? 1 : -1;
	return (x->object->id > y->object->id) - (x->object->id < y->object->id);
}

/* The objects that have samples at a level, largest share first; to be freed. */
static const struct object_findings **objects_at(const struct findings *findings, uint32_t level,
						 size_t *count)
{
	const struct object_findings **objects = xcalloc(findings->object_count + 1,
							 sizeof(*objects));

	*count = 0;
	for (size_t i = 0; i < findings->object_count; i++)
		if (findings->objects[i].levels[level - 1].samples)
			objects[(*count)++] = &findings->objects[i];
	qsort_r(objects, *count, sizeof(*objects), by_level_share, &level);
	return objects;
}

void report_data(FILE *out, const struct findings *findings, uint32_t level,
		 const struct view_options *options)
{
	static const struct column columns[] = {
		{ "id", .right = true }, { "share", .right = true }, { "samples", .right = true },
		{ "sets", .right = true }, { .header = "kind" }, { "size", .right = true },
		{ "name", .flexible = true, .fit = TEXT_FIT_MIDDLE },
		{ "where", .flexible = true, .fit = TEXT_FIT_START },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));
	size_t i, count, shown = 0;
	const struct object_findings **objects = objects_at(findings, level, &count);
	double rest = 0;

	for (i = 0; i < count; i++) {
		const struct object_level *at = &objects[i]->levels[level - 1];
		bool small = options->fold && shown >= REPORT_ROWS_LEAST &&
			     at->share < REPORT_SMALL;

		if (small || (options->top && shown >= options->top)) {
			rest += at->share;
			continue;
		}
		table_cell(table, xasprintf("%" PRIu32, objects[i]->object->id), TINT_DIM);
		table_cell(table, text_percent(at->share), TINT_BOLD);
		table_count(table, at->samples);
		table_cell(table, report_sets(at->sets_used, level_sets(findings, level)),
			   TINT_NONE);
		report_object_cells(table, objects[i]->object);
		shown++;
	}
	prose_heading(out, options->colour, "Data that misses in L%" PRIu32, level);
	table_print(table, out, 1, options->colour);
	report_rest(out, count - shown, rest, "samples");
	table_free(table);
	free(objects);
}

void report_rest(FILE *out, size_t count, double share, const char *of)
{
	char *percent = prose_percent(share);

	if (count)
		fprintf(out, "  and %zu more with %s of the %s\n", count, percent, of);
	free(percent);
}
