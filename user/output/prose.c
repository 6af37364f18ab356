// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/prose.h"
#include "output/text.h"

void prose_line(FILE *out, const char *key, enum tint tint, bool colour, const char *format, ...)
{
	char *clean;
	va_list args;

	va_start(args, format);
	clean = text_clean_format(format, args);
	va_end(args);
	fprintf(out, "%s%-*s%s", tint_code(tint, colour), PROSE_KEY_COLUMNS, key,
		tint_code(TINT_NONE, colour));
	text_paragraph(out, clean[strspn(clean, " ")] ? clean : "-", PROSE_KEY_COLUMNS);
	free(clean);
}

void prose_heading(FILE *out, bool colour, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	fprintf(out, "\n%s", tint_code(TINT_BOLD, colour));
	text_put(out, text);
	fprintf(out, "%s\n", tint_code(TINT_NONE, colour));
	free(text);
}

void prose_append(char **text, const char *format, ...)
{
	char *more, *all;
	va_list args;

	va_start(args, format);
	more = xvasprintf(format, args);
	va_end(args);
	all = xasprintf("%s%s", *text ? *text : "", more);
	free(more);
	free(*text);
	*text = all;
}

void prose_append_free(char **text, char *more)
{
	prose_append(text, "%s", more);
	free(more);
}

const char *prose_or_unknown(const char *text)
{
	return text && *text ? text : "unknown";
}

char *prose_percent(double share)
{
	if (!share)
		return xstrdup("0%");
	return share < 0.0995 ? text_percent(share) : xasprintf("%.0f%%", share * 100);
}
