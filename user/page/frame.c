// SPDX-License-Identifier: GPL-2.0-only
/* What all pages begin and end with: styles, the script, and that nothing else may be loaded. */
#include "output/html.h"
#include "page/internal.h"

/* Files of this room, as they stand, and their SHA-256 in base 64: page.mk. */
extern const char _binary_page_css_start[], _binary_page_css_end[];
extern const char _binary_page_js_start[], _binary_page_js_end[];
extern const char _binary_page_css_hash_start[], _binary_page_css_hash_end[];
extern const char _binary_page_js_hash_start[], _binary_page_js_hash_end[];

static void put_file(FILE *out, const char *start, const char *end)
{
	fwrite(start, 1, end - start, out);
}

/*
 * Only this style and this script: what a name might smuggle in would not run, nor load anything.
 */
static void put_policy(FILE *out)
{
	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "base-uri 'none'; form-action 'none'; style-src 'sha256-", out);
	put_file(out, _binary_page_css_hash_start, _binary_page_css_hash_end);
	fputs("'; script-src 'sha256-", out);
	put_file(out, _binary_page_js_hash_start, _binary_page_js_hash_end);
	fputs("'\">\n", out);
}

void page_begin(FILE *out, const char *title, const char *heading, const char *lead)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
	put_policy(out);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>", out);
	html_text(out, title);
	fputs("</title>\n<style>", out);
	put_file(out, _binary_page_css_start, _binary_page_css_end);
	fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the "
	      "findings</a>\n<header>\n<h1>", out);
	html_text(out, heading);
	fputs("</h1>\n", out);
	if (lead) {
		fputs("<p class=\"muted mono\">", out);
		html_text(out, lead);
		fputs("</p>\n", out);
	}
	fputs("</header>\n", out);
}

void page_contents(FILE *out, const char *const *parts)
{
	fputs("<nav class=\"contents\" aria-label=\"Parts of this page\"><ul>", out);
	for (; parts[0]; parts += 2) {
		fputs("<li><a href=\"#", out);
		html_text(out, parts[0]);
		fputs("\">", out);
		html_text(out, parts[1]);
		fputs("</a></li>", out);
	}
	fputs("</ul></nav>\n<main id=\"main\">\n", out);
}

void page_part(FILE *out, const char *id, const char *heading)
{
	fputs("<h2 id=\"", out);
	html_text(out, id);
	fputs("\">", out);
	html_text(out, heading);
	fputs("</h2>\n", out);
}

void page_end(FILE *out)
{
	fputs("</main>\n<footer>Written by ccsample " CCSAMPLE_VERSION ". This file loads nothing "
	      "and sends nothing.</footer>\n<script>", out);
	put_file(out, _binary_page_js_start, _binary_page_js_end);
	fputs("</script>\n</body>\n</html>\n", out);
}
