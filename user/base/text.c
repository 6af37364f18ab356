// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define BLANKS " \t\r\n"

char *trim(char *text)
{
	char *end;

	text += strspn(text, BLANKS);
	end = text + strlen(text);
	while (end > text && strchr(BLANKS, end[-1]))
		*--end = '\0';
	return text;
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

char *join_words(char *const *words)
{
	char *text = xstrdup(""), *longer;

	for (; words && *words; words++) {
		longer = xasprintf("%s%s%s", text, *text ? " " : "", *words);
		free(text);
		text = longer;
	}
	return text;
}
