// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdlib.h>

#include "base/clean.h"
#include "output/html.h"

static const char *entity_of(char character)
{
	switch (character) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_text(FILE *out, const char *text)
{
	char *clean = text_clean(text);

	for (const char *at = clean; *at; at++) {
		const char *entity = entity_of(*at);

		if (entity)
			fputs(entity, out);
		else
			fputc(*at, out);
	}
	free(clean);
}

void html_put(FILE *out, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_clean_format(format, args);
	va_end(args);
	html_put_free(out, text);
}

void html_put_free(FILE *out, char *text)
{
	html_text(out, text);
	free(text);
}
