// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/html.h"
#include "page/internal.h"

static void put_columns(FILE *out, const struct page_column *columns)
{
	fputs("<thead><tr>", out);
	for (; columns->name; columns++) {
		fprintf(out, "<th scope=\"col\"%s>", columns->right ? " class=\"num\"" : "");
		html_text(out, columns->name);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

/* A caption of its own would be as narrow as its table. */
void page_table(struct page *page, const char *name, const char *caption, const char *classes,
		const struct page_column *columns)
{
	size_t id = ++page->ids;
	FILE *out = page->out;

	if (caption) {
		fputs("<p class=\"caption\">", out);
		html_text(out, caption);
		fputs("</p>\n", out);
	}
	fprintf(out, "<div class=\"wide%s\" tabindex=\"0\" role=\"group\" aria-labelledby=\"c%zu\">"
		"<table class=\"%s\">\n<caption id=\"c%zu\" class=\"unseen\">",
		strstr(classes, "tall") ? " tall" : "", id, classes, id);
	html_text(out, name);
	fputs("</caption>\n", out);
	put_columns(out, columns);
}

#define FIRST_MOST	8
#define EACH_MOST	3

void page_level_table(struct page *page, const char *name, const char *caption,
		      const char *classes, const struct page_column *first,
		      const struct page_column *each)
{
	struct page_column columns[FIRST_MOST + EACH_MOST * PAGE_LEVELS + 1] = { { NULL } };
	char *names[EACH_MOST * PAGE_LEVELS];
	size_t count = 0, named = 0;

	for (; first->name; first++)
		columns[count++] = *first;
	for (size_t i = 0; i < page->level_count; i++) {
		char *level = page_level_name(page->levels[i]);

		for (const struct page_column *column = each; column->name; column++) {
			names[named] = xasprintf("%s %s", level, column->name);
			columns[count++] = (struct page_column){ names[named++], column->right };
		}
		free(level);
	}
	page_table(page, name, caption, classes, columns);
	while (named)
		free(names[--named]);
}

void page_table_end(struct page *page)
{
	fputs("</tbody>\n</table></div>\n", page->out);
}
