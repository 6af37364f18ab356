// SPDX-License-Identifier: GPL-2.0-only
/* All data that misses. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/html.h"
#include "output/text.h"
#include "page/internal.h"
#include "report/rows.h"

#define OBJECTS_MOST	100

#define COLUMNS_MOST	(6 + 2 * PAGE_LEVELS)

static void put_head(struct page *page)
{
	struct page_column columns[COLUMNS_MOST] = {
		{ "object", false }, { "kind", false }, { "where", false }, { "size", true },
		{ "type", false },
	};
	char *names[PAGE_LEVELS][2];
	size_t count = 5, i;

	for (i = 0; i < page->level_count; i++) {
		char *level = page_level_name(page->levels[i]);

		names[i][0] = xasprintf("%s misses", level);
		names[i][1] = xasprintf("%s sets", level);
		columns[count++] = (struct page_column){ names[i][0], true };
		columns[count++] = (struct page_column){ names[i][1], true };
		free(level);
	}
	page_table(page, "Data by its shares of the misses",
		   "Heap blocks of one place in the code, variables and mappings, by their shares "
		   "of the misses; sets: in how many of the level's their misses were.",
		   "full sortable tall data-table", columns);
	for (i = 0; i < page->level_count; i++) {
		free(names[i][0]);
		free(names[i][1]);
	}
}

static void put_name(FILE *out, const char *text)
{
	fputs("<td class=\"name\"><bdi>", out);
	if (text)
		html_put_free(out, text_fit(text, PAGE_NAME, TEXT_FIT_MIDDLE));
	fputs("</bdi></td>", out);
}

static void put_level(struct page *page, const struct object_findings *found, uint32_t number)
{
	const struct object_level *level = &found->levels[number - 1];
	uint32_t sets = level_sets(page->findings, number);

	page_share(page->out, level->share);
	page_number(page->out, level->sets_used,
		    sets ? xasprintf("%" PRIu32 "/%" PRIu32, level->sets_used, sets) : xstrdup("-"),
		    "");
}

static void put_object(struct page *page, const struct object_findings *found)
{
	const struct object *object = found->object;
	FILE *out = page->out;

	fputs("<tr><th class=\"name\" scope=\"row\"><bdi>", out);
	html_put_free(out, page_object(object));
	fprintf(out, "</bdi></th><td>%s</td>", object_kind_name(object->kind));
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
	if (count > OBJECTS_MOST)
		fprintf(page->out, "<p class=\"note\">And %zu more.</p>\n", count - OBJECTS_MOST);
}
