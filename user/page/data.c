// SPDX-License-Identifier: GPL-2.0-only
/* All data that misses. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/html.h"
#include "output/text.h"
#include "page/internal.h"
#include "report/rows.h"
#include "report/text-data.h"

#define OBJECTS_MOST	100

static void put_head(struct page *page)
{
	static const struct page_column first[] = {
		{ "object", false }, { "kind", false }, { "where", false }, { "size", true },
		{ "type", false }, { NULL, false }
	}, each[] = { { "misses", true }, { "sets", true }, { NULL, false } };

	page_level_table(page, "Data by its shares of the misses",
			 "Heap blocks of one place in the code, variables and mappings, by their "
			 "shares of the misses; sets: in how many of the level's their misses "
			 "were.",
			 "full sortable tall data-table", first, each);
}

static void put_name(FILE *out, const char *text)
{
	page_name(out, text ? text_fit(text, PAGE_NAME, TEXT_FIT_MIDDLE) : NULL);
}

static void put_level(struct page *page, const struct object_findings *found, uint32_t number)
{
	const struct object_level *level = &found->levels[number - 1];

	page_share(page->out, level->share);
	page_number(page->out, level->sets_used ? level->sets_used : NAN,
		    report_sets(level->sets_used, level_sets(page->findings, number)), "");
}

static void put_object(struct page *page, const struct object_findings *found)
{
	const struct object *object = found->object;
	FILE *out = page->out;

	page_row_name(out, page_object(object));
	fprintf(out, "<td>%s</td>", object_kind_name(object->kind));
	put_name(out, object->where ? base_name(object->where) : NULL);
	page_number(out, object->bytes, object->bytes ? text_size(object->bytes) : xstrdup("-"),
		    "");
	put_name(out, object->type);
	for (size_t i = 0; i < page->level_count; i++)
		put_level(page, found, page->levels[i]);
	fputs("</tr>\n", out);
}

void page_data(struct page *page)
{
	const struct findings *findings = page->findings;
	size_t count = findings->object_count;

	if (!count || !page->level_count)
		return;
	page_part(page->out, "data", "Data that misses");
	put_head(page);
	for (size_t i = 0; i < count && i < OBJECTS_MOST; i++)
		put_object(page, &findings->objects[i]);
	page_table_end(page);
	page_more(page->out, count > OBJECTS_MOST ? count - OBJECTS_MOST : 0);
}
