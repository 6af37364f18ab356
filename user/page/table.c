// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

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

void page_table_end(struct page *page)
{
	fputs("</tbody>\n</table></div>\n", page->out);
}
